//! What `bucket_balance` answers: Figure 2 row by row. One ring was published for each row, so that ours are at best
//! consistent with it; jump's spread is a formula.

use consistent_hash_lab::experiment::{Outcome, Parametrised, Record, Row, Rule, Verdict};
use consistent_hash_lab::published::{self, Parts, chance, digits, rounding, within};
use consistent_hash_lab::statistics::chi_squared_probability;

use super::{ALPHA, IDEAL, PUBLISHED, RING, TESTS, THOUSAND, at, near_one};

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> =
        PUBLISHED.into_iter().flat_map(|points| [cv_verdict(record, points), ends_verdict(record, points)]).collect();
    verdicts.extend(jump_verdicts(record));
    verdicts.push(jump_exact_verdict(record));
    let outside = record.row(RING, "outside_8_percent", &at(1000)).and_then(Row::range);
    let theory = record.number("theory", "outside_8_percent", &at(1000));
    let (low, high) = rounding(0.01);
    verdicts.push(
        Parts::default()
            .compared("", outside.map(|range| within(0.01, range)))
            .part("theory", theory.map(|theory| (digits(theory), (low..=high).contains(&theory))))
            .verdict(
                "jump.balance.text.1pct",
                Rule::Statistical,
                &format!(
                    "The fraction of buckets at least 8% off, of single rings; \"approximately 1%\" is read as 0.5% to \
                     1.5%. {ONE_RING}"
                ),
                &few_rings(record, 1000),
            ),
    );
    verdicts.push(published::statistical(
        "karger.1000pts",
        published::number("karger.1000pts").unwrap_or(f64::NAN),
        record.row(RING, "cv", &at(1000)).and_then(Row::range),
        &format!(
            "σ/μ of single rings with 1000 points a bucket. The 1997 paper that it is attributed to has no such number. \
             {ONE_RING}"
        ),
        &few_rings(record, 1000),
    ));
    verdicts.push(published::followed(
        "karger97.noexp",
        "Nothing to re-run: the 3.2% that Lamping & Veach cite is held against rings of 1000 points (karger.1000pts).",
    ));
    verdicts
}

/// Why a value of Figure 2 is at best consistent with ours.
const ONE_RING: &str = "One ring was published, and single rings differ by more than its last digit: other values would \
                        have passed as well.";

/// Why a published value can lie outside a range that is too narrow; empty if it is not.
fn few_rings(record: &Record, points: u32) -> String {
    let rings = record.row(RING, "cv", &at(points)).and_then(|row| row.parameter("repetitions"));
    rings.filter(|&rings| rings < 201.0).map_or(String::new(), |rings| {
        let held = (rings - 1.0) / (rings + 1.0) * 100.0;
        format!(
            "Only {rings} rings: the extremes of so few hold the next one with a probability of {held:.0}%, not 99%."
        )
    })
}

fn cv_verdict(record: &Record, points: u32) -> Verdict {
    let id = format!("jump.balance.ring.v{points}.stderr");
    let published = published::number(&id).unwrap_or(f64::NAN);
    let tests = record.rows(RING, "fit_p").filter(|row| row.is_at(&at(points))).filter_map(Row::number);
    let theory = record.number("theory", "cv", &at(points));
    let mean_square = record.row(RING, "cv_mean_square", &at(points)).and_then(|row| row.interval);
    let holds = theory.zip(mean_square).map(|(theory, interval)| {
        let found = interval.contains(theory * theory);
        (format!("{} {} the rings", digits(theory), if found { "fits" } else { "does not fit" }), found)
    });
    Parts::default()
        .compared("", record.row(RING, "cv", &at(points)).and_then(Row::range).map(|range| within(published, range)))
        .part("theory", holds)
        .part("random keys fit", chance(tests, ALPHA, TESTS))
        .verdict(
            &id,
            Rule::Statistical,
            &format!(
                "Median and 99% range of single rings. {ONE_RING} The paper does not state the number of buckets (assumed: \
                 1000); others would pass as well. Tests of our rings are two-sided, Sidak-corrected, family-wise 0.001."
            ),
            &few_rings(record, points),
        )
}

fn ends_verdict(record: &Record, points: u32) -> Verdict {
    let id = format!("jump.balance.ring.v{points}.ci99");
    let (low, high) = published::ends(&id).unwrap_or((f64::NAN, f64::NAN));
    let end = |metric, published| {
        record.row(RING, metric, &at(points)).and_then(Row::range).map(|range| within(published, range))
    };
    let theory = |metric| record.number("theory", metric, &at(points)).map_or("-".into(), digits);
    Parts::default().compared("low end", end("q005", low)).compared("high end", end("q995", high)).verdict(
        &id,
        Rule::Statistical,
        &format!(
            "Quantiles of single rings of 1000 buckets, with their 99% ranges; of one bucket over all rings theory has {} \
             to {}. {ONE_RING}",
            theory("q005"),
            theory("q995")
        ),
        &few_rings(record, points),
    )
}

fn jump_verdicts(record: &Record) -> [Verdict; 2] {
    let of = |implementation, metric| record.number(implementation, metric, &THOUSAND);
    let (spread, ends) = ("jump.balance.jump.stderr", "jump.balance.jump.ci99");
    let published = published::number(spread).unwrap_or(f64::NAN);
    let noise = record.row(IDEAL, "cv", &THOUSAND).and_then(Row::range).map(|range| within(published, range));
    let place = chi_squared_probability(999, published * published * 2_f64.powi(64));
    let place = place.map_or(String::new(), |place| {
        format!(" The published value lies at the {:.1}th percentile of what they have by chance.", 100.0 * place)
    });
    let exact = |parts: Parts, text: Option<String>| match text {
        Some(text) => parts.shown(format!("Figure 1 exactly: {text}")),
        None => parts,
    };
    let found = Parts::default().compared("2^64 ideal hash values, √(999/2^64):", noise);
    let found = exact(found, of("jump", "cv").map(|cv| format!("{cv:.4e}")));
    let spread = found.verdict(
        spread,
        Rule::Formula,
        &format!(
            "Too small to be sampled. 1000 counts of 2^64 ideal hash values have as much by chance (range: 99% of them).{place} \
             The algorithm as printed, with draws of 31 bits, is less even."
        ),
        "",
    );
    let first = of("jump", "bucket_0_deviation").map_or("-".into(), near_one);
    let rounded = of(IDEAL, "q995_deviation").map(|noise| {
        let ours = [1.0 - noise, 1.0 + noise];
        let equal = published::ends(ends).is_some_and(|(low, high)| {
            [low, high].iter().zip(ours).all(|(&end, ours)| (rounding(end).0..=rounding(end).1).contains(&ours))
        });
        (format!("{:.9} to {:.9}", ours[0], ours[1]), equal)
    });
    let found = Parts::at_best(Outcome::Formula).part("2^64 ideal hash values:", rounded);
    let exactly = of("jump", "q005_deviation").zip(of("jump", "q995_deviation"));
    let found = exact(found, exactly.map(|(low, high)| format!("{} to {}", near_one(low), near_one(high))));
    let ends = found.verdict(
        ends,
        Rule::Formula,
        &format!(
            "As for σ/μ: the formula of ideal hash values gives the digits that were printed. No model is needed for \
             bucket 0 of Figure 1, which keeps floor(2^31/1000) of the 2^31 first draws: its size is {first} of the mean, \
             outside of the published interval."
        ),
        "",
    );
    [spread, ends]
}

fn jump_exact_verdict(record: &Record) -> Verdict {
    let id = "derived.jump.exact_share";
    let published = published::find(id).and_then(|published| published.value.as_object());
    let mut published: Vec<(u32, Option<f64>)> =
        published.into_iter().flatten().filter_map(|(n, cv)| Some((n.parse().ok()?, cv.as_f64()))).collect();
    published.sort_by_key(|&(n, _)| n);
    let parts = published.into_iter().fold(Parts::at_best(Outcome::ByDefinition), |parts, (n, cv)| {
        // A share in f64 is within 2^-53 of itself, and σ/μ no further from its own.
        let equal = |found: f64| cv.is_some_and(|cv| (found - cv).abs() < 2_f64.powi(-53));
        let found = record.number("jump", "cv", &[("buckets", n.into())]);
        parts.part(&format!("n = {n}:"), found.map(|found| (format!("{found:.7e}"), equal(found))))
    });
    let tests = record.rows("jump", "fit_p").filter_map(Row::number);
    let [low, high, least, most] = ["q005", "q995", "least", "most"]
        .map(|what| record.number("jump", &format!("{what}_deviation"), &THOUSAND).map_or("-".into(), near_one));
    parts.part("random keys fit", chance(tests, ALPHA, TESTS)).verdict(
        id,
        Rule::Exact,
        &format!(
            "A number of our own: σ/μ that follows from Figure 1 if its draws have 31 bits. Equal within 2^-53, the precision of a share in double precision. At n = 1000 the 0.5% to 99.5% interval of \
             share over mean is {low} to {high}, its extremes are {least} and {most}. Random keys test the port; they \
             cannot resolve such differences."
        ),
        "",
    )
}
