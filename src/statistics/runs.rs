//! Values of independent runs: how far a repeat of all of them may lie from what they say.
//!
//! What a clock shows varies on two levels. Rounds of one run differ by what the machine does meanwhile; runs differ also by
//! where a structure lies in memory, which pages it got and what ran beside it, which is the same in all rounds of a run. An
//! interval of rounds alone is therefore too narrow, however many rounds there are.

use rand::{Rng, RngExt};

use super::{Interval, Moments, student_t};

/// What one run found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunValue {
    /// Its value, for example the median of its rounds.
    pub value: f64,
    /// The variance of that value over resampled rounds, in squared units of the value.
    pub variance: f64,
}

/// What some runs found together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Runs {
    /// The geometric mean of the runs' values if all are positive, else their mean.
    pub value: f64,
    /// Where the value of a repeat lies; `None` of a single run, which says nothing about another.
    pub interval: Option<Interval>,
    /// The part of the variance that is between runs: what the runs' values show beyond the noise of their rounds. Relative
    /// to the squared value where all are positive. `None` of a single run.
    pub between: Option<f64>,
    /// The part that is within runs, in the same unit: the mean variance of a run's value over resampled rounds.
    pub within: f64,
}

/// The value of independent runs, and the interval that holds the value of a repeat, made of as many new runs, with a
/// probability of `level`.
///
/// Rounds were resampled within each run (Efron & Tibshirani 1993, chapter 13); for the level above no resampling is needed,
/// because the variance of a mean of runs is known: s²/R, with s² the variance of the runs' values. It holds the noise of
/// the rounds already, whose variance is its floor: few runs can agree by chance. The percentile interval of a two-level
/// bootstrap would be too narrow for so few runs (it has no more spread than they), so that the quantile is Student's
/// with R - 1 degrees of freedom. Both the value and the repeat vary: the variance of their difference is 2 s²/R.
/// Positive values are taken by their logarithm, as what slows a program slows it by a factor.
///
/// `None` without runs, or if a value is not finite.
#[must_use]
pub fn of_runs(runs: &[RunValue], level: f64) -> Option<Runs> {
    let relative = runs.iter().all(|run| run.value > 0.0);
    let (scaled, back): (Vec<RunValue>, fn(f64) -> f64) = if relative {
        let scale = |run: &RunValue| RunValue { value: run.value.ln(), variance: run.variance / run.value.powi(2) };
        (runs.iter().map(scale).collect(), f64::exp)
    } else {
        (runs.to_vec(), std::convert::identity)
    };
    let values = Moments::of(&scaled.iter().map(|run| run.value).collect::<Vec<_>>())?;
    let within = Moments::of(&scaled.iter().map(|run| run.variance).collect::<Vec<_>>())?.mean;
    let interval = values.variance_sample.and_then(|variance| {
        let runs = values.count as f64;
        let half = student_t(values.count as u64 - 1, level)? * (2.0 * variance.max(within) / runs).sqrt();
        let (low, high) = (back(values.mean - half), back(values.mean + half));
        (low.is_finite() && high.is_finite()).then_some(Interval { low, high, level })
    });
    let between = values.variance_sample.map(|variance| (variance - within).max(0.0));
    // Of a single run to the last digit.
    let value = if let [run] = runs { run.value } else { back(values.mean) };
    Some(Runs { value, interval, between, within })
}

/// An estimate from resampled rounds, as often as asked: it gets the numbers of the rounds that were drawn. `None` if there
/// are no rounds or the estimate does not exist for some draw.
pub fn resample(
    rounds: usize,
    resamples: u32,
    rng: &mut impl Rng,
    estimate: impl Fn(&[usize]) -> Option<f64>,
) -> Option<Vec<f64>> {
    if rounds == 0 {
        return None;
    }
    let mut drawn = vec![0; rounds];
    let again = |_| {
        drawn.fill_with(|| rng.random_range(0..rounds));
        estimate(&drawn)
    };
    (0..resamples).map(again).collect()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use statrs::distribution::{ContinuousCDF, Normal};

    use super::*;
    use crate::statistics::{median, range_of_repetitions};

    const ROUNDS: usize = 9;
    const LEVEL: f64 = 0.95;

    fn normal(rng: &mut Xoshiro256PlusPlus) -> f64 {
        Normal::standard().inverse_cdf(rng.random_range(f64::EPSILON..1.0))
    }

    /// The rounds of a run: a factor that all share, of deviation `between`, and one for each, of deviation `within`.
    fn rounds(between: f64, within: f64, rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let of_run = between * normal(rng);
        (0..ROUNDS).map(|_| 100.0 * (of_run + within * normal(rng)).exp()).collect()
    }

    fn resampled(rounds: &[f64], rng: &mut Xoshiro256PlusPlus) -> Vec<f64> {
        let of = |drawn: &[usize]| median(&drawn.iter().map(|&round| rounds[round]).collect::<Vec<_>>());
        resample(rounds.len(), 100, rng, of).expect("medians")
    }

    fn run(rounds: &[f64], rng: &mut Xoshiro256PlusPlus) -> RunValue {
        let variance = Moments::of(&resampled(rounds, rng)).and_then(|moments| moments.variance_sample);
        RunValue { value: median(rounds).expect("rounds"), variance: variance.expect("resamples") }
    }

    /// How many of [`TRIALS`] intervals hold the value of a repeat.
    fn covered(runs: usize, between: f64, within: f64) -> usize {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut half = || {
            let found: Vec<RunValue> = (0..runs).map(|_| run(&rounds(between, within, &mut rng), &mut rng)).collect();
            of_runs(&found, LEVEL).expect("runs")
        };
        (0..TRIALS).filter(|_| half().interval.expect("several runs").contains(half().value)).count()
    }

    const TRIALS: usize = 2_000;

    /// Fewest of [`TRIALS`] at a true probability of [`LEVEL`]: 3.3 standard deviations, exceeded once in 2000.
    fn fewest() -> f64 {
        let trials = TRIALS as f64;
        LEVEL * trials - 3.3 * (trials * LEVEL * (1.0 - LEVEL)).sqrt()
    }

    #[test]
    fn an_interval_covers_a_repeat() {
        // Mostly between runs, as was measured; mostly within; and in a smoke run's two runs.
        for (runs, between, within) in [(3, 0.05, 0.02), (5, 0.05, 0.02), (3, 0.005, 0.05), (2, 0.05, 0.02)] {
            let covered = covered(runs, between, within) as f64;
            assert!(covered >= fewest(), "{runs} runs, {between}, {within}: {covered} of {TRIALS}");
        }
    }

    #[test]
    fn it_is_no_wider_than_it_must_be() {
        // Where runs differ, the floor by the rounds does nothing, and the level is met on both sides.
        let covered = covered(5, 0.05, 0.01) as f64;
        assert!(covered <= 2.0 * LEVEL * TRIALS as f64 - fewest(), "{covered} of {TRIALS}");
    }

    #[test]
    fn an_interval_of_rounds_does_not() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut one = || {
            let rounds = rounds(0.05, 0.02, &mut rng);
            let interval = range_of_repetitions(&resampled(&rounds, &mut rng), LEVEL).expect("medians");
            (median(&rounds).expect("rounds"), interval)
        };
        let covered = (0..TRIALS).filter(|_| one().1.contains(one().0)).count() as f64;
        // The interval reaches 2 deviations of a median of 9 rounds, 2 * 1.25 * 0.02 / 3, to each side; two runs differ by
        // 0.05 * √2 or more: less than a quarter is covered.
        assert!(covered < 0.25 * TRIALS as f64, "{covered} of {TRIALS}");
    }

    #[test]
    fn by_hand() {
        let runs = |values: &[f64], variance: f64| {
            of_runs(&values.iter().map(|&value| RunValue { value, variance }).collect::<Vec<_>>(), LEVEL)
        };
        let near = |value: f64, expected: f64| assert!((value / expected - 1.0).abs() < 1e-6, "{value} {expected}");
        // Logarithms -1, 0, 1: variance 1; Student's t with 2 degrees of freedom is 4.302653.
        let [third, whole] = [1.0 / std::f64::consts::E, std::f64::consts::E];
        let found = runs(&[third, 1.0, whole], 0.0).expect("runs");
        near(found.value, 1.0);
        near(found.interval.expect("several").high.ln(), 4.302_653 * (2.0_f64 / 3.0).sqrt());
        near(found.between.expect("several"), 1.0);
        // A value below zero: as they are, and the rounds' noise is the floor.
        let found = runs(&[-1.0, 1.0], 8.0).expect("runs");
        assert_eq!((found.value, found.between, found.within), (0.0, Some(0.0), 8.0));
        near(found.interval.expect("several").high, 12.706_205 * 8.0_f64.sqrt());
        let one = runs(&[5.0], 0.01).expect("a run");
        assert!(one.value == 5.0 && one.interval.is_none() && one.between.is_none());
        assert_eq!((runs(&[], 0.0), runs(&[f64::NAN], 0.0)), (None, None));
        assert_eq!(resample(0, 10, &mut Xoshiro256PlusPlus::seed_from_u64(1), |_| Some(1.0)), None);
    }
}
