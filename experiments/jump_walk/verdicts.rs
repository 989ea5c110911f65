//! What `jump_walk` answers: iterations, the rows of three keys, what old buckets give to a new one, and the port.

use consistent_hash_lab::experiment::{Outcome, Parametrised, Record, Row, Rule, Verdict};
use consistent_hash_lab::published::{self, shape};
use consistent_hash_lab::statistics::{harmonic, normal_error, sidak, z_test};

use super::{ALPHA, POINTS, PORT_INPUTS, published_rows};

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
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

/// How many old buckets give to a new one of a ring of `n` buckets on average: of independent points, each of the `n` old
/// buckets, whose share is Beta(v, (n-1)v), is missed by all v new points with probability E[(1 - share)^v].
fn expected_donors(n: f64, points: f64) -> f64 {
    let missed: f64 = (0..POINTS).map(|j| ((n - 1.0) * points + f64::from(j)) / (n * points + f64::from(j))).product();
    n * (1.0 - missed)
}
