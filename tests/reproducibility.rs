//! The data of a record depend on the seed alone: not on the number of threads, nor on how often the run was stopped.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use consistent_hash_lab::experiment::Record;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

/// The experiments whose values the seed determines.
const EXPERIMENTS: [(&str, &str); 6] = [
    ("bucket_balance", env!("CARGO_BIN_EXE_bucket_balance")),
    ("jump_walk", env!("CARGO_BIN_EXE_jump_walk")),
    ("key_movement", env!("CARGO_BIN_EXE_key_movement")),
    ("ring_lesson", env!("CARGO_BIN_EXE_ring_lesson")),
    ("ring_memory", env!("CARGO_BIN_EXE_ring_memory")),
    ("vnode_skew", env!("CARGO_BIN_EXE_vnode_skew")),
];

struct Run {
    binary: &'static str,
    folder: tempfile::TempDir,
    record: PathBuf,
}

impl Run {
    fn new((name, binary): (&'static str, &'static str)) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let record = folder.path().join(format!("{name}.json"));
        Self { binary, folder, record }
    }

    fn start(&self, threads: u32) -> Child {
        Command::new(self.binary)
            .args(["--scale", "smoke", "--quiet", "--threads", &threads.to_string(), "--out"])
            .arg(self.folder.path())
            .current_dir(self.folder.path())
            .stdout(Stdio::null())
            .spawn()
            .expect("the experiment starts")
    }

    /// Runs to the end and returns the data, byte for byte.
    fn finish(&self, threads: u32) -> String {
        assert!(self.start(threads).wait().expect("it ends").success(), "{}", self.binary);
        let previous = self.record.with_extension("json.kept-1");
        assert!(!previous.exists(), "{}: the record was set aside, not continued", self.binary);
        data(&self.record)
    }
}

/// The value of `data` as it stands in the file.
fn data(record: &Path) -> String {
    let text = fs::read_to_string(record).expect("a record");
    let (_, data) = text.split_once("\n \"data\": ").expect("data");
    let (data, _) = data.split_once(",\n \"timing\": ").expect("timing after it");
    assert!(data.len() > 100, "{}: hardly any data", record.display());
    data.to_owned()
}

/// The cells that have rows, in their order.
fn cells(record: &Record) -> Vec<String> {
    let mut cells: Vec<String> = record.data.iter().map(|row| row.cell.clone()).collect();
    cells.dedup();
    cells
}

/// A record that is continued is read and written again: no digit may change on the way.
#[test]
fn numbers_survive_reading_and_writing() {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..200_000 {
        let number = Value::from(f64::from_bits(stream.next_u64() >> 2));
        let text = number.to_string();
        let read: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read.to_string(), text);
    }
}

#[test]
fn threads_have_no_influence() {
    for experiment in EXPERIMENTS {
        let [one, two] = [1, 2].map(|threads| Run::new(experiment).finish(threads));
        assert_eq!(one, two, "{}", experiment.0);
    }
}

/// A record with these cells only, as a run leaves it that was stopped: the header is whole, no verdict is there.
fn reduce(record: &Path, keep: impl Fn(usize) -> bool) {
    let text = fs::read_to_string(record).expect("a record");
    let all = cells(&Record::read(record).expect("a whole record"));
    let kept: BTreeSet<&String> = all.iter().enumerate().filter(|&(at, _)| keep(at)).map(|(_, cell)| cell).collect();
    // Lines of text, so that what is kept is kept byte for byte. One row is one line.
    let data = data(record);
    let rows = data.lines().filter(|line| {
        let row = serde_json::from_str::<Value>(line.trim_end_matches(','));
        row.is_ok_and(|row| row["cell"].as_str().is_some_and(|cell| kept.contains(&cell.to_owned())))
    });
    let rows: Vec<&str> = rows.map(|line| line.trim_end_matches(',')).collect();
    let reduced = if rows.is_empty() { "[]".into() } else { format!("[\n{}\n ]", rows.join(",\n")) };
    let (whole, _) = text.split_once("\n \"verdicts\": ").expect("verdicts");
    let text = format!("{}\n \"verdicts\": []\n}}\n", whole.replace(&data, &reduced));
    fs::write(record, text).expect("written");
    assert_eq!(cells(&Record::read(record).expect("still a record")).len(), kept.len());
}

#[test]
fn a_part_is_completed() {
    for experiment in EXPERIMENTS {
        let run = Run::new(experiment);
        let whole = run.finish(2);
        let count = cells(&Record::read(&run.record).expect("a record")).len();
        // Nothing, a beginning, and what threads side by side may leave: here and there a cell.
        let parts: [&dyn Fn(usize) -> bool; 3] = [&|_| false, &|at| at < count / 2, &|at| at % 2 == 1];
        for keep in parts {
            reduce(&run.record, keep);
            assert_eq!(run.finish(2), whole, "{}", experiment.0);
        }
    }
}

#[test]
fn a_killed_run_is_completed() {
    const KILLS: u32 = 4;
    let mut caught = 0;
    for experiment in EXPERIMENTS {
        let whole = Run::new(experiment);
        let started = Instant::now();
        let right = whole.finish(2);
        let lasts = started.elapsed();
        let all = cells(&Record::read(&whole.record).expect("a record")).len();
        let run = Run::new(experiment);
        for kill in 0..KILLS {
            // Half of them at moments spread over the whole run, half as soon as there is a record.
            let _ = fs::remove_file(&run.record);
            let mut child = run.start(2);
            if kill % 2 == 0 {
                std::thread::sleep(lasts * kill / KILLS);
            } else {
                while !run.record.exists() && child.try_wait().expect("a child").is_none() {
                    std::thread::sleep(Duration::from_micros(200));
                }
            }
            // It may have ended already.
            let _ = child.kill();
            child.wait().expect("it ended");
            if run.record.exists() {
                let left = Record::read(&run.record).expect("a record is whole at any moment");
                caught += u32::from(cells(&left).len() < all);
            }
            assert_eq!(run.finish(1), right, "{}", experiment.0);
        }
    }
    assert!(caught > 0, "no run was killed in its midst: the test has shown nothing");
}
