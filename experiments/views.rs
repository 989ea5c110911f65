//! Nodes that see different members (Karger et al. 1997, Theorem 4.1): how many buckets an item has, and how many items a bucket.
//!
//! Of C buckets each view sees a random part of one in t. The *spread* of an item is the number of buckets to which some view gives it, the
//! *load* of a bucket the number of items that some view gives to it. Karger's ring keeps both in O(t log C) for C views and as many items
//! as buckets, with high probability; the constant is not given, so that what can be seen is the shape: spread and load over t ln C are much the
//! same for all C and t.
//!
//! Ring and rendezvous give an item to the first bucket of its preference that the view sees. Jump and modulo number the buckets that a view
//! sees, and give the item to a number.

use std::collections::BTreeSet;
use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{Jump, Modulo, Partitioner};
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{Axis, Chart, Panel, Plot, Scale as AxisScale, Ticks, records};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::published::{self, Comparison, Parts, digits};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::random_keys;
use rand::RngExt;
use rayon::prelude::*;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "views",
            title: "Nodes that see different members",
            paper: "Karger et al. 1997, Theorem 4.1",
            method: "C buckets, C views of one bucket in t each, C items: the most buckets of an item (spread) and the most items of a bucket \
                     (load), over repetitions, for ring, rendezvous, jump and modulo; and for more and more views.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

/// Karger's ring, in which the nearest point on either side owns a key.
const KARGER: &str = "ring-nearest";
const BY_PREFERENCE: [&str; 3] = [KARGER, "ring-sorted64", "rendezvous"];
const BY_NUMBER: [&str; 2] = ["jump", "modulo"];
/// Points of a bucket: κ log C, with κ assumed so that it is 20 at 1000 buckets.
const POINTS: u32 = 20;
const BUCKETS: [u32; 3] = [30, 100, 300];
const PARTS: [u32; 3] = [2, 4, 8];
/// Views of 100 buckets, one in two seen.
const VIEWS: [u32; 5] = [1, 3, 10, 30, 100];
const MOST_TIMES: f64 = 2.0;

fn grid(settings: &Settings) -> Vec<Cell> {
    let repetitions = settings.scale.pick(2, 5, 50);
    let largest = settings.scale.pick(100, 300, 300);
    let ids = settings.choose(BY_PREFERENCE.into_iter().chain(BY_NUMBER));
    let cell = move |id: &'static str, buckets: u32, part: u32, views: u32| {
        let measure = move |cell: &Context| spread_and_load(cell, id, buckets, part, views, repetitions);
        Cell::statistical(format!("{id} C={buckets} t={part} V={views}"), [id], measure)
    };
    let mut cells = Vec::new();
    for id in ids {
        for buckets in BUCKETS.into_iter().filter(|&buckets| buckets <= largest) {
            cells.extend(PARTS.map(|part| cell(id, buckets, part, buckets)));
        }
        // Those of as many views as buckets are there already.
        cells.extend(VIEWS.into_iter().filter(|&views| views != 100).map(|views| cell(id, 100, 2, views)));
    }
    cells
}

/// The buckets that each view sees, ascending: each with probability 1/t, and at least one.
fn views(cell: &Context, repetition: u64, buckets: u32, part: u32, count: u32) -> Vec<Vec<u32>> {
    let mut stream = cell.repetition_stream(repetition);
    let mut view = || {
        let seen: Vec<u32> = (0..buckets).filter(|_| stream.random_range(0..part) == 0).collect();
        if seen.is_empty() { vec![stream.random_range(0..buckets)] } else { seen }
    };
    (0..count).map(|_| view()).collect()
}

/// The bucket of each item in each view.
fn owners(id: &str, build: Build, items: &[u64], views: &[Vec<u32>]) -> anyhow::Result<Vec<Vec<u32>>> {
    if BY_NUMBER.contains(&id) {
        let number = |item: u64, count: usize| match id {
            "jump" => Jump::new(count as u32).map(|jump| jump.bucket(item)),
            _ => Modulo::new(count as u32, Mix::new(build.seed)).map(|modulo| modulo.bucket(item)),
        };
        let of = |&item: &u64| views.iter().map(|view| Ok(view[number(item, view.len())? as usize])).collect();
        return items.iter().map(of).collect();
    }
    let replicas = catalog::find(id).and_then(|entry| entry.replicas).context("it names replicas")?(build)?;
    let seen: Vec<Vec<bool>> = views
        .iter()
        .map(|view| {
            let mut seen = vec![false; build.buckets as usize];
            view.iter().for_each(|&bucket| seen[bucket as usize] = true);
            seen
        })
        .collect();
    let of = |&item: &u64| {
        let preference: Vec<u32> = replicas.preference(item).collect();
        let first = |seen: &Vec<bool>| preference.iter().copied().find(|&bucket| seen[bucket as usize]);
        seen.iter().map(|seen| first(seen).context("a view has a bucket")).collect()
    };
    items.iter().map(of).collect()
}

fn spread_and_load(
    cell: &Context,
    id: &'static str,
    buckets: u32,
    part: u32,
    count: u32,
    repetitions: u64,
) -> anyhow::Result<Findings> {
    let one = |repetition: u64| {
        let views = views(cell, repetition, buckets, part, count);
        let items = random_keys(buckets as usize, &mut cell.repetition_stream(repetitions + repetition));
        let owners = owners(id, Build::new(buckets, POINTS, cell.repetition(repetition)), &items, &views)?;
        let mut load = vec![0_u64; buckets as usize];
        let mut spread = 0;
        for of_item in owners {
            let distinct = BTreeSet::from_iter(of_item);
            spread = spread.max(distinct.len());
            distinct.into_iter().for_each(|bucket| load[bucket as usize] += 1);
        }
        anyhow::Ok((spread as f64, load.into_iter().max().unwrap_or(0) as f64))
    };
    let found = (0..repetitions).into_par_iter().map(one).collect::<anyhow::Result<Vec<(f64, f64)>>>()?;
    let row = |metric, of: fn(&(f64, f64)) -> f64| {
        let row =
            Row::of_repetitions(id, metric, &found.iter().map(of).collect::<Vec<_>>()).context("no repetitions")?;
        anyhow::Ok(row.with("buckets", buckets).with("part", part).with("views", count))
    };
    Ok(vec![row("most_spread", |found| found.0)?, row("most_load", |found| found.1)?].into())
}

fn number(record: &Record, id: &str, metric: &str, buckets: u32, part: u32, views: u32) -> Option<f64> {
    record.number(id, metric, &[("buckets", buckets.into()), ("part", part.into()), ("views", views.into())])
}

/// A metric over t ln C, for all C and t that were measured.
fn over_the_bound(record: &Record, id: &str, metric: &str) -> Vec<f64> {
    let all = BUCKETS.into_iter().flat_map(|buckets| PARTS.map(|part| (buckets, part)));
    let ratio = |(buckets, part)| {
        let found = number(record, id, metric, buckets, part, buckets)?;
        Some(found / (f64::from(part) * f64::from(buckets).ln()))
    };
    all.filter_map(ratio).collect()
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let part = |metric| {
        let ratios = over_the_bound(record, KARGER, metric);
        // All sizes, or nothing can be said of how they compare.
        let whole = ratios.len() == BUCKETS.len() * PARTS.len();
        let (least, most) =
            ratios.into_iter().fold((f64::INFINITY, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
        let comparison = if most <= MOST_TIMES * least { Comparison::Consistent } else { Comparison::Fails };
        whole.then(|| (format!("{} to {}", digits(least), digits(most)), comparison))
    };
    let theorem = Parts::at_best(Outcome::ConsistentWith)
        .compared("spread over t ln C:", part("most_spread"))
        .compared("load over t ln C:", part("most_load"))
        .verdict(
            "karger97.thm41",
            Rule::Shape,
            "A bound with an unknown constant: medians of the largest spread and load, over t ln C, differ by at most a factor of 2 among \
             C = 30, 100, 300 and t = 2, 4, 8, on Karger's ring with 20 points a bucket (assumed); C views, C items. That it is monotone is \
             checked by chlab verify, that shares are even by bucket_balance.",
            "",
        );
    let ring = published::followed(
        "karger97.points",
        "The entry ring-nearest: points of each bucket at random on the interval, and the nearest on either side owns a key.",
    );
    vec![ring, theorem]
}

fn title(record: &Record) -> Option<String> {
    let of = |id| number(record, id, "most_spread", 100, 2, 100);
    let (ring, modulo) = (of(KARGER)?, of("modulo")?);
    Some(format!(
        "100 views of every other of 100 buckets: an item has at most {ring:.0} buckets on Karger's ring, {modulo:.0} with modulo"
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let log = |label: &str, range| Axis { label: label.into(), scale: AxisScale::Log10, range, ticks: Ticks::Number };
    let panel = |title: &str, metric, x: &str, name: &str, at: &[(&str, f64)]| {
        Panel::Plot(Plot {
            title: title.into(),
            x: log(x, None),
            y: log("largest of all, median", Some((1.0, 200.0))),
            series: records::lines(record, metric, name, at),
            marks: vec![],
            guides: vec![],
        })
    };
    let by_views = [("buckets", 100.0), ("part", 2.0)];
    vec![Chart {
        stem: "views".into(),
        title: title(record).unwrap_or_else(|| "Nodes that see different members".into()),
        subtitle:
            "100 buckets, of which each view sees every other, and 100 items; medians and 99% ranges of repetitions."
                .into(),
        panels: vec![
            panel("spread: buckets of an item", "most_spread", "views", "views", &by_views),
            panel("load: items of a bucket", "most_load", "views", "views", &by_views),
        ],
        footnotes: vec![],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table =
        Table::new(["algorithm", "metric", "C = 30, t = 2", "100, 2", "300, 2", "300, 4", "300, 8", "over t ln C"]);
    for id in BY_PREFERENCE.into_iter().chain(BY_NUMBER) {
        for (metric, name) in [("most_spread", "spread"), ("most_load", "load")] {
            let cells = [(30, 2), (100, 2), (300, 2), (300, 4), (300, 8)];
            let of = |(buckets, part): (u32, u32)| {
                number(record, id, metric, buckets, part, buckets).map_or("-".into(), digits)
            };
            let ratios = over_the_bound(record, id, metric);
            let ends = ratios.iter().copied().reduce(f64::min).zip(ratios.iter().copied().reduce(f64::max));
            let ends = ends.map_or("-".into(), |(low, high)| format!("{} to {}", digits(low), digits(high)));
            table.row([id.to_owned(), name.to_owned()].into_iter().chain(cells.map(of)).chain([ends]));
        }
    }
    table
}
