//! `chlab where`: what it prints, what it refuses, and with which status.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use serde_json::{Value, json};

/// A folder with two lists of nodes and one of keys.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let keys: String = (0..1000).map(|i| format!("key-{i}\n")).collect();
    for (file, content) in
        [("three", "a:80\nb:80\nc:80\n"), ("four", "[\"d:80\",\"c:80\",\"b:80\",\"a:80\"]"), ("keys", &keys)]
    {
        fs::write(folder.path().join(file), content).expect("written");
    }
    folder
}

fn command(arguments: &str, folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_chlab"));
    command.arg("where").args(arguments.split_whitespace()).current_dir(folder);
    command
}

fn out(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

fn err(assert: &Assert) -> String {
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}

const NGINX: &str = "--system nginx-consistent --nodes three --keys keys";

#[test]
fn one_line_a_key_and_nothing_else() {
    let folder = folder();
    let done = command(NGINX, folder.path()).assert().success().stderr("");
    let answers = out(&done);
    assert_eq!(answers.lines().count(), 1000);
    for (i, line) in answers.lines().enumerate() {
        let (key, node) = line.split_once('\t').expect("a tab");
        assert_eq!(key, format!("key-{i}"));
        assert!(["a:80", "b:80", "c:80"].contains(&node), "{line}");
    }
}

/// nginx consistent moves keys to the new node only, wherever it stands in the list.
#[test]
fn a_new_node_takes_the_least_possible() {
    let folder = folder();
    let done = command(&format!("{NGINX} --diff four"), folder.path()).assert().success();
    let moves = out(&done);
    let count = moves.lines().count();
    assert!(
        count > 0 && moves.lines().all(|line| line.ends_with("\td:80") && line.split('\t').count() == 3),
        "{moves}"
    );
    let note = err(&done);
    for (what, figure) in [("keys", 1000), ("moved", count), ("least possible", count), ("excess", 0)] {
        let line = note.lines().find(|line| line.starts_with(what)).expect(what);
        assert_eq!(line[what.len()..].split_whitespace().next(), Some(figure.to_string().as_str()), "{line}");
    }
}

/// The same nodes under modulo and on a ring: the summary, the lines and the document agree.
#[test]
fn another_system_moves_most_keys() {
    let folder = folder();
    let arguments = format!("{NGINX} --diff nginx");
    let lines = out(&command(&arguments, folder.path()).assert().success());
    let document = out(&command(&format!("{arguments} --json"), folder.path()).assert().success().stderr(""));
    let document: Value = serde_json::from_str(&document).expect("JSON");
    let moves = document["moves"].as_array().expect("moves");
    assert!(moves.len() > 500, "{}", moves.len());
    for (one, line) in moves.iter().zip(lines.lines()) {
        let columns = [&one["key"], &one["from"], &one["to"]].map(|column| column.as_str().expect("text"));
        assert_eq!(columns.join("\t"), line);
    }
    assert_eq!((document["moved"].as_u64(), lines.lines().count()), (Some(moves.len() as u64), moves.len()));
    let [moved, least, excess] = ["moved", "least", "excess"].map(|field| document[field].as_u64().expect("a number"));
    assert!(least < moved && excess == moved - least, "{moved} {least} {excess}");
    let summary = out(&command(&format!("{arguments} --summary"), folder.path()).assert().success().stderr(""));
    assert!(summary.contains(&format!("least possible {least} ")) && !summary.contains("key-"), "{summary}");
}

#[test]
fn nodes_and_system_may_change_together() {
    let folder = folder();
    let done = command(&format!("{NGINX} --diff four --diff libketama --json --summary"), folder.path()).assert();
    let document: Value = serde_json::from_str(&out(&done.success())).expect("JSON");
    assert_eq!(document["after"]["system"], "libketama");
    assert_eq!(document["after"]["nodes"].as_array().map(Vec::len), Some(4));
    assert_eq!(document.get("moves"), None);
}

#[test]
fn a_file_that_has_the_id_of_a_system_is_written_with_its_folder() {
    let folder = folder();
    fs::copy(folder.path().join("four"), folder.path().join("nginx")).expect("copied");
    let nodes = |with: &str| {
        let done = command(&format!("{NGINX} --diff {with} --json --summary"), folder.path()).assert().success();
        let document: Value = serde_json::from_str(&out(&done)).expect("JSON");
        (document["after"]["system"].clone(), document["after"]["nodes"].as_array().map(Vec::len))
    };
    assert_eq!(nodes("nginx"), (json!("nginx"), Some(3)));
    assert_eq!(nodes("./nginx"), (json!("nginx-consistent"), Some(4)));
}

/// The README's example, run.
#[test]
fn the_readme_shows_what_is_printed() {
    let readme = include_str!("../README.md");
    let folder = tempfile::tempdir().expect("a folder");
    let nodes = |count| (1..=count).map(|i| format!("10.0.0.{i}:80\n")).collect::<String>();
    let keys = (1..=1000).map(|i| format!("user:{i}\n")).collect();
    for (file, content) in [("nodes", nodes(3)), ("more", nodes(4)), ("keys", keys)] {
        fs::write(folder.path().join(file), content).expect("written");
    }
    for (arguments, lines) in [
        ("--system nginx-consistent --nodes nodes --keys keys", 2),
        ("--system nginx-consistent --nodes nodes --keys keys --diff more", 1),
        ("--system nginx --nodes nodes --keys keys --diff nginx-consistent", 0),
    ] {
        assert!(readme.contains(&format!("chlab where {arguments}")), "{arguments}");
        let done = command(arguments, folder.path()).assert().success();
        let first: String = out(&done).split_inclusive('\n').take(lines).collect();
        assert!(readme.contains(&first) && readme.contains(&err(&done)), "{first}{}", err(&done));
    }
}

#[test]
fn keys_are_bytes() {
    let folder = folder();
    let keys = b"\xff\tx\r\n\nlast";
    let arguments = "--system go-rendezvous --nodes three --keys -";
    let done = command(arguments, folder.path()).write_stdin(keys.as_slice()).assert().success();
    let printed: Vec<&[u8]> = done.get_output().stdout.split(|&byte| byte == b'\n').collect();
    let [first, second, third, end] = printed[..] else { panic!("{printed:?}") };
    assert!(first.starts_with(b"\xff\tx\t") && second.starts_with(b"\t") && third.starts_with(b"last\t"));
    assert!(end.is_empty());
    let json = format!("{arguments} --json");
    let done = command(&json, folder.path()).write_stdin(keys.as_slice()).assert().success();
    let document: Value = serde_json::from_str(&out(&done)).expect("JSON");
    let owners = &document["owners"];
    assert_eq!(
        (&owners[0]["key_hex"], &owners[1]["key"], &owners[2]["key"]),
        (&json!("ff0978"), &json!(""), &json!("last"))
    );
}

#[test]
fn a_wrong_command_line_is_status_2() {
    let folder = folder();
    for (arguments, said) in [
        ("--system ngnix --nodes three --keys keys", "nearest: nginx"),
        ("--system haproxy --nodes three --keys keys", "haproxy-consistent or haproxy-map"),
        ("--system nginx --nodes three --keys keys --diff nowhere", "no such file, and no system"),
        ("--system nginx --nodes three --keys keys --diff four --diff three", "one file was given already"),
        ("--system nginx --nodes three --keys keys --diff lafikl --diff nginx", "one system was given already"),
        ("--system nginx --nodes - --keys -", "standard input"),
        ("--system nginx --nodes three", "--keys"),
        ("--list --json", "--list"),
    ] {
        let refused = command(arguments, folder.path()).write_stdin("").assert().code(2).stdout("");
        assert!(err(&refused).contains(said), "{arguments}: {}", err(&refused));
    }
}

#[test]
fn a_file_that_cannot_be_used_is_status_1_and_named() {
    let folder = folder();
    for (file, content) in
        [("empty", ""), ("zero", "a\nb 0\n"), ("twice", "a\na\n"), ("broken", "[\"a\""), ("heavy", "a 2\nb")]
    {
        fs::write(folder.path().join(file), content).expect("written");
    }
    for (arguments, said) in [
        ("--nodes absent --keys keys", "absent: cannot be read"),
        ("--nodes three --keys absent", "absent: cannot be read"),
        ("--nodes . --keys keys", ".: cannot be read"),
        ("--nodes empty --keys keys", "empty: no node"),
        ("--nodes three --keys empty", "empty: no key"),
        ("--nodes zero --keys keys", "zero: line 2: weight 0"),
        ("--nodes twice --keys keys", "twice: line 2: node \"a\""),
        ("--nodes broken --keys keys", "broken: invalid JSON"),
        ("--nodes heavy --keys keys", "heavy: lafikl: node \"a\": weight 2"),
        ("--nodes three --keys keys --diff zero", "zero: line 2: weight 0"),
    ] {
        let refused = command(&format!("--system lafikl {arguments}"), folder.path()).assert().code(1).stdout("");
        assert!(err(&refused).contains(said), "{arguments}: {}", err(&refused));
    }
}

#[test]
fn the_list_shows_every_system() {
    let folder = folder();
    let list = out(&command("--list", folder.path()).assert().success());
    let first: Vec<&str> = list.lines().filter_map(|line| line.split("  ").next()).collect();
    for entry in consistent_hash_lab::systems::systems() {
        assert!(first.contains(&entry.id), "{}: {list}", entry.id);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_and_a_closed_pipe_is_none() {
    let folder = folder();
    let piped = |end: &str| {
        let program = env!("CARGO_BIN_EXE_chlab");
        let script = format!("set -o pipefail; '{program}' where {NGINX} {end}");
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).assert()
    };
    let refused = piped("> /dev/full").code(1);
    assert!(err(&refused).contains("standard output"), "{}", err(&refused));
    piped("| true").success();
}
