//! The lesson on a ring of 360 positions, to the key (`lesson.*`).
//!
//! 1. *A node joins.* N4 at 220 takes keys from N3 only.
//! 2. *A node leaves.* N2's keys go to N4, the next node clockwise, and no other key moves.
//! 3. *Virtual nodes.* With three tokens instead of one the same three nodes differ less in how many keys they own.
//! 4. *Modulo contrast.* Positions modulo 3, then modulo 4: nearly all keys move.
//! 5. *Boundary cases.* Past the last token, exactly on a token, one node, no node.
//!
//! Everything is counted, nothing is drawn at random: the published values are met to the key or not at all.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use consistent_hash_lab::algorithms::{Boundary, Error, TokenRing};
use consistent_hash_lab::chart::{Chart, Circle, KeyDot, Panel, Token};
use consistent_hash_lab::experiment::{Cell, Context, Experiment, Findings, Record, Row, Rule, Settings, Verdict};
use consistent_hash_lab::published::{self, Parts, written};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::lesson::{
    JOINED, KEYS, LEFT, Nodes, ONE_TOKEN, POSITIONS, START, THREE_TOKENS, key_name, ring,
};
use serde_json::{Value, json};

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "ring_lesson",
            title: "A lesson on a ring of 360 positions, to the key",
            paper: "360-position ring lesson",
            method: "Twelve keys on a ring of 360 positions: owners before and after a node joins, a node leaves, and each \
                     node gets three tokens instead of one; the same keys modulo 3 and 4; the boundary cases. Compared \
                     with the lesson key by key.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

/// Two rings of the lesson, one after the other.
struct Change {
    name: &'static str,
    /// The published value that it answers, and the field of it that names the keys that move.
    id: &'static str,
    moved: &'static str,
    before: (&'static str, Nodes),
    after: (&'static str, Nodes),
}

const CHANGES: [Change; 3] = [
    Change {
        name: "join",
        id: "lesson.join",
        moved: "moved",
        before: ("three nodes", START),
        after: ("N4 has joined at 220", JOINED),
    },
    Change {
        name: "leave",
        id: "lesson.leave",
        moved: "moved",
        before: ("four nodes", JOINED),
        after: ("N2 has left", LEFT),
    },
    Change {
        name: "virtual nodes",
        id: "lesson.virtual_nodes",
        moved: "changed",
        before: ("one token each", ONE_TOKEN),
        after: ("three tokens each", THREE_TOKENS),
    },
];

/// Who answers in the rows: the ring of given tokens is not in the catalogue, where buckets have no names.
const RING: &str = "token ring";
const MODULO: &str = "position mod n";

fn grid(_: &Settings) -> Vec<Cell> {
    let changes = CHANGES.iter().map(|change| Cell::statistical(change.name, [], move |_| owners(change)));
    let others = [("modulo", modulo as fn(&Context) -> _), ("boundaries", boundaries)];
    changes.chain(others.map(|(name, measure)| Cell::statistical(name, [], measure))).collect()
}

fn names(keys: impl IntoIterator<Item = usize>) -> Vec<String> {
    keys.into_iter().map(key_name).collect()
}

/// Parts 1 to 3: the owner of each key, the keys of each node, and the keys that move.
fn owners(change: &Change) -> anyhow::Result<Findings> {
    let (before, after) = (ring(change.before.1)?, ring(change.after.1)?);
    let mut rows = Vec::new();
    for (when, ring) in [("before", &before), ("after", &after)] {
        let row = |metric, value: Value| Row::new(RING, metric, value).with("change", change.name).with("when", when);
        for (index, &position) in KEYS.iter().enumerate() {
            rows.push(row("owner", ring.owner(position).into()).with("key", key_name(index)));
        }
        for node in ring.names() {
            let keys = KEYS.iter().filter(|&&position| ring.owner(position) == node).count();
            rows.push(row("keys", keys.into()).with("node", node.as_str()));
        }
    }
    let moved = (0..KEYS.len()).filter(|&key| before.owner(KEYS[key]) != after.owner(KEYS[key]));
    rows.push(Row::new(RING, "moved_keys", names(moved)).with("change", change.name));
    Ok(rows.into())
}

/// Part 4.
fn modulo(_: &Context) -> anyhow::Result<Findings> {
    let (kept, moved): (Vec<usize>, Vec<usize>) = (0..KEYS.len()).partition(|&key| KEYS[key] % 3 == KEYS[key] % 4);
    let row = |metric, keys| Row::new(MODULO, metric, names(keys)).with("from", 3).with("to", 4);
    Ok(vec![row("moved_keys", moved), row("kept_keys", kept)].into())
}

/// Part 5. The cases and their answers are worded as in the lesson.
fn boundaries(_: &Context) -> anyhow::Result<Findings> {
    let start = ring(START)?;
    let on_a_token = TokenRing::new(
        start.tokens().map(|(token, node)| (node, vec![token])).chain([("that node", vec![260])]),
        Boundary::AtOrAfter,
    )?;
    let one = ring(&[("N1", &[20])])?;
    let owns_all = (0..POSITIONS).all(|position| one.owner(position) == "N1");
    let nobody = ring(&[]);
    let cases = [
        ("K11@345 with N1@20,N2@140,N3@280", start.owner(KEYS[11])),
        ("K9@260 with a node at 260", on_a_token.owner(KEYS[9])),
        ("one node", if owns_all { "owns every key" } else { "does not own every key" }),
        ("no node", if matches!(nobody, Err(Error::NoNodes)) { "no owner: an error" } else { "accepted" }),
    ];
    let mut rows: Vec<Row> =
        cases.into_iter().map(|(case, answer)| Row::new(RING, "answer", answer).with("case", case)).collect();
    if let Err(error) = nobody {
        rows.push(Row::new(RING, "error", error.to_string()).with("case", "no node"));
    }
    Ok(rows.into())
}

/// The rows of a metric at text parameters.
fn rows<'a>(record: &'a Record, who: &'a str, metric: &'a str, at: &[(&str, &str)]) -> Vec<&'a Row> {
    let is_at = |row: &&Row| at.iter().all(|&(name, value)| row.parameters.get(name).is_some_and(|is| is == value));
    record.rows(who, metric).filter(is_at).collect()
}

/// The values of rows by one of their parameters: {"N1": 3, "N2": 4}.
fn by(rows: &[&Row], parameter: &str) -> BTreeMap<String, Value> {
    let named = |row: &&Row| Some((row.parameters.get(parameter)?.as_str()?.to_owned(), row.value.clone()));
    rows.iter().filter_map(named).collect()
}

/// Our values in the form of the published one; equal or not.
fn judged(id: &str, ours: Option<Value>, explanation: &str) -> Verdict {
    let part = ours.map(|ours| (written(&ours), published::find(id).is_some_and(|published| published.value == ours)));
    Parts::default().part("", part).verdict(id, Rule::Exact, explanation, "")
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let changes = CHANGES.iter().map(|change| {
        let explanation = match change.name {
            "virtual nodes" => "Key by key; spread: keys of the fullest node less those of the emptiest.",
            _ => "Key by key.",
        };
        judged(change.id, changed(record, change), explanation)
    });
    let list = |metric| rows(record, MODULO, metric, &[]).first().map(|row| row.value.clone());
    let modulo = list("moved_keys")
        .zip(list("kept_keys"))
        .map(|(moved, kept)| json!({ "moved": moved.as_array().map(Vec::len), "kept": kept }));
    let answers = by(&rows(record, RING, "answer", &[]), "case");
    let refusal = rows(record, RING, "error", &[]).first().and_then(|row| row.value.as_str());
    changes
        .chain([
            judged("lesson.modulo", modulo, "Position modulo 3, then modulo 4."),
            judged(
                "lesson.boundaries",
                (!answers.is_empty()).then(|| json!(answers)),
                &refusal.map_or("Not in this run.".into(), |error| {
                    format!("A ring without nodes is refused: \"{error}\".")
                }),
            ),
        ])
        .collect()
}

fn changed(record: &Record, change: &Change) -> Option<Value> {
    let counts = |when| by(&rows(record, RING, "keys", &[("change", change.name), ("when", when)]), "node");
    let (before, after) = (counts("before"), counts("after"));
    let moved = &rows(record, RING, "moved_keys", &[("change", change.name)]).first()?.value;
    let mut ours = json!({ "before": before, "after": after });
    ours[change.moved] = moved.clone();
    if change.name == "virtual nodes" {
        ours["spread_before"] = spread(&before)?.into();
        ours["spread_after"] = spread(&after)?.into();
    }
    Some(ours)
}

fn spread(counts: &BTreeMap<String, Value>) -> Option<u64> {
    let counts = || counts.values().filter_map(Value::as_u64);
    Some(counts().max()? - counts().min()?)
}

/// N1 has the same colour in every picture.
fn color(node: &str) -> usize {
    node.trim_start_matches('N').parse().map_or(0, |number: usize| number.saturating_sub(1))
}

fn charts(record: &Record) -> Vec<Chart> {
    CHANGES.iter().filter_map(|change| chart(record, change)).collect()
}

fn chart(record: &Record, change: &Change) -> Option<Chart> {
    let moved = rows(record, RING, "moved_keys", &[("change", change.name)]).first()?.value.as_array()?.clone();
    let circle = |when, (title, nodes): (&str, Nodes)| {
        let at = [("change", change.name), ("when", when)];
        let owners = by(&rows(record, RING, "owner", &at), "key");
        let counts = by(&rows(record, RING, "keys", &at), "node");
        let keys = KEYS.iter().enumerate().filter_map(|(index, &position)| {
            let label = key_name(index);
            let owner = owners.get(&label)?.as_str()?;
            Some(KeyDot { position, color: color(owner), emphasised: moved.contains(&json!(label)), label })
        });
        let tokens = nodes.iter().flat_map(|&(node, tokens)| {
            tokens.iter().map(move |&position| Token {
                position,
                label: node.to_owned(),
                color: color(node),
                note: position.to_string(),
            })
        });
        let caption: Vec<String> = counts.iter().map(|(node, keys)| format!("{node} {keys}")).collect();
        Panel::Circle(Circle {
            title: title.to_owned(),
            positions: POSITIONS,
            tokens: tokens.collect(),
            keys: keys.collect(),
            caption: format!("keys: {}", caption.join(", ")),
        })
    };
    let ends = |when, word: &str| {
        let owners = by(&rows(record, RING, "owner", &[("change", change.name), ("when", when)]), "key");
        let of = moved.iter().filter_map(|key| owners.get(key.as_str()?)?.as_str());
        let nodes: Vec<&str> = of.collect::<BTreeSet<&str>>().into_iter().collect();
        format!("{word} {}", nodes.join(", "))
    };
    let names: Vec<&str> = moved.iter().filter_map(Value::as_str).collect();
    let title = match change.name {
        "join" => format!("N4 joins: {} of {} keys move, {}", moved.len(), KEYS.len(), ends("before", "from")),
        "leave" => format!("N2 leaves: {} of {} keys move, {}", moved.len(), KEYS.len(), ends("after", "to")),
        _ => {
            let spread = |when| {
                spread(&by(&rows(record, RING, "keys", &[("change", change.name), ("when", when)]), "node"))
                    .map_or("-".into(), |spread| spread.to_string())
            };
            format!(
                "Three tokens each: the fullest node has {} keys more than the emptiest, {} with one",
                spread("after"),
                spread("before")
            )
        }
    };
    Some(Chart {
        stem: format!("ring_lesson_{}", change.name.replace(' ', "_")),
        title,
        subtitle: format!(
            "The lesson's 12 keys; a key belongs to the first token at or after it. Moved: {}.",
            names.join(", ")
        ),
        panels: vec![circle("before", change.before), circle("after", change.after)],
        footnotes: vec![],
    })
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["change", "keys before", "keys after", "moved"]);
    for change in &CHANGES {
        let counts = |when| {
            let counts = by(&rows(record, RING, "keys", &[("change", change.name), ("when", when)]), "node");
            written(&json!(counts))
        };
        for moved in rows(record, RING, "moved_keys", &[("change", change.name)]) {
            table.row([change.name.into(), counts("before"), counts("after"), written(&moved.value)]);
        }
    }
    for moved in rows(record, MODULO, "moved_keys", &[]) {
        table.row(["modulo 3 to 4".into(), String::new(), String::new(), written(&moved.value)]);
    }
    table
}
