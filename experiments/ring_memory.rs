//! The memory of a ring (Lamping & Veach 2014, "Space Requirements" and Figure 3).
//!
//! Each storage is built for some buckets and points per bucket (the parameter of Figure 3), and the bytes are counted that
//! it asks for: those that it holds at the end (live) and those that it held at most on the way (peak). Our structures are
//! seen by this program's allocator, the C++ rings count in their own; nothing is read from the operating system, whose
//! figure for the process includes everything else and does not repeat. What `malloc` adds to a request is not in them.
//!
//! Jump, its linear version and the modulo are counted in the same way: they have nothing on the heap.

use std::process::ExitCode;

use consistent_hash_lab::catalog::{Build, Implementation, catalog};
use consistent_hash_lab::chart::{Axis, Chart, Mark, Panel, Plot, Scale as AxisScale, Series, Ticks, records};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::memory::CountingAllocator;
use consistent_hash_lab::published::{self, Parts};
use consistent_hash_lab::references;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "ring_memory",
            title: "The memory of a ring",
            paper: "Lamping & Veach 2014, \"Space Requirements\" and Figure 3",
            method: "Each storage is built for 1 to 65,536 buckets with 1000 points each, and for 1000 buckets with 10, 100 \
                     and 1000. The bytes are counted that it asks its allocator for: held at the end, and held at most \
                     while it was built.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const BUCKETS: [u32; 6] = [1, 10, 100, 1_000, 10_000, 65_536];
/// Points per bucket: the parameter of Figure 3.
const POINTS: [u32; 3] = [10, 100, 1_000];
const TREES: [&str; 2] = ["ring-btree", "ring-map-cpp"];

/// Two lines that cross at 1000 buckets with 1000 points each: one of buckets, one of points per bucket.
fn grid(settings: &Settings) -> Vec<Cell> {
    // A tree takes minutes for points that are sorted in seconds; its bytes per point have long stopped changing.
    let most = |id| match TREES.contains(&id) {
        true => settings.scale.pick(1_000_000, 1_000_000, 10_000_000),
        false => settings.scale.pick(1_000_000, 10_000_000, u64::MAX),
    };
    let sizes = BUCKETS.iter().flat_map(|&buckets| POINTS.map(|points| (buckets, points)));
    sizes
        .filter(|&(buckets, points)| buckets == 1_000 || points == 1_000)
        .flat_map(|(buckets, points)| settings.implementations().map(move |entry| (entry, buckets, points)))
        .filter(|&(entry, buckets, points)| u64::from(buckets) * u64::from(points) <= most(entry.id))
        .map(|(entry, buckets, points)| {
            let bytes = entry.predicted_bytes(Build::new(buckets, points, 0));
            Cell::statistical(format!("{} buckets={buckets} points={points}", entry.id), [entry.id], move |cell| {
                heap(cell, entry, buckets, points)
            })
            .bytes(bytes)
        })
        .collect()
}

fn heap(cell: &Context, entry: &Implementation, buckets: u32, points: u32) -> anyhow::Result<Findings> {
    let heap = (entry.heap)(Build::new(buckets, points, cell.seed))?;
    let row = |metric, value: serde_json::Value| {
        Row::new(entry.id, metric, value).with("buckets", buckets).with("points", points)
    };
    let mut rows = vec![row("heap_live_bytes", heap.live_bytes.into()), row("heap_peak_bytes", heap.peak_bytes.into())];
    if entry.limits.uses_points {
        let all = f64::from(buckets) * f64::from(points);
        let per_point = row("live_bytes_per_point", (heap.live_bytes as f64 / all).into());
        rows.push(if entry.id == MAP && !references::uses_libstdcxx()? {
            per_point.note(OTHER_LIBRARY)
        } else {
            per_point
        });
    }
    Ok(rows.into())
}

/// The paper's implementation A.
const MAP: &str = "ring-map-cpp";
/// The paper's implementation B, in C++ and ours.
const VECTOR: &str = "ring-sorted-cpp";
const SORTED: &str = "ring-sorted32";
const OTHER_LIBRARY: &str = "This program's std::map is not that of libstdc++, which the paper measured.";

/// Where the paper gives megabytes.
const THOUSAND: [(&str, f64); 2] = [("buckets", 1000.0), ("points", 1000.0)];
const MIB: f64 = 1_048_576.0;

fn verdicts(record: &Record) -> Vec<Verdict> {
    let named = |id, name: &str| match record.left_out(id) {
        Some(reason) => format!("{name} ({reason})"),
        None => format!("{name}:"),
    };
    let (map, vector, sorted) =
        (named(MAP, "C++ std::map"), named(VECTOR, "C++ sorted vector"), named(SORTED, "ours, sorted 32-bit"));
    let cause = record.row(MAP, "live_bytes_per_point", &[]).and_then(|row| row.note.as_deref()).unwrap_or("");
    let map_adds = "Bytes asked for, by the map's own allocator: 32 of tree and 16 of pair in libstdc++. The 8 bytes that \
                    glibc's malloc keeps beside a request, and its rounding to 16, make that 64 (computed, not measured).";
    let our_set = "Ours also has the set of its working buckets, which the paper's ring need not have: a few bytes for each \
                   bucket, whatever its points.";
    let mib = "The paper's MB are 2^20 bytes, rounded to the digits printed.";
    vec![
        Parts::default().part(&map, every_size(record, MAP, 48.0)).verdict(
            "jump.memory.A.bytes",
            Rule::Exact,
            map_adds,
            cause,
        ),
        Parts::at_best(Outcome::ByDefinition)
            .part(&vector, every_size(record, VECTOR, 8.0))
            .part(&sorted, for_each_further_point(record, SORTED, 8.0))
            .verdict(
                "jump.memory.B.bytes",
                Rule::Exact,
                &format!("4 bytes of hash and 4 of bucket, in a vector without slack: 8 by definition. {our_set}"),
                "",
            ),
        Parts::default().part(&map, megabytes(record, MAP, "jump.memory.A.1000")).verdict(
            "jump.memory.A.1000",
            Rule::Exact,
            mib,
            cause,
        ),
        Parts::default()
            .part(&vector, megabytes(record, VECTOR, "jump.memory.B.1000"))
            .part(&sorted, megabytes(record, SORTED, "jump.memory.B.1000"))
            .verdict("jump.memory.B.1000", Rule::Exact, &format!("{mib} {our_set}"), ""),
    ]
}

/// Whether each ring of the record has exactly this many bytes a point.
fn every_size(record: &Record, id: &str, published: f64) -> Option<(String, bool)> {
    let found: Vec<f64> = record.rows(id, "live_bytes_per_point").filter_map(Row::number).collect();
    let (least, most) = found.iter().fold((f64::INFINITY, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    let range = if least == most { least.to_string() } else { format!("{least:.3} to {most:.3}") };
    (!found.is_empty())
        .then(|| (format!("{range} B a point in {} rings", found.len()), least == published && most == published))
}

/// Whether 100 more points a bucket, up to 1000, cost exactly this many bytes each.
fn for_each_further_point(record: &Record, id: &str, published: f64) -> Option<(String, bool)> {
    let live = |points| record.number(id, "heap_live_bytes", &[("buckets", 1000.0), ("points", points)]);
    let each = (live(1000.0)? - live(100.0)?) / 900_000.0;
    Some((format!("{each} B for each further point"), each == published))
}

/// Whether a ring of 1000 buckets with 1000 points each has this many MiB, to the digits printed.
fn megabytes(record: &Record, id: &str, answers: &str) -> Option<(String, bool)> {
    let mib = record.number(id, "heap_live_bytes", &THOUSAND)? / MIB;
    let (low, high) = published::rounding(published::number(answers)?);
    Some((format!("{mib:.2} MiB"), low <= mib && mib < high))
}

/// The least and the most that a ring of the paper's size holds, and jump.
fn title(record: &Record) -> Option<String> {
    let rings = catalog().iter().filter(|entry| entry.limits.uses_points);
    let rings: Vec<f64> = rings.filter_map(|entry| record.number(entry.id, "heap_live_bytes", &THOUSAND)).collect();
    let least = rings.iter().copied().reduce(f64::min)?;
    let most = rings.iter().copied().fold(0.0, f64::max);
    let jump = record.number("jump", "heap_live_bytes", &THOUSAND)?;
    Some(format!(
        "A ring of 1000 buckets with 1000 points each holds {} to {}, jump {}",
        bytes(least),
        bytes(most),
        bytes(jump)
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let mark = |id, label: &str, x| {
        published::number(id).map(|mib| Mark { label: label.to_owned(), x, y: mib * MIB, interval: None })
    };
    let marks = || {
        let marks =
            [("jump.memory.A.1000", "46 MB, std::map (A)"), ("jump.memory.B.1000", "7.6 MB, sorted vector (B)")];
        marks.into_iter().filter_map(|(id, label)| mark(id, label, 1000.0)).collect::<Vec<Mark>>()
    };
    let panel = |title: &str, x: &str, label: &str, at: (&str, f64)| {
        Panel::Plot(Plot {
            title: title.to_owned(),
            x: Axis { label: label.to_owned(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
            y: Axis {
                label: "heap held (bytes)".into(),
                scale: AxisScale::Log10,
                range: Some((16.0, 8.0 * 1024.0 * MIB)),
                ticks: Ticks::Bytes,
            },
            series: on_the_heap(records::lines(record, "heap_live_bytes", x, &[at])),
            marks: marks(),
            guides: vec![],
        })
    };
    vec![Chart {
        stem: "ring_memory".into(),
        title: title(record).unwrap_or_else(|| "The memory of a ring".into()),
        subtitle: "Bytes that each storage asked its allocator for and holds after it was built.".into(),
        panels: vec![
            panel("1000 points per bucket", "buckets", "buckets n", ("points", 1000.0)),
            panel("1000 buckets", "points", "points per bucket", ("buckets", 1000.0)),
        ],
        footnotes: footnotes(record),
    }]
}

fn on_the_heap(mut series: Vec<Series>) -> Vec<Series> {
    series.retain(|series| series.points.iter().any(|point| point.y > 0.0));
    series
}

fn footnotes(record: &Record) -> Vec<String> {
    let nothing = |id: &str| record.rows(id, "heap_live_bytes").all(|row| row.number() == Some(0.0));
    let without: Vec<&str> = catalog()
        .iter()
        .filter(|entry| record.rows(entry.id, "heap_live_bytes").next().is_some() && nothing(entry.id))
        .map(|entry| entry.name)
        .collect();
    let mut notes = vec!["The paper's MB are 2^20 bytes. What malloc adds to each request is not counted.".to_owned()];
    if !without.is_empty() {
        let names = without.join("; ");
        notes.insert(0, format!("0 bytes, which a logarithmic axis cannot show (counted like the others): {names}."));
    }
    notes
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "storage",
        "bytes a point at 10",
        "100",
        "1000 points",
        "held at 1000 x 1000",
        "at most while built",
        "predicted",
    ]);
    for entry in catalog().iter().filter(|entry| record.rows(entry.id, "heap_live_bytes").next().is_some()) {
        let per_point = POINTS.map(|points| {
            let at = [("buckets", 1000.0), ("points", f64::from(points))];
            record.number(entry.id, "live_bytes_per_point", &at).map_or("-".into(), |bytes| format!("{bytes:.2}"))
        });
        let heap = |metric| record.number(entry.id, metric, &THOUSAND).map_or("-".into(), bytes);
        let predicted = entry.predicted_bytes(Build::new(1000, 1000, 0));
        let heaps = [heap("heap_live_bytes"), heap("heap_peak_bytes"), bytes(predicted as f64)];
        table.row([entry.name.to_owned()].into_iter().chain(per_point).chain(heaps));
    }
    table
}

/// In MiB, or in bytes below a tenth of one.
fn bytes(bytes: f64) -> String {
    if bytes < MIB / 10.0 { format!("{bytes} B") } else { format!("{:.2} MiB", bytes / MIB) }
}
