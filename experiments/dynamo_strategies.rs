//! How evenly Dynamo's three partitioning strategies load its nodes (DeCandia et al. 2007, section 6.2, Figure 8).
//!
//! For 30 nodes and 3 replicas the paper plots the mean load of a node over that of the most loaded against the size of
//! the metadata that each node keeps. Here the tables of the three strategies are built with random tokens again and
//! again, and the efficiency of each is computed exactly: the load of a node is the part of the key space of which it
//! holds a replica, as for keys of equal popularity.
//!
//! What the paper does not state is inferred, and a field of each row: a node has T = entries / 30 tokens, and strategy 2
//! has Q = 1000 partitions. The published values are read from the figure, to about 0.01 either way.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{Dynamo, Strategy};
use consistent_hash_lab::chart::{
    Axis, Chart, Line, Mark, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::published::{self, Comparison, Parts, digits};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use rayon::prelude::*;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "dynamo_strategies",
            title: "How evenly Dynamo's three partitioning strategies load its nodes",
            paper: "DeCandia et al. 2007, section 6.2 and Figure 8",
            method: "Tables of 30 nodes and 3 replicas with random tokens, for ten sizes of the metadata: the mean load of a \
                     node over the largest, exactly from the partitions; median and 99% range of the repetitions. The \
                     tokens per node, the 1000 partitions of strategy 2, and that load is key space are inferred: the \
                     paper does not state them.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const NODES: u32 = 30;
const REPLICAS: u32 = 3;
const TOKENS: [u32; 10] = [2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];
/// Of strategy 2; inferred.
const PARTITIONS: u32 = 1000;
/// How far a value that was read from the figure may be off, either way.
const READING: f64 = 0.01;

const STRATEGIES: [&str; 3] = ["strategy 1", "strategy 2", "strategy 3"];
const METRIC: &str = "load_efficiency";

fn grid(settings: &Settings) -> Vec<Cell> {
    let repetitions = settings.scale.pick(30, 201, 1_001);
    let cells = TOKENS.iter().flat_map(|&tokens| {
        (0..STRATEGIES.len()).map(move |strategy| {
            let key = format!("{} T={tokens}", STRATEGIES[strategy]);
            Cell::statistical(key, [], move |cell| efficiency(cell, strategy, tokens, repetitions))
        })
    });
    cells.collect()
}

fn efficiency(cell: &Context, strategy: usize, tokens: u32, repetitions: u64) -> anyhow::Result<Findings> {
    let table = match strategy {
        0 => Strategy::RandomTokens { tokens },
        1 => Strategy::EqualPartitions { tokens, partitions: PARTITIONS },
        _ => Strategy::EqualShares { tokens },
    };
    let one = |repetition| {
        let dynamo = Dynamo::new(table, NODES, REPLICAS, Mix::new(cell.repetition(repetition)))?;
        anyhow::Ok(dynamo.load_efficiency())
    };
    let values = (0..repetitions).into_par_iter().map(one).collect::<anyhow::Result<Vec<f64>>>()?;
    let row = Row::of_repetitions(STRATEGIES[strategy], METRIC, &values).context("no repetitions")?;
    let row = row
        .with("nodes", NODES)
        .with("replicas", REPLICAS)
        .with("metadata_entries", NODES * tokens)
        .with("inferred_tokens_per_node", tokens)
        .with("assumed_load", "part of the key space of which a node holds a replica");
    let row = if strategy == 1 { row.with("inferred_partitions", PARTITIONS) } else { row };
    Ok(vec![row].into())
}

fn id(strategy: usize, entries: u32) -> String {
    format!("dynamo.fig8.s{}.meta{entries}", strategy + 1)
}

fn entries() -> [u32; 10] {
    TOKENS.map(|tokens| NODES * tokens)
}

fn at(entries: u32) -> [(&'static str, f64); 1] {
    [("metadata_entries", entries.into())]
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let figure = (0..STRATEGIES.len()).flat_map(|strategy| entries().map(|entries| verdict(record, strategy, entries)));
    let production = published::not_reproducible(
        "dynamo.outofbalance",
        "Counted in production, under traffic that was not published.",
    );
    figure.chain([production]).collect()
}

/// The paper does not say whether a point is one table or a mean of several, so that the range of single tables is held
/// against the reading. A match is not more than consistent: the inferred parameters were chosen for their fit.
fn verdict(record: &Record, strategy: usize, entries: u32) -> Verdict {
    let id = id(strategy, entries);
    let range = record.row(STRATEGIES[strategy], METRIC, &at(entries)).and_then(Row::range);
    let found = published::number(&id).zip(range).map(|(read, (median, range))| {
        let meets = range.low <= read + READING && read - READING <= range.high;
        let comparison = if meets { Comparison::Consistent } else { Comparison::Fails };
        (format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high)), comparison)
    });
    let partitions = if strategy == 1 { ", and Q = 1000 partitions" } else { "" };
    let explanation = format!(
        "Median and 99% range of single tables, against a value read from the figure, to ±{READING}. Inferred, because the \
         paper does not state it: {} tokens a node{partitions}. Assumed: load is the part of the key space of which a node \
         holds a replica.",
        entries / NODES,
    );
    Parts::at_best(Outcome::ConsistentWith).compared("", found).verdict(&id, Rule::Statistical, &explanation, "")
}

/// Where the medians are that the strategies come to.
fn title(record: &Record) -> Option<String> {
    let last = entries().into_iter().max()?;
    let most: Option<Vec<String>> =
        STRATEGIES.iter().map(|strategy| Some(format!("{:.2}", record.number(strategy, METRIC, &at(last))?))).collect();
    Some(format!("Load efficiency of Dynamo's strategies 1, 2 and 3 with {last} entries: {}", most?.join(", ")))
}

/// The paper's strategy 2 is less even with more than 3,840 entries than with these.
fn decline(record: &Record) -> Option<String> {
    let of = |entries| record.number(STRATEGIES[1], METRIC, &at(entries));
    let (middle, last) = (of(3_840)?, of(30_720)?);
    Some(format!(
        "Strategy 2 in the paper falls from 0.88 at 3,840 entries to 0.84 at 30,720; ours goes from {middle:.3} to {last:.3}."
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let panel = |strategy: usize| {
        let rows = record.rows(STRATEGIES[strategy], METRIC);
        let points = rows
            .filter_map(|row| Some(records::point(row.parameter("metadata_entries")?, row.number()?, row.interval)));
        let mark = |entries: u32| {
            let y = published::number(&id(strategy, entries))?;
            let interval = Some((y - READING, y + READING));
            Some(Mark { label: "Figure 8, as read (±0.01)".into(), x: entries.into(), y, interval })
        };
        Panel::Plot(Plot {
            title: ["1: random tokens", "2: tokens, 1000 equal partitions", "3: equal partitions and shares"][strategy]
                .into(),
            x: Axis {
                label: "entries of metadata".into(),
                scale: AxisScale::Log10,
                range: Some((40.0, 45_000.0)),
                ticks: Ticks::Number,
            },
            y: Axis {
                label: "mean load / largest load".into(),
                scale: AxisScale::Linear,
                range: Some((0.3, 1.0)),
                ticks: Ticks::Number,
            },
            series: vec![Series {
                label: "ours: median, 99% range of single tables".into(),
                style: Style { color: 0, marker: Marker::Circle, line: Line::Solid, band: true },
                points: points.collect(),
            }],
            marks: entries().into_iter().filter_map(mark).collect(),
            guides: vec![],
        })
    };
    let inferred = "Not stated in the paper, inferred: entries / 30 tokens a node; 1000 partitions of strategy 2. Assumed: load is \
                    the part of the key space of which a node holds a replica.";
    vec![Chart {
        stem: "dynamo_strategies".into(),
        title: title(record).unwrap_or_else(|| "Load efficiency of Dynamo's partitioning strategies".into()),
        subtitle: "30 nodes, 3 replicas; exactly from the partitions of tables with random tokens.".into(),
        panels: (0..STRATEGIES.len()).map(panel).collect(),
        footnotes: [inferred.to_owned()].into_iter().chain(decline(record)).collect(),
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["entries", "strategy", "median", "99% range", "Figure 8, as read"]);
    for entries in entries() {
        for (strategy, name) in STRATEGIES.iter().enumerate() {
            let range = record.row(name, METRIC, &at(entries)).and_then(Row::range);
            let shown = |value: Option<String>| value.unwrap_or_else(|| "-".into());
            table.row([
                entries.to_string(),
                (strategy + 1).to_string(),
                shown(range.map(|(median, _)| digits(median))),
                shown(range.map(|(_, range)| format!("{} to {}", digits(range.low), digits(range.high)))),
                shown(published::number(&id(strategy, entries)).map(|value| value.to_string())),
            ]);
        }
    }
    table
}
