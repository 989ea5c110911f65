//! What a record was made by and on: the program's source, and the machine.
//!
//! All of it is read, nothing is guessed: what the system does not tell is absent.

use std::fs;

use serde::{Deserialize, Serialize};

/// The program's source, fixed when it was built.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The commit, or `unknown` outside a repository.
    pub revision: String,
    /// Whether the source differed from that commit.
    pub dirty: bool,
    /// A hash over all source files: two records are mixed only if it is equal.
    pub fingerprint: String,
}

impl Source {
    /// The source of this program.
    #[must_use]
    pub fn of_this_program() -> Self {
        Self {
            revision: env!("CHLAB_REVISION").to_owned(),
            dirty: env!("CHLAB_DIRTY") == "true",
            fingerprint: env!("CHLAB_FINGERPRINT").to_owned(),
        }
    }
}

/// The machine, and how busy it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Environment {
    /// Processor model.
    pub cpu: Option<String>,
    /// Cores that this process may use.
    pub cores: usize,
    /// Data caches of core 0, innermost first, for example `L1 32K`.
    pub caches: Vec<String>,
    /// Main memory.
    pub memory_bytes: Option<u64>,
    /// Operating system and architecture.
    pub os: String,
    /// Rust compiler.
    pub compiler: String,
    /// C++ compiler of the references, empty if there was none.
    pub cxx: String,
    /// Build profile.
    pub profile: String,
    /// Load average over a minute, before the first measurement.
    pub load_before: Option<f64>,
    /// The same after the last.
    pub load_after: Option<f64>,
    /// Share of the processor time that the hypervisor gave to others during the run.
    pub steal_ratio: Option<f64>,
}

impl Environment {
    /// Reads it now, before the first measurement.
    #[must_use]
    pub fn now() -> Self {
        Self {
            cpu: field("/proc/cpuinfo", "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            caches: caches(),
            memory_bytes: memory_bytes(),
            os: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            compiler: env!("CHLAB_RUSTC").to_owned(),
            cxx: env!("CHLAB_CXX").to_owned(),
            profile: env!("CHLAB_PROFILE").to_owned(),
            load_before: load(),
            load_after: None,
            steal_ratio: None,
        }
    }

    /// Completes it after the last measurement.
    pub fn finish(&mut self, before: Option<CpuTime>) {
        self.load_after = load();
        self.steal_ratio = before.zip(CpuTime::now()).and_then(|(before, after)| after.steal_since(before));
    }

    /// Size of the last-level cache, if the system tells.
    #[must_use]
    pub fn last_level_cache_bytes(&self) -> Option<u64> {
        let size = self.caches.last()?.rsplit(' ').next()?;
        let digits = size.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
        let factor = match size.trim_start_matches(digits) {
            "" => 1,
            "K" => 1 << 10,
            "M" => 1 << 20,
            _ => return None,
        };
        Some(digits.parse::<u64>().ok()? * factor)
    }

    /// One line for a reader.
    #[must_use]
    pub fn summary(&self) -> String {
        let memory = self.memory_bytes.map_or(String::new(), |bytes| format!(", {} GiB", (bytes + (1 << 29)) >> 30));
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let caches = if self.caches.is_empty() { String::new() } else { format!(" ({})", self.caches.join(", ")) };
        format!("{cpu}, {} cores{caches}{memory}, {}, {}", self.cores, self.os, self.compiler)
    }
}

/// Processor time of the whole machine since it started, in ticks.
#[derive(Debug, Clone, Copy)]
pub struct CpuTime {
    total: u64,
    steal: u64,
}

impl CpuTime {
    /// Reads it now; none where `/proc/stat` is not there.
    #[must_use]
    pub fn now() -> Option<Self> {
        let stat = fs::read_to_string("/proc/stat").ok()?;
        let line = stat.lines().find(|line| line.starts_with("cpu "))?;
        let ticks: Vec<u64> = line.split_whitespace().skip(1).filter_map(|field| field.parse().ok()).collect();
        // user nice system idle iowait irq softirq steal; the guest fields behind are counted in user.
        Some(Self { total: ticks.iter().take(8).sum(), steal: *ticks.get(7)? })
    }

    fn steal_since(self, before: Self) -> Option<f64> {
        let total = self.total.checked_sub(before.total).filter(|&total| total > 0)?;
        Some(self.steal.saturating_sub(before.steal) as f64 / total as f64)
    }
}

fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    line.split_once(':').map(|(_, value)| value.trim().to_owned())
}

fn memory_bytes() -> Option<u64> {
    let kibibytes: u64 = field("/proc/meminfo", "MemTotal")?.trim_end_matches("kB").trim().parse().ok()?;
    Some(kibibytes * 1024)
}

fn caches() -> Vec<String> {
    let read = |index: u32, name: &str| {
        let path = format!("/sys/devices/system/cpu/cpu0/cache/index{index}/{name}");
        fs::read_to_string(path).map(|text| text.trim().to_owned()).ok()
    };
    (0..8)
        .filter(|&index| read(index, "type").is_some_and(|kind| kind != "Instruction"))
        .filter_map(|index| Some(format!("L{} {}", read(index, "level")?, read(index, "size")?)))
        .collect()
}

fn load() -> Option<f64> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().next()?.parse().ok()
}
