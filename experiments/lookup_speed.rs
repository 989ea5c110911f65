//! How long a look-up takes (Lamping & Veach 2014, "Execution Time", Figures 4 and 5).
//!
//! For 1 to 100,000 buckets with 10, 100 and 1000 points each, all implementations are built from one seed and then
//! timed side by side: in every round each once, in a new order, on fresh random keys. The loop without a look-up takes
//! part, and is subtracted as in the paper. Ratios are of times from the same rounds: C++ to C++, as the paper
//! compared, and ours to ours.
//!
//! 1. *Throughput.* Independent keys, as in the paper: the processor may begin a look-up before the last has ended.
//! 2. *Latency.* At some sizes, each key waits for the bucket of the key before it.
//! 3. *Jump alone*, to two billion buckets: it has no table that would have to fit.
//!
//! Each cell is measured in several independent runs: processes of their own, with structures of their own at other addresses and
//! of other seeds. The largest tree is built once, and its rows say "n = 1".
//!
//! Cells of more than 10^6 points are measured in two groups, trees and arrays, each with all that needs no points: the
//! largest would not fit in the memory together.

use std::process::ExitCode;
use std::time::Duration;

use consistent_hash_lab::catalog::{self, Algorithm, Build, Implementation};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Marker, Panel, Plot, Point, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::timed::{self, Built, Subtract, Timed};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Scale, Settings, TimingRow,
};
use consistent_hash_lab::measure::time::{Mode, Plan, SAMPLE, interleaved_warmed};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

#[path = "lookup_speed/verdicts.rs"]
mod verdicts;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "lookup_speed",
            title: "How long a look-up takes",
            paper: "Lamping & Veach 2014, \"Execution Time\", Figures 4 and 5",
            method: "All implementations side by side, in shuffled rounds, on fresh random keys, in several runs, each a process \
                     of its own; the loop without a look-up is subtracted. Buckets 1 to 100,000, with 10, 100 and 1000 points each. Throughput at all \
                     sizes, latency at some, and jump alone to two billion buckets.",
            grid,
        },
        verdicts: verdicts::verdicts,
        charts,
        summary,
        section: None,
    }
}

/// The paper's implementation A, and its B.
const A: &str = "ring-map-cpp";
const B: &str = "ring-sorted-cpp";

const SIZES: [u32; 11] = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];
/// A size for each power of ten.
const QUICK_SIZES: [u32; 6] = [1, 10, 100, 1_000, 10_000, 100_000];
const JUMP_ALONE: [u32; 4] = [1_000_000, 10_000_000, 100_000_000, 2_000_000_000];
/// Where latency is measured as well, with the paper's points.
const LATENCY: [u32; 4] = [10, 100, 1_000, 10_000];
const PAPER_POINTS: u32 = 1_000;
/// Of jump alone.
const NO_POINTS: u32 = 0;
/// Beyond it, what looks at each bucket would take most of the time of a run.
const MOST_BUCKETS_LINEAR: u32 = 1_000;
/// Above as many points, trees and arrays are measured apart.
const MOST_POINTS_TOGETHER: u64 = 1_000_000;
const TREES: [&str; 2] = ["ring-btree", A];

fn grid(settings: &Settings) -> Vec<Cell> {
    let scale = settings.scale;
    let points: &[u32] = scale.pick(&[10, PAPER_POINTS], &[10, PAPER_POINTS], &[10, 100, PAPER_POINTS]);
    let sizes: &[u32] = scale.pick(&[10, 100], &QUICK_SIZES, &SIZES);
    let mut cells = Vec::new();
    for &points in points {
        for &buckets in sizes {
            let build = move |seed| Build::new(buckets, points, seed);
            for (group, ids) in groups(settings, buckets, points) {
                let bytes = timed::predicted_bytes(&ids, build(0));
                let measure = {
                    let ids = ids.clone();
                    move |cell: &Context| measure(cell, &ids, build(cell.seed))
                };
                let key = format!("n={buckets} points={points} {group}");
                cells.push(
                    Cell::timed(key, ids.clone(), measure).bytes(bytes).runs(runs(scale, group, buckets, points)),
                );
            }
        }
    }
    let alone = scale.pick(&JUMP_ALONE[..1], &JUMP_ALONE, &JUMP_ALONE);
    cells.extend(alone.iter().map(|&buckets| {
        let ids = settings.choose(["jump", "jump-cpp"]);
        Cell::timed(format!("n={buckets} jump alone"), ids.clone(), move |cell| {
            measure(cell, &ids, Build::new(buckets, NO_POINTS, cell.seed))
        })
        .runs(scale.runs())
    }));
    cells
}

/// How often a cell is measured: as often as any, unless its builds would take most of the time of a run. A tree of 10^7 nodes is
/// built in half a minute, one of 3 * 10^7 in two.
fn runs(scale: Scale, group: &str, buckets: u32, points: u32) -> u64 {
    let all_points = u64::from(buckets) * u64::from(points);
    match (group, all_points) {
        ("trees", 10_000_001..) => 1,
        ("trees", 1_000_001..) | (_, 10_000_001..) => scale.runs().min(3),
        _ => scale.runs(),
    }
}

/// Who is measured side by side at this size.
fn groups(settings: &Settings, buckets: u32, points: u32) -> Vec<(&'static str, Vec<&'static str>)> {
    let scale = settings.scale;
    let all_points = u64::from(buckets) * u64::from(points);
    let fits = |entry: &&Implementation| match entry.algorithm {
        Algorithm::JumpLinear | Algorithm::Rendezvous | Algorithm::RendezvousWeighted => buckets <= MOST_BUCKETS_LINEAR,
        _ => true,
    };
    let ids = |wanted: fn(&Implementation) -> bool| {
        let all = settings.implementations().filter(fits);
        all.filter(|entry| !entry.limits.uses_points || wanted(entry)).map(|entry| entry.id).collect::<Vec<_>>()
    };
    if all_points <= MOST_POINTS_TOGETHER {
        return vec![("all", ids(|_| true))];
    }
    // Random insertion into a tree of 10^8 nodes takes 8 minutes: beyond 3 * 10^6 only the paper's tree with the paper's points, as
    // far as 3 * 10^7.
    let (trees, most_in_trees): (fn(&Implementation) -> bool, u64) = match (all_points, points) {
        (0..=3_000_000, _) => (|entry| TREES.contains(&entry.id), scale.pick(0, 3_000_000, u64::MAX)),
        (_, PAPER_POINTS) => (|entry| entry.id == A, scale.pick(0, 0, 30_000_000)),
        _ => (|_| false, 0),
    };
    let most_in_arrays = scale.pick(0, 10_000_000, u64::MAX);
    // The arrays first: what a freed tree leaves of the heap is not given back to the system at once.
    let groups =
        [("arrays", most_in_arrays, ids(|entry| !TREES.contains(&entry.id))), ("trees", most_in_trees, ids(trees))];
    groups.into_iter().filter(|&(_, most, _)| all_points <= most).map(|(group, _, ids)| (group, ids)).collect()
}

fn measure(cell: &Context, ids: &[&'static str], build: Build) -> anyhow::Result<Findings> {
    let built = Built::new(ids, build);
    let contenders = built.contenders();
    let small = ids.iter().all(|id| built.warm_up(id) < Duration::from_millis(10));
    let most = cell.scale.pick(100, 1_000, u32::MAX);
    let latency = build.points == PAPER_POINTS && LATENCY.contains(&build.buckets) && build.buckets <= most;
    let modes = [("lookup", Mode::Throughput), ("lookup_latency", Mode::Latency)];
    let mut stream = cell.stream();
    let mut timing = Vec::new();
    for (name, mode) in modes.into_iter().take(if latency { 2 } else { 1 }) {
        let plan = Plan {
            rounds: if small { cell.scale.pick(3, 9, 11) } else { cell.scale.pick(3, 7, 7) },
            sample_target: SAMPLE,
            warm_up: Duration::from_millis(1),
            mode,
            most: Duration::from_secs(cell.scale.pick(2, 4, 12)),
            alone_ratio: cell.alone_ratio,
        };
        let measured = interleaved_warmed(&contenders, &plan, |id| built.warm_up(id), &mut stream)?;
        let timed = Timed { timing: &measured, name, subtract: Subtract::Median };
        timing.extend(timed.rows(&mut stream));
        for id in ids.iter().filter(|id| catalog::find(id).is_some_and(|entry| entry.limits.uses_points)) {
            for to in ["jump", "jump-cpp"].into_iter().filter(|to| *to == "jump" || id.ends_with("cpp")) {
                timing.extend(timed.ratio(id, to, &mut stream));
            }
        }
    }
    let at = |row: TimingRow| {
        let row = row.with("buckets", build.buckets);
        if build.points == NO_POINTS { row } else { row.with("points", build.points) }
    };
    Ok(Findings { data: built.failed, timing: timing.into_iter().map(at).collect() })
}
fn charts(record: &Record) -> Vec<Chart> {
    let measured = |points: &u32| record.timing.iter().any(|row| row.is_at(&[("points", (*points).into())]));
    let shown: Vec<u32> = [10, 100, PAPER_POINTS].into_iter().filter(measured).collect();
    let shown = if shown.is_empty() { vec![PAPER_POINTS] } else { shown };
    vec![
        Chart {
            stem: "lookup_speed".into(),
            title: speed_title(record).unwrap_or_else(|| "Time of a look-up".into()),
            subtitle: "Independent random keys, the loop subtracted; medians with 95% intervals.".into(),
            panels: shown.iter().map(|&points| speed_panel(record, points)).collect(),
            footnotes: vec![format!(
                "Rendezvous and linear jump look at every bucket: measured up to {MOST_BUCKETS_LINEAR} buckets. Trees are \
                 measured as far as they can be built in the time of a run. {}",
                LEGEND
            )],
        },
        Chart {
            stem: "lookup_ratio".into(),
            title: ratio_title(record).unwrap_or_else(|| "How many times as long as jump a ring takes".into()),
            subtitle:
                "Time of a ring over that of jump in the same rounds, 95% intervals: C++ to C++ (dashed), which the \
                       paper published, and ours to ours, whose sorted rings search without branches."
                    .into(),
            panels: shown.iter().filter(|&&points| points != 100).map(|&points| ratio_panel(record, points)).collect(),
            footnotes: vec![LEGEND.into()],
        },
    ]
}

/// The finding of the ratios, at the paper's middle size.
fn ratio_title(record: &Record) -> Option<String> {
    let ratio = |ring| {
        let rows = timed::ratios(record, ring, "lookup_ratio", "jump-cpp", PAPER_POINTS);
        rows.into_iter().find(|(buckets, _)| *buckets == 1_000.0).map(|(_, row)| row.value)
    };
    let (a, b) = (ratio(A)?, ratio(B)?);
    let (least, most) = (a.min(b), a.max(b));
    Some(format!(
        "At 1000 buckets, C++ rings of {PAPER_POINTS} points a bucket take {least:.1} and {most:.1} times as long as jump"
    ))
}

/// The finding of the times.
fn speed_title(record: &Record) -> Option<String> {
    let time = |buckets| record.time("jump", "lookup_ns", &[("buckets", buckets)]).map(|row| row.value);
    Some(format!("Jump takes {:.0} ns at 10 buckets and {:.0} ns at 100,000", time(10.0)?, time(100_000.0)?))
}

fn buckets() -> Axis {
    Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number }
}

fn logarithmic(label: &str, low: f64, high: f64) -> Axis {
    Axis { label: label.into(), scale: AxisScale::Log10, range: Some((low, high)), ticks: Ticks::Number }
}

fn speed_panel(record: &Record, points: u32) -> Panel {
    let mut series = records::lines(record, "lookup_ns", "buckets", &[("points", points.into())]);
    for series in &mut series {
        // Above 10^6 points what needs none was measured in both groups; one of the two is shown.
        series.points.dedup_by_key(|point| point.x.to_bits());
    }
    Panel::Plot(Plot {
        title: format!("{points} points per bucket"),
        x: buckets(),
        y: logarithmic("time per look-up (ns)", 1.0, 10_000.0),
        series,
        marks: vec![],
        guides: vec![],
    })
}

fn ratio_panel(record: &Record, points: u32) -> Panel {
    let rows = |ring: &'static str| {
        let to = if ring.ends_with("cpp") { "jump-cpp" } else { "jump" };
        timed::ratios(record, ring, "lookup_ratio", to, points)
    };
    let line = |ring: &'static str| {
        records::series(ring, rows(ring).into_iter().map(|(n, row)| records::point(n, row.value, row.interval)))
    };
    let rings = || catalog::catalog().iter().filter(|entry| entry.limits.uses_points).map(|entry| entry.id);
    let mut series: Vec<Series> = rings().map(line).filter(|series| !series.points.is_empty()).collect();
    series.extend(records::marked(rings().flat_map(rows)));
    if points == PAPER_POINTS {
        let published =
            |n: f64, low: f64, high: f64| Point { x: n, y: (low * high).sqrt(), interval: Some((low, high)) };
        series.insert(
            0,
            Series {
                label: "published: 3 to 4, then \"perhaps\" 5 to 8".into(),
                style: Style { color: 8, marker: Marker::None, line: Line::None, band: true },
                points: vec![
                    published(1.0, 3.0, 4.0),
                    published(1e3, 3.0, 4.0),
                    published(1e3, 5.0, 8.0),
                    published(1e5, 5.0, 8.0),
                ],
            },
        );
    }
    Panel::Plot(Plot {
        title: format!("{points} points per bucket"),
        x: buckets(),
        y: logarithmic("time of the ring / time of jump", 0.1, 100.0),
        series,
        marks: vec![],
        guides: vec![Guide { label: "as fast as jump".into(), points: vec![(1.0, 1.0), (1e5, 1.0)] }],
    })
}

fn summary(record: &Record) -> Table {
    let ids = record.implementations("lookup_ns");
    let mut table = Table::new(
        ["points", "buckets"].map(str::to_owned).into_iter().chain(ids.iter().map(|id| format!("{id} (ns)"))),
    );
    let mut places: Vec<(u64, u64)> = ids
        .iter()
        .flat_map(|id| record.timings(id, "lookup_ns"))
        .filter_map(|row| Some((row.parameter("points")? as u64, row.parameter("buckets")? as u64)))
        .collect();
    places.sort_unstable();
    places.dedup();
    for (points, buckets) in places {
        let at = [("points", points as f64), ("buckets", buckets as f64)];
        let time = |id: &str| {
            record.time(id, "lookup_ns", &at).map_or(String::new(), |row| row.written(|ns| format!("{ns:.1}")))
        };
        table.row([points.to_string(), buckets.to_string()].into_iter().chain(ids.iter().map(|id| time(id))));
    }
    table
}
