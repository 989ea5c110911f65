//! What the survey found, in tables.

use std::collections::BTreeSet;

use consistent_hash_lab::experiment::{Record, Row};
use consistent_hash_lab::text::table::{Table, bytes, nanoseconds};

use super::OURS;

/// The crate of an entry.
pub fn package(id: &str) -> &str {
    id.split('/').next().unwrap_or(id)
}

/// The entries of a record, in the order of the survey.
fn entries(record: &Record) -> Vec<&str> {
    record.implementations("version")
}

/// The crates of a record, in the order of the survey.
fn packages(record: &Record) -> Vec<&str> {
    let mut seen = BTreeSet::new();
    entries(record).into_iter().map(package).filter(|package| seen.insert(*package)).collect()
}

fn parameter<'a>(row: &'a Row, name: &str) -> &'a str {
    row.parameters.get(name).and_then(|value| value.as_str()).unwrap_or("")
}

/// A value that is text.
pub fn text<'a>(record: &'a Record, id: &'a str, metric: &'a str) -> &'a str {
    record.rows(id, metric).next().and_then(words).unwrap_or("")
}

fn words(row: &Row) -> Option<&str> {
    row.value.as_str()
}

/// The rows of what programs showed in a crate, the worst first.
fn findings<'a>(record: &'a Record, package: &'a str) -> Vec<&'a Row> {
    record.rows(package, "finding").collect()
}

const FAULT: &str = "fault";

/// Whether a crate has a fault as it is released.
fn at_fault(record: &Record, package: &str) -> bool {
    findings(record, package).into_iter().any(|row| parameter(row, "kind") == FAULT)
}

/// Whether something was found that concerns this entry.
pub fn accused(record: &Record, id: &str) -> bool {
    findings(record, package(id)).into_iter().any(|row| parameter(row, "entries").split(',').any(|entry| entry == id))
}

/// Of crates and of ours, in that order, those that were timed.
pub fn timed(record: &Record) -> Vec<&str> {
    let all = entries(record).into_iter().chain(OURS);
    all.filter(|id| record.timings(id, "build_ns").next().is_some()).collect()
}

/// The names of the checks of a crate's entries that did not end within our limit.
fn slow(record: &Record, package_: &str) -> String {
    let ids = entries(record).into_iter().filter(|id| package(id) == package_);
    let rows = ids.flat_map(|id| record.rows(id, "check").filter(|row| words(row) == Some("slow")));
    let names: BTreeSet<&str> = rows.map(|row| parameter(row, "check")).collect();
    names.into_iter().collect::<Vec<_>>().join(", ")
}

/// What was found in each crate, the worst of each.
pub fn summary(record: &Record) -> Table {
    let mut table = Table::new(["crate", "version", "algorithms", "what was found: the worst", "more", "slow checks"]);
    for package_ in packages(record) {
        let ids: Vec<&str> = entries(record).into_iter().filter(|id| package(id) == package_).collect();
        let mut algorithms: Vec<&str> = ids.iter().map(|id| text(record, id, "algorithm")).collect();
        algorithms.dedup();
        let version = ids.first().map_or("", |id| text(record, id, "version")).trim_start_matches("crate ");
        let found = findings(record, package_);
        let worst = match found.first() {
            None => "none found".to_owned(),
            Some(row) if parameter(row, "kind") == FAULT => words(row).unwrap_or("").to_owned(),
            Some(row) => format!("{}: {}", parameter(row, "kind"), words(row).unwrap_or("")),
        };
        let more = match found.len() {
            0 | 1 => String::new(),
            found => (found - 1).to_string(),
        };
        table.row([package_, version, &algorithms.join(", "), &worst, &more, &slow(record, package_)]);
    }
    table
}

/// What is unusual, and stated by the crate's documentation.
fn documented(record: &Record) -> Table {
    let mut table = Table::new(["crate", "what it does", "its documentation", "where"]);
    for package in packages(record) {
        for row in record.rows(package, "documented") {
            let quotation = format!("\"{}\"", parameter(row, "quotation"));
            table.row([package, words(row).unwrap_or(""), &quotation, parameter(row, "place")]);
        }
    }
    table
}

/// How fast these are.
fn figures(record: &Record, ids: &[&str]) -> Table {
    let mut table = Table::new([
        "crate",
        "look-up, n = 10",
        "n = 100",
        "n = 1000",
        "n = 10,000",
        "build, n = 1000",
        "n = 10,000",
        "heap, n = 1000",
        "n = 10,000",
        "most heap while built, n = 1000",
    ]);
    for &id in ids {
        let time =
            |metric, n| record.time(id, metric, &[("buckets", n)]).map_or("-".into(), |row| row.written(nanoseconds));
        let heap = |metric, n| record.number(id, metric, &[("buckets", n)]).map_or("-".into(), bytes);
        let ours = if OURS.contains(&id) { format!("*{id}* (this project)") } else { id.to_owned() };
        table.row([
            ours,
            time("lookup_ns", 1e1),
            time("lookup_ns", 1e2),
            time("lookup_ns", 1e3),
            time("lookup_ns", 1e4),
            time("build_ns", 1e3),
            time("build_ns", 1e4),
            heap("heap_live_bytes", 1e3),
            heap("heap_live_bytes", 1e4),
            heap("heap_peak_bytes", 1e3),
        ]);
    }
    table
}

/// What our adapters add to the look-ups of some.
fn conversions(record: &Record) -> String {
    let ids = record.implementations("conversion");
    if ids.is_empty() {
        return String::new();
    }
    let mut table =
        Table::new(["added by our adapter", "to the look-ups of", "n = 10", "n = 100", "n = 1000", "n = 10,000"]);
    for id in ids {
        let Some(row) = record.rows(id, "conversion").next() else { continue };
        let time =
            |n| record.time(id, "lookup_ns", &[("buckets", n)]).map_or("-".into(), |row| row.written(nanoseconds));
        table.row([
            words(row).unwrap_or("").to_owned(),
            parameter(row, "entries").to_owned(),
            time(1e1),
            time(1e2),
            time(1e3),
            time(1e4),
        ]);
    }
    format!(
        "\nA program with keys and nodes that are text would not need what our adapters add:\n\n{}",
        table.markdown()
    )
}

/// Checks that failed and have no finding: somebody has to look at them before anything is said.
fn open_questions(record: &Record) -> String {
    let failed = |row: &&Row| words(row) == Some("FAILED");
    let explained = |row: &Row| row.parameters.get("explained").and_then(|value| value.as_bool()).unwrap_or(false);
    let mut open: BTreeSet<String> = BTreeSet::new();
    for id in entries(record) {
        let rows = record.rows(id, "check").filter(failed).filter(|row| !explained(row));
        open.extend(rows.map(|row| format!("{id} {}", parameter(row, "check"))));
    }
    let unseen: Vec<&str> = packages(record)
        .into_iter()
        .flat_map(|package| record.rows(package, "not_reproduced").map(|row| parameter(row, "program")))
        .collect();
    let mut text = String::new();
    if !open.is_empty() {
        let open = open.into_iter().collect::<Vec<_>>().join(", ");
        text.push_str(&format!("Checks that failed and are not understood, so that they accuse nobody: {open}.\n\n"));
    }
    if !unseen.is_empty() {
        text.push_str(&format!("Programs that showed nothing in this run: {}.\n\n", unseen.join(", ")));
    }
    text
}

/// How many crates what was found in.
pub fn in_short(record: &Record) -> String {
    let packages = packages(record);
    if !is_shown(record, &packages) {
        return "This record is older than the programs that show what was found, and accuses nobody: `make peers` makes a \
                new one.\n"
            .into();
    }
    let faulty = packages.iter().filter(|package| at_fault(record, package)).count();
    let lesser =
        packages.iter().filter(|package| !at_fault(record, package) && !findings(record, package).is_empty()).count();
    format!(
        "A fault that its documentation does not state was found in {faulty} of {} crates; in {lesser} more, one that only \
         debug builds show, or another answer than that of the paper's code; in {} none was found.\n",
        packages.len(),
        packages.len() - faulty - lesser
    )
}

/// Whether the programs that show what was found were run.
fn is_shown(record: &Record, packages: &[&str]) -> bool {
    let metrics = ["finding", "not_reproduced", "documented"];
    packages.iter().any(|package| metrics.iter().any(|metric| record.rows(package, metric).next().is_some()))
}

/// All that the survey found.
pub fn page(record: &Record) -> String {
    let (accused, other): (Vec<&str>, Vec<&str>) = timed(record).into_iter().partition(|id| accused(record, id));
    let short = in_short(record);
    if !is_shown(record, &packages(record)) {
        return format!("{short}\n{}", figures(record, &other).markdown());
    }
    format!(
        "{short}\n{}\n{}\
         What a check does not expect but the crate's documentation states is not held against it:\n\n{}\n\
         Times of those in which nothing was found, beside some of this project:\n\n{}\n\
         Times of the others:\n\n{}{}",
        summary(record).markdown(),
        open_questions(record),
        documented(record).markdown(),
        figures(record, &other).markdown(),
        figures(record, &accused).markdown(),
        conversions(record)
    )
}
