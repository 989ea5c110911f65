//! The verdict rules (`ARCHITECTURE.md`, Verdicts). Each takes what was measured and returns the verdict on one published value.
//!
//! A value printed with few digits stands for its rounding interval: 1.09 is 1.085 to 1.095. A rule says *reproduced* only
//! where the next value of as many digits would have failed; what meets the published value more loosely is *consistent
//! with* it, and an interval too wide to tell decides nothing.

use serde_json::Value;

use super::{Published, find};
use crate::experiment::{Outcome, Rule, Verdict};
use crate::statistics::{Interval, sidak};

/// The numbers that round to `value` when it is printed with the digits that it has.
#[must_use]
pub fn rounding(value: f64) -> (f64, f64) {
    // The shortest decimal that reads back as the value is what was printed, trailing zeros aside.
    let text = format!("{:e}", value.abs());
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len()) as i32;
    let exponent: i32 = exponent.parse().unwrap_or(0);
    // Zeros before the decimal point were printed: 110 is 109.5 to 110.5, not 105 to 115.
    let half = 0.5 * 10_f64.powi((exponent - decimals).min(0));
    (value - half, value + half)
}

/// What one comparison says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// It holds, and would not hold of the next value of as many digits.
    Holds,
    /// It does not contradict the published value, nor would it contradict others.
    Consistent,
    /// One unit of the last printed digit is between them.
    LastDigit,
    /// It does not hold.
    Fails,
    /// Measured, but not well enough to tell.
    Undecided,
}

impl From<bool> for Comparison {
    fn from(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::Fails }
    }
}

/// A verdict that is put together from several comparisons: as good as the worst of them, and *in part* if some could not
/// be made.
#[derive(Debug)]
pub struct Parts {
    lines: Vec<String>,
    found: Vec<Comparison>,
    missing: Vec<String>,
    at_best: Outcome,
}

impl Default for Parts {
    fn default() -> Self {
        Self::at_best(Outcome::Reproduced)
    }
}

impl Parts {
    /// A verdict that is this one if all comparisons hold.
    #[must_use]
    pub fn at_best(at_best: Outcome) -> Self {
        Self { lines: Vec::new(), found: Vec::new(), missing: Vec::new(), at_best }
    }

    /// Adds a comparison: what was found, as a reader would write it, and whether it meets the published value. `None`
    /// for what could not be measured in this run.
    #[must_use]
    pub fn part(self, what: &str, found: Option<(String, bool)>) -> Self {
        self.compared(what, found.map(|(found, holds)| (found, holds.into())))
    }

    /// The same with an answer that need not be yes or no.
    #[must_use]
    pub fn compared(mut self, what: &str, found: Option<(String, Comparison)>) -> Self {
        match found {
            Some((found, comparison)) => {
                let line = if what.is_empty() { found } else { format!("{what} {found}") };
                self.lines.push(if comparison == Comparison::Undecided { line + ", not decided" } else { line });
                self.found.push(comparison);
            }
            None => self.missing.push(what.trim_end_matches(':').to_owned()),
        }
        self
    }

    /// Adds a comparison of times: what was measured but has no interval is open, not unmeasured.
    #[must_use]
    pub fn timed(self, what: &str, found: Option<(String, Comparison)>, measured: bool) -> Self {
        let without = || measured.then(|| ("has no interval".to_owned(), Comparison::Undecided));
        self.compared(what, found.or_else(without))
    }

    /// Adds what is shown beside the comparisons and not judged.
    #[must_use]
    pub fn shown(mut self, what: impl Into<String>) -> Self {
        self.lines.push(what.into());
        self
    }

    /// The verdict. `explanation` is what a reader must know; `cause` is the reason if it differs, tested: without one the
    /// verdict says that it is not known.
    #[must_use]
    pub fn verdict(self, id: &str, rule: Rule, explanation: &str, cause: &str) -> Verdict {
        let outcome = self.outcome();
        let mut explanation = explanation.to_owned();
        if matches!(outcome, Outcome::Differs | Outcome::DiffersInTheLastDigit) {
            let cause = if cause.is_empty() { CAUSE_NOT_KNOWN } else { cause };
            explanation = format!("{explanation} {cause}").trim().to_owned();
        }
        // A part without a name is the whole, of which the outcome says enough.
        let missing: Vec<String> = self.missing.into_iter().filter(|what| !what.is_empty()).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            explanation = format!("{explanation} Left open in this run: {missing}.").trim().to_owned();
        }
        verdict(id, rule, outcome, &self.lines.join("; "), &explanation)
    }

    fn outcome(&self) -> Outcome {
        let any = |comparison| self.found.contains(&comparison);
        let decided = self.found.iter().any(|&found| found != Comparison::Undecided);
        if any(Comparison::Fails) {
            Outcome::Differs
        } else if any(Comparison::LastDigit) {
            Outcome::DiffersInTheLastDigit
        } else if !decided {
            if self.found.is_empty() { Outcome::NotMeasured } else { Outcome::NotDecided }
        } else if any(Comparison::Consistent) {
            Outcome::ConsistentWith
        } else if self.at_best == Outcome::Reproduced && (any(Comparison::Undecided) || !self.missing.is_empty()) {
            Outcome::ReproducedInPart
        } else {
            self.at_best
        }
    }
}

/// In the explanation of a verdict that differs for a reason that nobody has tested.
pub const CAUSE_NOT_KNOWN: &str = "The cause is not known.";

fn verdict(id: &str, rule: Rule, outcome: Outcome, measured: &str, explanation: &str) -> Verdict {
    Verdict {
        id: id.to_owned(),
        rule,
        outcome,
        published: find(id).map_or_else(|| "not available".into(), Published::printed),
        measured: measured.to_owned(),
        explanation: explanation.to_owned(),
    }
}

/// A published value, or ours in the same form, as a reader would write it.
#[must_use]
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) if items.len() == 2 && items.iter().all(Value::is_number) => {
            format!("{} to {}", items[0], items[1])
        }
        other => other.to_string().replace(['"', '{', '}'], "").replace(',', ", ").replace(':', " "),
    }
}

/// Exact rule: everything measured equals what was printed.
#[must_use]
pub fn exact(id: &str, measured: &str, equal: bool, explanation: &str, cause: &str) -> Verdict {
    Parts::default().part("", Some((measured.to_owned(), equal))).verdict(id, Rule::Exact, explanation, cause)
}

/// Statistical rule: the rounding interval of the published number against the 99 % range of our repetitions.
#[must_use]
pub fn statistical(id: &str, value: f64, range: Option<(f64, Interval)>, explanation: &str, cause: &str) -> Verdict {
    Parts::default().compared("", range.map(|range| within(value, range))).verdict(
        id,
        Rule::Statistical,
        explanation,
        cause,
    )
}

/// One comparison of the statistical rule: median and range beside the published number. It holds if the range lies
/// within the numbers that round to the published one, so that no other number of as many digits would pass; if it is
/// wider and they meet, the two are consistent.
#[must_use]
pub fn within(value: f64, (median, range): (f64, Interval)) -> (String, Comparison) {
    let (low, high) = rounding(value);
    let comparison = match (low <= range.high && range.low <= high, low <= range.low && range.high <= high) {
        (_, true) => Comparison::Holds,
        (true, false) => Comparison::Consistent,
        (false, false) => Comparison::Fails,
    };
    (format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high)), comparison)
}

/// One comparison of the exact rule: a number that was printed rounded beside ours, which is written with one digit more.
#[must_use]
pub fn as_printed(printed: f64, ours: f64) -> (String, Comparison) {
    let (low, high) = rounding(printed);
    let unit = high - low;
    let comparison = if (low..=high).contains(&ours) {
        Comparison::Holds
    } else if (low - unit..=high + unit).contains(&ours) {
        Comparison::LastDigit
    } else {
        Comparison::Fails
    };
    let decimals = (1.0 - unit.log10().round()).max(0.0) as usize;
    (if ours.fract() == 0.0 { ours.to_string() } else { format!("{ours:.decimals$}") }, comparison)
}

/// One comparison by tests of ours: their smallest p, and whether it may be chance among `tests` tests that together err
/// with probability `alpha`. `None` without any.
pub fn chance(p_values: impl Iterator<Item = f64>, alpha: f64, tests: u64) -> Option<(String, bool)> {
    let least = p_values.reduce(f64::min)?;
    Some((format!("(least p {least:.2})"), least >= sidak(alpha, tests)?))
}

/// A number with four significant digits.
#[must_use]
pub fn digits(value: f64) -> String {
    let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    if (-4..6).contains(&magnitude) {
        format!("{value:.*}", (3 - magnitude).max(0) as usize)
    } else {
        format!("{value:.3e}")
    }
}

/// One comparison of the ratio rule: a measured ratio with its interval against a published band. It holds if the ratio
/// lies inside and its interval is not wider than the band, both as factors; it fails if the interval lies outside. All
/// else decides nothing: a wider interval never turns a failure into more than that.
#[must_use]
pub fn in_band(band: (f64, f64), ratio: f64, interval: Option<Interval>) -> Comparison {
    match interval {
        None => Comparison::Undecided,
        Some(interval) if interval.high < band.0 || band.1 < interval.low => Comparison::Fails,
        // Without logarithms, so that an interval that reaches zero is as wide as can be.
        Some(interval) if interval.low <= 0.0 || interval.high * band.0 > interval.low * band.1 => {
            Comparison::Undecided
        }
        Some(_) if (band.0..=band.1).contains(&ratio) => Comparison::Holds,
        Some(_) => Comparison::Undecided,
    }
}

/// Shape rule: a stated predicate on the curve holds.
#[must_use]
pub fn shape(id: &str, measured: &str, holds: Option<bool>, predicate: &str, cause: &str) -> Verdict {
    match holds {
        None => not_measured(id, Rule::Shape, predicate),
        Some(holds) => {
            Parts::default().part("", Some((measured.to_owned(), holds))).verdict(id, Rule::Shape, predicate, cause)
        }
    }
}

/// A setup or a definition that the measurement follows.
#[must_use]
pub fn followed(id: &str, how: &str) -> Verdict {
    verdict(id, Rule::Setup, Outcome::Followed, "", how)
}

/// Never measurable; why.
#[must_use]
pub fn not_reproducible(id: &str, why: &str) -> Verdict {
    verdict(id, Rule::NotReproducible, Outcome::NotReproducible, "", why)
}

/// Not measured in this run; why.
#[must_use]
pub fn not_measured(id: &str, rule: Rule, why: &str) -> Verdict {
    verdict(id, rule, Outcome::NotMeasured, "", why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_value_is_an_interval() {
        for (value, low, high) in
            [(1.09, 1.085, 1.095), (5.25, 5.245, 5.255), (46.0, 45.5, 46.5), (110.0, 109.5, 110.5)]
        {
            let (found_low, found_high) = rounding(value);
            assert!((found_low - low).abs() < 1e-12 && (found_high - high).abs() < 1e-12, "{value}");
        }
        let (low, high) = rounding(7.64e-9);
        assert!((low - 7.635e-9).abs() < 1e-20 && (high - 7.645e-9).abs() < 1e-20);
    }

    #[test]
    fn one_small_p_among_many_tests_is_chance() {
        let holds = |p, tests| chance([0.5, p].into_iter(), 0.001, tests).map(|(_, holds)| holds);
        assert_eq!([holds(0.0009, 1), holds(0.0009, 2), holds(0.9, 1)], [Some(false), Some(true), Some(true)]);
        assert_eq!(chance([].into_iter(), 0.001, 2), None);
    }

    const ID: &str = "jump.balance.ring.v1.stderr";

    fn interval(low: f64, high: f64) -> Interval {
        Interval { low, high, level: 0.99 }
    }

    #[test]
    fn the_next_printed_value_fails_or_nothing_is_reproduced() {
        let outcome =
            |value, low, high| statistical(ID, value, Some((0.5 * (low + high), interval(low, high))), "", "").outcome;
        let narrow = (0.9496, 0.9504);
        assert_eq!(outcome(0.95, narrow.0, narrow.1), Outcome::Reproduced);
        for next in [0.94, 0.96] {
            assert_eq!(outcome(next, narrow.0, narrow.1), Outcome::Differs);
        }
        // A range that 0.96 would pass too.
        assert_eq!(outcome(0.95, 0.94, 0.956), Outcome::ConsistentWith);
        assert_eq!(outcome(0.95, 0.96, 0.97), Outcome::Differs);
        assert_eq!(statistical(ID, 0.95, None, "", "").outcome, Outcome::NotMeasured);
    }

    #[test]
    fn a_wide_interval_is_no_merit() {
        let band = (3.0, 4.0);
        let at = |ratio, low, high| in_band(band, ratio, Some(interval(low, high)));
        assert_eq!(at(3.5, 3.4, 3.6), Comparison::Holds);
        assert_eq!(at(3.5, 3.1, 4.1), Comparison::Holds);
        assert_eq!(at(2.5, 2.4, 2.6), Comparison::Fails);
        // As wide as the band, wider, and without any.
        assert_eq!(at(3.5, 2.9, 4.1), Comparison::Undecided);
        assert_eq!(at(3.5, -1.0, 9.0), Comparison::Undecided);
        assert_eq!(in_band(band, 3.5, None), Comparison::Undecided);
        // Widening makes nothing better.
        let merit = |comparison| match comparison {
            Comparison::Holds => 2,
            Comparison::Undecided => 1,
            _ => 0,
        };
        for ratio in [2.0, 2.9, 3.0, 3.5, 4.0, 4.1, 9.0] {
            let found: Vec<i32> = (1..60)
                .map(|width| {
                    let factor = 1.0 + 0.05 * f64::from(width);
                    merit(at(ratio, ratio / factor, ratio * factor))
                })
                .collect();
            assert!(found.iter().all(|&merit| merit <= found[0].max(1)), "{ratio}: {found:?}");
        }
    }

    #[test]
    fn a_slip_in_the_last_digit_is_not_a_difference() {
        let of = |printed, ours| as_printed(printed, ours);
        assert_eq!(of(0.94, 0.941_450_489), ("0.941".into(), Comparison::Holds));
        assert_eq!(of(0.058, 0.057_480_849), ("0.0575".into(), Comparison::LastDigit));
        assert_eq!(of(0.058, 0.0563).1, Comparison::Fails);
        assert_eq!(of(910.0, 911.0), ("911".into(), Comparison::LastDigit));
    }

    #[test]
    fn the_worst_part_is_the_verdict() {
        use Comparison::{Consistent, Fails, Holds, LastDigit, Undecided};
        let of = |found: &[Comparison]| {
            let parts =
                found.iter().fold(Parts::default(), |parts, &found| parts.compared("", Some((String::new(), found))));
            parts.verdict(ID, Rule::Exact, "", "").outcome
        };
        assert_eq!(of(&[]), Outcome::NotMeasured);
        assert_eq!(of(&[Undecided]), Outcome::NotDecided);
        assert_eq!(of(&[Holds, Holds]), Outcome::Reproduced);
        assert_eq!(of(&[Holds, Undecided]), Outcome::ReproducedInPart);
        assert_eq!(of(&[Holds, Consistent, Undecided]), Outcome::ConsistentWith);
        assert_eq!(of(&[Holds, Consistent, LastDigit]), Outcome::DiffersInTheLastDigit);
        assert_eq!(of(&[LastDigit, Holds, Fails]), Outcome::Differs);
        let definition = || Parts::at_best(Outcome::ByDefinition);
        assert_eq!(definition().part("", Some((String::new(), true))).outcome(), Outcome::ByDefinition);
        assert_eq!(definition().part("", Some((String::new(), false))).outcome(), Outcome::Differs);
    }

    #[test]
    fn a_cause_is_given_or_not_known() {
        let differs = |cause| exact(ID, "", false, "", cause).explanation;
        assert_eq!(differs("switched off, it was gone"), "switched off, it was gone");
        assert_eq!(differs(""), CAUSE_NOT_KNOWN);
        assert_eq!(exact(ID, "", true, "", "because").explanation, "");
    }
}
