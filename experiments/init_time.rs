//! The time to build a ring (Lamping & Veach 2014, "Initialization Time").
//!
//! Each storage is built for 1 to 65,536 buckets with 1000 points each. In a round every storage is built once, from the
//! same seed and in shuffled order, so that ratios are of builds under the same conditions; what was built is dropped
//! before the next, outside of the clock. Each size is built in several runs, which are processes of their own; the largest ring is
//! built once, and its rows say "n = 1".
//!
//! Jump has no table: what is timed is the box around its number of buckets.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Duration;

use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{Axis, Chart, Mark, Panel, Plot, Scale as AxisScale, Series, Ticks, records};
use consistent_hash_lab::experiment::timed::build_times;
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Row, Scale, Settings, TimingRow,
};
use consistent_hash_lab::measure::memory::room_for;
use consistent_hash_lab::measure::time::{Around, Condition, conditions};
use consistent_hash_lab::published;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::{Table, nanoseconds};
use rand::seq::SliceRandom;

#[path = "init_time/verdicts.rs"]
mod verdicts;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "init_time",
            title: "The time to build a ring",
            paper: "Lamping & Veach 2014, \"Initialization Time\"",
            method: "Each storage is built for 1 to 65,536 buckets with 1000 points each, in rounds in which every storage is \
                     built once in shuffled order; destruction is outside of the clock. Jump has no table to build.",
            grid,
        },
        verdicts: verdicts::verdicts,
        charts,
        summary,
        section: None,
    }
}

/// Powers of 4, and the 65,536 of the paper.
const SIZES: [u32; 8] = [1, 4, 16, 64, 256, 1_024, 4_096, 65_536];
const LARGEST: u32 = 65_536;
/// It would take another two minutes at the largest size, of which nothing is claimed.
const SLOW: &str = "ring-btree";
const POINTS: u32 = 1_000;
/// The paper's implementations A and B.
const MAP: &str = "ring-map-cpp";
const VECTOR: &str = "ring-sorted-cpp";
const STORAGES: [&str; 7] = ["jump", "ring-btree", MAP, "ring-sorted32", VECTOR, "ring-sorted64", "rendezvous"];

fn grid(settings: &Settings) -> Vec<Cell> {
    let most = settings.scale.pick(256, 1_024, 65_536);
    // The paper compares these; a reader may ask for any.
    let named = settings.implementations().map(|entry| entry.id).filter(|_| !settings.only.is_empty());
    let ids: Vec<&str> = if settings.only.is_empty() { settings.choose(STORAGES) } else { named.collect() };
    SIZES
        .into_iter()
        .filter(|&buckets| buckets <= most)
        .map(|buckets| {
            let ids: Vec<_> = ids.iter().copied().filter(|&id| buckets < LARGEST || id != SLOW).collect();
            let (storages, rounds) = (ids.clone(), rounds(settings.scale, buckets));
            // Without a bound of its memory: each storage has its own, and one that is too large must not keep the
            // others from being measured.
            Cell::timed(format!("buckets={buckets}"), ids, move |cell| builds(cell, &storages, buckets, rounds))
                .runs(runs(settings.scale, buckets))
        })
        .collect()
}

/// A round of the largest size takes five minutes, one of a sixteenth of it ten seconds.
fn runs(scale: Scale, buckets: u32) -> u64 {
    match buckets {
        LARGEST.. => 1,
        1_025.. => scale.runs().min(3),
        _ => scale.runs(),
    }
}

/// As many as keep the buckets that are built for one size in a run below a bound, but at least one round.
fn rounds(scale: Scale, buckets: u32) -> u32 {
    (scale.pick(256, 1_024, 2_048) / buckets).clamp(1, scale.pick(3, 7, 7))
}

fn builds(cell: &Context, ids: &[&'static str], buckets: u32, rounds: u32) -> anyhow::Result<Findings> {
    let mut findings = Findings::default();
    let mut storages = Vec::new();
    for storage in ids.iter().filter_map(|id| catalog::find(id)) {
        match room_for(storage.predicted_bytes(Build::new(buckets, POINTS, 0))) {
            Ok(()) => storages.push(storage),
            Err(reason) => findings.data.push(Row::missing(storage.id, "error", reason).with("buckets", buckets)),
        }
    }
    let mut stream = cell.stream();
    let mut samples: BTreeMap<&str, Vec<(f64, Around)>> = BTreeMap::new();
    for round in 0..rounds {
        let build = Build::new(buckets, POINTS, cell.repetition(round.into()));
        storages.shuffle(&mut stream);
        for storage in &storages {
            samples.entry(storage.id).or_default().extend(build_times(storage, build, 1, Duration::ZERO)?);
        }
    }
    let all: Vec<Around> = samples.values().flatten().map(|sample| sample.1).collect();
    let mut sorted = conditions(&all, cell.alone_ratio).into_iter();
    let samples: BTreeMap<&str, (Vec<f64>, Vec<Condition>)> = samples
        .into_iter()
        .map(|(id, samples)| {
            let conditions = sorted.by_ref().take(samples.len()).collect();
            (id, (samples.into_iter().map(|sample| sample.0).collect(), conditions))
        })
        .collect();
    let points = f64::from(buckets) * f64::from(POINTS);
    for id in ids {
        let Some((times, conditions)) = samples.get(id) else { continue };
        let mut rows = vec![TimingRow::of(id, "build_ns", times.clone(), conditions, &mut stream)];
        if catalog::find(id).is_some_and(|storage| storage.limits.uses_points) {
            let each = times.iter().map(|ns| ns / points).collect();
            rows.push(TimingRow::of(id, "build_ns_per_point", each, conditions, &mut stream));
        }
        if let Some((map, of_map)) = samples.get(MAP).filter(|_| *id != MAP) {
            let (ring, map) = ((times.as_slice(), conditions.as_slice()), (map.as_slice(), of_map.as_slice()));
            rows.push(TimingRow::ratio(id, "build_to_map_ratio", ring, map, &mut stream));
        }
        let at = |row: TimingRow| row.with("buckets", buckets).with("points", POINTS);
        findings.timing.extend(rows.into_iter().flatten().map(at));
    }
    Ok(findings)
}

const PUBLISHED: &str = "jump.init.65536";
/// The size that the published time is of.
const PAPER_SIZE: f64 = 65_536.0;

/// The shortest and the longest build of a ring at the largest size, and jump's.
fn title(record: &Record) -> Option<String> {
    let rows = || record.timing.iter().filter(|row| row.metric == "build_ns");
    let largest = rows().filter_map(|row| row.parameter("buckets")).fold(0.0, f64::max);
    let at = [("buckets", largest)];
    let is_ring = |row: &&TimingRow| catalog::find(&row.implementation).is_some_and(|entry| entry.limits.uses_points);
    let rings: Vec<f64> = rows().filter(|row| row.is_at(&at)).filter(is_ring).map(|row| row.value).collect();
    let least = rings.iter().copied().reduce(f64::min)?;
    let most = rings.iter().copied().fold(0.0, f64::max);
    let jump = record.time("jump", "build_ns", &at)?.value;
    Some(format!(
        "At {largest} buckets a ring takes {} to {} to build, jump {}",
        nanoseconds(least),
        nanoseconds(most),
        nanoseconds(jump)
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let panel = |title: &str, y: &str, series: Vec<Series>, marks: Vec<Mark>| {
        Panel::Plot(Plot {
            title: title.to_owned(),
            x: Axis { label: "buckets n".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
            y: Axis { label: y.to_owned(), scale: AxisScale::Log10, range: None, ticks: Ticks::Seconds },
            series,
            marks,
            guides: vec![],
        })
    };
    let mark = published::number(PUBLISHED).map(|seconds| Mark {
        label: "110 s or more".into(),
        x: PAPER_SIZE,
        y: seconds,
        interval: None,
    });
    let seconds = |metric| records::scaled(records::lines(record, metric, "buckets", &[]), 1e-9);
    vec![Chart {
        stem: "init_time".into(),
        title: title(record).unwrap_or_else(|| "Time to build a ring".into()),
        subtitle: "Time to build each storage with 1000 points per bucket; medians and their 95% intervals.".into(),
        panels: vec![
            panel("whole structure", "time of a build", seconds("build_ns"), mark.into_iter().collect()),
            panel("each point of a ring", "time of a build / points", seconds("build_ns_per_point"), vec![]),
        ],
        footnotes: vec![
            "Jump has no table: its time is that of allocating the box that holds its number of buckets.".into(),
            LEGEND.into(),
        ],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table =
        Table::new(["storage", "buckets", "builds", "time", "a point", "a point at 1 bucket", "to C++ map"]);
    for id in record.implementations("build_ns") {
        let Some(row) = record.timings(id, "build_ns").last() else { continue };
        let buckets = row.parameter("buckets").unwrap_or(f64::NAN);
        let at = |metric, buckets| record.time(id, metric, &[("buckets", buckets)]);
        let written = |metric, buckets| at(metric, buckets).map_or("-".into(), |row| row.written(nanoseconds));
        table.row([
            catalog::find(id).map_or(id, |entry| entry.name).to_owned(),
            buckets.to_string(),
            format!("{} in {}", row.samples.len(), row.runs.len().max(1)),
            row.written(nanoseconds),
            written("build_ns_per_point", buckets),
            written("build_ns_per_point", 1.0),
            at("build_to_map_ratio", buckets).map_or("-".into(), |row| row.written(|ratio| format!("{ratio:.2e}"))),
        ]);
    }
    table
}
