//! `chlab where`: the node that owns each key, and the keys that another list of nodes or another system moves.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use consistent_hash_lab::systems::node_list::{self, NodeListError};
use consistent_hash_lab::systems::{
    Assignment, Entry, Move, Movement, Node, SystemError, UnknownSystem, find, systems,
};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::text::terminal::complain;
use serde_json::{Value, json};

/// Say where deployed software sends keys, and which keys a change moves.
///
/// Prints `key<TAB>node` for each key, in the order of the keys. With --diff only the keys that move, as
/// `key<TAB>from<TAB>to`, and on the standard error how many they are, the least possible and the excess over it.
///
/// FILE of --nodes: one `name [weight]` a line, blank lines and # comments ignored; or a JSON array of names or of
/// {"name": .., "weight": ..}. FILE of --keys: each line is a key, as bytes without the line's end (\n or \r\n); an empty
/// line is the empty key. `-` is the standard input.
///
/// The least possible is the fewest moves between two assignments with those numbers of keys on the nodes: the sum over
/// nodes, by name, of max(0, keys before - keys after).
///
/// Exit status: 0 fine, 1 run error (a file, a node that the system refuses), 2 usage (an unknown system).
#[derive(Args)]
pub struct Arguments {
    /// The system, by its id or by a beginning that only one has (--list shows them).
    #[arg(long, value_name = "ID", required_unless_present = "list")]
    system: Option<String>,
    /// The nodes.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    nodes: Option<String>,
    /// The keys.
    #[arg(long, value_name = "FILE", required_unless_present = "list")]
    keys: Option<String>,
    /// What to change to: a file of nodes or the id of a system; twice for both. A file that has the id of a system for
    /// its name is written ./ID.
    #[arg(long, value_name = "WITH")]
    diff: Vec<String>,
    /// Print the keys on each node instead of the keys.
    #[arg(long)]
    summary: bool,
    /// Print a JSON document; a key that is not UTF-8 has `key_hex` for `key`.
    #[arg(long)]
    json: bool,
    /// Show the systems.
    #[arg(long, exclusive = true)]
    list: bool,
}

/// What is wrong with what was asked.
#[derive(Debug, thiserror::Error)]
enum WhereError {
    #[error("--system: {0}")]
    System(#[from] UnknownSystem),
    #[error("--diff {with}: no such file, and {source}")]
    Diff { with: String, source: UnknownSystem },
    #[error("--diff {with}: one {kind} was given already; give at most one file and one system")]
    DiffTwice { with: String, kind: &'static str },
    #[error("`-` is given {0} times: the standard input can be read once")]
    StandardInput(usize),
    #[error("{file}: cannot be read: {source}")]
    Unreadable { file: String, source: io::Error },
    #[error("{file}: {source}")]
    Nodes { file: String, source: NodeListError },
    #[error("{file}: no key; write one a line")]
    NoKeys { file: String },
    #[error("{file}: {system}: {source}")]
    Refused { file: String, system: &'static str, source: SystemError },
}

impl WhereError {
    /// 2 if the command line was wrong, else 1.
    fn exit_status(&self) -> u8 {
        match self {
            Self::System(_) | Self::Diff { .. } | Self::DiffTwice { .. } | Self::StandardInput(_) => 2,
            Self::Unreadable { .. } | Self::Nodes { .. } | Self::NoKeys { .. } | Self::Refused { .. } => 1,
        }
    }
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    if arguments.list {
        return crate::print(list().text());
    }
    match answer(arguments) {
        Ok((out, note)) => {
            let status = crate::print(out)?;
            if !note.is_empty() {
                complain(note.trim_end());
            }
            Ok(status)
        }
        Err(error) => {
            complain(format!("chlab: {error}"));
            Ok(ExitCode::from(error.exit_status()))
        }
    }
}

fn list() -> Table {
    let mut table = Table::new(["id", "system", "version"]);
    for entry in systems() {
        table.row([entry.id, entry.name, entry.version]);
    }
    table
}

/// What goes to the standard output, and what to the standard error after it.
fn answer(arguments: &Arguments) -> Result<(Vec<u8>, String), WhereError> {
    // The parser requires all three without --list.
    let given = |value: &Option<String>| value.clone().unwrap_or_default();
    let (nodes, keys) = (given(&arguments.nodes), given(&arguments.keys));
    let entry = find(&given(&arguments.system))?;
    let change = Change::read(&arguments.diff)?;
    let files = [Some(&nodes), Some(&keys), change.nodes.as_ref()];
    let standard = files.into_iter().flatten().filter(|file| *file == "-").count();
    if standard > 1 {
        return Err(WhereError::StandardInput(standard));
    }
    let bytes = read(&keys)?;
    let lines = lines(&bytes);
    if lines.is_empty() {
        return Err(WhereError::NoKeys { file: keys });
    }
    let before = Side::new(entry, nodes, &lines)?;
    if arguments.diff.is_empty() {
        return Ok((owners(arguments, &before, &lines), String::new()));
    }
    let entry = change.entry.unwrap_or(entry);
    let after = match change.nodes {
        Some(file) => Side::new(entry, file, &lines)?,
        None => before.under(entry, &lines)?,
    };
    Ok(differences(arguments, &before, &after, &lines))
}

/// What `--diff` changes.
#[derive(Default)]
struct Change {
    entry: Option<&'static Entry>,
    /// A file.
    nodes: Option<String>,
}

impl Change {
    fn read(diff: &[String]) -> Result<Self, WhereError> {
        let mut change = Self::default();
        for with in diff {
            let twice = |kind| WhereError::DiffTwice { with: with.clone(), kind };
            let is_file = with == "-" || Path::new(with).exists();
            match find(with) {
                Ok(entry) if entry.id == with || !is_file => {
                    if change.entry.replace(entry).is_some() {
                        return Err(twice("system"));
                    }
                }
                Err(source) if !is_file => return Err(WhereError::Diff { with: with.clone(), source }),
                Ok(_) | Err(_) => {
                    if change.nodes.replace(with.clone()).is_some() {
                        return Err(twice("file"));
                    }
                }
            }
        }
        Ok(change)
    }
}

/// A system, its nodes and what they own.
struct Side {
    entry: &'static Entry,
    /// The nodes' file.
    file: String,
    assignment: Assignment,
}

impl Side {
    fn new(entry: &'static Entry, file: String, keys: &[&[u8]]) -> Result<Self, WhereError> {
        let nodes = match node_list::parse(&read(&file)?) {
            Ok(nodes) => nodes,
            Err(source) => return Err(WhereError::Nodes { file, source }),
        };
        Self::assigned(entry, file, &nodes, keys)
    }

    /// The same nodes under another system.
    fn under(&self, entry: &'static Entry, keys: &[&[u8]]) -> Result<Self, WhereError> {
        Self::assigned(entry, self.file.clone(), self.assignment.nodes(), keys)
    }

    fn assigned(entry: &'static Entry, file: String, nodes: &[Node], keys: &[&[u8]]) -> Result<Self, WhereError> {
        match Assignment::new(entry, nodes, keys) {
            Ok(assignment) => Ok(Self { entry, file, assignment }),
            Err(source) => Err(WhereError::Refused { file, system: entry.id, source }),
        }
    }

    fn title(&self) -> String {
        format!("{} {}, {} nodes", self.entry.name, self.entry.version, self.assignment.nodes().len())
    }

    fn json(&self) -> Value {
        let counts = self.assignment.counts();
        let node = |node: &Node| json!({"name": node.name, "weight": node.weight, "keys": counts[node.name.as_str()]});
        let nodes: Vec<Value> = self.assignment.nodes().iter().map(node).collect();
        json!({"system": self.entry.id, "version": self.entry.version, "nodes": nodes})
    }
}

fn owners(arguments: &Arguments, side: &Side, keys: &[&[u8]]) -> Vec<u8> {
    let Side { assignment, .. } = side;
    if arguments.json {
        let mut document = side.json();
        document["keys"] = keys.len().into();
        if !arguments.summary {
            let owner = |(key, node): (&&[u8], &str)| with_key(key, json!({"node": node}));
            document["owners"] = keys.iter().zip(assignment.names()).map(owner).collect();
        }
        return format!("{document:#}\n").into();
    }
    if !arguments.summary {
        return keys.iter().zip(assignment.names()).flat_map(|(key, node)| row(&[key, node.as_bytes()])).collect();
    }
    let counts = assignment.counts();
    let mut table = Table::new(["node", "weight", "keys", "share"]);
    for Node { name, weight } in assignment.nodes() {
        let count = counts[name.as_str()];
        table.row([name, &weight.to_string(), &count.to_string(), &percent(count, keys.len())]);
    }
    format!("{}, {} keys\n\n{}", side.title(), keys.len(), table.text()).into()
}

fn differences(arguments: &Arguments, before: &Side, after: &Side, keys: &[&[u8]]) -> (Vec<u8>, String) {
    let movement = Movement::between(&before.assignment, &after.assignment);
    let moved = movement.moves.len() as u64;
    if arguments.json {
        let mut document = json!({
            "before": before.json(), "after": after.json(), "keys": keys.len(),
            "moved": moved, "least": movement.least, "excess": movement.excess(),
        });
        if !arguments.summary {
            let one = |moved: &Move| with_key(keys[moved.key], json!({"from": moved.from, "to": moved.to}));
            document["moves"] = movement.moves.iter().map(one).collect();
        }
        return (format!("{document:#}\n").into(), String::new());
    }
    let line = |what, count| format!("{what:15}{count} ({})\n", percent(count, keys.len()));
    let figures = [line("moved", moved), line("least possible", movement.least), line("excess", movement.excess())];
    let note = format!(
        "before         {}\nafter          {}\nkeys           {}\n{}",
        before.title(),
        after.title(),
        keys.len(),
        figures.concat()
    );
    if !arguments.summary {
        let rows = movement.moves.iter().flat_map(|one| row(&[keys[one.key], one.from.as_bytes(), one.to.as_bytes()]));
        return (rows.collect(), note);
    }
    let (had, has) = (before.assignment.counts(), after.assignment.counts());
    let count = |counts: &BTreeMap<&str, u64>, name: &str| counts.get(name).map_or("-".into(), u64::to_string);
    let mut table = Table::new(["node", "keys before", "keys after"]);
    for name in had.keys().chain(has.keys()).collect::<BTreeSet<_>>() {
        table.row([(*name).to_owned(), count(&had, name), count(&has, name)]);
    }
    (format!("{note}\n{}", table.text()).into(), String::new())
}

/// Columns with a tab between them, as a line.
fn row(columns: &[&[u8]]) -> Vec<u8> {
    let mut line = columns.join(&b'\t');
    line.push(b'\n');
    line
}

/// The object with its key: as text, or in hexadecimal where the bytes are none.
fn with_key(key: &[u8], mut object: Value) -> Value {
    match std::str::from_utf8(key) {
        Ok(text) => object["key"] = text.into(),
        Err(_) => object["key_hex"] = key.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into(),
    }
    object
}

fn percent(count: u64, of: usize) -> String {
    format!("{:.2}%", 100.0 * count as f64 / of as f64)
}

fn read(file: &str) -> Result<Vec<u8>, WhereError> {
    let mut bytes = Vec::new();
    let done = if file == "-" { io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes) } else { fs::read(file) };
    done.map_err(|source| WhereError::Unreadable { file: file.to_owned(), source })
}

/// The lines without their ends, which are `\n` or `\r\n`; the last may have none.
fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|&byte| byte == b'\n').map(without_end).collect()
}

fn without_end(line: &[u8]) -> &[u8] {
    match line {
        [line @ .., b'\r', b'\n'] | [line @ .., b'\n'] => line,
        line => line,
    }
}
