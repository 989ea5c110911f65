//! How many bytes a structure holds, and how many the machine can still give.
//!
//! Bytes are counted where they are asked for: a binary declares the [`CountingAllocator`], and [`measure`] reports
//! what building one value left on the heap and what it held at most on the way. Frees are subtracted, and other
//! threads are not seen, so the figures are exact and repeat from run to run; the resident size of a process does neither.
//!
//! ```
//! use consistent_hash_lab::measure::memory::{CountingAllocator, measure};
//!
//! #[global_allocator]
//! static ALLOCATOR: CountingAllocator = CountingAllocator;
//!
//! let (numbers, heap) = measure(|| vec![0_u64; 100])?;
//! assert_eq!((heap.live_bytes, numbers.len()), (800, 100));
//! # Ok::<(), consistent_hash_lab::measure::memory::MemoryError>(())
//! ```

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::fs;
use std::hint::black_box;
use std::path::Path;

/// What can be wrong with a measurement of memory.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryError {
    /// The program allocates elsewhere, so that every count would be zero.
    #[error("memory is not counted: declare `#[global_allocator] static A: CountingAllocator` in this binary")]
    NotInstalled,
    /// The closure gave back memory that was there before it began.
    #[error(
        "{bytes} more bytes were freed than allocated: build and drop inside the measured closure only what is its own"
    )]
    FreedMore { bytes: u64 },
}

/// The heap of one value, in bytes as requested, without what the allocator adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heap {
    /// What the value holds.
    pub live_bytes: u64,
    /// The most that was held at one time while it was built.
    pub peak_bytes: u64,
}

/// The system's allocator, counting the bytes of each thread.
///
/// A reallocation counts as growth in place: the moment in which the system may hold both blocks is not in the peak.
#[derive(Debug, Clone, Copy, Default)]
pub struct CountingAllocator;

/// Bytes allocated minus bytes freed, by one thread. Negative where a thread frees what others allocated.
#[derive(Clone, Copy)]
struct Counts {
    live: i64,
    peak: i64,
}

thread_local! {
    // Constant and without a destructor: nothing is allocated or registered when a thread first counts, and an
    // allocation while a thread ends still finds it.
    static COUNTS: Cell<Counts> = const { Cell::new(Counts { live: 0, peak: 0 }) };
}

/// Counts a block that went from `old` to `new` bytes; no block is 0 bytes. No layout exceeds `isize::MAX`.
#[inline]
fn count(old: usize, new: usize) {
    let Counts { live, peak } = COUNTS.get();
    let live = live.wrapping_sub(old as i64).wrapping_add(new as i64);
    COUNTS.set(Counts { live, peak: peak.max(live) });
}

// SAFETY: every request goes to `System` with the caller's own arguments and its answer is returned unchanged, so that
// `System`'s guarantees are ours. Counting neither allocates nor unwinds: it is wrapping arithmetic on a thread-local
// that needs no initialisation.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what `System` asks for.
        let block = unsafe { System.alloc(layout) };
        if !block.is_null() {
            count(0, layout.size());
        }
        block
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller promises what `System` asks for.
        let block = unsafe { System.alloc_zeroed(layout) };
        if !block.is_null() {
            count(0, layout.size());
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block is from one of these functions, hence from `System`, with this layout.
        unsafe { System.dealloc(block, layout) };
        count(layout.size(), 0);
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the block is from one of these functions, hence from `System`, with this layout; the caller promises
        // the rest.
        let moved = unsafe { System.realloc(block, layout, new_size) };
        // If it fails the old block is still there.
        if !moved.is_null() {
            count(layout.size(), new_size);
        }
        moved
    }
}

/// A stretch of time with a peak of its own. Its end, by return or by panic, gives the outer stretch its peak back.
struct Stretch {
    start: i64,
    outer_peak: i64,
}

impl Stretch {
    fn begin() -> Self {
        let Counts { live, peak } = COUNTS.get();
        COUNTS.set(Counts { live, peak: live });
        Self { start: live, outer_peak: peak }
    }

    /// Bytes since the beginning: those held now, and the most that were held.
    fn counts(&self) -> Counts {
        let Counts { live, peak } = COUNTS.get();
        Counts { live: live - self.start, peak: peak - self.start }
    }
}

impl Drop for Stretch {
    fn drop(&mut self) {
        let Counts { live, peak } = COUNTS.get();
        COUNTS.set(Counts { live, peak: peak.max(self.outer_peak) });
    }
}

fn is_installed() -> bool {
    let stretch = Stretch::begin();
    let probe = black_box(Box::new([0_u8; 64]));
    let counted = stretch.counts().live == 64;
    drop(probe);
    counted
}

/// Builds a value and counts the heap that it holds.
///
/// What this thread allocates minus what it frees is counted, so the closure must build the value from nothing that is
/// on the heap already and must not leave work to other threads. Calls may be nested: the outer one counts the inner
/// one's bytes as its own.
///
/// # Errors
/// [`MemoryError::NotInstalled`] if [`CountingAllocator`] is not this program's allocator; the closure is not called.
/// [`MemoryError::FreedMore`] if it dropped more than it allocated.
pub fn measure<T>(build: impl FnOnce() -> T) -> Result<(T, Heap), MemoryError> {
    if !is_installed() {
        return Err(MemoryError::NotInstalled);
    }
    let stretch = Stretch::begin();
    let value = build();
    let Counts { live, peak } = stretch.counts();
    match u64::try_from(live) {
        Ok(live_bytes) => Ok((value, Heap { live_bytes, peak_bytes: peak.unsigned_abs() })),
        Err(_) => Err(MemoryError::FreedMore { bytes: live.unsigned_abs() }),
    }
}

/// The memory that this process can still take: what the kernel calls available, or less where a control group or the limit of
/// the address space of this process is lower. `None` where the system does not say.
#[must_use]
pub fn available_bytes() -> Option<u64> {
    let machine = kilobytes(&fs::read_to_string("/proc/meminfo").ok()?, "MemAvailable")?;
    let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let rooms = [group_room(&groups, Path::new("/sys/fs/cgroup")), address_space_room()];
    Some(rooms.into_iter().flatten().fold(machine, u64::min))
}

/// What the limit of the address space (`ulimit -v`) leaves; `None` without one.
fn address_space_room() -> Option<u64> {
    let limit = address_space_limit(&fs::read_to_string("/proc/self/limits").ok()?)?;
    let taken = kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmSize")?;
    Some(limit.saturating_sub(taken))
}

/// From the lines of /proc/self/limits: name, soft limit, hard limit, unit.
fn address_space_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Whether a structure of this size can be built now.
///
/// # Errors
/// The reason, for the row of a measurement that is left out.
pub fn room_for(bytes: u64) -> Result<(), String> {
    match available_bytes() {
        Some(available) if bytes > available => {
            Err(format!("skipped: needs about {} MiB of memory and {} MiB are available", bytes >> 20, available >> 20))
        }
        _ => Ok(()),
    }
}

/// Lets this thread's allocator finish what earlier frees have left to it.
///
/// glibc keeps small blocks that were freed as they are, and merges them at the next large request. After a tree of
/// millions of nodes that takes as long as building one, and it is not the next build's time; and until then new nodes
/// are scattered over the blocks of the old ones.
pub fn settle() {
    // Larger than any block that is kept unmerged, smaller than what the system is asked for directly.
    drop(std::hint::black_box(Vec::<u8>::with_capacity(64 << 10)));
}

/// The most memory that was ever resident in this process (VmHWM). `None` where the system does not say.
#[must_use]
pub fn peak_rss_bytes() -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, "VmHWM")
}

/// A line `name:  123 kB` of a file in /proc, in bytes.
fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    value.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

/// The files in which a version of control groups keeps a limit and its use.
struct GroupFiles {
    limit: &'static str,
    usage: &'static str,
    /// The line of `memory.stat` with the part of the use that the kernel gives up first.
    reclaimable: &'static str,
}

const GROUPS_V1: GroupFiles =
    GroupFiles { limit: "memory.limit_in_bytes", usage: "memory.usage_in_bytes", reclaimable: "total_inactive_file" };
const GROUPS_V2: GroupFiles = GroupFiles { limit: "memory.max", usage: "memory.current", reclaimable: "inactive_file" };

/// What the groups of /proc/self/cgroup leave, with their hierarchies mounted below `root`; the tightest one counts.
fn group_room(groups: &str, root: &Path) -> Option<u64> {
    let rooms = groups.lines().filter_map(|line| {
        let (_, line) = line.split_once(':')?;
        let (controllers, path) = line.split_once(':')?;
        let (mount, files) = match controllers {
            "" => (root.to_owned(), GROUPS_V2),
            list if list.split(',').any(|controller| controller == "memory") => (root.join("memory"), GROUPS_V1),
            _ => return None,
        };
        // Limits bind from every level. Inside a container the path may be the host's: then only the mount is there.
        let group = mount.join(path.trim_start_matches('/'));
        group.ancestors().take_while(|level| level.starts_with(&mount)).filter_map(|level| files.room(level)).min()
    });
    rooms.min()
}

impl GroupFiles {
    /// What one group leaves; `None` if it has no limit ("max" in version 2).
    fn room(&self, group: &Path) -> Option<u64> {
        let number = |file| fs::read_to_string(group.join(file)).ok()?.trim().parse::<u64>().ok();
        let (limit, usage) = (number(self.limit)?, number(self.usage)?);
        let stat = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
        let reclaimable = stat.lines().find_map(|line| line.strip_prefix(self.reclaimable)?.trim().parse::<u64>().ok());
        Some(limit.saturating_sub(usage.saturating_sub(reclaimable.unwrap_or(0))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_does_not_count_is_told_so() {
        let mut called = false;
        assert_eq!(measure(|| called = true).unwrap_err(), MemoryError::NotInstalled);
        assert!(!called);
    }

    #[test]
    fn lines_of_proc() {
        let text = "MemTotal:       24684096 kB\nMemAvailable:   24027816 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable"), Some(24_027_816 * 1024));
        assert_eq!(kilobytes(text, "Mem"), None);
        assert_eq!(kilobytes("VmHWM: much", "VmHWM"), None);
    }

    #[test]
    fn limits_of_the_address_space() {
        let limits = |soft| {
            format!("Limit   Soft Limit   Hard Limit  Units\nMax address space         {soft}   unlimited   bytes\n")
        };
        assert_eq!(address_space_limit(&limits("1048576000")), Some(1_048_576_000));
        assert_eq!((address_space_limit(&limits("unlimited")), address_space_limit("")), (None, None));
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_machine_answers() {
        assert!(available_bytes().expect("Linux says") > 1 << 20);
        assert!(peak_rss_bytes().expect("Linux says") > 1 << 18);
    }

    fn group(path: &Path, files: &[(&str, &str)]) {
        fs::create_dir_all(path).expect("a directory");
        for (name, text) in files {
            fs::write(path.join(name), text).expect("a file");
        }
    }

    #[test]
    fn limits_of_version_2_bind_from_every_level() {
        let root = tempfile::tempdir().expect("a directory");
        let stat = ("memory.stat", "anon 1\ninactive_file 200\n");
        group(root.path(), &[("memory.stat", "anon 1\n")]);
        group(&root.path().join("a"), &[("memory.max", "1000\n"), ("memory.current", "700\n"), stat]);
        group(&root.path().join("a/b"), &[("memory.max", "max\n"), ("memory.current", "700\n"), stat]);
        assert_eq!(group_room("0::/a/b\n", root.path()), Some(500));
        assert_eq!(group_room("0::/\n", root.path()), None);
        assert_eq!(group_room("", root.path()), None);
    }

    #[test]
    fn limits_of_version_1() {
        let root = tempfile::tempdir().expect("a directory");
        let files = [("memory.limit_in_bytes", "1000\n"), ("memory.usage_in_bytes", "1300\n")];
        group(&root.path().join("memory"), &files);
        assert_eq!(group_room("8:pids:/\n4:cpu,memory:/only/on/the/host\n0::/\n", root.path()), Some(0));
        assert_eq!(group_room("8:pids:/\n", root.path()), None);
    }
}
