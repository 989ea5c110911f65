//! What hot keys do to the load of nodes, and what helps (Zipf popularity; Breslau et al. 1999 for its use).
//!
//! The k-th most popular of 100,000 keys is asked for with a probability in proportion to k^-s. The load of a node is the sum of the
//! probabilities of its keys: it is computed, not sampled. With s = 0 all keys are alike; s near 1 is what caches see.
//!
//! 1. *Algorithms.* The largest load over the mean, for each algorithm and exponent, over repetitions with other keys. No algorithm that
//!    gives a key to one node can be below n times the probability of the hottest key.
//! 2. *Virtual nodes.* A ring with more and more points: its arcs become even, its hottest node does not.
//! 3. *Hottest keys on several nodes.* The hottest h keys are served by the first r buckets of their preference on the ring, in equal parts.
//! 4. *Bounded loads.* Requests are drawn one by one; each goes along its key's preference to the first node that has fewer than c times
//!    the mean of all requests so far (Mirrokni et al. 2018, as HAProxy applies it to requests). The largest load is at most c; the
//!    price is that a hot key is on several nodes.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::Replicas;
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Panel, Plot, Point, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{Cell, Context, Experiment, Findings, Parametrised, Record, Row, Settings};
use consistent_hash_lab::published::digits;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use rand::{Rng, RngExt};
use rayon::prelude::*;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "hot_keys",
            title: "What hot keys do to the load of nodes",
            paper: "Zipf popularity; Mirrokni, Thorup & Zadimoghaddam 2018 for bounded loads",
            method: "100,000 keys of Zipf popularity on 100 nodes: the largest load over the mean, computed from the keys' probabilities, \
                     for each algorithm; for rings of more points; with the hottest keys on several nodes; and of requests under \
                     bounded loads. 99% ranges over repetitions with other keys.",
            grid,
        },
        verdicts: |_| Vec::new(),
        charts,
        summary,
        section: None,
    }
}

const NODES: u32 = 100;
const KEYS: usize = 100_000;
const POINTS: u32 = 100;
const EXPONENTS: [f64; 5] = [0.0, 0.6, 0.8, 1.0, 1.2];
/// Where virtual nodes, several nodes for a key, and bounded loads are tried.
const EXPONENT: f64 = 1.0;
/// Beside the points of the other parts.
const VIRTUAL_NODES: [u32; 3] = [1, 10, 1_000];
const HOTTEST: [usize; 5] = [0, 1, 10, 100, 1_000];
const COPIES: [u32; 3] = [2, 4, 10];
const BOUNDS: [f64; 4] = [1.1, 1.25, 1.5, 2.0];
const RING: &str = "ring-sorted64";
const ALGORITHMS: [&str; 7] = ["jump", RING, "rendezvous", "maglev", "anchor", "multi-probe", "modulo"];
const LEAST: &str = "hottest key";

fn grid(settings: &Settings) -> Vec<Cell> {
    let scale = settings.scale;
    let repetitions = scale.pick(2, 20, 100);
    let requests = scale.pick(1_000, 4_000, 20_000);
    let algorithms = settings.choose(ALGORITHMS).into_iter().flat_map(move |id| {
        EXPONENTS.map(|exponent| {
            let measure = move |cell: &Context| largest_loads(cell, id, POINTS, exponent, repetitions);
            Cell::statistical(format!("{id} s={exponent}"), [id], measure)
        })
    });
    let least = Cell::statistical("hottest key", [], |_| Ok(least().into()));
    let ring = settings.chosen(RING).then(|| {
        let virtual_nodes = VIRTUAL_NODES.map(|points| {
            let measure = move |cell: &Context| largest_loads(cell, RING, points, EXPONENT, repetitions.min(20));
            Cell::statistical(format!("points={points}"), [RING], measure)
        });
        let copies = COPIES.map(|copies| {
            let measure = move |cell: &Context| several_nodes(cell, copies, repetitions);
            Cell::statistical(format!("copies={copies}"), [RING], measure)
        });
        let bounds = BOUNDS.map(|bound| {
            let measure = move |cell: &Context| bounded(cell, bound, requests, repetitions.min(20));
            Cell::statistical(format!("bound={bound}"), [RING], measure)
        });
        virtual_nodes.into_iter().chain(copies).chain(bounds)
    });
    algorithms.chain([least]).chain(ring.into_iter().flatten()).collect()
}

/// The probability of each key, the most popular first.
fn popularity(exponent: f64) -> Vec<f64> {
    let weights: Vec<f64> = (1..=KEYS).map(|rank| (rank as f64).powf(-exponent)).collect();
    let sum: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / sum).collect()
}

/// The keys of a repetition, in the order of their ranks.
fn keys(cell: &Context, repetition: u64) -> Vec<u64> {
    let mut stream = cell.repetition_stream(repetition);
    (0..KEYS).map(|_| stream.next_u64()).collect()
}

/// The largest load over the mean.
fn peak(loads: &[f64]) -> f64 {
    loads.iter().copied().fold(0.0, f64::max) * loads.len() as f64 / loads.iter().sum::<f64>()
}

/// What any algorithm that gives the hottest key to one node must bear.
fn least() -> Vec<Row> {
    let of = |exponent| (f64::from(NODES) * popularity(exponent)[0]).max(1.0);
    EXPONENTS.map(|exponent| Row::new(LEAST, "peak_ratio", of(exponent)).with("exponent", exponent)).into()
}

/// Part 1, and with other numbers of points part 2.
fn largest_loads(
    cell: &Context,
    id: &'static str,
    points: u32,
    exponent: f64,
    repetitions: u64,
) -> anyhow::Result<Findings> {
    let entry = catalog::find(id).context("not in the catalogue")?;
    let popularity = popularity(exponent);
    let peaks = (0..repetitions).into_par_iter().map(|repetition| {
        let built = (entry.build)(Build::new(NODES, points, cell.repetition(repetition)))?;
        let keys = keys(cell, repetition);
        let mut buckets = vec![0; KEYS];
        built.buckets(&keys, &mut buckets);
        let mut loads = vec![0.0; NODES as usize];
        buckets.iter().zip(&popularity).for_each(|(&bucket, share)| loads[bucket as usize] += share);
        anyhow::Ok(peak(&loads))
    });
    let peaks = peaks.collect::<anyhow::Result<Vec<f64>>>()?;
    let row = Row::of_repetitions(id, "peak_ratio", &peaks).context("no repetitions")?;
    Ok(vec![row.with("exponent", exponent).with("points", points)].into())
}

fn ring(cell: &Context, repetition: u64) -> anyhow::Result<Box<dyn Replicas>> {
    let entry = catalog::find(RING).context("not in the catalogue")?;
    let replicas = entry.replicas.context("a ring has replicas")?;
    Ok(replicas(Build::new(NODES, POINTS, cell.repetition(repetition)))?)
}

/// Part 3.
fn several_nodes(cell: &Context, copies: u32, repetitions: u64) -> anyhow::Result<Findings> {
    let popularity = popularity(EXPONENT);
    let of = |repetition: u64| {
        let ring = ring(cell, repetition)?;
        let keys = keys(cell, repetition);
        let mut loads = vec![0.0; NODES as usize];
        keys.iter().zip(&popularity).for_each(|(&key, share)| loads[ring.bucket(key) as usize] += share);
        let mut peaks = Vec::new();
        let mut done = 0;
        for hottest in HOTTEST {
            for rank in done..hottest {
                let share = popularity[rank];
                loads[ring.bucket(keys[rank]) as usize] -= share;
                for bucket in ring.replicas(keys[rank], copies)? {
                    loads[bucket as usize] += share / f64::from(copies);
                }
            }
            done = hottest;
            peaks.push(peak(&loads));
        }
        anyhow::Ok(peaks)
    };
    let all = (0..repetitions).into_par_iter().map(of).collect::<anyhow::Result<Vec<Vec<f64>>>>()?;
    let row = |(at, hottest): (usize, &usize)| {
        let peaks: Vec<f64> = all.iter().map(|peaks| peaks[at]).collect();
        let row = Row::of_repetitions(RING, "copied_peak_ratio", &peaks).context("no repetitions")?;
        anyhow::Ok(row.with("copies", copies).with("hottest", *hottest as u64))
    };
    Ok(HOTTEST.iter().enumerate().map(row).collect::<anyhow::Result<Vec<Row>>>()?.into())
}

/// Part 4: the largest load, and on how many nodes the hottest key was served.
fn bounded(cell: &Context, bound: f64, requests: u64, repetitions: u64) -> anyhow::Result<Findings> {
    let sums: Vec<f64> = popularity(EXPONENT)
        .iter()
        .scan(0.0, |sum, share| {
            *sum += share;
            Some(*sum)
        })
        .collect();
    let of = |repetition: u64| {
        let ring = ring(cell, repetition)?;
        let keys = keys(cell, repetition);
        // Apart from the stream of the keys.
        let mut stream = cell.repetition_stream(repetitions + repetition);
        let mut loads = vec![0_u64; NODES as usize];
        let mut of_hottest = vec![false; NODES as usize];
        for request in 1..=requests {
            let draw: f64 = stream.random();
            let rank = sums.partition_point(|&sum| sum < draw).min(KEYS - 1);
            let most = (bound * request as f64 / f64::from(NODES)).ceil() as u64;
            let free = ring.preference(keys[rank]).find(|&bucket| loads[bucket as usize] < most);
            let bucket = free.context("the caps of all nodes hold all requests")? as usize;
            loads[bucket] += 1;
            of_hottest[bucket] |= rank == 0;
        }
        let peak = peak(&loads.iter().map(|&load| load as f64).collect::<Vec<_>>());
        anyhow::Ok((peak, of_hottest.into_iter().filter(|&served| served).count() as f64))
    };
    let all = (0..repetitions).into_par_iter().map(of).collect::<anyhow::Result<Vec<(f64, f64)>>>()?;
    let row = |metric, of: fn(&(f64, f64)) -> f64| {
        let row =
            Row::of_repetitions(RING, metric, &all.iter().map(of).collect::<Vec<_>>()).context("no repetitions")?;
        anyhow::Ok(row.with("bound", bound).with("requests", requests))
    };
    Ok(vec![row("bounded_peak_ratio", |found| found.0)?, row("nodes_of_hottest_key", |found| found.1)?].into())
}

fn title(record: &Record) -> Option<String> {
    let of = |points: u32| record.number(RING, "peak_ratio", &[("exponent", EXPONENT), ("points", points.into())]);
    let (few, many) = (of(VIRTUAL_NODES[1])?, of(VIRTUAL_NODES[2])?);
    Some(format!(
        "Popularity 1/k: the hottest of {NODES} nodes has {few:.1} times the mean load with 10 points a node, {many:.1} times with 1000"
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let log = |label: &str| Axis { label: label.into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number };
    let load = || Axis { range: Some((1.0, 30.0)), ..log("largest load / mean") };
    let names = || Axis::categories("exponent s", EXPONENTS.map(|exponent| exponent.to_string()));
    let algorithms = ALGORITHMS.iter().enumerate().map(|(color, id)| {
        let points = (0..).zip(EXPONENTS).filter_map(|(at, exponent)| {
            let row = record.row(id, "peak_ratio", &[("exponent", exponent), ("points", POINTS.into())])?;
            Some(records::point(f64::from(at), row.number()?, row.interval))
        });
        let series = records::series(id, points).unjoined();
        Series { style: Style { color, ..series.style }, ..series }
    });
    let least = (0..).zip(EXPONENTS).filter_map(|(at, exponent)| {
        let y = record.number(LEAST, "peak_ratio", &[("exponent", exponent)])?;
        Some(Guide::level("hottest key alone", f64::from(at), y))
    });
    let ring = |label: &str, color: usize, metric: &str, x: &str, at: &[(&str, f64)]| {
        let rows = record.rows(RING, metric).filter(|row| row.is_at(at));
        let points = rows.filter_map(|row| Some(records::point(row.parameter(x)?, row.number()?, row.interval)));
        let mut points: Vec<Point> = points.collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        let series = records::series(RING, points);
        Series { label: label.into(), style: Style { color, ..series.style }, ..series }
    };
    let hottest = || Axis::categories("hottest keys that are copied", HOTTEST.map(|hottest| hottest.to_string()));
    let copied = (0..).zip(COPIES).map(|(color, copies)| {
        let mut series =
            ring(&format!("on {copies} nodes"), color, "copied_peak_ratio", "hottest", &[("copies", copies.into())]);
        for (at, point) in (0..).zip(&mut series.points) {
            point.x = f64::from(at);
        }
        series.unjoined()
    });
    let points = ring("ring", 3, "peak_ratio", "points", &[("exponent", EXPONENT)]);
    let bounds =
        || Axis { label: "bound c".into(), scale: AxisScale::Linear, range: Some((1.0, 2.1)), ticks: Ticks::Number };
    let of_bounds = [
        ring("largest load / mean", 0, "bounded_peak_ratio", "bound", &[]),
        ring("nodes that serve the hottest key", 1, "nodes_of_hottest_key", "bound", &[]),
    ];
    let panel = |title: &str, x, y, series: Vec<Series>, guides| {
        Panel::Plot(Plot { title: title.into(), x, y, series, marks: vec![], guides })
    };
    vec![Chart {
        stem: "hot_keys".into(),
        title: title(record).unwrap_or_else(|| "What hot keys do to the load of nodes".into()),
        subtitle: format!(
            "100,000 keys, the k-th with probability in proportion to k^-s; {NODES} nodes; rings of {POINTS} points where not said otherwise. Medians, 99% ranges."
        ),
        panels: vec![
            panel("algorithms", names(), load(), algorithms.collect(), least.collect()),
            panel("virtual nodes, s = 1", log("points per node"), load(), vec![points], vec![]),
            panel("hottest keys on several nodes, s = 1", hottest(), load(), copied.collect(), vec![]),
            panel(
                "bounded loads, s = 1",
                bounds(),
                Axis { range: Some((1.0, 30.0)), ..log("largest load / mean; nodes") },
                of_bounds.into(),
                vec![],
            ),
        ],
        footnotes: vec![],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["algorithm", "s = 0", "s = 0.6", "s = 0.8", "s = 1", "s = 1.2"]);
    let shown = |row: Option<&Row>| {
        let written = |row: &Row| match row.range() {
            Some((median, range)) => {
                Some(format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high)))
            }
            None => row.number().map(digits),
        };
        row.and_then(written).unwrap_or_else(|| "-".into())
    };
    for id in ALGORITHMS.iter().chain([&LEAST]) {
        let of = |exponent: f64| {
            let is_here = |row: &&Row| {
                row.is_at(&[("exponent", exponent)])
                    && row.parameter("points").is_none_or(|points| points == f64::from(POINTS))
            };
            shown(record.rows(id, "peak_ratio").find(is_here))
        };
        table.row(std::iter::once((*id).to_owned()).chain(EXPONENTS.map(of)));
    }
    table
}
