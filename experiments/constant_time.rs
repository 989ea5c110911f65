//! Look-ups in constant time: FlipHash (Masson & Lee 2024, arXiv 2402.17549), PowerCH (Leu 2023, arXiv 2307.12448),
//! BinomialHash (Coluzzi et al. 2024, arXiv 2406.19836) and JumpBackHash (Ertl 2024, arXiv 2403.18682) against jump.
//!
//! 1. *Steps.* Random keys are looked up with a family that counts hashes, draws and steps of jump walks, at the published
//!    sizes and one above powers of two, where most keys are tried again.
//! 2. *Time.* All side by side at 10, 10^3, 10^6 and 10^9 buckets, the sizes of FlipHash's published times.
//! 3. *BinomialHash's price.* A fixed number of tries leaves the buckets of the upper half less than their share: keys are
//!    counted and held against the exact formula.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{Binomial, Flip, JumpBack, JumpDraws, Partitioner, Power};
use consistent_hash_lab::catalog::Build;
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Mark, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::timed::{self, Built};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Outcome, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::share::sampled_counts;
use consistent_hash_lab::measure::steps::{Counted, Steps, steps};
use consistent_hash_lab::published::{self, Parts, digits, in_band, rounding};
use consistent_hash_lab::statistics::{Interval, chi_squared, normal_error, z_test};
use consistent_hash_lab::study::{self, Study};
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
            name: "constant_time",
            title: "Look-ups that take as long at any number of buckets",
            paper: "Masson & Lee 2024; Leu 2023; Coluzzi et al. 2024; Ertl 2024",
            method: "Hashes, draws and steps per look-up, counted, at 10 to 10^9 buckets and one above powers of two. Times of \
                     FlipHash, PowerCH, BinomialHash, JumpBackHash and jump side by side at 10, 10^3, 10^6 and 10^9 buckets. \
                     Keys in the upper half of BinomialHash's buckets against the exact formula.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

/// The sizes of the published times.
const TIMED_SIZES: [u32; 4] = [10, 1_000, 1_000_000, 1_000_000_000];
/// One above powers of two, and the published sizes.
const COUNTED_SIZES: [u32; 12] = [
    10,
    (1 << 4) + 1,
    (1 << 8) + 1,
    1_000,
    (1 << 12) + 1,
    (1 << 16) + 1,
    1_000_000,
    (1 << 20) + 1,
    (1 << 24) + 1,
    (1 << 28) + 1,
    1_000_000_000,
    (1 << 30) + 1,
];
/// Between these two nothing may grow that takes constant time; what is left of small sizes is below 10^-4.
const FROM: u32 = (1 << 16) + 1;
const TO: u32 = (1 << 30) + 1;
const COMPARED: [&str; 5] = ["jump", "jump-back", "power", "flip", "binomial"];
/// One above, between and just below powers of two.
const BINOMIAL_SIZES: [u32; 5] = [9, 17, 24, 33, 63];
/// Error of the test of growth.
const ALPHA: f64 = 0.001;

fn grid(settings: &Settings) -> Vec<Cell> {
    let keys = settings.scale.pick(20_000, 500_000, 5_000_000);
    let counted = ["jump-draws", "jump-back", "power", "flip", "binomial"];
    let mut cells: Vec<Cell> = COUNTED_SIZES
        .map(|n| Cell::statistical(format!("steps n={n}"), counted, move |cell| counts(cell, n, keys)))
        .into();
    cells.extend(BINOMIAL_SIZES.map(|n| {
        Cell::statistical(format!("binomial n={n}"), ["binomial"], move |cell| upper_half(cell, n, keys as usize))
    }));
    cells.extend(TIMED_SIZES.map(|n| {
        let ids = settings.choose(COMPARED);
        Cell::timed(format!("time n={n}"), ids.clone(), move |cell| time(cell, &ids, n)).runs(settings.scale.runs())
    }));
    cells
}

/// Part 1.
fn counts(cell: &Context, n: u32, keys: u64) -> anyhow::Result<Findings> {
    let family = Counted(Mix::new(cell.seed));
    let mut stream = cell.stream();
    let mut rows = Vec::new();
    let mut count = |id, found: Option<Steps>| -> anyhow::Result<()> {
        let found = found.context("no keys")?;
        rows.push(
            Row::new(id, "steps_mean", found.mean)
                .interval(found.interval())
                .with("buckets", n)
                .with("keys", found.keys),
        );
        Ok(())
    };
    count("jump-draws", steps(&JumpDraws::new(n, family)?, (0..keys).map(|_| stream.next_u64())))?;
    count("jump-back", steps(&JumpBack::new(n, family)?, (0..keys).map(|_| stream.next_u64())))?;
    count("power", steps(&Power::new(n, family)?, (0..keys).map(|_| stream.next_u64())))?;
    count("flip", steps(&Flip::new(n, family)?, (0..keys).map(|_| stream.next_u64())))?;
    count("binomial", steps(&Binomial::new(n, family)?, (0..keys).map(|_| stream.next_u64())))?;
    Ok(rows.into())
}

/// Part 2.
fn time(cell: &Context, ids: &[&'static str], n: u32) -> anyhow::Result<Findings> {
    let built = Built::new(ids, Build::new(n, 0, cell.seed));
    let ratios: Vec<(&str, &str)> = COMPARED[1..].iter().map(|other| ("jump", *other)).collect();
    let timing = timed::side_by_side(cell, &built.contenders(), &ratios)?;
    Ok(Findings { data: built.failed, timing: timing.into_iter().map(|row| row.with("buckets", n)).collect() })
}

/// Part 3.
fn upper_half(cell: &Context, n: u32, keys: usize) -> anyhow::Result<Findings> {
    let subject = Binomial::new(n, Mix::new(cell.seed))?;
    let half = n.next_power_of_two() / 2;
    let counts = sampled_counts(&subject, random_keys(keys, &mut cell.stream()), subject.bucket_count())?;
    let shares: Vec<f64> = (0..n).map(|bucket| subject.share(bucket)).collect();
    let test = chi_squared(&counts, &shares)?;
    let upper: u64 = counts[half as usize..].iter().sum();
    let fair = f64::from(n - half) / f64::from(n);
    let to_fair = Row::fraction("binomial", "upper_to_fair", upper, keys as u64);
    let interval = to_fair.interval.map(|it| Interval { low: it.low / fair, high: it.high / fair, ..it });
    let counted = Row { value: (upper as f64 / keys as f64 / fair).into(), interval, ..to_fair };
    let rows = vec![
        counted,
        Row::new("formula", "upper_to_fair", subject.share(n - 1) * f64::from(n)),
        Row::new("binomial", "shares_p", test.p_two_sided).note("chi-squared of all buckets against the formula"),
    ];
    Ok(rows.into_iter().map(|row| row.with("buckets", n)).collect::<Vec<_>>().into())
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let times = TIMED_SIZES.into_iter().map(|n| flip_time(record, n));
    times.chain([constant(record)]).collect()
}

/// Published: two times, printed rounded. Their ratio lies between those of the ends of what they were rounded from.
fn flip_time(record: &Record, n: u32) -> Verdict {
    let id = format!("fliphash.time.{n}");
    let document = published::find(&id);
    let printed = |name| document.and_then(|document| document.value.get(name)?.as_f64());
    let band = printed("JumpHash").zip(printed("FlipHash")).map(|(jump, flip)| {
        let (jump, flip) = (rounding(jump), rounding(flip));
        (jump.0 / flip.1, jump.1 / flip.0)
    });
    let at = [("buckets", f64::from(n))];
    let shown = ["flip", "jump"]
        .into_iter()
        .filter_map(|id| Some(format!("{id} here {} ns", record.time(id, "lookup_ns", &at)?.written(digits))));
    let parts = shown.fold(Parts::at_best(Outcome::AnotherMachine), Parts::shown);
    let to_flip = |row: &&consistent_hash_lab::experiment::TimingRow| {
        row.is_at(&at) && row.parameters.get("to").is_some_and(|to| to == "flip")
    };
    let row = record.timings("jump", "lookup_ratio").find(to_flip);
    let judged = row.zip(band).and_then(|(row, band)| {
        let text = format!("{} (published {} to {})", row.written(digits), digits(band.0), digits(band.1));
        Some((text, in_band(band, row.value, Some(row.judged()?))))
    });
    let caveat = timed::caveat(record, &["lookup_ns", "lookup_ratio"]);
    let explanation = format!(
        "Nanoseconds of another machine. Judged is how many times as long jump takes as FlipHash, in the same rounds: in the band that the \
         rounded times leave. Ours hashes with SplitMix64's finaliser; the hash of the published times is the one of its repository. {caveat}"
    );
    parts.timed("jump over FlipHash:", judged, row.is_some()).verdict(&id, Rule::Ratio, explanation.trim(), "")
}

/// Mean steps at a size, and their standard error.
fn mean_steps(record: &Record, id: &str, n: u32) -> Option<(f64, f64)> {
    let (mean, interval) = record.row(id, "steps_mean", &[("buckets", n.into())])?.range()?;
    Some((mean, normal_error(interval)?))
}

fn growth(record: &Record, id: &str) -> Option<(f64, f64)> {
    let (from, to) = (mean_steps(record, id, FROM)?, mean_steps(record, id, TO)?);
    Some((to.0 - from.0, from.1.hypot(to.1)))
}

fn constant(record: &Record) -> Verdict {
    let power = growth(record, "power").map(|(more, error)| {
        let p = z_test(more, 0.0, error).unwrap_or(0.0);
        (
            format!(
                "{more:+.4} of {:.3} (p {p:.2})",
                mean_steps(record, "power", FROM).map_or(f64::NAN, |found| found.0)
            ),
            p >= ALPHA,
        )
    });
    // What grows with ln n must be seen, or the test could not fail.
    let jump = growth(record, "jump-draws")
        .map(|(more, error)| (format!("{more:+.2} of jump"), z_test(more, 0.0, error).is_some_and(|p| p < ALPHA)));
    let parts = Parts::default().part("hashes and steps from 2^16 + 1 to 2^30 + 1 buckets:", power);
    let time = |n: u32| record.time("power", "lookup_ns", &[("buckets", n.into())]);
    let parts = parts.part("the same test sees growth:", jump);
    let parts = match time(TIMED_SIZES[1]).zip(time(TIMED_SIZES[3])) {
        Some((few, many)) => {
            parts.shown(format!("{} ns at 1000 buckets, {} ns at 10^9", few.written(digits), many.written(digits)))
        }
        None => parts,
    };
    parts.verdict(
        "power.o1",
        Rule::Shape,
        &format!(
            "The mean number of hashes and jump steps of a look-up does not grow between two sizes one above powers of two, \
             where half of all keys are tried again (two-sided z-test, 0.001), whereas that of jump does. Space is constant by definition: the structure is \
             {} bytes and has no heap.",
            size_of::<Power>()
        ),
        "",
    )
}

/// The two ends of the times.
fn title(record: &Record) -> Option<String> {
    let time = |id, n: u32| record.time(id, "lookup_ns", &[("buckets", n.into())]).map(|row| row.value);
    let (few, many) = (TIMED_SIZES[0], TIMED_SIZES[3]);
    Some(format!(
        "From 10 to 10^9 buckets jump goes from {:.0} to {:.0} ns, FlipHash from {:.1} to {:.1} ns",
        time("jump", few)?,
        time("jump", many)?,
        time("flip", few)?,
        time("flip", many)?
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let x = || Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number };
    let axis = |label: &str, scale, range| Axis { label: label.into(), scale, range, ticks: Ticks::Number };
    let unjoined = |series: Vec<Series>| series.into_iter().map(Series::unjoined).collect::<Vec<_>>();
    let marks = TIMED_SIZES.into_iter().flat_map(|n| {
        let value = published::find(&format!("fliphash.time.{n}")).map(|published| &published.value);
        let of = move |name: &str| value?.get(name)?.as_f64();
        ["FlipHash", "JumpHash"]
            .into_iter()
            .filter_map(move |name| Some(Mark { label: name.into(), x: n.into(), y: of(name)?, interval: None }))
    });
    let formula = |n: u32| Some((f64::from(n), Binomial::new(n, Mix::new(0)).ok()?.share(n - 1) * f64::from(n)));
    let counted = record
        .rows("binomial", "upper_to_fair")
        .filter_map(|row| Some(records::point(row.parameter("buckets")?, row.number()?, row.interval)));
    let style = Style { marker: Marker::Circle, line: Line::None, ..records::style("binomial") };
    vec![
        Chart {
            stem: "constant_time".into(),
            title: title(record).unwrap_or_else(|| "Look-ups that take as long at any number of buckets".into()),
            subtitle: "Left: hashes, draws and steps of random keys, the points above powers of two included. Right: independent keys, the loop subtracted; published times are of another machine."
                .into(),
            panels: vec![
                Panel::Plot(Plot {
                    title: "hashes, draws and steps".into(),
                    x: x(),
                    y: axis("mean per look-up", AxisScale::Linear, Some((0.0, 24.0))),
                    series: unjoined(records::lines(record, "steps_mean", "buckets", &[])),
                    marks: vec![],
                    guides: vec![],
                }),
                Panel::Plot(Plot {
                    title: "time".into(),
                    x: x(),
                    y: axis("time per look-up (ns)", AxisScale::Log10, Some((1.0, 400.0))),
                    series: unjoined(records::lines(record, "lookup_ns", "buckets", &[])),
                    marks: marks.collect(),
                    guides: vec![],
                }),
            ],
            footnotes: vec![LEGEND.into()],
        },
        Chart {
            stem: "constant_time_binomial".into(),
            title: "What four more tries leave to the upper half of BinomialHash's buckets".into(),
            subtitle: "Share of the buckets from half a power of two on, over the fair share: counted keys with 99% intervals, and the formula 1 - q^5, q = (E - n)/E."
                .into(),
            panels: vec![Panel::Plot(Plot {
                title: "upper half".into(),
                x: axis("buckets", AxisScale::Linear, Some((8.0, 65.0))),
                y: axis("share / fair share", AxisScale::Linear, Some((0.96, 1.02))),
                series: vec![Series { label: "counted".into(), style, points: counted.collect() }],
                marks: vec![],
                guides: vec![Guide { label: "formula".into(), points: (9..=64).filter_map(formula).collect() }],
            })],
            footnotes: vec![],
        },
    ]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["buckets", "", "steps", "time (ns)", "jump takes times as long"]);
    for id in ["jump-draws", "jump", "jump-back", "power", "flip", "binomial"] {
        for n in COUNTED_SIZES {
            let at = [("buckets", f64::from(n))];
            let steps = record.number(id, "steps_mean", &at);
            let time = record.time(id, "lookup_ns", &at);
            let ratio = record
                .timings("jump", "lookup_ratio")
                .find(|row| row.is_at(&at) && row.parameters.get("to").is_some_and(|to| to == id));
            if steps.is_some() || time.is_some() {
                table.row([
                    n.to_string(),
                    id.to_owned(),
                    steps.map_or(String::new(), |steps| format!("{steps:.3}")),
                    time.map_or(String::new(), |row| row.written(digits)),
                    ratio.map_or(String::new(), |row| row.written(digits)),
                ]);
            }
        }
    }
    for row in record.rows("binomial", "upper_to_fair") {
        let n = row.parameter("buckets").unwrap_or(f64::NAN);
        let of = |who: &str, metric: &str| record.number(who, metric, &[("buckets", n)]).map_or("-".into(), digits);
        table.row([
            n.to_string(),
            "binomial, upper half over fair share".into(),
            row.number().map_or("-".into(), digits),
            format!("formula {}", of("formula", "upper_to_fair")),
            format!("p {}", of("binomial", "shares_p")),
        ]);
    }
    table
}
