//! What a program does when its output cannot be written, its files are not what they should be, or its input is hostile.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

const CHLAB: &str = env!("CARGO_BIN_EXE_chlab");
const RING_LESSON: &str = env!("CARGO_BIN_EXE_ring_lesson");

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn run(program: &str, arguments: &str, folder: &Path) -> Assert {
    Command::new(program).args(arguments.split_whitespace()).current_dir(folder).assert()
}

fn measured() -> tempfile::TempDir {
    let folder = folder();
    run(RING_LESSON, "--scale smoke --out . --quiet", folder.path()).success();
    folder
}

fn err(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

/// What a shell runs, in a folder.
#[cfg(target_os = "linux")]
fn shell(script: &str, folder: &Path) -> Assert {
    Command::new("bash").args(["-c", &format!("set -o pipefail; {script}")]).current_dir(folder).assert()
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let folder = folder();
    for command in [
        format!("{RING_LESSON} --scale smoke --out ."),
        format!("{RING_LESSON} --list"),
        format!("{RING_LESSON} --verify"),
        format!("{RING_LESSON} --help"),
        format!("{CHLAB} list"),
        format!("{CHLAB} --version"),
    ] {
        let refused = shell(&format!("{command} > /dev/full"), folder.path()).code(1);
        assert!(err(&refused).contains("standard output"), "{command}: {}", err(&refused));
        shell(&format!("{command} | true"), folder.path()).success();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_unread_message_changes_no_status() {
    let folder = folder();
    for (command, status) in [
        (format!("{RING_LESSON} --only nonsense"), 2),
        (format!("{RING_LESSON} --scale huge"), 2),
        (format!("{CHLAB} verify --only nonsense"), 2),
        (format!("{CHLAB} report --results ."), 1),
        (format!("{CHLAB} where --system nonsense --nodes a --keys b"), 2),
    ] {
        shell(&format!("{command} 2> /dev/full"), folder.path()).code(status);
        shell(&format!("{command} 2>&1 >&- | true; exit ${{PIPESTATUS[0]}}"), folder.path()).code(status);
    }
}

#[test]
fn a_record_under_a_wrong_name_is_refused() {
    let folder = measured();
    let wrong = folder.path().join("jump_walk.json");
    fs::copy(folder.path().join("ring_lesson.json"), &wrong).expect("copied");
    let before = fs::read(&wrong).expect("a record");
    for (program, arguments) in
        [(CHLAB, "report --results ."), (env!("CARGO_BIN_EXE_jump_walk"), "--scale smoke --out . --quiet")]
    {
        let refused = err(&run(program, arguments, folder.path()).code(1));
        assert!(refused.contains("\"ring_lesson\", not of \"jump_walk\""), "{refused}");
        assert_eq!(fs::read(&wrong).expect("still there"), before);
    }
}

/// A second name of each file keeps what it held: none is written in place, where a full disk would leave nothing.
#[test]
#[cfg(unix)]
fn no_file_is_written_in_place() {
    use std::os::unix::fs::MetadataExt;
    let folder = measured();
    run(CHLAB, "report --results .", folder.path()).success();
    let readme = folder.path().join("README.md");
    let sections = ["verdicts", "machine", "coverage", "false-alarms"];
    let text: String =
        sections.iter().map(|name| format!("<!-- begin {name} -->\nold\n<!-- end {name} -->\n")).collect();
    fs::write(&readme, &text).expect("written");
    let inode = |path: &Path| fs::metadata(path).expect("a file").ino();
    let files: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|kind| ["png", "svg", "md"].iter().any(|known| kind == *known)))
        .collect();
    assert!(files.len() >= 4, "{files:?}");
    let kept = folder.path().join("kept");
    fs::create_dir(&kept).expect("a folder");
    for file in &files {
        fs::hard_link(file, kept.join(file.file_name().expect("a name"))).expect("linked");
    }
    run(CHLAB, "report --results . --readme README.md", folder.path()).success();
    for file in &files {
        assert_ne!(inode(file), inode(&kept.join(file.file_name().expect("a name"))), "{}", file.display());
    }
    assert_eq!(fs::read_to_string(kept.join("README.md")).expect("kept"), text);
    assert!(!fs::read_to_string(&readme).expect("new").contains("\nold\n"));
    let left = fs::read_dir(folder.path()).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    assert!(!left.into_iter().any(|name| name.to_string_lossy().ends_with(".tmp")));
}

/// Experiments that begin at the same time look whether they can write, each with a file of its own.
#[test]
fn experiments_do_not_share_a_probe() {
    let folder = folder();
    fs::create_dir(folder.path().join(".probe.tmp")).expect("a folder");
    run(RING_LESSON, "--scale smoke --out . --quiet", folder.path()).success();
}

#[test]
fn what_a_user_gave_does_not_steer_the_terminal() {
    let folder = folder();
    fs::write(folder.path().join("nodes"), "a\u{1b}[2J\n").expect("written");
    fs::write(folder.path().join("keys"), "key\n").expect("written");
    for (program, arguments, status) in [
        (RING_LESSON, "--only \u{1b}[2J", 2),
        (CHLAB, "verify --only \u{1b}[2J", 2),
        (CHLAB, "report --results \u{1b}[2J", 1),
        (CHLAB, "where --system \u{1b}[2J --nodes nodes --keys keys", 2),
        (CHLAB, "where --system lafikl --nodes nodes --keys keys", 1),
        (CHLAB, "where --system lafikl --nodes \u{1b}[2J --keys keys", 1),
    ] {
        let message = err(&run(program, arguments, folder.path()).code(status));
        assert!(message.contains("\\u{1b}[2J") && !message.contains('\u{1b}'), "{arguments}: {message:?}");
    }
    let message = err(&run(RING_LESSON, "--scale \u{1b}[2J", folder.path()).code(2));
    assert!(message.contains("invalid value") && !message.contains('\u{1b}'), "{message:?}");
}

#[test]
fn a_name_of_any_length_has_a_row() {
    let folder = folder();
    let name: String = ('a'..='z').cycle().take(70_000).collect();
    fs::write(folder.path().join("nodes"), format!("{name}\nb\n")).expect("written");
    fs::write(folder.path().join("keys"), "1\n2\n3\n").expect("written");
    let done = run(CHLAB, "where --system lafikl --nodes nodes --keys keys --summary", folder.path()).success();
    let summary = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
    assert!(summary.contains(&name[..40]) && summary.lines().all(|line| line.len() < 200));
}

/// `make` asks cargo where its programs are: they need not lie in `target/`.
#[test]
#[cfg(unix)]
fn make_finds_the_programs_wherever_cargo_puts_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for goal in ["reproduce", "paper", "smoke", "report"] {
        let said = Command::new("make").args(["--dry-run", goal]).current_dir(root).assert().success();
        let commands = String::from_utf8_lossy(&said.get_output().stdout).into_owned();
        assert!(commands.contains("cargo run") && !commands.contains("target/"), "{goal}: {commands}");
    }
}
