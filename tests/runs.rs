//! Timed cells are measured in several runs, each in a process of its own, and a run that was stopped goes on where it stopped.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use consistent_hash_lab::coverage::Coverage;
use consistent_hash_lab::experiment::Record;

const CHLAB: &str = env!("CARGO_BIN_EXE_chlab");
const CACHE_CONTENTION: &str = env!("CARGO_BIN_EXE_cache_contention");

/// At smoke scale, with the record in the folder.
fn smoke(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--scale", "smoke", "--quiet", "--out", "."]).current_dir(folder).stdout(Stdio::null());
    command
}

fn record(folder: &Path) -> Record {
    Record::read(&folder.join("cache_contention.json")).expect("a record")
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a debug build measures no time")]
fn a_stopped_measurement_goes_on_with_the_runs_that_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join(".cache_contention.runs");
    let mut child = smoke(CACHE_CONTENTION, folder.path()).spawn().expect("it starts");
    let begun = Instant::now();
    // The line of the measurement, and the runs of both cells.
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while lines() < 3 {
        assert!(begun.elapsed() < Duration::from_secs(120) && child.try_wait().expect("a child").is_none(), "no run");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().and_then(|()| child.wait()).expect("it ended");
    let first: serde_json::Value = {
        let text = fs::read_to_string(&journal).expect("the journal is left");
        serde_json::from_str(text.lines().nth(1).expect("a run")).expect("JSON")
    };
    assert!(smoke(CACHE_CONTENTION, folder.path()).status().expect("it runs").success());
    assert!(!journal.exists(), "the record has it all");

    let record = record(folder.path());
    let cells: Vec<&str> = record.timing.iter().map(|row| row.cell.as_str()).collect();
    assert!(cells.contains(&"n=10") && cells.contains(&"n=100"), "{cells:?}");
    for row in &record.timing {
        assert_eq!(row.runs.len(), 2, "{row:?}");
        let letters: usize = row.runs.iter().map(|run| run.conditions.len()).sum();
        assert_eq!(letters, row.samples.len(), "{row:?}");
    }
    let kept = &first["found"]["Ok"]["timing"][0]["samples"];
    let kept: Vec<f64> = serde_json::from_value(kept.clone()).expect("samples");
    assert!(!kept.is_empty() && record.timing[0].samples.starts_with(&kept), "{kept:?}");
    // Runs that hold the same times are no independent runs.
    let (one, two) = record.timing[0].samples.split_at(kept.len());
    assert_ne!(one, two);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a debug build measures no time")]
#[cfg(target_os = "linux")]
fn a_limit_of_the_address_space_is_a_row_and_every_cell_has_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    // Room for the 64 MiB that are read beside the look-ups, but not for all rings of 100 buckets besides.
    for _ in 0..2 {
        let script = format!("ulimit -v 90000; exec {CACHE_CONTENTION} --scale smoke --quiet --out . --threads 1");
        let mut command = Command::new("sh");
        let output = command.args(["-c", &script]).current_dir(folder.path()).output().expect("it runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let record = record(folder.path());
        let missing: Vec<_> = record.data.iter().filter(|row| row.metric == "error").collect();
        let missed = |cell: &str| missing.iter().any(|row| row.cell == cell);
        let measured = |cell: &str| record.timing.iter().any(|row| row.cell == cell);
        assert!(missed("n=10") || missed("n=100"), "{missing:?}");
        assert!(["n=10", "n=100"].iter().all(|cell| missed(cell) || measured(cell)), "{missing:?}");
        assert!(missing.iter().all(|row| row.note.as_ref().is_some_and(|note| !note.is_empty())));
    }
}

#[test]
fn a_cell_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = smoke(CACHE_CONTENTION, folder.path()).args(["--measure-cell", "n=7"]).output().expect("it runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("\"n=7\""));
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a debug build measures no time")]
fn coverage_is_measured_and_judged() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(CHLAB);
    command.args(["coverage", "--scale", "smoke", "--out", "halves", "--result", "coverage.json"]);
    let output = command.current_dir(folder.path()).output().expect("it runs");
    let coverage = Coverage::read(&folder.path().join("coverage.json")).expect("readable").expect("written");
    // What it finds on a machine that runs tests beside it is not the matter here, but that it says what it found.
    assert_eq!(output.status.code(), Some(if coverage.holds() { 0 } else { 3 }));
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    for experiment in ["lookup_speed", "init_time", "cache_contention"] {
        assert!(coverage.lines.iter().any(|line| line.experiment == experiment), "{table}");
        assert!(table.contains(experiment), "{table}");
    }
    let halves = ["first", "second"].map(|half| record(&folder.path().join("halves").join(half)));
    assert_ne!(halves[0].seed, halves[1].seed);
}
