//! Random tokens against allocated ones (Apache Cassandra, CASSANDRA-7032, -12777 and -13701; DataStax, "allocation algorithm").
//!
//! Units of v tokens each join a ring one after the other, with random tokens or with tokens that the allocator chooses for a
//! replication factor. The part of the key space of which each unit holds a replica is computed exactly; its spread over the units
//! is shown in both ways in which the word "variance" of the published table may be meant: σ/μ, and the largest over the mean.
//!
//! The table does not say how many nodes it is of: 20 are assumed, as many as the allocator can be run for at all sizes. For more than one
//! replica our allocator looks at all candidates for each token, where Cassandra's stops at the first that keeps its rank.
//!
//! The bound of Cassandra's own tests, 1 + 4/v for one replica and 250 units, is held against the largest unit of several rings.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::TokenAllocator;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::chart::{
    Axis, Chart, Line, Mark, Marker, Panel, Plot, Point, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::share::Balance;
use consistent_hash_lab::published::{self, Comparison, Parts, digits, rounding};
use consistent_hash_lab::statistics::Interval;
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
            name: "token_allocation",
            title: "Random tokens against allocated ones",
            paper: "Apache Cassandra, CASSANDRA-7032, -12777, -13701; DataStax, allocation algorithm, Table 1",
            method: "Rings of 20 units (assumed) with 4 to 256 random or allocated tokens each, for 1, 2, 3 and 5 replicas: what each \
                     unit holds, exactly; σ/μ and the largest over the mean; median and 99% range of repetitions. The bound of \
                     Cassandra's tests at 250 units.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

/// Assumed.
const UNITS: u32 = 20;
const REPLICAS: [u32; 4] = [1, 2, 3, 5];
const TOKENS: [u32; 6] = [4, 8, 16, 64, 128, 256];
/// Of the published table.
const PUBLISHED_REPLICAS: [u32; 3] = [2, 3, 5];
const PUBLISHED_TOKENS: [u32; 4] = [4, 8, 64, 128];
/// Of Cassandra's tests.
const BOUND_UNITS: u32 = 250;
const BOUND_TOKENS: [u32; 4] = [1, 4, 16, 64];

const RANDOM: &str = "random tokens";
const ALLOCATED: &str = "allocated tokens";

fn grid(settings: &Settings) -> Vec<Cell> {
    let scale = settings.scale;
    // A token for several replicas is chosen among all ranges: the time grows with the square of the tokens.
    let most_tokens = scale.pick(8, 64, 128);
    let mut cells = Vec::new();
    for replicas in REPLICAS {
        for tokens in TOKENS {
            let random = move |cell: &Context| spread(cell, RANDOM, tokens, replicas, scale.pick(10, 100, 1_000));
            cells.push(Cell::statistical(format!("random v={tokens} rf={replicas}"), [], random));
            let most = if replicas == 1 { u32::MAX } else { most_tokens };
            if tokens <= most {
                let repetitions = if replicas == 1 { scale.pick(5, 50, 200) } else { scale.pick(2, 4, 8) };
                let allocated = move |cell: &Context| spread(cell, ALLOCATED, tokens, replicas, repetitions);
                cells.push(Cell::statistical(format!("allocated v={tokens} rf={replicas}"), [], allocated));
            }
        }
    }
    let rings = scale.pick(1, 4, 20);
    cells.extend(BOUND_TOKENS.map(|tokens| {
        Cell::statistical(format!("bound v={tokens}"), [], move |cell| largest_of_many(cell, tokens, rings))
    }));
    cells
}

fn ring(who: &str, units: u32, tokens: u32, replicas: u32, seed: u64) -> anyhow::Result<Balance> {
    let hash = Mix::new(seed);
    let ring = if who == RANDOM {
        TokenAllocator::random(units, tokens, replicas, hash)?
    } else {
        TokenAllocator::new(units, tokens, replicas, hash)?
    };
    // Together they hold as many replicas as there are of each key.
    let shares: Vec<f64> = ring.ownership().iter().map(|held| held / f64::from(replicas)).collect();
    Ok(Balance::of_shares(&shares)?)
}

fn spread(cell: &Context, who: &str, tokens: u32, replicas: u32, repetitions: u64) -> anyhow::Result<Findings> {
    let one = |repetition| ring(who, UNITS, tokens, replicas, cell.repetition(repetition));
    let found = (0..repetitions).into_par_iter().map(one).collect::<anyhow::Result<Vec<Balance>>>()?;
    let row = |metric, of: fn(&Balance) -> f64| {
        let row =
            Row::of_repetitions(who, metric, &found.iter().map(of).collect::<Vec<_>>()).context("no repetitions")?;
        anyhow::Ok(row.with("assumed_units", UNITS).with("tokens", tokens).with("replicas", replicas))
    };
    Ok(vec![row("cv", |balance| balance.cv)?, row("above_mean", |balance| balance.peak_to_average - 1.0)?].into())
}

/// The largest unit of all rings of 250, for one replica.
fn largest_of_many(cell: &Context, tokens: u32, rings: u64) -> anyhow::Result<Findings> {
    let one = |repetition| Ok(ring(ALLOCATED, BOUND_UNITS, tokens, 1, cell.repetition(repetition))?.peak_to_average);
    let peaks = (0..rings).into_par_iter().map(one).collect::<anyhow::Result<Vec<f64>>>()?;
    let largest = peaks.into_iter().fold(0.0, f64::max);
    let row = Row::new(ALLOCATED, "largest_of_250", largest);
    Ok(vec![row.with("tokens", tokens).with("units", BOUND_UNITS).with("rings", rings)].into())
}

fn at(tokens: u32, replicas: u32) -> [(&'static str, f64); 2] {
    [("tokens", tokens.into()), ("replicas", replicas.into())]
}

fn range(record: &Record, who: &str, metric: &str, tokens: u32, replicas: u32) -> Option<(f64, Interval)> {
    record.row(who, metric, &at(tokens, replicas)).and_then(Row::range)
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let table = PUBLISHED_REPLICAS
        .into_iter()
        .flat_map(|replicas| PUBLISHED_TOKENS.map(|tokens| of_the_table(record, tokens, replicas)));
    table.chain([bound(record), default(record)]).collect()
}

/// The published percentage stands for those that round to it; it is consistent with ours if the range of either definition meets them,
/// and contradicted if both lie above.
fn of_the_table(record: &Record, tokens: u32, replicas: u32) -> Verdict {
    let id = format!("cassandra.alloc.rf{replicas}.v{tokens}");
    let found = ["cv", "above_mean"].map(|metric| range(record, ALLOCATED, metric, tokens, replicas));
    let part = match (published::number(&id), found) {
        (Some(printed), [Some(cv), Some(above)]) => {
            let (low, high) = rounding(printed);
            let meets = |range: Interval| low <= 100.0 * range.high && 100.0 * range.low <= high;
            let comparison = if meets(cv.1) || meets(above.1) { Comparison::Consistent } else { Comparison::Fails };
            let percent = |(median, range): (f64, Interval)| {
                format!(
                    "{}% ({}% to {}%)",
                    digits(100.0 * median),
                    digits(100.0 * range.low),
                    digits(100.0 * range.high)
                )
            };
            Some((format!("σ/μ {}; largest above the mean {}", percent(cv), percent(above)), comparison))
        }
        _ => None,
    };
    Parts::at_best(Outcome::ConsistentWith).compared("", part).verdict(
        &id,
        Rule::Statistical,
        &format!(
            "The document says neither what its variance is nor of how many nodes: both definitions are shown, for {UNITS} units \
             (assumed), and either may meet the percentage. For more than one replica our allocator looks at all places for a token where \
             Cassandra's stops at the first that is good enough: that ours is more even contradicts nothing, and is not decided."
        ),
        "",
    )
}

fn bound(record: &Record) -> Verdict {
    let part = |tokens: u32| {
        let largest = record.number(ALLOCATED, "largest_of_250", &[("tokens", tokens.into())])?;
        let bound = 1.0 + 4.0 / f64::from(tokens);
        Some((format!("{} (at most {bound})", digits(largest)), largest <= bound))
    };
    let parts = BOUND_TOKENS
        .into_iter()
        .fold(Parts::default(), |parts, tokens| parts.part(&format!("{tokens} tokens"), part(tokens)));
    parts.part("units of different numbers of tokens", None).part("groups of racks", None).verdict(
        "cassandra.tests.bound",
        Rule::Exact,
        "The largest unit of all rings of 250 units, over the mean, for one replica: exactly from their ranges.",
        "",
    )
}

fn default(record: &Record) -> Verdict {
    let of = |who, tokens| {
        range(record, who, "cv", tokens, 3)
            .map_or("not measured".into(), |(median, _)| format!("{}%", digits(100.0 * median)))
    };
    let how = format!(
        "Both are measured beside each other. σ/μ of {UNITS} units with 3 replicas (both assumed): {} with 256 random tokens, {} with 16 \
         allocated ones.",
        of(RANDOM, 256),
        of(ALLOCATED, 16)
    );
    published::followed("cassandra.default", &how)
}

/// How even both are with the numbers of tokens that Cassandra's default went from and to.
fn title(record: &Record) -> Option<String> {
    let of = |who, tokens| range(record, who, "above_mean", tokens, 3).map(|(median, _)| 100.0 * median);
    let (random, allocated) = (of(RANDOM, 256)?, of(ALLOCATED, 16)?);
    Some(format!(
        "With 3 replicas the largest of {UNITS} units is {random:.1}% above the mean with 256 random tokens, {allocated:.1}% with 16 allocated ones"
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let kinds = [
        (RANDOM, "above_mean", "random: largest above the mean", 1, Line::Solid),
        (RANDOM, "cv", "random: σ/μ", 1, Line::Dashed),
        (ALLOCATED, "above_mean", "allocated: largest above the mean", 0, Line::Solid),
        (ALLOCATED, "cv", "allocated: σ/μ", 0, Line::Dashed),
    ];
    let panel = |replicas: u32| {
        let series = kinds.map(|(who, metric, label, color, line)| {
            let rows = record.rows(who, metric).filter(|row| row.is_at(&[("replicas", replicas.into())]));
            let points: Vec<Point> = rows
                .filter_map(|row| Some(records::point(row.parameter("tokens")?, row.number()?, row.interval)))
                .collect();
            let marker = if line == Line::Solid { Marker::Circle } else { Marker::Square };
            Series { label: label.into(), style: Style { color, marker, line, band: false }, points }
        });
        let mark = |tokens: u32| {
            let percent = published::number(&format!("cassandra.alloc.rf{replicas}.v{tokens}"))?;
            Some(Mark { label: "DataStax, \"variance\"".into(), x: tokens.into(), y: percent / 100.0, interval: None })
        };
        let axis = |label: &str, range, ticks| Axis { label: label.into(), scale: AxisScale::Log10, range, ticks };
        Panel::Plot(Plot {
            title: if replicas == 1 { "1 replica".into() } else { format!("{replicas} replicas") },
            x: axis("tokens per unit", None, Ticks::Number),
            y: axis("spread of what units hold", Some((0.001, 2.0)), Ticks::Percent),
            series: series.into(),
            marks: PUBLISHED_TOKENS.into_iter().filter_map(mark).collect(),
            guides: vec![],
        })
    };
    vec![Chart {
        stem: "token_allocation".into(),
        title: title(record).unwrap_or_else(|| "Random tokens against allocated ones".into()),
        subtitle: format!("{UNITS} units (assumed), exactly from their ranges; medians and 99% ranges of repetitions."),
        panels: REPLICAS.map(panel).into(),
        footnotes: vec![
            "The published table says neither what its variance is nor of how many nodes it is. More than 128 tokens are not allocated for several replicas: too slow.".into(),
        ],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "replicas",
        "tokens",
        "random: σ/μ",
        "largest above the mean",
        "allocated: σ/μ",
        "largest above the mean",
        "published \"variance\"",
    ]);
    for replicas in REPLICAS {
        for tokens in TOKENS {
            let of = |who, metric| {
                range(record, who, metric, tokens, replicas).map_or("-".into(), |(median, range)| {
                    format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high))
                })
            };
            let printed = published::number(&format!("cassandra.alloc.rf{replicas}.v{tokens}"));
            table.row([
                replicas.to_string(),
                tokens.to_string(),
                of(RANDOM, "cv"),
                of(RANDOM, "above_mean"),
                of(ALLOCATED, "cv"),
                of(ALLOCATED, "above_mean"),
                printed.map_or("-".into(), |percent| format!("{percent}%")),
            ]);
        }
    }
    table
}
