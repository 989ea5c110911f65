//! What `jump_back` answers.
//!
//! *Draws.* The published means and variances are those of 10^7 keys and have the noise of a sample, as ours have. A sample of N
//! keys has a mean of variance σ²/N and a variance of variance (κ4 + 2σ⁴)/N. Three z-tests each: published against ours,
//! published against theory, ours against theory.
//!
//! *Times.* Nanoseconds are shown. Judged are the factor of jump over JumpBackHash, and that a power of two is faster than one above.

use consistent_hash_lab::experiment::{Outcome, Record, Rule, TimingRow, Verdict, timed};
use consistent_hash_lab::published::{self, Comparison, Parts, digits, in_band};
use consistent_hash_lab::statistics::{sidak, z_test};

use super::theory::{self, Draws};
use super::{ALPHA, BACK, BACK32, COUNTED_SIZES, JUMP, MODULO, TIMED_SIZES};

const COLUMNS: [(&str, &str); 3] = [(JUMP, "JumpHash"), (BACK, "JumpBackHash64"), (BACK32, "JumpBackHash32")];
/// Of mean and variance, three tests each.
const TESTS: u64 = (COUNTED_SIZES.len() * COLUMNS.len() * 2 * 3) as u64;
/// The last digit that a double carries, of numbers below 100.
const LAST_DIGIT: f64 = 1e-12;

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let caveat = timed::caveat(record, &["lookup_ns", "lookup_ratio"]);
    let counted = COUNTED_SIZES.into_iter().map(|n| consumption(record, n));
    counted.chain(TIMED_SIZES.into_iter().map(|n| time(record, n, &caveat))).collect()
}

fn consumption(record: &Record, n: u32) -> Verdict {
    let id = format!("jumpback.consumption.n{n}");
    let at = [("buckets", f64::from(n))];
    let document = published::find(&id);
    let printed = |name: String| document.and_then(|document| document.value.get(name)?.as_f64());
    let theirs = document.and_then(|document| document.parameters.get("iterations")?.as_f64()).unwrap_or(f64::NAN);
    let parts = COLUMNS.into_iter().fold(Parts::default(), |parts, (who, column)| {
        let found = || {
            let keys = record.row(who, "draws_mean", &at)?.parameters.get("keys")?.as_f64()?;
            let ours = [record.number(who, "draws_mean", &at)?, record.number(who, "draws_variance", &at)?];
            let paper = [printed(format!("mean{column}"))?, printed(format!("var{column}"))?];
            Some(fits(&theory::draws(who, n)?, (ours, keys), (paper, theirs)))
        };
        parts.compared(column, found())
    });
    parts.verdict(
        &id,
        Rule::Statistical,
        "Mean and variance of random values per look-up, both of a sample. Two-sided z-tests (published against ours, \
         published against theory, ours against theory) with the standard errors that theory gives for a sample's mean and \
         variance, Sidak-corrected over all sizes, family-wise 0.001. Where theory leaves no spread, they must be equal. Fewer keys than the \
         published 10^7 leave it at \"consistent with\".",
        "",
    )
}

/// Whether both samples, (mean, variance) of so many keys, are of this distribution and of the same one.
fn fits(
    theory: &Draws,
    (ours, our_keys): ([f64; 2], f64),
    (paper, their_keys): ([f64; 2], f64),
) -> (String, Comparison) {
    let expected = [theory.mean, theory.variance];
    let variances = |keys| [theory.of_mean(keys), theory.of_variance(keys)];
    let mut least = 1.0_f64;
    let mut exactly = true;
    for what in 0..2 {
        if theory.variance < LAST_DIGIT {
            exactly &= [ours, paper].iter().all(|sample| (sample[what] - expected[what]).abs() < LAST_DIGIT);
        } else if what == 1 && theory.is_a_fair_coin() {
            exactly &=
                [ours, paper].iter().all(|[mean, found]| (theory.variance_of_two(*mean) - found).abs() < LAST_DIGIT);
        } else {
            let (a, b) = (variances(our_keys)[what], variances(their_keys)[what]);
            let tests =
                [(ours[what], expected[what], a), (paper[what], expected[what], b), (ours[what], paper[what], a + b)];
            least =
                tests.into_iter().filter_map(|(x, y, variance)| z_test(x, y, variance.sqrt())).fold(least, f64::min);
        }
    }
    let text = format!(
        "{:.5}, variance {:.5} (published {:.5}, {:.5}; theory {:.5}, {:.5}; least p {least:.2})",
        ours[0], ours[1], paper[0], paper[1], expected[0], expected[1]
    );
    let comparison = match exactly && least >= sidak(ALPHA, TESTS).unwrap_or(ALPHA) {
        false => Comparison::Fails,
        true if our_keys < their_keys => Comparison::Consistent,
        true => Comparison::Holds,
    };
    (text, comparison)
}

/// A published net time: less that of the harness.
fn net(id: &str, column: &str) -> Option<f64> {
    let value = &published::find(id)?.value;
    Some(value.get(column)?.as_f64()? - value.get("DummyOperation")?.as_f64()?)
}

fn time(record: &Record, n: u32, caveat: &str) -> Verdict {
    let id = format!("jumpback.time.n{n}");
    let at = [("buckets", f64::from(n))];
    let ns = |id| record.time(id, "lookup_ns", &at);
    let ratio = |id| record.time(id, "lookup_ratio", &at);
    let mut parts = Parts::at_best(Outcome::AnotherMachine);
    for (name, who, column) in
        [("jump", JUMP, "JumpHash"), ("JumpBackHash", BACK, "JumpBackHash"), ("modulo", MODULO, "ModuloMapper")]
    {
        if let Some((row, theirs)) = ns(who).zip(net(&id, column)) {
            parts = parts.shown(format!("{name} {} ns (published {theirs:.2})", row.written(digits)));
        }
    }
    if n == 1 {
        let order = ns(JUMP).zip(ns(BACK)).and_then(|(jump, back)| slower(jump, back));
        parts = parts.timed("jump is slower:", order, ns(JUMP).is_some());
    } else {
        let factor = |column| Some(net(&id, "JumpHash")? / net(&id, column)?);
        let band = factor("JumpBackHash").zip(factor("JumpBackHashUseSeedAsFirstRandomValue"));
        let band = band.map(|(one, other)| (one.min(other), one.max(other)));
        let judged = ratio(JUMP).zip(band).and_then(|(row, band)| {
            let text = format!("{} (published {} to {})", row.written(digits), digits(band.0), digits(band.1));
            Some((text, in_band(band, row.value, Some(row.judged()?))))
        });
        parts = parts.timed("jump over JumpBackHash:", judged, ratio(JUMP).is_some());
        if let Some(below) =
            TIMED_SIZES.into_iter().find(|&below| below > 2 && below.is_power_of_two() && below + 1 == n)
        {
            let below_row = record.time(BACK, "lookup_ns", &[("buckets", f64::from(below))]);
            let shape = ns(BACK).zip(below_row).and_then(|(above, below)| slower(above, below));
            parts = parts.timed(&format!("JumpBackHash is slower than at {below}:"), shape, below_row.is_some());
        }
    }
    let explanation = format!(
        "The times are of Java on another machine, less its DummyOperation; ours are less the empty loop. Both draw from SplitMix64. {} The band has the \
         paper's two variants of JumpBackHash at its ends: the first draw is a step of the generator, or its seed. RandomMapper \
         assigns no key for good and ICWS is not implemented: neither was measured. {caveat}",
        if n == 1 {
            "Judged is that jump, which draws once, is slower than JumpBackHash, which does not: 0.005 ns, the published difference \
             to DummyOperation, gives no ratio."
        } else {
            "Judged is the factor by which jump is slower than JumpBackHash and, one above a power of two, that JumpBackHash \
             is slower than at it."
        }
    );
    parts.verdict(&id, Rule::Ratio, explanation.trim(), "")
}

/// Whether one takes longer than the other: undecided where their intervals meet.
fn slower(one: &TimingRow, other: &TimingRow) -> Option<(String, Comparison)> {
    let (a, b) = (one.judged()?, other.judged()?);
    let comparison = match (a.low > b.high, a.high < b.low) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    Some((format!("{} ns against {} ns", digits(one.value), digits(other.value)), comparison))
}
