//! Tests of many counts at once that are exact at every size, where chi-squared is only asymptotic: two counts that are
//! equal by chance have a probability, and no test may call it 0.
//!
//! The counts are looked at one after the other. Given those before it, each is binomial (of known shares) or
//! hypergeometric (of two samples), so that its p is never too small, whatever happened before, and all may be combined as
//! if they were independent: by Fisher's sum -2 Σ ln p, at most chi-squared with two degrees of freedom for each count
//! (Fisher 1932; for discrete counts an upper bound), or by the least of them (Šidák 1967).

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Error, sidak_adjusted, validated};

/// How likely right counts are to be as far off. Each is a p of its own: who looks at all three corrects for three tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CountsTest {
    /// All counts together are at least as uneven.
    pub uneven: f64,
    /// The worst of the counts is at least as far off.
    pub worst: f64,
    /// All counts together are at least as even, as they are if the keys are no independent draws.
    pub even: f64,
    /// The place of the worst count.
    pub cell: usize,
}

/// Counts of independent draws against the shares that they should have.
///
/// # Errors
/// [`Error`], each variant.
pub fn test_of_counts(observed: &[u64], shares: &[f64]) -> Result<CountsTest, Error> {
    validated(observed, shares)?;
    let mut left: u64 = observed.iter().sum();
    // Summed from the end, so that the last quotient is 1 whatever the rounding.
    let mut rest: Vec<f64> = shares.iter().rev().scan(0.0, |sum, share| Some(add(sum, *share))).collect();
    rest.reverse();
    let each = observed.iter().zip(shares).zip(&rest).map(|((&count, &share), &rest)| {
        let trials = left;
        left -= count;
        let p = share / rest;
        (0.0 < p && p < 1.0 && trials > 0).then(|| {
            let (n, odds) = (trials as f64, p / (1.0 - p));
            let mode = (((n + 1.0) * p) as u64).min(trials);
            Tails::of(count, mode, 0, trials, |k| (n - k) / (k + 1.0) * odds)
        })
    });
    Ok(combined(each.collect()))
}

/// Counts of two samples of independent draws, as many counts in each: do both have the same shares, whatever they are?
/// Given the sums of both, each count of the first is hypergeometric.
///
/// # Errors
/// [`Error::Lengths`], [`Error::TooFewCells`], [`Error::NothingObserved`].
pub fn test_of_two_samples(first: &[u64], second: &[u64]) -> Result<CountsTest, Error> {
    if first.len() != second.len() {
        return Err(Error::Lengths { observed: first.len(), expected: second.len() });
    }
    if first.len() < 2 {
        return Err(Error::TooFewCells { cells: first.len() });
    }
    let [mut draws, mut others]: [u64; 2] = [first, second].map(|counts| counts.iter().sum());
    if draws == 0 || others == 0 {
        return Err(Error::NothingObserved);
    }
    let each = first.iter().zip(second).map(|(&count, &other)| {
        let (n, rest) = (draws, others);
        (draws, others) = (n - count, rest - other);
        let (least, most) = ((count + other).saturating_sub(rest), (count + other).min(n));
        (least < most).then(|| {
            let [marked, unmarked, n] = [count + other, n + rest - count - other, n].map(|number| number as f64);
            let mode = ((n + 1.0) * (marked + 1.0) / (marked + unmarked + 2.0)) as u64;
            let ratio = |k: f64| (marked - k) / (k + 1.0) * ((n - k) / (unmarked - n + k + 1.0));
            Tails::of(count, mode.clamp(least, most), least, most, ratio)
        })
    });
    Ok(combined(each.collect()))
}

fn add(sum: &mut f64, term: f64) -> f64 {
    *sum += term;
    *sum
}

/// What is to be known of one count.
#[derive(Debug, Clone, Copy)]
struct Tails {
    at_most: f64,
    at_least: f64,
    /// The largest probability of any count.
    largest: f64,
}

impl Tails {
    /// Of a count whose distribution has one mode and lies in `least..=most`, from the ratios P(k + 1) / P(k). Summed from
    /// the mode in both directions until nothing changes: as many steps as there are standard deviations worth a look.
    fn of(count: u64, mode: u64, least: u64, most: u64, ratio: impl Fn(f64) -> f64) -> Self {
        let (mut total, mut below, mut above) = (0.0, 0.0, 0.0);
        // A term counts for all, and for the tails in which it lies; whether those beyond it still can.
        let mut take = |k: u64, weight: f64, onwards: bool| {
            total += weight;
            if k <= count {
                below += weight;
            }
            if k >= count {
                above += weight;
            }
            let sum = match (onwards, k >= count, k <= count) {
                (true, true, _) => above,
                (false, _, true) => below,
                _ if weight > 0.0 => return true,
                _ => total,
            };
            weight > sum * 1e-18
        };
        let mut weight = 1.0;
        take(mode, weight, true);
        for k in mode..most {
            weight *= ratio(k as f64);
            if !take(k + 1, weight, true) {
                break;
            }
        }
        weight = 1.0;
        for k in (least..mode).rev() {
            weight /= ratio(k as f64);
            if !take(k, weight, false) {
                break;
            }
        }
        Self { at_most: below / total, at_least: above / total, largest: 1.0 / total }
    }

    fn two_sided(&self) -> f64 {
        (2.0 * self.at_most.min(self.at_least)).min(1.0)
    }

    /// At least the probability of a count that lies no farther from the middle. Both tails without their ends are what lies
    /// farther; the other end is not known and at most the largest.
    fn central(&self) -> f64 {
        (1.0 - 2.0 * self.at_most.min(self.at_least) + 2.0 * self.largest).min(1.0)
    }
}

fn combined(each: Vec<Option<Tails>>) -> CountsTest {
    let tested = each.iter().flatten().count();
    let fisher = |p: fn(&Tails) -> f64| {
        let sum: f64 = each.iter().flatten().map(|tails| -2.0 * p(tails).max(f64::MIN_POSITIVE).ln()).sum();
        ChiSquared::new(2.0 * tested as f64).map_or(1.0, |distribution| distribution.sf(sum))
    };
    let ps = each.iter().enumerate().filter_map(|(cell, tails)| Some((tails.as_ref()?.two_sided(), cell)));
    let (least, cell) = ps.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((1.0, 0));
    CountsTest {
        uneven: fisher(Tails::two_sided),
        worst: sidak_adjusted(least, tested as u64),
        even: fisher(Tails::central),
        cell,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::algorithms::hash::{Draws, SplitMix64};

    fn close(found: f64, right: f64) {
        assert!((found / right - 1.0).abs() < 1e-9, "{found}, not {right}");
    }

    /// All counts of `trials` draws, each with its probability.
    fn outcomes(trials: u64, shares: &[f64]) -> BTreeMap<Vec<u64>, f64> {
        let mut all = BTreeMap::from([(vec![0; shares.len()], 1.0)]);
        for _ in 0..trials {
            let mut next = BTreeMap::new();
            for (counts, probability) in &all {
                for (cell, share) in shares.iter().enumerate() {
                    let mut counts = counts.clone();
                    counts[cell] += 1;
                    *next.entry(counts).or_insert(0.0) += probability * share;
                }
            }
            all = next;
        }
        all
    }

    #[test]
    fn no_p_is_too_small() {
        // P(p ≤ t) ≤ t for every t that occurs, by all outcomes.
        for shares in [vec![0.5, 0.5], vec![0.1, 0.9], vec![0.2, 0.3, 0.5], vec![0.25; 4]] {
            let of: Vec<(CountsTest, f64)> = outcomes(8, &shares)
                .into_iter()
                .map(|(counts, probability)| (test_of_counts(&counts, &shares).expect("valid"), probability))
                .collect();
            for p in [|test: &CountsTest| test.uneven, |test: &CountsTest| test.worst, |test: &CountsTest| test.even] {
                for (bound, _) in &of {
                    let met: f64 = of.iter().filter(|(test, _)| p(test) <= p(bound)).map(|(_, each)| each).sum();
                    assert!(met <= p(bound) + 1e-9, "{shares:?}: p = {} is met with {met}", p(bound));
                }
            }
        }
    }

    #[test]
    fn an_even_split_has_its_probability() {
        // C(100000, 50000) / 2^100000 by Stirling, 1 / sqrt(π n / 2) · (1 - 1/(4n) + ...).
        let even = test_of_counts(&[50_000, 50_000], &[0.5, 0.5]).expect("valid");
        close(even.even, (1.0 - 0.25 / 100_000.0) / (std::f64::consts::PI * 50_000.0).sqrt());
        assert_eq!((even.uneven, even.worst), (1.0, 1.0));
    }

    #[test]
    fn binomial_tails_by_hand() {
        // P(X ≤ 1) of 10 with 1/2, doubled: 22 / 1024.
        let test = test_of_counts(&[1, 9], &[0.5, 0.5]).expect("valid");
        close(test.uneven, 22.0 / 1024.0);
        close(test.worst, 22.0 / 1024.0);
        // Far out: 2 · 2^-1000.
        close(test_of_counts(&[0, 1000], &[0.5, 0.5]).expect("valid").worst, 2.0 * 0.5_f64.powi(1000));
        assert_eq!(test_of_counts(&[90_000, 10_000], &[0.5, 0.5]).expect("valid").worst, 0.0);
    }

    #[test]
    fn hypergeometric_tails_by_hand() {
        // All 5 of the first sample in the first cell, none of the second: 2 / C(10, 5).
        close(test_of_two_samples(&[5, 0], &[0, 5]).expect("valid").worst, 2.0 / 252.0);
        let alike = test_of_two_samples(&[50, 30, 20], &[50, 30, 20]).expect("valid");
        assert_eq!((alike.uneven, alike.worst), (1.0, 1.0));
        assert_eq!(test_of_two_samples(&[0, 0], &[1, 1]), Err(Error::NothingObserved));
        assert_eq!(test_of_two_samples(&[1], &[1]), Err(Error::TooFewCells { cells: 1 }));
        assert!(matches!(test_of_two_samples(&[1, 2], &[1]), Err(Error::Lengths { .. })));
    }

    /// What each of the three is there for.
    #[test]
    fn wrong_counts_are_found() {
        let mut stream = SplitMix64::new(5);
        let mut sample = |weights: &[u32]| {
            let wheel: Vec<usize> =
                weights.iter().enumerate().flat_map(|(cell, &weight)| vec![cell; weight as usize]).collect();
            let mut counts = vec![0_u64; weights.len()];
            (0..100_000).for_each(|_| counts[wheel[stream.below(wheel.len() as u32) as usize]] += 1);
            counts
        };
        let uniform = [0.01; 100];
        let of = |counts: &[u64]| test_of_counts(counts, &uniform).expect("valid");
        let right = of(&sample(&[10; 100]));
        assert!([right.uneven, right.worst, right.even].iter().all(|&p| p > 1e-3), "{right:?}");
        // Half of the cells a tenth above, the others a tenth below.
        let spread: Vec<u32> = (0..100).map(|cell| if cell % 2 == 0 { 11 } else { 9 }).collect();
        assert!(of(&sample(&spread)).uneven < 1e-9);
        // One cell a quarter above.
        let mut one = [40; 100];
        one[77] = 50;
        let found = of(&sample(&one));
        assert!(found.worst < 1e-9 && found.cell == 77, "{found:?}");
        assert!(of(&[1000; 100]).even < 1e-9);
        let two = test_of_two_samples(&sample(&spread), &sample(&[10; 100])).expect("valid");
        assert!(two.uneven < 1e-9, "{two:?}");
        let same = test_of_two_samples(&sample(&spread), &sample(&spread)).expect("valid");
        assert!([same.uneven, same.worst].iter().all(|&p| p > 1e-3), "{same:?}");
    }
}
