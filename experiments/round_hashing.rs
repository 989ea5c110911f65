//! Round-hashing (Grossi & Versari 2018, arXiv 1805.03158): how even, what moves, how fast, by its parameter S.
//!
//! 1. *Shares.* Of each bucket, exactly, from the arcs: the largest over the smallest is (c + 1)/c, at most 1 + 1/S.
//! 2. *Movement.* One bucket more, exactly: the circle in pieces that neither number of buckets cuts, each looked up once.
//!    Moved are 1/(2G) of the keys, also between buckets that were there before; all of them come from c buckets, so that
//!    only the keys of these have to be looked at.
//! 3. *Time.* Look-ups with some S and with jump, side by side.

use std::process::ExitCode;

use consistent_hash_lab::algorithms::hash::{HashFamily, Mix};
use consistent_hash_lab::algorithms::{Jump, Partitioner, Round};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Row, Rule, Settings, TimingRow, Verdict, timed,
};
use consistent_hash_lab::measure::share::Balance;
use consistent_hash_lab::measure::time::{Contender, Measured};
use consistent_hash_lab::published::{self, Comparison, Parts, digits};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "round_hashing",
            title: "What round-hashing gives for its parameter S",
            paper: "Grossi & Versari 2018, arXiv 1805.03158, abstract and the authors' benchmark",
            method: "For S = 1, 2, 4, ..., 128: the shares of all buckets, exactly; the keys that move from 100 to 101 buckets, \
                     exactly, from pieces of the circle that neither number cuts, between which buckets, and which have to be looked at to \
                     find them. Times of look-ups beside those of jump, for 10 to 10^9 buckets.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

/// Those of the authors' benchmark.
const SPLITS: [u32; 8] = [1, 2, 4, 8, 16, 32, 64, 128];
const TIMED_SPLITS: [(u32, &str); 3] = [(1, "round, S = 1"), (8, "round, S = 8"), (128, "round, S = 128")];
const SHARE_SIZES: [u32; 4] = [100, 1_000, 1_024, 1_500];
const TIMED_SIZES: [u32; 5] = [10, 1_000, 100_000, 10_000_000, 1_000_000_000];
/// From so many buckets to one more.
const BEFORE: u32 = 100;
const HASH_BITS: u32 = 60;
const ROUND: &str = "round";
const JUMP: &str = "jump";

fn grid(settings: &Settings) -> Vec<Cell> {
    let sizes = SHARE_SIZES.into_iter().flat_map(|n| SPLITS.map(|split| (n, split)));
    let mut cells: Vec<Cell> = sizes
        .map(|(n, split)| Cell::statistical(format!("shares n={n} S={split}"), [ROUND], move |_| shares(n, split)))
        .collect();
    cells.extend(
        SPLITS.map(|split| {
            Cell::statistical(format!("one more S={split}"), [ROUND], move |_| Ok(one_more(split)?.into()))
        }),
    );
    let sizes = settings.scale.pick(&TIMED_SIZES[..2], &TIMED_SIZES, &TIMED_SIZES);
    cells.extend(sizes.iter().map(|&n| {
        Cell::timed(format!("time n={n}"), [JUMP, ROUND], move |cell| time(cell, n)).runs(settings.scale.runs())
    }));
    cells
}

/// Part 1.
fn shares(n: u32, split: u32) -> anyhow::Result<Findings> {
    let round = Round::new(n, split, Mix::new(0))?;
    let balance = Balance::of_shares(&round.shares())?;
    let (peak, least) = round.peak_to_least();
    let rows = vec![
        Row::new(ROUND, "peak_to_least", balance.peak_to_average / balance.least_to_average),
        Row::new("formula", "peak_to_least", f64::from(peak) / f64::from(least)),
        Row::new(ROUND, "peak_to_average", balance.peak_to_average),
        Row::new(ROUND, "least_to_average", balance.least_to_average),
        Row::new(ROUND, "cv", balance.cv),
    ];
    Ok(rows.into_iter().map(|row| row.with("buckets", n).with("split", split)).collect::<Vec<_>>().into())
}

/// Keys are positions on the circle.
#[derive(Debug, Clone)]
struct Positions;

impl HashFamily for Positions {
    fn key(&self, key: u64) -> u64 {
        key
    }

    fn point(&self, bucket: u32, _: u32) -> u64 {
        bucket.into()
    }

    fn score(&self, key: u64, _: u32) -> u64 {
        key
    }
}

/// Part 2. With G groups of c or c + 1 arcs, and c + 2 where the last of them is recut, all cuts lie at multiples of
/// 1/(2G c (c + 1) (c + 2)).
fn one_more(split: u32) -> anyhow::Result<Vec<Row>> {
    let (before, after) = (Round::new(BEFORE, split, Positions)?, Round::new(BEFORE + 1, split, Positions)?);
    let groups = (BEFORE / split).checked_ilog2().map_or(1, |bits| 1_u64 << bits);
    let arcs = u64::from(BEFORE) / groups;
    let pieces = 2 * groups * arcs * (arcs + 1) * (arcs + 2);
    let middle = |piece: u64| {
        let hash = (u128::from(2 * piece + 1) << HASH_BITS) / u128::from(2 * pieces);
        (hash as u64) << (u64::BITS - HASH_BITS)
    };
    let moves = (0..pieces).map(middle).map(|key| (before.bucket(key), after.bucket(key)));
    let moved: Vec<(u32, u32)> = moves.filter(|(old, new)| old != new).collect();
    let strays = moved.iter().filter(|&&(_, new)| new != BEFORE).count();
    let mut donors: Vec<u32> = moved.iter().map(|&(old, _)| old).collect();
    donors.sort_unstable();
    donors.dedup();
    let shares = before.shares();
    let examined: f64 = donors.iter().map(|&donor| shares[donor as usize]).sum();
    let of_pieces = |count: usize| count as f64 / pieces as f64;
    let rows = [
        Row::new(ROUND, "moved_fraction", of_pieces(moved.len())),
        Row::new("formula", "moved_fraction", 1.0 / (2 * groups) as f64).note("1/(2G)"),
        Row::new(ROUND, "stray_fraction", of_pieces(strays)).note("between buckets that were there before"),
        Row::new(ROUND, "donors", donors.len()),
        Row::new(ROUND, "examined_fraction", examined).note("keys of the buckets from which keys move"),
    ];
    Ok(rows.map(|row| row.with("buckets", BEFORE).with("split", split)).into())
}

/// Part 3.
fn time(cell: &Context, n: u32) -> anyhow::Result<Findings> {
    let jump = Jump::new(n)?;
    let rounds = TIMED_SPLITS.map(|(split, name)| Ok((name, Round::new(n, split, Mix::new(cell.seed))?)));
    let rounds = rounds.into_iter().collect::<anyhow::Result<Vec<_>>>()?;
    let mut contenders = vec![Contender { id: JUMP, subject: &jump }];
    contenders.extend(rounds.iter().map(|(id, round)| Contender { id, subject: round as &dyn Measured }));
    let ratios = TIMED_SPLITS.map(|(_, name)| (JUMP, name));
    let timing = timed::side_by_side(cell, &contenders, &ratios)?;
    let rows = timing.into_iter().map(|row| row.with("buckets", n)).collect();
    Ok(Findings { data: vec![], timing: rows })
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    vec![
        tenfold(record),
        published::followed(
            "round.bench.setup",
            "The same: S = 1, 2, 4, ..., 128 for the shares, hashes of 60 bits, ns per key, min/mean and max/mean. Different: shares are \
             exact instead of counted, so that their quantiles are no sample's; hashes are SplitMix64's finaliser, not a step of xoroshiro; times are of S = 1, \
             8 and 128; LinearHash was not measured: the text seen does not define it.",
        ),
    ]
}

/// How many times as long jump takes as round-hashing with some S.
fn ratios<'a>(record: &'a Record, round: &'a str) -> impl Iterator<Item = (f64, &'a TimingRow)> {
    let rows = record.timings(JUMP, "lookup_ratio");
    rows.filter(move |row| row.parameters.get("to").is_some_and(|to| to == round))
        .filter_map(|row| Some((row.parameter("buckets")?, row)))
}

fn tenfold(record: &Record) -> Verdict {
    const TENFOLD: f64 = 10.0;
    let all: Vec<(&str, f64, &TimingRow)> = TIMED_SPLITS
        .iter()
        .flat_map(|&(_, round)| ratios(record, round).map(move |(n, row)| (round, n, row)))
        .collect();
    let judged: Vec<_> = all.iter().filter_map(|&(round, n, row)| Some((round, n, row, row.judged()?))).collect();
    let most = judged.iter().max_by(|a, b| a.3.low.total_cmp(&b.3.low));
    let found = most.map(|(round, n, row, interval)| {
        let comparison = match (interval.low >= TENFOLD, judged.iter().all(|it| it.3.high < TENFOLD)) {
            // Jump's time grows with ln n: what was compared at which n is not known.
            (true, _) => Comparison::Consistent,
            (_, true) => Comparison::Fails,
            _ => Comparison::Undecided,
        };
        (format!("most: {} times as fast at {n} buckets ({round})", row.written(digits)), comparison)
    });
    let parts = Parts::default().timed("jump over round-hashing:", found, !all.is_empty());
    let parts = TIMED_SPLITS.iter().fold(parts, |parts, &(_, round)| {
        let at: Vec<String> = ratios(record, round).map(|(n, row)| format!("{} at {n}", digits(row.value))).collect();
        if at.is_empty() { parts } else { parts.shown(format!("{round}: {}", at.join(", "))) }
    });
    let caveat = timed::caveat(record, &["lookup_ratio"]);
    let explanation = format!(
        "Jump's time over that of round-hashing in the same rounds. The abstract says neither with what S nor for how many servers \
         (assumed: 10 to 10^9), nor whose times it means (assumed: jump's): it is met where the interval lies above ten at some size, and differs where all lie below. {caveat}"
    );
    parts.verdict("round.abstract", Rule::Ratio, explanation.trim(), "")
}

fn title(record: &Record) -> Option<String> {
    let at = |split: f64| [("split", split)];
    Some(format!(
        "From 100 to 101 buckets round-hashing moves {:.1}% of the keys with S = 1, {:.1}% with S = 8; equal shares need 1.0%",
        record.number(ROUND, "moved_fraction", &at(1.0))? * 100.0,
        record.number(ROUND, "moved_fraction", &at(8.0))? * 100.0
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let axis = |label: &str, scale, range, ticks| Axis { label: label.into(), scale, range, ticks };
    let by_split = |label: &str, metric: &str, at: &[(&str, f64)], color, marker| Series {
        label: label.into(),
        style: Style { color, marker, line: Line::None, band: false },
        points: record
            .rows(ROUND, metric)
            .filter(|row| row.is_at(at))
            .filter_map(|row| Some(records::point(row.parameter("split")?, row.number()?, None)))
            .collect(),
    };
    let splits = || SPLITS.into_iter().map(f64::from);
    let guide = |label: &str, of: &dyn Fn(f64) -> f64| Guide {
        label: label.into(),
        points: splits().map(|split| (split, of(split))).collect(),
    };
    let times = |id: &str, label: &str, color, marker| Series {
        label: label.into(),
        style: Style { color, marker, line: Line::Solid, band: false },
        points: record
            .timings(id, "lookup_ns")
            .filter_map(|row| Some(records::point(row.parameter("buckets")?, row.value, row.interval)))
            .collect(),
    };
    let mut timed = vec![times(JUMP, "jump", 0, Marker::Circle)];
    let styles = [(1, Marker::Square), (7, Marker::Diamond), (3, Marker::Triangle)];
    timed.extend(TIMED_SPLITS.into_iter().zip(styles).map(|((_, id), (color, marker))| times(id, id, color, marker)));
    let rows =
        std::iter::once(JUMP).chain(TIMED_SPLITS.map(|(_, id)| id)).flat_map(|id| record.timings(id, "lookup_ns"));
    timed.extend(records::marked(rows.filter_map(|row| Some((row.parameter("buckets")?, row)))));
    let s = || axis("S", AxisScale::Log10, Some((0.8, 160.0)), Ticks::Number);
    vec![Chart {
        stem: "round_hashing".into(),
        title: title(record).unwrap_or_else(|| "What round-hashing gives for its parameter S".into()),
        subtitle: "Shares and movement are exact. More even shares cost more movement; keys also move between old buckets for S > 1. Times: the loop subtracted."
            .into(),
        panels: vec![
            Panel::Plot(Plot {
                title: "evenness".into(),
                x: s(),
                y: axis("largest share / smallest", AxisScale::Linear, Some((0.9, 2.1)), Ticks::Number),
                series: vec![
                    by_split("100 buckets", "peak_to_least", &[("buckets", 100.0)], 7, Marker::Diamond),
                    by_split("1000 buckets", "peak_to_least", &[("buckets", 1000.0)], 1, Marker::Circle),
                ],
                marks: vec![],
                guides: vec![guide("bound 1 + 1/S", &|split| 1.0 + 1.0 / split)],
            }),
            Panel::Plot(Plot {
                title: "100 to 101 buckets".into(),
                x: s(),
                y: axis("fraction of all keys", AxisScale::Log10, Some((0.005, 2.0)), Ticks::Number),
                series: vec![
                    by_split("moved", "moved_fraction", &[], 0, Marker::Square),
                    by_split("of them between old buckets", "stray_fraction", &[], 4, Marker::Cross),
                    by_split("looked at to find them", "examined_fraction", &[], 2, Marker::Triangle),
                ],
                marks: vec![],
                guides: vec![guide("needed for equal shares, 1/101", &|_| 1.0 / 101.0)],
            }),
            Panel::Plot(Plot {
                title: "time".into(),
                x: axis("buckets", AxisScale::Log10, None, Ticks::Number),
                y: axis("time per look-up (ns)", AxisScale::Log10, Some((1.0, 400.0)), Ticks::Number),
                series: timed,
                marks: vec![],
                guides: vec![],
            }),
        ],
        footnotes: vec![LEGEND.into(), "With S = 1 no key moves between old buckets: that zero is not drawn. With jump every key has to be looked at.".into()],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "S",
        "largest / smallest, 1000 buckets",
        "moved, 100 to 101",
        "1/(2G)",
        "between old buckets",
        "buckets that give",
        "keys looked at",
    ]);
    for split in SPLITS {
        let at = [("split", f64::from(split))];
        let of = |who: &str, metric: &str| record.number(who, metric, &at).map_or("-".into(), digits);
        let even = record.number(ROUND, "peak_to_least", &[("split", split.into()), ("buckets", 1000.0)]);
        table.row([
            split.to_string(),
            even.map_or("-".into(), digits),
            of(ROUND, "moved_fraction"),
            of("formula", "moved_fraction"),
            of(ROUND, "stray_fraction"),
            of(ROUND, "donors"),
            of(ROUND, "examined_fraction"),
        ]);
    }
    table
}
