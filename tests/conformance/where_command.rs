//! `chlab where`: the recorded nodes and keys as files, and every recorded answer on its output.

use std::collections::HashMap;
use std::fs;

use anyhow::{Context, Result, ensure};
use assert_cmd::Command;
use consistent_hash_lab::systems::Node;
use serde_json::Value;

use crate::servers::server;
use crate::vectors::{self, Fields, keys};

/// Runs the command on a case and compares; the number of answers.
fn check(case: &mut Fields, system: &str, nodes: &[Node]) -> Result<usize> {
    let folder = tempfile::tempdir()?;
    let keys = keys(case)?;
    let lines = |lines: Vec<String>| lines.into_iter().map(|line| line + "\n").collect::<String>();
    let list = nodes.iter().map(|Node { name, weight }| format!("{name} {weight}")).collect();
    fs::write(folder.path().join("nodes"), lines(list))?;
    fs::write(folder.path().join("keys"), lines(keys.clone()))?;
    let output = Command::new(env!("CARGO_BIN_EXE_chlab"))
        .args(["where", "--system", system, "--nodes", "nodes", "--keys", "keys"])
        .current_dir(folder.path())
        .output()?;
    ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let index: HashMap<&str, usize> = nodes.iter().map(|node| node.name.as_str()).zip(0..).collect();
    let answers = String::from_utf8(output.stdout)?;
    let owner = |(line, key): (&str, &String)| -> Result<usize> {
        let (printed, node) = line.rsplit_once('\t').with_context(|| format!("no tab in {line:?}"))?;
        ensure!(printed == key, "{printed:?} stands where {key:?} was asked");
        index.get(node).copied().with_context(|| format!("{node:?} is no node"))
    };
    let owners: Vec<usize> = answers.lines().zip(&keys).map(owner).collect::<Result<_>>()?;
    ensure!(answers.lines().count() == keys.len(), "{} lines for {} keys", answers.lines().count(), keys.len());
    case.compare("result", owners)
}

fn each_case(file: &str, mut compare: impl FnMut(&mut Fields) -> Result<usize>) -> usize {
    let file = vectors::load(file).expect("a readable file");
    let compared = vectors::cases(&file).map(|(_, case)| {
        let answers = Fields::read(case, |fields| {
            fields.maybe::<&str>("name")?;
            compare(fields)
        });
        answers.unwrap_or_else(|error| panic!("{}: {error:#}", vectors::title(case)))
    });
    compared.sum()
}

#[test]
fn nginx() {
    let compared = each_case("nginx.json", |case| {
        let servers = case.objects("nodes", |node| Ok((server(node)?, node.maybe::<bool>("down")?)))?;
        let system = if case.get::<&str>("mode")? == "consistent" { "nginx-consistent" } else { "nginx" };
        if servers.iter().any(|(_, down)| *down == Some(true)) {
            // A list of nodes cannot say that.
            for field in ["result", "keys", "keys_spec", "extra_keys"] {
                case.maybe::<Value>(field)?;
            }
            return Ok(0);
        }
        check(case, system, &servers.into_iter().map(|(node, _)| node).collect::<Vec<_>>())
    });
    assert!(compared > 1000, "{compared} answers");
}

/// Among its keys is the empty one.
#[test]
fn libketama() {
    let compared = each_case("libketama.json", |case| {
        for field in ["points_per_server", "total_points", "continuum"] {
            case.maybe::<Value>(field)?;
        }
        let nodes = case.objects("nodes", server)?;
        check(case, "libketama", &nodes)
    });
    assert!(compared > 1000, "{compared} answers");
}
