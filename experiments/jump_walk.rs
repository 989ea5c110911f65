//! How far a key walks (Lamping & Veach 2014, "Explanation of the algorithm", "Performance Analysis", "Key Distribution").
//!
//! 1. *Iterations.* Random keys walk through Figure 1; the mean number of iterations is held against H_n and ln n + 1.
//! 2. *The table of k1, k2, k3.* The paper prints where three keys lie for 1 to 14 buckets, but not the keys: the smallest
//!    keys with these rows are searched for.
//! 3. *Linear version.* The counts of random keys fit equal shares.
//! 4. *1000 to 1001 buckets.* What each old bucket gives to the new one: jump exactly, from the 31-bit draws; rings of 10
//!    points from their arcs, and by the keys that look-ups find moved.
//! 5. *The port.* Our jump, the C++ of Figure 1 and the published pairs agree; what Figure 1 answers for 0 and -1 buckets.

use std::collections::BTreeSet;
use std::process::ExitCode;

use consistent_hash_lab::algorithms::hash::{HashFamily, Mix};
use consistent_hash_lab::algorithms::{self, Jump, JumpLinear, Partitioner, RingSorted64};
use consistent_hash_lab::chart::{Axis, Chart, Guide, Panel, Plot, Scale as AxisScale, Ticks, records};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::share::{modulo_shares, sampled_counts};
use consistent_hash_lab::published::{self, shape};
use consistent_hash_lab::references;
use consistent_hash_lab::statistics::{
    Moments, binomial_interval, chi_squared, g_test, harmonic, mean_interval, normal_error, sidak, z_test,
};
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
            name: "jump_walk",
            title: "How far a key walks through jump hash",
            paper: "Lamping & Veach 2014, \"Performance Analysis\" and \"Key Distribution\"",
            method: "Random keys walk through Figure 1: mean iterations against H_n and ln n + 1 for n to 10^6. The smallest \
                     keys with the paper's k1-k3 rows. Equal shares of the linear version. From 1000 to 1001 buckets, what \
                     each old bucket gives: jump exactly, rings of 10 points from their arcs. Our port against the C++.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const SIZES: [u32; 13] = [1, 2, 5, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000, 1_000_000];
/// Family-wise error of all tests of this study.
const ALPHA: f64 = 0.001;

fn grid(settings: &Settings) -> Vec<Cell> {
    let keys = settings.scale.pick(20_000, 1_000_000, 10_000_000);
    let mut cells: Vec<Cell> = SIZES
        .iter()
        .map(|&n| Cell::statistical(format!("iterations n={n}"), ["jump"], move |cell| iterations(cell, n, keys)))
        .collect();
    cells.push(Cell::statistical("k1-k3", ["jump"], |_| Ok(three_keys().into())));
    let linear = settings.scale.pick(20_000, 500_000, 5_000_000);
    cells.extend([10, 100].map(|n| {
        Cell::statistical(format!("linear n={n}"), ["jump-linear"], move |cell| linear_version(cell, n, linear))
    }));
    cells.push(Cell::statistical("1000 to 1001, jump", ["jump"], |_| Ok(jump_gives().into())));
    let rings = settings.scale.pick(50, 1_000, 10_000);
    cells.push(Cell::statistical("1000 to 1001, rings of 10 points", ["ring-sorted64"], move |cell| {
        ring_gives(cell, rings)
    }));
    cells.push(Cell::statistical("port", ["jump", "jump-cpp"], port));
    cells
}

/// Part 1.
fn iterations(cell: &Context, n: u32, keys: usize) -> anyhow::Result<Findings> {
    let mut stream = cell.stream();
    let counts: Vec<f64> = (0..keys).map(|_| Jump::walk(stream.next_u64(), n).count() as f64).collect();
    let moments = Moments::of(&counts).ok_or_else(|| anyhow::anyhow!("no keys"))?;
    let error = (moments.variance_population / keys as f64).sqrt();
    // At n = 1 every key takes one iteration: there is no error to test with.
    let p = z_test(moments.mean, harmonic(n.into()), error).unwrap_or(if moments.mean == 1.0 { 1.0 } else { 0.0 });
    let mut row = Row::new("jump", "iterations", moments.mean).with("buckets", n).with("keys", keys);
    row.interval = mean_interval(&counts, 0.99);
    Ok(vec![
        row,
        Row::new("H_n", "iterations", harmonic(n.into())).with("buckets", n),
        Row::new("ln n + 1", "iterations", f64::from(n).ln() + 1.0).with("buckets", n),
        Row::new("jump", "iterations_p", p).with("buckets", n).note("two-sided z-test of the mean against H_n"),
    ]
    .into())
}

/// The rows of k1, k2, k3 in the paper: the bucket for 1, 2, ..., 14 buckets.
fn published_rows() -> Vec<(String, Vec<u32>)> {
    let value = published::find("jump.k123").map(|published| &published.value);
    let rows = value.and_then(|value| value.as_object());
    let numbers = |row: &serde_json::Value| -> Vec<u32> {
        row.as_array().into_iter().flatten().filter_map(|bucket| u32::try_from(bucket.as_u64()?).ok()).collect()
    };
    rows.into_iter().flatten().map(|(name, row)| (name.clone(), numbers(row))).collect()
}

/// Part 2.
fn three_keys() -> Vec<Row> {
    published_rows()
        .into_iter()
        .map(|(name, row)| match smallest_key(&row) {
            Some(key) => Row::new("jump", "smallest_key", key).with("row", name),
            None => Row::missing("jump", "smallest_key", "no key below 1,000,000 has this row").with("row", name),
        })
        .collect()
}

/// The smallest key with these buckets for 1, 2, ... buckets. A row of 14 that jump can produce is met by about one key in
/// ten thousand: a million keys are far more than enough.
pub fn smallest_key(row: &[u32]) -> Option<u64> {
    let has_row = |&key: &u64| row.iter().zip(1..).all(|(&bucket, n)| Jump::walk(key, n).last() == Some(bucket));
    (0..1_000_000).find(has_row)
}

/// Part 3.
fn linear_version(cell: &Context, n: u32, keys: usize) -> anyhow::Result<Findings> {
    let counts = sampled_counts(&JumpLinear::new(n)?, random_keys(keys, &mut cell.stream()), n)?;
    let tests = [("chi-squared", chi_squared(&counts, &modulo_shares(n))?), ("G", g_test(&counts, &modulo_shares(n))?)];
    let rows = tests.map(|(name, test)| {
        let ratio = test.statistic / test.degrees_of_freedom as f64;
        Row::new("jump-linear", "equal_shares_p", test.p_two_sided)
            .with("buckets", n)
            .with("keys", keys)
            .with("test", name)
            .with("statistic_per_degree", ratio)
    });
    Ok(Vec::from(rows).into())
}

/// Part 4, jump: bucket b stays where it is on floor((b+1)·2^31/1001) of the floor((b+1)·2^31/1000) draws on which it is
/// the answer for 1000 buckets.
fn jump_gives() -> Vec<Row> {
    let stays = |b: u64, n: u64| ((b + 1) << 31) / n;
    let given: Vec<f64> = (0..1000).map(|b| (stays(b, 1000) - stays(b, 1001)) as f64 / stays(b, 1000) as f64).collect();
    let (least, most) = given.iter().fold((1.0_f64, 0.0_f64), |(low, high), &x| (low.min(x), high.max(x)));
    [("least", least), ("most", most)]
        .map(|(which, fraction)| {
            Row::new("jump", "given_fraction", fraction).with("which", which).with("buckets", 1000)
        })
        .into()
}

/// Points of each bucket of the rings of part 4.
const POINTS: u32 = 10;
/// Keys that are looked up in a ring of part 4: some 200 of them move.
const KEYS: usize = 200_000;

/// Part 4, rings: the old owners of the arcs that end at the new bucket's points, and in some rings the old owners of the
/// keys that move when it is added, which are told by look-ups alone.
fn ring_gives(cell: &Context, rings: u64) -> anyhow::Result<Findings> {
    let mut histogram = [0_u64; POINTS as usize + 2];
    for repetition in 0..rings {
        let family = Mix::new(cell.repetition(repetition));
        let old = RingSorted64::new(1000, POINTS, family)?;
        let points: Vec<(u64, u32)> = old.ring().collect();
        let donors: BTreeSet<u32> = (0..POINTS)
            .map(|replica| {
                let at = points.partition_point(|&(position, _)| position < family.point(1000, replica));
                points[at % points.len()].1
            })
            .collect();
        histogram[donors.len().min(POINTS as usize + 1)] += 1;
    }
    let rows = histogram.iter().enumerate().filter(|&(_, &count)| count > 0);
    let mut rows: Vec<Row> = rows
        .map(|(donors, &count)| {
            Row::new("ring-sorted64", "rings", count)
                .with("donors", donors)
                .with("repetitions", rings)
                .with("points", POINTS)
        })
        .collect();
    let looked_up = cell.scale.pick(5, 20, 200).min(rings);
    let donors = (0..looked_up).map(|repetition| {
        let family = Mix::new(cell.repetition(repetition));
        let ring = |buckets| RingSorted64::new(buckets, POINTS, family);
        let keys = random_keys(KEYS, &mut cell.repetition_stream(repetition));
        Ok(donors_of_moved_keys(&ring(1000)?, &ring(1001)?, &keys).len())
    });
    let donors = donors.collect::<anyhow::Result<Vec<usize>>>()?;
    let row = Row::new("ring-sorted64", "most_donors_of_moved_keys", donors.into_iter().max());
    rows.push(row.with("repetitions", looked_up).with("keys", KEYS).with("points", POINTS));
    Ok(rows.into())
}

/// The buckets that keys leave from one partitioner to the next.
pub fn donors_of_moved_keys(before: &dyn Partitioner, after: &dyn Partitioner, keys: &[u64]) -> BTreeSet<u32> {
    let moved = |&key: &u64| (before.bucket(key) != after.bucket(key)).then(|| before.bucket(key));
    keys.iter().filter_map(moved).collect()
}

/// How many old buckets give to a new one of a ring of `n` buckets on average: of independent points, each of the `n` old
/// buckets, whose share is Beta(v, (n-1)v), is missed by all v new points with probability E[(1 - share)^v].
fn expected_donors(n: f64, points: f64) -> f64 {
    let missed: f64 = (0..POINTS).map(|j| ((n - 1.0) * points + f64::from(j)) / (n * points + f64::from(j))).product();
    n * (1.0 - missed)
}

/// The article does not state its inputs; as many random ones are used.
const PORT_INPUTS: usize = 28_001;

/// Part 5.
fn port(cell: &Context) -> anyhow::Result<Findings> {
    let pairs = published::find("jump.vectors").and_then(|published| published.value.as_object());
    let agrees = |(pair, bucket): (&String, &serde_json::Value)| {
        let numbers: Vec<u64> = pair.trim_matches(['(', ')']).split(',').filter_map(|part| part.parse().ok()).collect();
        matches!(numbers[..], [key, n] if Jump::walk(key, n as u32).last().map(u64::from) == bucket.as_u64())
    };
    let pairs: Vec<bool> = pairs.into_iter().flatten().map(agrees).collect();
    let mut rows = vec![
        Row::new("jump", "published_pairs_equal", pairs.iter().filter(|&&equal| equal).count())
            .with("pairs", pairs.len()),
    ];
    for n in [0, -1] {
        let rejected = algorithms::checked_buckets(n, algorithms::JUMP_MAX_BUCKETS);
        rows.push(
            Row::new("jump", "rejects", rejected.map_or_else(|error| error.to_string(), |_| "accepted".into()))
                .with("buckets", n),
        );
        rows.push(match references::figure_1(7, n as i32) {
            Ok(answer) => Row::new("jump-cpp", "answer", answer).with("buckets", n),
            Err(error) => Row::missing("jump-cpp", "answer", error).with("buckets", n),
        });
    }
    let mut stream = cell.stream();
    let mut equal = 0;
    for _ in 0..PORT_INPUTS {
        // Sizes of all magnitudes, from 1 to 2^31 - 1.
        let (key, n) = (stream.next_u64(), (stream.next_u64() >> 33 >> (stream.next_u64() % 31)).max(1) as u32);
        match references::figure_1(key, n as i32) {
            Ok(answer) => equal += usize::from(answer == Jump::new(n)?.bucket(key) as i32),
            Err(error) => {
                rows.push(Row::missing("jump-cpp", "equal_answers", error).with("inputs", PORT_INPUTS));
                return Ok(rows.into());
            }
        }
    }
    rows.push(Row::new("jump-cpp", "equal_answers", equal).with("inputs", PORT_INPUTS));
    Ok(rows.into())
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    vec![iterations_verdict(record), k123_verdict(record), gives_verdict(record), donors_verdict(record)]
        .into_iter()
        .chain(port_verdicts(record))
        .collect()
}

fn iterations_verdict(record: &Record) -> Verdict {
    let rows: Vec<&Row> = record.rows("jump", "iterations").collect();
    let least = rows.iter().map(|row| fits_harmonic(row).unwrap_or(0.0)).fold(1.0, f64::min);
    let threshold = sidak(ALPHA, rows.len().max(1) as u64).unwrap_or(ALPHA);
    let below = rows.iter().all(|row| {
        let bound = row.parameter("buckets").map_or(f64::NAN, |n| n.ln() + 1.0);
        // At n = 1 both are exactly 1.
        row.number().is_some_and(|mean| mean < bound || bound == 1.0)
    });
    shape(
        "jump.iterations.bound",
        &format!("means of {} sizes fit H_n (least p {least:.2}) and lie below ln n + 1", rows.len()),
        (!rows.is_empty()).then_some(below && least >= threshold),
        "No mean differs from H_n (two-sided z-tests, Sidak-corrected, family-wise 0.001), and all lie below ln n + 1.",
        "",
    )
}

/// How probable a mean as far from H_n is, from the 99% interval of the mean.
fn fits_harmonic(row: &Row) -> Option<f64> {
    let (mean, interval) = row.range()?;
    let expected = harmonic(row.parameter("buckets")? as u64);
    let error = normal_error(interval)?;
    // At n = 1 every key takes one iteration: there is no error to test with.
    if error > 0.0 { z_test(mean, expected, error) } else { Some(if mean == expected { 1.0 } else { 0.0 }) }
}

fn k123_verdict(record: &Record) -> Verdict {
    let rows: Vec<&Row> = record.rows("jump", "smallest_key").collect();
    let found: Vec<String> = rows
        .iter()
        .filter_map(|row| Some(format!("{} = {}", row.parameters.get("row")?.as_str()?, row.value.as_u64()?)))
        .collect();
    if rows.is_empty() {
        return published::not_measured("jump.k123", Rule::Exact, "Not in this run.");
    }
    let part = Some((found.join(", "), found.len() == published_rows().len()));
    published::Parts::at_best(Outcome::ConsistentWith).part("", part).verdict(
        "jump.k123",
        Rule::Exact,
        "The paper does not print its keys; these are the smallest with its rows for 1 to 14 buckets. Every row in which a \
         bucket only ever changes to the newest one has such a key, and no other row has: what is tested is that the rows \
         are of that kind.",
        "No key below 1,000,000 has the row.",
    )
}

fn gives_verdict(record: &Record) -> Verdict {
    let given = |which: &str| {
        record
            .rows("jump", "given_fraction")
            .find(|row| row.parameters.get("which").is_some_and(|w| w == which))?
            .number()
    };
    let (low, high) = published::rounding(0.001);
    let found = given("least").zip(given("most"));
    let part = found
        .map(|(least, most)| (format!("{least:.7} to {most:.7} over all 1000 buckets"), low <= least && most <= high));
    published::Parts::at_best(Outcome::ByDefinition).part("", part).verdict(
        "jump.rebalance.newbucket",
        Rule::Exact,
        "A closed form: from the 31-bit draws each old bucket gives the same fraction, 1/1001, which the paper rounds to \
         0.1%. Nothing is measured.",
        "",
    )
}

fn donors_verdict(record: &Record) -> Verdict {
    let id = "jump.rebalance.ring10";
    let published = published::number(id).unwrap_or(f64::NAN);
    let rows: Vec<(f64, f64)> = record
        .rows("ring-sorted64", "rings")
        .filter_map(|row| Some((row.parameter("donors")?, row.number()?)))
        .collect();
    let moved = record.row("ring-sorted64", "most_donors_of_moved_keys", &[]);
    let moved = moved
        .and_then(|row| Some((row.number()?, row.parameter("repetitions")?)))
        .map(|(most, rings)| (format!("at most {most} old buckets in {rings} rings"), most <= published && most > 0.0));
    let all: f64 = rows.iter().map(|&(_, count)| count).sum();
    let mean = |of: &dyn Fn(f64) -> f64| rows.iter().map(|&(donors, count)| of(donors) * count).sum::<f64>() / all;
    let arcs = (all > 0.0).then(|| {
        let (found, expected) = (mean(&|donors| donors), expected_donors(1000.0, POINTS.into()));
        let error = (mean(&|donors| (donors - found).powi(2)) / all).sqrt();
        let p = z_test(found, expected, error).unwrap_or(0.0);
        (format!("{found:.3}, theory {expected:.3} (p {p:.2})"), p >= ALPHA)
    });
    published::Parts::default().part("keys that move leave", moved).part("mean over the arcs of all rings", arcs).verdict(
        id,
        Rule::Exact,
        "The old buckets of the keys that look-ups find moved from 1000 to 1001 buckets of 10 points: no more than 10, as \
         the paper says. How many different ones own the arcs that end at the new bucket's points is held against theory \
         (two-sided z-test, 0.001).",
        "",
    )
}

fn port_verdicts(record: &Record) -> Vec<Verdict> {
    let pairs = record.row("jump", "published_pairs_equal", &[]);
    let pairs = pairs.and_then(|row| Some((row.number()?, row.parameter("pairs")?)));
    let pairs = pairs.map(|(equal, pairs)| (format!("{equal} of {pairs} pairs equal"), equal == pairs && pairs > 0.0));
    let equal = record.number("jump-cpp", "equal_answers", &[]);
    let answers: Vec<Option<f64>> = [0.0, -1.0].map(|n| record.number("jump-cpp", "answer", &[("buckets", n)])).into();
    let answer = answers[0].zip(answers[1]).map(|(a, b)| (format!("{a} and {b}"), a == -1.0 && b == -1.0));
    let rejected = record.row("jump", "rejects", &[("buckets", -1.0)]).and_then(|row| row.value.as_str());
    vec![
        published::Parts::default().part("", pairs).verdict("jump.vectors", Rule::Exact, "(key, buckets) of public ports.", ""),
        published::Parts::default()
            .part("", equal.map(|equal| (format!("{equal} of {PORT_INPUTS}"), equal == PORT_INPUTS as f64)))
            .verdict(
                "jumparticle.port_agreement",
                Rule::Exact,
                "Our port against Figure 1 compiled by the C++ compiler. The article does not state its inputs (assumed: \
                 random keys, sizes of all magnitudes to 2^31 - 1).",
                "",
            ),
        published::Parts::default().part("the C++ answers", answer).verdict(
            "jumparticle.nonpositive",
            Rule::Exact,
            &format!("For 0 and -1 buckets. Ours refuses: \"{}\".", rejected.unwrap_or("not in this run")),
            "",
        ),
    ]
}

/// How long the walks at the largest size are, beside H_n.
fn title(record: &Record) -> Option<String> {
    let row = record.rows("jump", "iterations").last()?;
    let n = row.parameter("buckets")?;
    Some(format!(
        "At {n} buckets a key takes {:.2} iterations of jump hash on average; H_n is {:.2}",
        row.number()?,
        record.number("H_n", "iterations", &[("buckets", n)])?
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let guide = |name: &str| Guide {
        label: name.to_owned(),
        points: record
            .rows(name, "iterations")
            .filter_map(|row| Some((row.parameter("buckets")?, row.number()?)))
            .collect(),
    };
    let donors: Vec<String> = (1..=10).map(|donors| donors.to_string()).collect();
    let rings: f64 = record.rows("ring-sorted64", "rings").filter_map(Row::number).sum();
    vec![Chart {
        stem: "jump_walk".into(),
        title: title(record).unwrap_or_else(|| "Steps of a key through jump hash".into()),
        subtitle: "Left: iterations of Figure 1 for random keys, 99% intervals. Right: donors when a ring of 1000 buckets with 10 points each gets one more.".into(),
        panels: vec![
            Panel::Plot(Plot {
                title: "iterations".into(),
                x: Axis { label: "buckets n".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
                y: Axis { label: "mean iterations per look-up".into(), scale: AxisScale::Linear, range: Some((0.0, 16.0)), ticks: Ticks::Number },
                series: records::lines(record, "iterations", "buckets", &[]),
                marks: vec![],
                guides: vec![guide("H_n"), guide("ln n + 1")],
            }),
            Panel::Plot(Plot {
                title: "donors of one new bucket".into(),
                x: Axis { label: "old buckets that give keys".into(), scale: AxisScale::Linear, range: None, ticks: Ticks::Categories(donors) },
                y: Axis { label: "rings".into(), scale: AxisScale::Linear, range: Some((0.0, 1.0)), ticks: Ticks::Percent },
                series: vec![records::series("ring-sorted64", record.rows("ring-sorted64", "rings").filter_map(|row| {
                    let count = row.number()?;
                    let interval = binomial_interval(count as u64, rings as u64, 0.99);
                    Some(records::point(row.parameter("donors")? - 1.0, count / rings, interval))
                }))],
                marks: vec![],
                guides: vec![],
            }),
        ],
        footnotes: vec!["Jump's donors are all 1000 old buckets; each gives the same fraction, 1/1001.".into()],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["buckets", "iterations", "99% interval", "H_n", "ln n + 1"]);
    for row in record.rows("jump", "iterations") {
        let n = row.parameter("buckets").unwrap_or(f64::NAN);
        let formula =
            |name| record.number(name, "iterations", &[("buckets", n)]).map_or(String::new(), |x| format!("{x:.4}"));
        let interval = row.interval.map_or(String::new(), |i| format!("{:.4} to {:.4}", i.low, i.high));
        let mean = row.number().map_or(String::new(), |mean| format!("{mean:.4}"));
        table.row([n.to_string(), mean, interval, formula("H_n"), formula("ln n + 1")]);
    }
    table
}
