//! Does a node of weight w get w times the keys, and what moves when a weight changes?
//!
//! 1. *Shares.* Nine nodes of weight 1 and one of weight r, for r from 1 to 1000. Of our weighted algorithms the share of the heavy node is
//!    exact from their points where it is known, over repetitions with other hash functions; of deployed systems it is counted, over names
//!    that are drawn for each repetition. Beside it stands what it should be, r / (9 + r).
//! 2. *One weight changes* from 1 to 2 among ten nodes. The least that has to move is what nodes lose in keys; what moves beyond it is
//!    excess. (libketama and its descendants give points by a node's part of the total weight: one weight changes all of them.)
//! 3. *Definitions*: weighted rendezvous hashing's shares by a test of counts; the points of libketama and of HAProxy, counted.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::RendezvousWeighted;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::catalog::{self, Build, Implementation};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{Cell, Context, Experiment, Findings, Record, Row, Rule, Settings, Verdict};
use consistent_hash_lab::measure::share::sampled_counts;
use consistent_hash_lab::published::{Parts, chance, digits};
use consistent_hash_lab::statistics::chi_squared;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::systems::haproxy::{Consistent, KeyHash, Server};
use consistent_hash_lab::systems::libketama::Libketama;
use consistent_hash_lab::systems::{Assignment, Entry, Movement, Node, Weights, systems};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::random_keys;
use rand::Rng;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "weights",
            title: "Does a node of weight w get w times the keys",
            paper: "Schindelhauer & Schomaker 2005; libketama; HAProxy; all weighted implementations and systems",
            method: "Nine nodes of weight 1 and one of 1 to 1000: its share beside what it should be, over repetitions. Keys that move \
                     when one weight of ten changes from 1 to 2, beside the least possible.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const NODES: usize = 10;
const HEAVY: [u32; 5] = [1, 2, 10, 100, 1_000];
/// Points of our ring for a node of weight 1.
const POINTS: u32 = 100;
const ALPHA: f64 = 0.001;

/// Those of the catalogue that take weights.
fn weighted() -> impl Iterator<Item = &'static Implementation> {
    catalog::catalog().iter().filter(|entry| entry.weighted_shares.is_some())
}

/// Those of the systems that heed them.
fn heeding() -> impl Iterator<Item = &'static Entry> {
    systems().iter().filter(|entry| matches!(entry.promises.weights, Weights::Exact | Weights::Points(_)))
}

fn grid(settings: &Settings) -> Vec<Cell> {
    let scale = settings.scale;
    let (repetitions, keys) = (scale.pick(3, 20, 200), scale.pick(2_000, 20_000, 50_000));
    let ours = weighted().filter(|entry| settings.chosen(entry.id)).map(move |entry| {
        Cell::statistical(format!("{} shares", entry.id), [entry.id], move |cell| {
            exact_shares(cell, entry, repetitions)
        })
    });
    let theirs = heeding().flat_map(move |entry| {
        let few = scale.pick(2, 5, 20);
        [
            Cell::statistical(format!("{} shares", entry.id), [], move |cell| counted_shares(cell, entry, few, keys)),
            Cell::statistical(format!("{} change", entry.id), [], move |cell| changed(cell, entry, few, keys)),
        ]
    });
    let sample = scale.pick(100_000, 1_000_000, 10_000_000);
    let definitions = [
        Cell::statistical("weighted rendezvous", ["rendezvous-weighted"], move |cell| rendezvous(cell, sample)),
        Cell::statistical("points", [], |_| points()),
    ];
    ours.chain(theirs).chain(definitions).collect()
}

fn with_one_heavy(weight: f64) -> Vec<f64> {
    std::iter::once(weight).chain(std::iter::repeat_n(1.0, NODES - 1)).collect()
}

fn expected(weight: u32) -> f64 {
    f64::from(weight) / (f64::from(weight) + NODES as f64 - 1.0)
}

/// Part 1, of the catalogue: the heavy node's share over what it should be.
fn exact_shares(cell: &Context, entry: &Implementation, repetitions: u64) -> anyhow::Result<Findings> {
    let shares = entry.weighted_shares.context("its shares are known")?;
    let mut rows = Vec::new();
    for weight in HEAVY {
        let weights = with_one_heavy(weight.into());
        let one = |repetition| {
            let build = Build::new(NODES as u32, POINTS, cell.repetition(repetition));
            Ok(shares(&weights, build)?[0] / expected(weight))
        };
        let found = (0..repetitions).map(one).collect::<anyhow::Result<Vec<f64>>>()?;
        let row = Row::of_repetitions(entry.id, "share_ratio", &found).context("no repetitions")?;
        rows.push(row.with("weight", weight));
    }
    Ok(rows.into())
}

/// Names that no other repetition has.
fn nodes(cell: &Context, repetition: u64, weight: u32) -> Vec<Node> {
    let mut stream = cell.repetition_stream(repetition);
    let name =
        |_| format!("10.{}.{}.{}:11211", stream.next_u32() & 255, stream.next_u32() & 255, stream.next_u32() & 255);
    let mut nodes: Vec<Node> = (0..NODES).map(name).map(|name| Node::new(name, 1)).collect();
    nodes[0].weight = weight;
    nodes
}

fn keys(cell: &Context, count: usize) -> Vec<String> {
    random_keys(count, &mut cell.stream()).into_iter().map(|key| format!("key:{key:x}")).collect()
}

/// Part 1, of the systems: with the noise of the keys, which is a part of the range.
fn counted_shares(cell: &Context, entry: &Entry, repetitions: u64, count: usize) -> anyhow::Result<Findings> {
    let keys = keys(cell, count);
    let mut rows = Vec::new();
    for weight in HEAVY {
        let mut found = Vec::new();
        let mut refused = None;
        for repetition in 0..repetitions {
            let nodes = nodes(cell, repetition, weight);
            match Assignment::new(entry, &nodes, &keys) {
                Ok(assignment) => {
                    let own = assignment.counts()[nodes[0].name.as_str()];
                    found.push(own as f64 / count as f64 / expected(weight));
                }
                Err(error) => refused = Some(error.to_string()),
            }
        }
        rows.push(match (refused, Row::of_repetitions(entry.id, "share_ratio", &found)) {
            (None, Some(row)) => row.with("weight", weight).with("keys", count as u64),
            (why, _) => Row::missing(entry.id, "share_ratio", why.unwrap_or_else(|| "no repetitions".into()))
                .with("weight", weight),
        });
    }
    Ok(rows.into())
}

/// Part 2: what moves when the first node's weight goes from 1 to 2, and the least.
fn changed(cell: &Context, entry: &Entry, repetitions: u64, count: usize) -> anyhow::Result<Findings> {
    let keys = keys(cell, count);
    let (mut moved, mut least) = (Vec::new(), Vec::new());
    for repetition in 0..repetitions {
        let before = Assignment::new(entry, &nodes(cell, repetition, 1), &keys)?;
        let after = Assignment::new(entry, &nodes(cell, repetition, 2), &keys)?;
        let movement = Movement::between(&before, &after);
        moved.push(movement.moves.len() as f64 / count as f64);
        least.push(movement.least as f64 / count as f64);
    }
    let row = |metric, values: &[f64]| Row::of_repetitions(entry.id, metric, values).context("no repetitions");
    Ok(vec![row("moved_fraction", &moved)?, row("least_fraction", &least)?].into())
}

/// Part 3: a test of the counts of random keys against the weights.
fn rendezvous(cell: &Context, sample: u64) -> anyhow::Result<Findings> {
    let weights: Vec<f64> = [1.0, 2.0, 3.0, 5.0, 10.0, 100.0].into();
    let sum: f64 = weights.iter().sum();
    let shares: Vec<f64> = weights.iter().map(|weight| weight / sum).collect();
    let built = RendezvousWeighted::new(&weights, Mix::new(cell.seed))?;
    let mut stream = cell.stream();
    let counts = sampled_counts(&built, (0..sample).map(|_| stream.next_u64()), weights.len() as u32)?;
    let test = chi_squared(&counts, &shares)?;
    Ok(vec![Row::new("rendezvous-weighted", "fit_p", test.p_two_sided).with("sample", sample)].into())
}

fn points() -> anyhow::Result<Findings> {
    let of =
        |points: &mut dyn Iterator<Item = (u32, u32)>, node: u32| points.filter(|point| point.1 == node).count() as u64;
    let equal: Vec<Node> = (0..NODES).map(|i| Node::new(format!("10.0.0.{}:11211", i + 1), 1)).collect();
    let ketama = Libketama::new(&equal)?;
    let mut rows = vec![Row::new("libketama", "points", of(&mut ketama.points(), 0)).with("weight", 1)];
    for weight in [1, 2, 16, 256] {
        let mut nodes = equal.clone();
        nodes[0].weight = weight;
        let haproxy = Consistent::new(&Server::numbered(&nodes), KeyHash::CONSISTENT)?;
        rows.push(Row::new("haproxy-consistent", "points", of(&mut haproxy.points(), 0)).with("weight", weight));
    }
    Ok(rows.into())
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let p = record.rows("rendezvous-weighted", "fit_p").filter_map(Row::number);
    let rendezvous = Parts::default().part("counts of random keys fit the weights", chance(p, ALPHA, 1)).verdict(
        "whrw",
        Rule::Statistical,
        "Pearson's test, two-sided, of weights from 1 to 100.",
        "",
    );
    let points = |id: &str, weight: u32, wanted: u64| {
        let found = record.number(id, "points", &[("weight", weight.into())])?;
        Some((found.to_string(), found == wanted as f64))
    };
    let ketama = Parts::default().part("points of one of ten equal servers:", points("libketama", 1, 160)).verdict(
        "ketama.points",
        Rule::Exact,
        "Counted on the ring whose answers are libketama's, bit for bit.",
        "",
    );
    let haproxy = [1, 2, 16, 256].into_iter().fold(Parts::default(), |parts, weight: u32| {
        let wanted = 16 * u64::from(weight);
        parts.part(&format!("weight {weight}:"), points("haproxy-consistent", weight, wanted))
    });
    let haproxy = haproxy.verdict(
        "haproxy.points",
        Rule::Exact,
        "Points, counted; that the nearer of the previous and the next point wins, and the rest of the definition, is held against HAProxy's \
         own answers in tests/conformance.",
        "",
    );
    vec![rendezvous, ketama, haproxy]
}

/// All that have rows of a metric, ours first.
fn names(record: &Record, metric: &str) -> Vec<String> {
    record.implementations(metric).into_iter().map(str::to_owned).collect()
}

fn charts(record: &Record) -> Vec<Chart> {
    let shares = names(record, "share_ratio");
    let series = (0..).zip(HEAVY).map(|(color, weight): (usize, u32)| {
        let points = (0..).zip(&shares).filter_map(|(at, id)| {
            let row = record.row(id, "share_ratio", &[("weight", weight.into())])?;
            Some(records::point(f64::from(at), row.number()?, row.interval))
        });
        let style = Style { color, marker: Marker::Circle, line: Line::None, band: false };
        Series { label: format!("weight {weight} among nine of 1"), style, points: points.collect() }
    });
    let moved = names(record, "moved_fraction");
    let of = |metric: &'static str, label: &str, color, marker| {
        let points = (0..).zip(&moved).filter_map(|(at, id)| {
            let row = record.row(id, metric, &[])?;
            Some(records::point(f64::from(at), row.number()?, row.interval))
        });
        Series {
            label: label.into(),
            style: Style { color, marker, line: Line::None, band: false },
            points: points.collect(),
        }
    };
    let last = shares.len().max(1) as f64 - 0.5;
    vec![Chart {
        stem: "weights".into(),
        title: title(record).unwrap_or_else(|| "Does a node of weight w get w times the keys".into()),
        subtitle: "Medians and 99% ranges over repetitions with other names or hash functions; systems: counted keys."
            .into(),
        panels: vec![
            Panel::Plot(Plot {
                title: "share of the heavy node".into(),
                x: Axis::categories("", shares.clone()),
                y: Axis {
                    label: "share / what it should be".into(),
                    scale: AxisScale::Linear,
                    range: Some((0.0, 2.0)),
                    ticks: Ticks::Number,
                },
                series: series.collect(),
                marks: vec![],
                guides: vec![Guide { label: "as it should be".into(), points: vec![(-0.5, 1.0), (last, 1.0)] }],
            }),
            Panel::Plot(Plot {
                title: "one weight of ten goes from 1 to 2".into(),
                x: Axis::categories("", moved.clone()),
                y: Axis {
                    label: "keys".into(),
                    scale: AxisScale::Linear,
                    range: Some((0.0, 1.0)),
                    ticks: Ticks::Percent,
                },
                series: vec![
                    of("moved_fraction", "keys that move", 1, Marker::Circle),
                    of("least_fraction", "least possible", 0, Marker::Square),
                ],
                marks: vec![],
                guides: vec![],
            }),
        ],
        footnotes: vec!["What refuses a weight has no point there.".into()],
    }]
}

/// The most that moved in excess.
fn title(record: &Record) -> Option<String> {
    let excess =
        |id: &String| Some(record.number(id, "moved_fraction", &[])? - record.number(id, "least_fraction", &[])?);
    let most = names(record, "moved_fraction").iter().filter_map(excess).reduce(f64::max)?;
    Some(format!(
        "When one weight of ten goes from 1 to 2, up to {:.0}% of the keys move beyond the least",
        100.0 * most
    ))
}

fn summary(record: &Record) -> Table {
    let mut table =
        Table::new(["who", "1 : 1", "2 : 1", "10 : 1", "100 : 1", "1000 : 1", "one weight changes: moved", "least"]);
    for id in names(record, "share_ratio") {
        let share = |weight: u32| {
            let row = record.row(&id, "share_ratio", &[("weight", weight.into())]);
            row.and_then(Row::range).map_or("-".into(), |(median, range)| {
                format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high))
            })
        };
        let part =
            |metric| record.number(&id, metric, &[]).map_or("-".into(), |value| format!("{:.1}%", 100.0 * value));
        let cells = HEAVY.map(share).into_iter().chain([part("moved_fraction"), part("least_fraction")]);
        table.row(std::iter::once(id.clone()).chain(cells));
    }
    table
}
