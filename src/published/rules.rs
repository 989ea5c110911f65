//! The verdict rules (`ARCHITECTURE.md`, Verdicts). Each takes what was measured and returns the verdict on one published value.
//!
//! A value printed with few digits stands for its rounding interval: 1.09 is 1.085 to 1.095.

use serde_json::Value;

use super::find;
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

/// A verdict that is put together from several comparisons: reproduced only if all hold, in part if some could not be
/// measured.
#[derive(Debug, Default)]
pub struct Parts {
    lines: Vec<String>,
    failed: bool,
    missing: Vec<String>,
}

impl Parts {
    /// Adds a comparison: what was found, as a reader would write it, and whether it meets the published value. `None`
    /// for what could not be measured in this run.
    #[must_use]
    pub fn part(mut self, what: &str, found: Option<(String, bool)>) -> Self {
        match found {
            Some((found, holds)) => {
                self.lines.push(if what.is_empty() { found } else { format!("{what} {found}") });
                self.failed |= !holds;
            }
            None => self.missing.push(what.trim_end_matches(':').to_owned()),
        }
        self
    }

    /// The verdict. `explanation` is what a reader must know; `cause` is what we think is the reason if it differs.
    #[must_use]
    pub fn verdict(self, id: &str, rule: Rule, explanation: &str, cause: &str) -> Verdict {
        let outcome = match (self.failed, self.missing.is_empty(), self.lines.is_empty()) {
            (true, ..) => Outcome::Differs,
            (false, true, _) => Outcome::Reproduced,
            (false, false, false) => Outcome::ReproducedInPart,
            (false, false, true) => Outcome::NotMeasured,
        };
        let mut explanation = explanation.to_owned();
        if outcome == Outcome::Differs {
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
}

fn verdict(id: &str, rule: Rule, outcome: Outcome, measured: &str, explanation: &str) -> Verdict {
    Verdict {
        id: id.to_owned(),
        rule,
        outcome,
        published: find(id).map_or_else(|| "not available".into(), |published| written(&published.value)),
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

/// Statistical rule: the rounding interval of the published number meets the 99 % range of our repetitions.
#[must_use]
pub fn statistical(id: &str, value: f64, range: Option<(f64, Interval)>, explanation: &str, cause: &str) -> Verdict {
    Parts::default().part("", range.map(|range| within(value, range))).verdict(
        id,
        Rule::Statistical,
        explanation,
        cause,
    )
}

/// One comparison of the statistical rule: median and range, and whether the published number lies inside.
#[must_use]
pub fn within(value: f64, (median, range): (f64, Interval)) -> (String, bool) {
    let (low, high) = rounding(value);
    (
        format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high)),
        low <= range.high && range.low <= high,
    )
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

/// Ratio rule: the measured ratios' intervals meet the published band.
#[must_use]
pub fn ratio(
    id: &str,
    band: (f64, f64),
    found: Vec<(String, f64, Interval)>,
    explanation: &str,
    cause: &str,
) -> Verdict {
    if found.is_empty() {
        return not_measured(id, Rule::Ratio, explanation);
    }
    found
        .into_iter()
        .fold(Parts::default(), |parts, (what, ratio, interval)| {
            let holds = interval.low <= band.1 && band.0 <= interval.high;
            parts.part(&what, Some((format!("{ratio:.1}x ({:.1} to {:.1})", interval.low, interval.high), holds)))
        })
        .verdict(id, Rule::Ratio, explanation, cause)
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

/// Formula rule: computed, because it cannot be measured; why.
#[must_use]
pub fn formula(id: &str, computed: &str, why: &str) -> Verdict {
    verdict(id, Rule::Formula, Outcome::Formula, computed, why)
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

    #[test]
    fn a_verdict_can_fail() {
        let range = Interval { low: 0.9, high: 1.0, level: 0.99 };
        let id = "jump.balance.ring.v1.stderr";
        assert_eq!(statistical(id, 0.95, Some((0.95, range)), "", "").outcome, Outcome::Reproduced);
        assert_eq!(statistical(id, 1.2, Some((0.95, range)), "", "because").outcome, Outcome::Differs);
        assert_eq!(statistical(id, 0.95, None, "", "").outcome, Outcome::NotMeasured);
        assert_eq!(ratio(id, (3.0, 4.0), vec![("a".into(), 2.0, range)], "", "").outcome, Outcome::Differs);
    }
}
