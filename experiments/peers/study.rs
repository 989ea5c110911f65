//! The crates that people would pick: are they right, and how fast are those that are?
//!
//! Each crate is used as its documentation shows, at a pinned version, and is put through the checks of `chlab verify` in
//! a process of its own, twice: as it is released, and with the assertions and overflow checks of a debug build. One that
//! breaks a promise has its first failure, an input with the answer and the right one, in the place of times. All that
//! pass, and some implementations of this project beside them, are then built and timed side by side, for one number of
//! buckets after the other.

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use consistent_hash_lab::catalog::{Build, Implementation};
use consistent_hash_lab::chart::{
    Axis, Chart, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::timed::{Built, EMPTY_LOOP, Subtract, Timed, build_times};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Row, Settings, TimingRow,
};
use consistent_hash_lab::implementations;
use consistent_hash_lab::measure::time::{Around, Mode, Plan, conditions, interleaved_warmed};
use consistent_hash_lab::statistics::Interval;
use consistent_hash_lab::study::Study;
use consistent_hash_lab::text::table::{Table, bytes, nanoseconds};
use consistent_hash_lab::verify::isolated::{self, Finding};

/// The argument by which the binary starts itself to check one implementation.
pub const CHILD: &str = "--check-alone";

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "peers",
            title: "The crates that people would pick",
            paper: "a survey at pinned versions",
            method: "Each crate is checked as it is released and with the assertions and overflow checks of a debug build, in \
                     processes of their own. Those that pass are built and timed side by side with some implementations of \
                     this project; a row for each that does not says what was found.",
            grid,
        },
        verdicts: |_| Vec::new(),
        charts,
        summary,
        section: Some(("peers", section)),
    }
}

/// Of this project, as a measure for the others.
const OURS: [&str; 5] = ["jump", "ring-sorted64", "rendezvous", "anchor", "maglev"];
/// Points per bucket of our ring; each crate has its own default.
const POINTS: u32 = 100;
const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];
/// What takes longer to build at a tenth of a size is not built at that size.
const LONGEST_BUILD: Duration = Duration::from_millis(500);
/// For all builds of one size after the first.
const LONGEST: Duration = Duration::from_millis(500);
/// For one check: most need less than a second.
const MOST: Duration = Duration::from_secs(10);

fn grid(settings: &Settings) -> Vec<Cell> {
    let peers: Vec<&'static Implementation> =
        implementations::surveyed().filter(|peer| settings.chosen(peer.id)).collect();
    let mut cells: Vec<Cell> = peers
        .iter()
        .map(|peer| Cell::statistical(format!("checks of {}", peer.id), [peer.id], |_| checks(peer)))
        .collect();
    let ids: Vec<&'static str> = peers.iter().map(|peer| peer.id).chain(settings.choose(OURS)).collect();
    let sizes = settings.scale.pick(&SIZES[..1], &SIZES[..3], &SIZES);
    cells.extend(sizes.iter().map(|&buckets| {
        let ids = ids.clone();
        Cell::timed(format!("n={buckets}"), ids.clone(), move |cell| times(cell, &ids, buckets))
            .runs(settings.scale.runs().min(3))
            .leaving_out(broken)
    }));
    cells
}

/// How a crate was compiled.
const PROFILES: [&str; 2] = ["release", "checked"];

/// This program as it was compiled in a profile, if it was.
fn program(profile: &str) -> anyhow::Result<Option<PathBuf>> {
    let this = env::current_exe().context("where this program lies")?;
    let other = this.parent().and_then(|folder| folder.parent()).zip(this.file_name());
    let path = match (profile, other) {
        ("release", _) => this,
        (_, Some((target, name))) => target.join(profile).join(name),
        (_, None) => return Ok(None),
    };
    Ok(path.exists().then_some(path))
}

/// What the checks found in a profile; none if this program was not compiled in it.
type Found = Arc<Option<Vec<Finding>>>;

/// Each implementation is checked once in a run, whether its own cell asks or a timed one.
fn findings(id: &'static str, profile: &'static str) -> anyhow::Result<Found> {
    static KNOWN: Mutex<BTreeMap<(&str, &str), Found>> = Mutex::new(BTreeMap::new());
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = known().get(&(id, profile)) {
        return Ok(Arc::clone(found));
    }
    let found = program(profile)?.map(|program| isolated::findings(&program, &[CHILD, id], MOST)).transpose()?;
    let found = Arc::new(found);
    known().insert((id, profile), Arc::clone(&found));
    Ok(found)
}

fn checks(peer: &'static Implementation) -> anyhow::Result<Findings> {
    let mut rows = Vec::new();
    for profile in PROFILES {
        let Some(found) = &*findings(peer.id, profile)? else {
            rows.push(Row::missing(peer.id, "checked_build", "not compiled: `make peers` does").with("build", profile));
            continue;
        };
        let passed = found.iter().filter(|finding| finding.passed()).count();
        rows.push(Row::new(peer.id, "checks_passed", passed).with("build", profile));
        rows.extend(found.iter().filter(|finding| finding.failed()).map(|finding| {
            let row = Row::new(peer.id, "check", finding.outcome.as_str()).with("check", finding.check.as_str());
            let row = row.with("build", profile);
            match &finding.reason {
                // Where each instance draws a seed, the example is another in every run.
                Some(_) if finding.at_odds() => row.note("two instances that are built alike disagree"),
                reason => reason.iter().fold(row, Row::note),
            }
        }));
    }
    rows.push(Row::new(peer.id, "version", peer.source.to_string()));
    rows.push(Row::new(peer.id, "algorithm", peer.algorithm.name()));
    Ok(rows.into())
}

/// The crates that broke a promise in any build.
fn broken(record: &Record) -> Vec<String> {
    surveyed(record).into_iter().filter(|id| !failures(record, id).is_empty()).map(str::to_owned).collect()
}

fn times(cell: &Context, ids: &[&'static str], buckets: u32) -> anyhow::Result<Findings> {
    let build = Build::new(buckets, POINTS, cell.seed);
    let mut stream = cell.stream();
    let mut findings = Findings::default();
    let (mut heaps, mut contenders) = (BTreeMap::new(), Vec::new());
    for entry in ids.iter().filter_map(|id| implementations::find(id)) {
        match alone(entry, build, cell.scale.pick(3, 5, 5)) {
            Ok(None) => {}
            Ok(Some((samples, heap))) => {
                let (ns, around): (Vec<f64>, Vec<Around>) = samples.into_iter().unzip();
                let conditions = conditions(&around, cell.alone_ratio);
                findings.timing.extend(TimingRow::of(entry.id, "build_ns", ns, &conditions, &mut stream));
                findings.data.push(Row::new(entry.id, "heap_live_bytes", heap));
                heaps.insert(entry.id, heap);
                contenders.push(entry.id);
            }
            Err(error) => findings.data.push(Row::missing(entry.id, "error", format!("{error:#}"))),
        }
    }
    let built = Built::new(&contenders, build);
    let plan = Plan {
        rounds: cell.scale.pick(3, 7, 7),
        sample_target: Duration::from_millis(1),
        warm_up: Duration::from_millis(1),
        mode: Mode::Throughput,
        most: Duration::from_secs(cell.scale.pick(5, 30, 60)),
        alone_ratio: cell.alone_ratio,
    };
    let warm_up = |id: &str| built.warm_up_for(heaps.get(id).copied().unwrap_or(0));
    let measured = interleaved_warmed(&built.contenders(), &plan, warm_up, &mut stream)?;
    let timed = Timed { timing: &measured, name: "lookup", subtract: Subtract::Median };
    // The gross times are the net ones and the empty loop's, of which one row is enough.
    let rows = timed.rows(&mut stream);
    findings
        .timing
        .extend(rows.into_iter().filter(|row| row.metric == "lookup_ns" || row.implementation == EMPTY_LOOP));
    findings.data.extend(built.failed);
    findings.data = findings.data.into_iter().map(|row| row.with("buckets", buckets)).collect();
    findings.timing = findings.timing.into_iter().map(|row| row.with("buckets", buckets)).collect();
    Ok(findings)
}

/// The times of some builds in nanoseconds, and the bytes of one; none where they would take too long.
fn alone(entry: &Implementation, build: Build, repeats: usize) -> anyhow::Result<Option<(Vec<(f64, Around)>, u64)>> {
    let tenth = Build { buckets: (build.buckets / 10).max(entry.limits.least_buckets), ..build };
    if build_times(entry, tenth, 1, LONGEST)?.iter().any(|&(ns, _)| ns > LONGEST_BUILD.as_nanos() as f64) {
        return Ok(None);
    }
    Ok(Some((build_times(entry, build, repeats, LONGEST)?, (entry.heap)(build)?.live_bytes)))
}

/// The rows of the checks of a crate that broke a promise, those of the released build first.
fn failures<'a>(record: &'a Record, id: &'a str) -> Vec<&'a Row> {
    record.rows(id, "check").filter(|row| row.value == "FAILED").collect()
}

/// The crates of a record, in the order of the survey.
fn surveyed(record: &Record) -> Vec<&str> {
    record.implementations("version")
}

fn parameter<'a>(row: &'a Row, name: &str) -> &'a str {
    row.parameters.get(name).and_then(|value| value.as_str()).unwrap_or("")
}

/// Of crates and of ours, in that order, those that were timed.
fn timed(record: &Record) -> Vec<&str> {
    let all = surveyed(record).into_iter().chain(OURS);
    all.filter(|id| record.timings(id, "lookup_ns").next().is_some()).collect()
}

fn text<'a>(record: &'a Record, id: &'a str, metric: &'a str) -> &'a str {
    record.rows(id, metric).next().and_then(|row| row.value.as_str()).unwrap_or("")
}

/// What was found in each crate.
fn summary(record: &Record) -> Table {
    let mut table =
        Table::new(["crate", "version", "algorithm", "broken promises", "first: input, answer, right answer"]);
    for id in surveyed(record) {
        let failed = failures(record, id);
        let mut names: Vec<String> = Vec::new();
        for row in &failed {
            let name = match parameter(row, "build") {
                "release" => parameter(row, "check").to_owned(),
                // What fails in both is said once.
                _ if names.iter().any(|name| name == parameter(row, "check")) => continue,
                _ => format!("{} (debug build)", parameter(row, "check")),
            };
            names.push(name);
        }
        let version = text(record, id, "version").trim_start_matches("crate ");
        let found = if names.is_empty() { "none found".to_owned() } else { names.join(", ") };
        let reason = failed.first().and_then(|row| row.note.as_deref()).unwrap_or("");
        table.row([id, version, text(record, id, "algorithm"), &found, reason]);
    }
    table
}

/// How fast those are that passed.
fn figures(record: &Record) -> Table {
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
    ]);
    for id in timed(record) {
        let time =
            |metric, n| record.time(id, metric, &[("buckets", n)]).map_or("-".into(), |row| row.written(nanoseconds));
        let heap = |n| record.number(id, "heap_live_bytes", &[("buckets", n)]).map_or("-".into(), bytes);
        let ours = if OURS.contains(&id) { format!("*{id}* (this project)") } else { id.to_owned() };
        table.row([
            ours,
            time("lookup_ns", 1e1),
            time("lookup_ns", 1e2),
            time("lookup_ns", 1e3),
            time("lookup_ns", 1e4),
            time("build_ns", 1e3),
            time("build_ns", 1e4),
            heap(1e3),
            heap(1e4),
        ]);
    }
    table
}

fn section(record: &Record) -> String {
    let broken = surveyed(record).into_iter().filter(|id| !failures(record, id).is_empty()).count();
    format!(
        "{broken} of {} entries broke a promise in a check; a crate has an entry for each algorithm, or hasher, that it offers.\n\n{}\n{}\n{LEGEND}\n",
        surveyed(record).len(),
        summary(record).markdown(),
        figures(record).markdown()
    )
}

/// Crates that can be compared: a name, and the algorithms in it.
const FAMILIES: [(&str, &[&str]); 3] = [
    ("jump and other algorithms without a table", &["jump", "PowerCH", "FlipHash", "JumpBackHash", "AnchorHash"]),
    ("rings", &["ring", "ring, weighted", "multi-probe"]),
    ("rendezvous and tables", &["rendezvous", "rendezvous, weighted", "Maglev"]),
];

fn charts(record: &Record) -> Vec<Chart> {
    let panel = |&(title, algorithms): &(&str, &[&str])| {
        let member = |id: &&str| {
            let algorithm =
                implementations::find(id).map_or(text(record, id, "algorithm"), |entry| entry.algorithm.name());
            algorithms.contains(&algorithm)
        };
        let line = |(at, id): (usize, &str)| {
            let ours = OURS.contains(&id);
            let (marker, line) = if ours { (Marker::Square, Line::Dashed) } else { (Marker::Circle, Line::Solid) };
            let label = if ours { format!("{id}, this project") } else { id.to_owned() };
            let rows = record.timings(id, "lookup_ns").filter_map(|row| {
                let seconds = |it: Interval| Interval { low: it.low / 1e9, high: it.high / 1e9, ..it };
                Some(records::point(row.parameter("buckets")?, row.value / 1e9, row.interval.map(seconds)))
            });
            Series { label, style: Style { color: at, marker, line, band: false }, points: rows.collect() }
        };
        let mut series: Vec<Series> = timed(record).into_iter().filter(member).enumerate().map(line).collect();
        let rows = timed(record).into_iter().filter(member).flat_map(|id| record.timings(id, "lookup_ns"));
        let marks = records::marked(rows.filter_map(|row| Some((row.parameter("buckets")?, row))));
        series.extend(records::scaled(marks, 1e-9));
        Panel::Plot(Plot {
            title: title.to_owned(),
            x: Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
            y: Axis { label: "time of a look-up".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Seconds },
            series,
            marks: vec![],
            guides: vec![],
        })
    };
    vec![Chart {
        stem: "peers".into(),
        title: "Crates in which no broken promise was found: time of a look-up".into(),
        subtitle: "Random 64-bit keys; each crate with its default points; medians and their 95% intervals.".into(),
        panels: FAMILIES.iter().map(panel).collect(),
        footnotes: vec![
            format!(
                "The legend follows the panels, and colours begin anew in each. Where a crate wants text, the time to write the key as 16 digits is in its look-up. Not built at a size: what \
             took more than {} ms at a tenth of it.",
                LONGEST_BUILD.as_millis()
            ),
            LEGEND.into(),
        ],
    }]
}
