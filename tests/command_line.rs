//! The command line: what is refused, with which status, and that nothing is lost or written when it is.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use consistent_hash_lab::experiment::{self, Cell, Experiment, Record, Row, Settings};
use serde_json::Value;

const CHLAB: &str = env!("CARGO_BIN_EXE_chlab");
const JUMP_WALK: &str = env!("CARGO_BIN_EXE_jump_walk");
const KEY_MOVEMENT: &str = env!("CARGO_BIN_EXE_key_movement");
const RING_LESSON: &str = env!("CARGO_BIN_EXE_ring_lesson");

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs a program in a folder.
fn run<S: AsRef<OsStr>>(program: &str, arguments: impl IntoIterator<Item = S>, folder: &Path) -> Assert {
    Command::new(program).args(arguments).current_dir(folder).assert()
}

/// Runs an experiment at the smallest scale, with its results in the folder.
fn smoke(program: &str, arguments: &[&str], folder: &Path) -> Assert {
    run(program, [&["--scale", "smoke", "--out", "."], arguments].concat(), folder)
}

fn out(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn err(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// All files of a folder with their content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let named = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    entries.map(|path| (named(&path), fs::read(&path).unwrap_or_default())).collect()
}

#[test]
fn an_unknown_implementation_is_a_usage_error() {
    let folder = folder();
    for program in [JUMP_WALK, KEY_MOVEMENT] {
        for arguments in [&["--only", "jmup"][..], &["--only", "jump,jmup", "--list"], &["--only", "jmup", "--verify"]]
        {
            let refused = run(program, arguments, folder.path()).code(2);
            let message = err(&refused);
            assert!(message.contains("jmup") && message.contains("nearest: jump"), "{message}");
        }
    }
    let refused = run(CHLAB, ["verify", "--only", "nonsense"], folder.path()).code(2);
    assert!(err(&refused).contains("nonsense"));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn an_implementation_that_is_not_measured_is_a_usage_error() {
    let folder = folder();
    let refused = smoke(JUMP_WALK, &["--only", "rendezvous"], folder.path()).code(2);
    assert!(err(&refused).contains("it measures jump, jump-cpp, jump-linear, ring-sorted64"), "{}", err(&refused));
    let refused = smoke(RING_LESSON, &["--only", "jump"], folder.path()).code(2);
    assert!(err(&refused).contains("no implementation of the catalogue"), "{}", err(&refused));
    assert!(files(folder.path()).is_empty());
}

#[test]
fn zero_threads_are_a_usage_error() {
    let folder = folder();
    for threads in ["0", "-1", "many"] {
        smoke(RING_LESSON, &["--threads", threads], folder.path()).code(2);
    }
    smoke(RING_LESSON, &["--scale", "huge"], folder.path()).code(2);
    assert!(files(folder.path()).is_empty());
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_measuring() {
    let folder = folder();
    fs::write(folder.path().join("file"), "content").expect("written");
    let before = files(folder.path());
    for out in ["file", "file/below"] {
        let refused = run(JUMP_WALK, ["--scale", "smoke", "--out", out], folder.path()).code(1);
        let message = err(&refused);
        assert!(message.contains(&format!("--out {out}")) && message.contains("nothing was measured"), "{message}");
    }
    assert_eq!(files(folder.path()), before);
}

#[test]
fn a_record_that_cannot_be_read_is_left_as_it_is() {
    let folder = folder();
    let path = folder.path().join("ring_lesson.json");
    smoke(RING_LESSON, &[], folder.path()).success();
    let whole = fs::read_to_string(&path).expect("a record");
    let of_version = |version| whole.replace("\"schema_version\": 1", &format!("\"schema_version\": {version}"));
    let bad = [
        ("not JSON", "damaged", String::new()),
        ("half a file", "damaged", whole.chars().take(whole.len() / 2).collect()),
        ("something else", "damaged", "{\"name\": \"package\"}".into()),
        ("a field is missing", "damaged", whole.replace("\"metric\"", "\"metrics\"")),
        ("older", "schema version 0", of_version(0)),
        ("newer", "schema version 999", of_version(999)),
    ];
    for (what, said, content) in bad {
        fs::write(&path, &content).expect("written");
        let before = files(folder.path());
        let refused = smoke(RING_LESSON, &[], folder.path()).code(1);
        let message = err(&refused);
        assert!(message.contains("ring_lesson.json") && message.contains(said), "{what}: {message}");
        assert!(message.contains("--fresh"), "{what}: {message}");
        assert_eq!(files(folder.path()), before, "{what}");
        let refused = run(CHLAB, ["report", "--results", "."], folder.path()).code(1);
        assert!(err(&refused).contains("ring_lesson.json"), "{what}: {}", err(&refused));
        assert_eq!(files(folder.path()), before, "{what}");
    }
}

#[test]
fn fresh_sets_aside_and_goes_on() {
    let folder = folder();
    let path = folder.path().join("ring_lesson.json");
    for (kept, content) in [("json.kept-1", "not a record"), ("json.kept-2", "{\"schema_version\": 0}")] {
        fs::write(&path, content).expect("written");
        smoke(RING_LESSON, &["--fresh"], folder.path()).success();
        assert_eq!(fs::read_to_string(path.with_extension(kept)).expect("kept"), content);
        assert!(!Record::read(&path).expect("a new record").data.is_empty());
    }
    assert_eq!(fs::read_to_string(path.with_extension("json.kept-1")).expect("still kept"), "not a record");
}

#[test]
fn a_record_of_another_seed_is_not_mixed_in() {
    let only = ["--only", "modulo", "--quiet", "--seed"];
    let with_seed = |seed, folder: &Path| {
        smoke(KEY_MOVEMENT, &[&only[..], &[seed]].concat(), folder).success();
        fs::read_to_string(folder.join("only/modulo/key_movement.json")).expect("a record")
    };
    let (both, second) = (folder(), folder());
    let one = with_seed("1", both.path());
    let two = with_seed("2", both.path());
    let previous = fs::read_to_string(both.path().join("only/modulo/key_movement.json.kept-1"));
    assert_eq!(previous.expect("set aside"), one);
    let data = |text: &str| serde_json::from_str::<Value>(text).expect("JSON")["data"].clone();
    assert_ne!(data(&one), data(&two));
    assert_eq!(data(&two), data(&with_seed("2", second.path())));
}

/// Also those that the figures of the paper do not compare: exactly, by sampled keys, or with the reason why not.
#[test]
fn any_algorithm_can_be_asked_for() {
    let folder = folder();
    let record = |program, name: &str| {
        smoke(program, &["--only", "modulo,multi-probe,dx,dynamo", "--quiet"], folder.path()).success();
        let path = folder.path().join("only/dx+dynamo+modulo+multi-probe").join(name);
        Record::read(&path).expect("a record")
    };
    let balance = record(env!("CARGO_BIN_EXE_bucket_balance"), "bucket_balance.json");
    for (id, is_sampled) in [("modulo", false), ("dx", false), ("multi-probe", true)] {
        let row = balance.row(id, "cv", &[("buckets", 1000.0)]).expect(id);
        assert!(row.number().is_some() && row.parameters.contains_key("noise_cv") == is_sampled, "{row:?}");
    }
    if cfg!(not(debug_assertions)) {
        let builds = record(env!("CARGO_BIN_EXE_init_time"), "init_time.json");
        for id in ["modulo", "dx", "multi-probe"] {
            assert!(builds.time(id, "build_ns", &[("buckets", 16.0)]).is_some(), "{id}");
        }
    }
}

/// Some implementations never replace a record of all.
#[test]
fn a_part_does_not_replace_the_whole() {
    let folder = folder();
    smoke(JUMP_WALK, &["--quiet"], folder.path()).success();
    let whole = fs::read(folder.path().join("jump_walk.json")).expect("a record");
    smoke(JUMP_WALK, &["--quiet", "--only", "jump-linear"], folder.path()).success();
    assert_eq!(fs::read(folder.path().join("jump_walk.json")).expect("still there"), whole);
    assert!(folder.path().join("only/jump-linear/jump_walk.json").exists());
}

#[test]
fn two_runs_do_not_write_one_record() {
    let folder = folder();
    let lock = fs::File::create(folder.path().join(".ring_lesson.lock")).expect("a file");
    lock.lock().expect("the lock");
    let refused = err(&smoke(RING_LESSON, &["--quiet"], folder.path()).code(1));
    assert!(refused.contains("another run of ring_lesson"), "{refused}");
    drop(lock);
    smoke(RING_LESSON, &["--quiet"], folder.path()).success();
}

#[test]
fn what_is_listed_is_not_measured() {
    let folder = folder();
    for (program, cell, id) in [
        (JUMP_WALK, "k1-k3\tjump", "answers jump.k123"),
        (KEY_MOVEMENT, "residues\tmodulo", "answers jump.move.10to12"),
        (RING_LESSON, "join", "answers lesson.join"),
    ] {
        let list = out(&run(program, ["--list"], folder.path()).success());
        assert!(list.contains(cell) && list.contains(id), "{list}");
        let help = out(&run(program, ["--help"], folder.path()).success());
        assert!(["--scale", "--only", "--seed", "--fresh"].iter().all(|option| help.contains(option)), "{help}");
        run(program, ["--verify", "--only", "modulo", "--quiet"], folder.path()).success().stdout("");
    }
    assert!(files(folder.path()).is_empty());
}

#[test]
fn quiet_is_quiet() {
    let folder = folder();
    smoke(RING_LESSON, &["--quiet"], folder.path()).success().stdout("").stderr("");
    assert!(folder.path().join("ring_lesson.json").exists());
    let loud = out(&smoke(RING_LESSON, &[], folder.path()).success());
    assert!(loud.contains("lesson.join") && loud.contains("reproduced") && loud.contains("wrote"), "{loud}");
}

#[test]
fn chlab_lists_and_verifies() {
    let folder = folder();
    let list = out(&run(CHLAB, ["list"], folder.path()).success());
    assert!(["modulo", "jump-cpp", "rendezvous"].iter().all(|id| list.contains(id)), "{list}");
    let verified = out(&run(CHLAB, ["verify"], folder.path()).success());
    assert!(verified.contains("passed") && verified.contains("caught"), "{verified}");
    assert!(!verified.contains("FAILED") && !verified.contains("ESCAPED"), "{verified}");
    run(CHLAB, ["--help"], folder.path()).success();
    run(CHLAB, ["nonsense"], folder.path()).code(2);
    assert!(files(folder.path()).is_empty());
}

#[test]
#[cfg(target_os = "linux")]
#[cfg(not(debug_assertions))]
fn checks_beyond_their_limits_are_failures() {
    let folder = folder();
    let late = run(CHLAB, ["verify", "--only", "jump,power", "--most-seconds", "0"], folder.path()).code(3);
    assert!(err(&late).contains("power failed "), "{}", err(&late));
    // Too little to be started at all.
    let small = run(CHLAB, ["verify", "--only", "jump", "--most-memory", "1"], folder.path()).code(3);
    assert!(err(&small).contains("jump failed totality: ") && err(&small).contains("1 MiB of address space"));
    assert!(out(&small).contains("FAILED") && out(&small).contains("caught by"), "{}", out(&small));
    // Enough to be started, not to build a million buckets.
    let arguments = ["verify", "--only", "jump,anchor", "--most-memory", "32"];
    let some = run(CHLAB, arguments, folder.path()).code(3);
    assert!(err(&some).contains("anchor failed large: "), "{}", err(&some));
    assert!(!err(&some).contains("jump failed"), "{}", err(&some));
}

#[test]
fn a_report_needs_a_record() {
    let folder = folder();
    let refused = run(CHLAB, ["report", "--results", "."], folder.path()).code(1);
    assert!(err(&refused).contains("make reproduce"), "{}", err(&refused));
    assert!(files(folder.path()).is_empty());
    smoke(RING_LESSON, &["--quiet"], folder.path()).success();
    let report = out(&run(CHLAB, ["report", "--results", "."], folder.path()).success());
    assert!(report.contains("lesson.join") && report.contains("No record yet of"), "{report}");
    assert!(files(folder.path()).contains_key("REPORT.md"));
}

/// An experiment with a timed cell: the library's, because no program must be needed to show the rule.
fn timed() -> Experiment {
    let grid = |_: &Settings| vec![Cell::timed("clock", [], |_| Ok(Vec::new().into()))];
    Experiment { name: "timed", title: "", paper: "", method: "", grid }
}

fn settings(folder: &Path) -> Settings {
    use clap::{Args, Command, FromArgMatches};
    let arguments = ["timed", "--quiet", "--out", &folder.to_string_lossy()].map(str::to_owned);
    let matches = Settings::augment_args(Command::new("timed")).get_matches_from(arguments);
    Settings::from_arg_matches(&matches).expect("settings")
}

#[test]
fn a_debug_build_does_not_time() {
    let folder = folder();
    let done = experiment::run(&timed(), &settings(folder.path()));
    if cfg!(debug_assertions) {
        let refused = done.expect_err("times of a debug build mean nothing");
        assert_eq!(refused.exit_status(), 1);
        assert!(refused.to_string().contains("--release"), "{refused}");
        assert!(files(folder.path()).is_empty());
    } else {
        assert!(done.is_ok());
    }
}

/// More memory than any machine has; a cell that cannot be measured; one that can.
fn troubled() -> Experiment {
    fn grid(_: &Settings) -> Vec<Cell> {
        let fine = |_: &_| Ok(vec![Row::new("jump", "answer", 42)].into());
        vec![
            Cell::statistical("large", ["jump"], fine).bytes(u64::MAX),
            Cell::statistical("failing", ["jump"], |_| anyhow::bail!("no ring of 0 points")),
            Cell::statistical("fine", ["jump"], fine),
        ]
    }
    Experiment { name: "troubled", title: "", paper: "", method: "", grid }
}

#[test]
fn a_cell_that_cannot_be_measured_is_a_row_with_its_reason() {
    let folder = folder();
    for _ in 0..2 {
        // The second run tries them again.
        let (record, _) = experiment::run(&troubled(), &settings(folder.path())).expect("a record");
        let rows: Vec<(&str, &str)> =
            record.data.iter().map(|row| (row.cell.as_str(), row.note.as_deref().unwrap_or_default())).collect();
        let [("large", large), ("failing", failing), ("fine", "")] = rows[..] else { panic!("{rows:?}") };
        assert!(large.starts_with("skipped: needs about"), "{large}");
        assert_eq!(failing, "no ring of 0 points");
        assert_eq!(record.number("jump", "answer", &[]), Some(42.0));
    }
}
