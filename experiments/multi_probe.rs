//! How even multi-probe hashing is (Appleton & O'Reilly 2015, arXiv 1505.00062).
//!
//! Each bucket has one point, each key several probes, the nearest of which decides.
//!
//! 1. *Peak and spread.* The shares of random circles, integrated exactly for independent probes: the largest over the average, and σ/μ,
//!    for 2 to 41 probes, beside the limits k/(k - 1) and 1/√(2k - 1).
//! 2. *A ring with the same peak.* How many points of a plain ring give 1.05. The share of a bucket on a ring of v points is
//!    Beta(v, (n - 1) v), and the shares of many buckets hardly depend on each other: the v at which the largest of n is
//!    below 1.05 with probability 1/2. Random rings of that many points show that it is so.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::MultiProbe;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::share::{Balance, ring_probability};
use consistent_hash_lab::measure::share_multi_probe::multi_probe_shares;
use consistent_hash_lab::published::{self, Comparison, Parts, digits, rounding, within};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "multi_probe",
            title: "How even multi-probe hashing is, by its number of probes",
            paper: "Appleton & O'Reilly 2015, arXiv 1505.00062",
            method: "Shares of random circles with one point a bucket, integrated exactly for independent probes: peak and σ/μ \
                     for 2 to 41 probes. Points of a plain ring at which half of all rings have a peak of 1.05 or less, \
                     from the distribution of a share, with random rings of that many points.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const MULTI_PROBE: &str = "multi-probe";
const RING: &str = "ring-sorted64";
const THEORY: &str = "ring, theory";
/// The paper's limits are of many buckets; how many it measured is not known.
const ASSUMED_BUCKETS: u32 = 100_000;
const PROBES: [u32; 6] = [2, 3, 5, 11, 21, 41];
/// Those at whose peak the neighbours' limits can be told apart.
const JUDGED: [u32; 5] = [2, 3, 5, 11, 21];
const PEAK: f64 = 1.05;
const RING_BUCKETS: [u32; 7] = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 100_000_000];
/// Of those, the ones of which whole rings are made.
const WHOLE_RINGS: [u32; 2] = [10, 100];

fn grid(settings: &Settings) -> Vec<Cell> {
    let circles = settings.scale.pick(4, 25, 250);
    let rings = settings.scale.pick(10, 50, 500);
    let mut cells = vec![Cell::statistical("circles", [MULTI_PROBE], move |cell| random_circles(cell, circles))];
    cells.push(Cell::statistical("points of a ring", [], |_| Ok(equivalent_points()?.into())));
    cells.extend(
        WHOLE_RINGS
            .map(|n| Cell::statistical(format!("rings n={n}"), [RING], move |cell| random_rings(cell, n, rings))),
    );
    cells
}

/// Part 1.
fn random_circles(cell: &Context, circles: u64) -> anyhow::Result<Findings> {
    let mut found = vec![(Vec::new(), Vec::new()); PROBES.len()];
    for circle in 0..circles {
        // Where the points lie does not depend on the number of probes.
        let circle = MultiProbe::new(ASSUMED_BUCKETS, 1, Mix::new(cell.repetition(circle)))?;
        for (probes, (peaks, cvs)) in PROBES.into_iter().zip(&mut found) {
            let balance = Balance::of_shares(&multi_probe_shares(circle.ring(), ASSUMED_BUCKETS, probes)?)?;
            peaks.push(balance.peak_to_average);
            cvs.push(balance.cv);
        }
    }
    let mut rows = Vec::new();
    for (probes, (peaks, cvs)) in PROBES.into_iter().zip(found) {
        for (metric, values) in [("peak_to_average", peaks), ("cv", cvs)] {
            let row = Row::of_repetitions(MULTI_PROBE, metric, &values).context("no circles")?;
            rows.push(row.with("probes", probes).with("assumed_buckets", ASSUMED_BUCKETS));
        }
    }
    Ok(rows.into())
}

/// The points a bucket at which the largest share of n is at most the peak with probability 1/2.
fn points_for_peak(n: u32) -> Option<u32> {
    let enough = |v: u32| Some(f64::from(n) * ring_probability(n, v, PEAK)?.ln() >= 0.5_f64.ln());
    let (mut low, mut high) = (1, 1 << 16);
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle)? { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

/// Part 2, from the distribution of a share.
fn equivalent_points() -> anyhow::Result<Vec<Row>> {
    let row = |n: u32| {
        let points = points_for_peak(n).context("no such ring")?;
        let row = Row::new(THEORY, "points_for_peak", points).with("assumed_buckets", n);
        Ok([
            row,
            Row::new(THEORY, "points_over_ln_n", f64::from(points) / f64::from(n).ln()).with("assumed_buckets", n),
        ])
    };
    Ok(RING_BUCKETS.into_iter().map(row).collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// Part 2, whole rings.
fn random_rings(cell: &Context, n: u32, rings: u64) -> anyhow::Result<Findings> {
    let points = points_for_peak(n).context("no such ring")?;
    let builds: Vec<Build> = (0..rings).map(|ring| Build::new(n, points, cell.repetition(ring))).collect();
    let balances = catalog::find(RING).context("not in the catalogue")?.balances(&builds)?;
    let peaks: Vec<f64> = balances.iter().map(|balance| balance.peak_to_average).collect();
    let below = peaks.iter().filter(|&&peak| peak <= PEAK).count() as u64;
    let rows = vec![
        Row::of_repetitions(RING, "peak_to_average", &peaks).context("no rings")?,
        Row::fraction(RING, "rings_at_most_peak", below, rings),
    ];
    Ok(rows.into_iter().map(|row| row.with("buckets", n).with("points", points)).collect::<Vec<_>>().into())
}

fn limit(probes: u32) -> f64 {
    f64::from(probes) / (f64::from(probes) - 1.0)
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    vec![by_probes(record), at_21(record), equivalent(record)]
}

fn at(probes: u32) -> [(&'static str, f64); 1] {
    [("probes", probes.into())]
}

/// 1 + ε with 1 + 1/ε probes is k/(k - 1) with k.
fn by_probes(record: &Record) -> Verdict {
    let parts = JUDGED.into_iter().fold(Parts::default(), |parts, probes| {
        let found =
            record.row(MULTI_PROBE, "peak_to_average", &at(probes)).and_then(Row::range).map(|(peak, range)| {
                let others = range.contains(limit(probes + 1)) || (probes > 2 && range.contains(limit(probes - 1)));
                let comparison = match (range.contains(limit(probes)), others) {
                    (false, _) => Comparison::Fails,
                    (true, true) => Comparison::Consistent,
                    (true, false) => Comparison::Holds,
                };
                (format!("{peak:.4} ({:.4} to {:.4}), limit {:.4}", range.low, range.high, limit(probes)), comparison)
            });
        parts.compared(&format!("{probes} probes:"), found)
    });
    parts.verdict(
        "mpch.abstract",
        Rule::Statistical,
        "The 99% range of the peaks of random circles holds k/(k - 1), and not that of a probe more or less. Integrated exactly for \
         independent probes; the paper's are those of double hashing, which are independent in pairs. 100,000 buckets (assumed).",
        "",
    )
}

fn at_21(record: &Record) -> Verdict {
    let printed = published::number("mpch.k21").unwrap_or(f64::NAN);
    let range = record.row(MULTI_PROBE, "peak_to_average", &at(21)).and_then(Row::range);
    let cv = record.row(MULTI_PROBE, "cv", &at(21)).and_then(Row::number);
    let parts = Parts::default().compared("", range.map(|range| within(printed, range)));
    let parts = match cv {
        Some(cv) => parts.shown(format!("σ/μ {:.1}%", cv * 100.0)),
        None => parts,
    };
    parts.verdict(
        "mpch.k21",
        Rule::Statistical,
        "Peaks of random circles of 100,000 buckets (assumed), integrated exactly. A low peak does not mean that shares are \
         even: no bucket has much more than the average, but many have much less.",
        "",
    )
}

/// "700 ln n", printed to one digit or to three: read as one, which is the wider.
fn equivalent(record: &Record) -> Verdict {
    let found: Vec<(f64, f64)> = record
        .rows(THEORY, "points_over_ln_n")
        .filter_map(|row| Some((row.parameter("assumed_buckets")?, row.number()?)))
        .collect();
    let text: Vec<String> = found.iter().map(|(n, factor)| format!("{factor:.0} ln n at {n} buckets")).collect();
    // Seven hundred, in hundreds.
    let (low, high) = rounding(7.0);
    let holds = found.iter().any(|(_, factor)| (low..=high).contains(&(factor / 100.0)));
    let comparison = if holds { Comparison::Consistent } else { Comparison::Fails };
    let parts = Parts::default().compared("", (!found.is_empty()).then(|| (text.join(", "), comparison)));
    let parts = record.rows(RING, "rings_at_most_peak").fold(parts, |parts, row| {
        let n = row.parameter("buckets").unwrap_or(f64::NAN);
        parts.shown(format!(
            "at {n} buckets {:.0}% of random rings of {} points have such a peak or less",
            row.number().unwrap_or(f64::NAN) * 100.0,
            row.parameter("points").unwrap_or(f64::NAN)
        ))
    });
    parts.verdict(
        "mpch.ring.equiv",
        Rule::Statistical,
        "Points at which half of all rings have a peak of 1.05 or less, over ln n. The number of buckets and the probability are \
         assumed: the text seen gives neither. The factor is no constant; that of some assumed number of buckets rounds to 7 \
         hundred, to which others would come as near.",
        "",
    )
}

fn title(record: &Record) -> Option<String> {
    let of = |metric| record.number(MULTI_PROBE, metric, &at(21));
    Some(format!(
        "With 21 probes the peak is {:.3} times the average, while σ/μ is still {:.1}%",
        of("peak_to_average")?,
        of("cv")? * 100.0
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let axis = |label: &str, scale, range| Axis { label: label.into(), scale, range, ticks: Ticks::Number };
    let circles = |metric| Series {
        label: "multi-probe, random circles".into(),
        style: Style { line: Line::None, ..records::style(MULTI_PROBE) },
        points: record
            .rows(MULTI_PROBE, metric)
            .filter_map(|row| Some(records::point(row.parameter("probes")?, row.number()?, row.interval)))
            .collect(),
    };
    let guide = |label: &str, of: fn(f64) -> f64| Guide {
        label: label.into(),
        points: (4..=100).map(|half| f64::from(half) / 2.0).map(|k| (k, of(k))).collect(),
    };
    let published = Series {
        label: "published: 1.05 with 21 probes".into(),
        style: Style { color: 8, marker: Marker::Plus, line: Line::None, band: false },
        points: published::number("mpch.k21").map(|peak| records::point(21.0, peak, None)).into_iter().collect(),
    };
    let needed = Series {
        label: "points at which half of all rings have a peak ≤ 1.05".into(),
        style: Style { color: 0, marker: Marker::Square, line: Line::None, band: false },
        points: record
            .rows(THEORY, "points_for_peak")
            .filter_map(|row| Some(records::point(row.parameter("assumed_buckets")?, row.number()?, None)))
            .collect(),
    };
    let sizes = RING_BUCKETS.into_iter().map(f64::from);
    vec![Chart {
        stem: "multi_probe".into(),
        title: title(record).unwrap_or_else(|| "How even multi-probe hashing is, by its number of probes".into()),
        subtitle: "Random circles of 100,000 buckets (assumed), integrated exactly: medians and 99% ranges. Right: a plain ring with as low a peak."
            .into(),
        panels: vec![
            Panel::Plot(Plot {
                title: "peak".into(),
                x: axis("probes k", AxisScale::Log10, Some((1.8, 50.0))),
                y: axis("largest share / average", AxisScale::Linear, Some((0.9, 2.2))),
                series: vec![circles("peak_to_average"), published],
                marks: vec![],
                guides: vec![guide("k/(k - 1)", |k| k / (k - 1.0))],
            }),
            Panel::Plot(Plot {
                title: "spread".into(),
                x: axis("probes k", AxisScale::Log10, Some((1.8, 50.0))),
                y: axis("σ/μ of shares", AxisScale::Linear, Some((0.0, 0.7))),
                series: vec![circles("cv")],
                marks: vec![],
                guides: vec![guide("1/√(2k - 1)", |k| 1.0 / (2.0 * k - 1.0).sqrt())],
            }),
            Panel::Plot(Plot {
                title: "plain ring of peak 1.05".into(),
                x: axis("buckets (assumed)", AxisScale::Log10, None),
                y: axis("points per bucket", AxisScale::Linear, Some((0.0, 15_000.0))),
                series: vec![needed],
                marks: vec![],
                guides: vec![Guide { label: "published: 700 ln n".into(), points: sizes.map(|n| (n, 700.0 * n.ln())).collect() }],
            }),
        ],
        footnotes: vec![],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["probes", "peak, 99% range", "limit", "σ/μ, 99% range", "limit"]);
    for probes in PROBES {
        let range = |metric| {
            record.row(MULTI_PROBE, metric, &at(probes)).and_then(Row::range).map_or("-".into(), |(value, range)| {
                format!("{} ({} to {})", digits(value), digits(range.low), digits(range.high))
            })
        };
        let spread = 1.0 / f64::from(2 * probes - 1).sqrt();
        table.row([probes.to_string(), range("peak_to_average"), digits(limit(probes)), range("cv"), digits(spread)]);
    }
    table
}
