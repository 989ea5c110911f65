//! Against values known from elsewhere, and error rates under true hypotheses.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::algorithms::{Jump, Partitioner};

const REPETITIONS: u64 = 2000;

fn generator(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn near(value: f64, expected: f64, relative: f64) {
    assert!((value / expected - 1.0).abs() <= relative, "{value} is not {expected}");
}

/// Whether so many of [`REPETITIONS`] agree with a probability, wrongly denied once in a thousand.
fn agrees(hits: usize, probability: f64) -> bool {
    binomial_interval(hits as u64, REPETITIONS, 0.999).expect("hits").contains(probability)
}

#[test]
fn chi_squared_quantiles() {
    // By the series of the incomplete gamma function.
    for (freedom, q, expected) in
        [(1, 0.99, 6.634_896_601), (999, 0.005, 887.621_135_22), (999, 0.995, 1_117.890_452_68)]
    {
        let found = chi_squared_quantile(freedom, q).expect("a quantile");
        assert!((found / expected - 1.0).abs() < 1e-9, "{freedom} {q}: {found}");
    }
    assert_eq!([chi_squared_quantile(0, 0.5), chi_squared_quantile(5, 1.0)], [None, None]);
}

#[test]
fn moments_keep_a_small_variance_under_a_large_mean() {
    // NIST StRD, NumAcc4: 10000000.2 and 500 pairs of .1 and .3, certified mean 10000000.2, sample deviation 0.1.
    let values: Vec<f64> = std::iter::once(1e7 + 0.2).chain([1e7 + 0.1, 1e7 + 0.3].repeat(500)).collect();
    let moments = Moments::of(&values).expect("values");
    let ulp = 2_f64.powi(-29);
    assert!((moments.mean - 10_000_000.2).abs() <= ulp);
    // Every value is off by at most half a unit of its last place.
    near(moments.variance_sample.expect("a sample"), 0.01, 2.0 * ulp / 0.1);
    near(moments.variance_population, 0.01 * 1000.0 / 1001.0, 2.0 * ulp / 0.1);
    assert_eq!((moments.count, moments.min, moments.max), (1001, 1e7 + 0.1, 1e7 + 0.3));
}

#[test]
fn moments_by_hand() {
    // Deviations -3, -1, -1, -1, 0, 0, 2, 4 from 5: squares sum to 32.
    let moments = Moments::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]).expect("values");
    assert_eq!((moments.mean, moments.variance_population), (5.0, 4.0));
    near(moments.variance_sample.expect("a sample"), 32.0 / 7.0, 1e-15);
    assert_eq!(moments.coefficient_of_variation(), Some(0.4));
    assert_eq!(Moments::of(&[3.0]).expect("a value").variance_sample, None);
    assert_eq!(Moments::of(&[-1.0, 1.0]).expect("values").coefficient_of_variation(), None);
}

#[test]
fn no_answer_is_none() {
    let (nothing, nan, one) = (&[][..], &[1.0, f64::NAN][..], &[1.0][..]);
    for values in [nothing, nan] {
        assert_eq!((Moments::of(values), median(values), quantile(values, 0.5)), (None, None, None));
        assert_eq!((range_of_repetitions(values, 0.9), mean_interval(values, 0.9)), (None, None));
    }
    assert_eq!((mean_interval(one, 0.9), mean_interval(&[1.0, 2.0], 1.0), quantile(one, 1.1)), (None, None, None));
    assert_eq!(
        (binomial_interval(0, 0, 0.9), binomial_interval(2, 1, 0.9), binomial_interval(0, 1, 0.0)),
        (None, None, None)
    );
    assert_eq!(
        (sidak(0.05, 0), sidak(1.0, 2), z_test(1.0, 0.0, 0.0), z_test(f64::NAN, 0.0, 1.0)),
        (None, None, None, None)
    );
    assert_eq!((beta_quantile(0.0, 1.0, 0.5), beta_quantile(1.0, 1.0, f64::NAN)), (None, None));
}

#[test]
fn quantiles_are_type_7() {
    // R: quantile(1:4, 0.4) is 2.2; position 0.4 * 3 = 1.2 from the first.
    near(quantile(&[1.0, 2.0, 3.0, 4.0], 0.4).expect("values"), 2.2, 1e-15);
    assert_eq!((quantile(&[1.0, 5.0], 0.0), quantile(&[1.0, 5.0], 1.0)), (Some(1.0), Some(5.0)));
    assert_eq!((median(&[9.0, 1.0, 2.0]), median(&[4.0, 1.0, 2.0, 9.0])), (Some(2.0), Some(3.0)));
    // 0, 1, ..., 100: the central 90 % lie between 5 and 95.
    let range = range_of_repetitions(&(0..=100).rev().map(f64::from).collect::<Vec<_>>(), 0.9).expect("values");
    near(range.low, 5.0, 1e-14);
    near(range.high, 95.0, 1e-14);
}

#[test]
fn intervals_are_closed() {
    let interval = |low, high| Interval { low, high, level: 0.9 };
    assert!(interval(1.0, 2.0).contains(1.0) && interval(1.0, 2.0).contains(2.0) && !interval(1.0, 2.0).contains(2.1));
    assert!(interval(1.0, 2.0).meets(&interval(2.0, 3.0)) && interval(1.0, 4.0).meets(&interval(2.0, 3.0)));
    assert!(!interval(1.0, 2.0).meets(&interval(2.1, 3.0)) && !interval(2.1, 3.0).meets(&interval(1.0, 2.0)));
}

#[test]
fn resampling_three_values() {
    // The median of three draws from three values is each with probability 7/27, 13/27, 7/27 (Efron 1979, section 3).
    // The quantiles asked for are 0.04 away from the steps of that distribution, nine standard deviations of 10^4
    // resamples.
    let values = [3.0, 1.0, 2.0];
    let of = |drawn: &[usize]| median(&drawn.iter().map(|&at| values[at]).collect::<Vec<_>>());
    let medians = resample(3, 10_000, &mut generator(1), of).expect("medians");
    let range = |level| range_of_repetitions(&medians, level).expect("medians");
    assert_eq!((range(0.4).low, range(0.4).high), (2.0, 2.0));
    assert_eq!((range(0.6).low, range(0.6).high), (1.0, 3.0));
}

#[test]
fn student_by_closed_forms() {
    // One degree of freedom is Cauchy: t = tan(π (p - 1/2)). Mean 1 and standard error 1.
    let interval = mean_interval(&[0.0, 2.0], 0.95).expect("two values");
    near(interval.high, 1.0 + (0.475 * std::f64::consts::PI).tan(), 1e-9);
    near(interval.low, 1.0 - (0.475 * std::f64::consts::PI).tan(), 1e-9);
    // Two: t = (2p - 1) / sqrt(2p (1 - p)). Mean 2 and standard error 1/sqrt(3).
    let interval = mean_interval(&[1.0, 2.0, 3.0], 0.95).expect("three values");
    near(interval.high, 2.0 + 0.95 / (2.0_f64 * 0.975 * 0.025 * 3.0).sqrt(), 1e-9);
}

#[test]
fn binomial_by_closed_forms_and_r() {
    // No success of n: (1 - high)^n = (1 - level)/2.
    let none = binomial_interval(0, 20, 0.95).expect("a proportion");
    assert_eq!(none.low, 0.0);
    near(none.high, 1.0 - 0.025_f64.powf(0.05), 1e-12);
    let all = binomial_interval(20, 20, 0.95).expect("a proportion");
    assert_eq!((all.low, all.high), (1.0 - none.high, 1.0));
    // The example of R's binom.test: 682 of 682 + 243 peas.
    let peas = binomial_interval(682, 925, 0.95).expect("a proportion");
    near(peas.low, 0.707_668_3, 1e-7);
    near(peas.high, 0.765_406_6, 1e-7);
    // SciPy 1.17: scipy.special.betaincinv(5e7, 5e7 + 1, 0.025).
    let large = binomial_interval(50_000_000, 100_000_000, 0.95).expect("a proportion");
    near(large.low, 0.499_901_997, 1e-8);
    assert_eq!(large.low + large.high, 1.0);
}

#[test]
fn binomial_covers_what_it_says() {
    // Exactly, over all outcomes of 30 trials: at least the level, whatever the probability.
    for p in [0.01, 0.1, 0.3, 0.5, 0.77] {
        let binomial = Binomial::new(p, 30).expect("a distribution");
        let covered = (0..=30).filter(|&k| binomial_interval(k, 30, 0.95).expect("a proportion").contains(p));
        let coverage = covered.map(|k| binomial.pmf(k)).sum::<f64>();
        assert!((0.95..=1.0 + 1e-12).contains(&coverage), "{coverage} at {p}");
    }
}

#[test]
fn mean_interval_covers_what_it_says() {
    let mut rng = generator(2);
    let normal = Normal::standard();
    let covers = |_: &u64| {
        let values: Vec<f64> = (0..5).map(|_| normal.inverse_cdf(rng.random::<f64>().max(f64::MIN_POSITIVE))).collect();
        mean_interval(&values, 0.9).expect("five values").contains(0.0)
    };
    assert!(agrees((0..REPETITIONS).filter(covers).count(), 0.9));
}

#[test]
fn tests_by_hand() {
    // 6, 14 and 10 of 30 in thirds: χ² = (16 + 16 + 0)/10. With two degrees of freedom P(> x) = exp(-x/2).
    let test = chi_squared(&[6, 14, 10], &[1.0 / 3.0; 3]).expect("a test");
    assert_eq!(test.degrees_of_freedom, 2);
    near(test.statistic, 3.2, 1e-14);
    near(test.p_high, (-1.6_f64).exp(), 1e-12);
    near(test.p_low, 1.0 - (-1.6_f64).exp(), 1e-12);
    near(test.p_two_sided, 2.0 * (-1.6_f64).exp(), 1e-12);
    let test = g_test(&[6, 14, 10], &[1.0 / 3.0; 3]).expect("a test");
    near(test.statistic, 2.0 * (6.0 * 0.6_f64.ln() + 14.0 * 1.4_f64.ln()), 1e-13);
    near(test.p_high, (-test.statistic / 2.0).exp(), 1e-12);
    // An impossible cell is no degree of freedom; a perfect fit is as even as can be.
    for test in [chi_squared, g_test] {
        let perfect = test(&[5, 0, 5, 10], &[0.25, 0.0, 0.25, 0.5]).expect("a test");
        assert_eq!((perfect.statistic, perfect.degrees_of_freedom, perfect.p_low, perfect.p_high), (0.0, 2, 0.0, 1.0));
    }
}

#[test]
fn bad_tests_are_named() {
    for test in [chi_squared, g_test] {
        assert_eq!(test(&[1], &[0.5, 0.5]), Err(Error::Lengths { observed: 1, expected: 2 }));
        assert_eq!(test(&[1, 2], &[-0.5, 1.5]), Err(Error::NotAShare { cell: 0, share: -0.5 }));
        assert!(matches!(test(&[1, 2], &[0.5, f64::NAN]), Err(Error::NotAShare { cell: 1, .. })));
        assert_eq!(test(&[1, 2], &[0.5, 0.25]), Err(Error::Sum { sum: 0.75 }));
        assert_eq!(test(&[1, 2, 3], &[0.5, 0.0, 0.5]), Err(Error::Impossible { cell: 1, observed: 2 }));
        assert_eq!(test(&[1], &[1.0]), Err(Error::TooFewCells { cells: 1 }));
        assert_eq!(test(&[0, 0], &[0.5, 0.5]), Err(Error::NothingObserved));
    }
}

#[test]
fn true_shares_are_rejected_as_often_as_the_level_says() {
    // 500 expected in a cell: far enough into the asymptotic that its error is below the noise of 2000 repetitions.
    let mut rng = generator(3);
    let mut rejected = [0, 0];
    for _ in 0..REPETITIONS {
        let mut counts = [0_u64; 10];
        (0..5000).for_each(|_| counts[rng.random_range(0..10)] += 1);
        for (rejected, test) in rejected.iter_mut().zip([chi_squared, g_test]) {
            *rejected += usize::from(test(&counts, &[0.1; 10]).expect("a test").p_two_sided < 0.01);
        }
    }
    assert!(rejected.iter().all(|&hits| agrees(hits, 0.01)), "{rejected:?} of {REPETITIONS}");
}

#[test]
fn sequential_keys_through_jump_are_too_even() {
    let test = |keys: u64| {
        let jump = Jump::new(10).expect("a count");
        let mut counts = [0; 10];
        (0..keys).for_each(|key| counts[jump.bucket(key) as usize] += 1);
        chi_squared(&counts, &[0.1; 10]).expect("a test")
    };
    let few = test(1000);
    near(few.statistic / few.degrees_of_freedom as f64, 0.3733, 1e-3);
    assert!(few.p_low < 0.06 && few.p_high > 0.9);
    // What a thousand keys hint at a hundred thousand prove, and a one-sided test would praise.
    let many = test(100_000);
    assert!(many.p_two_sided < 0.001 && many.p_high > 0.999);
}

#[test]
fn thresholds_and_z() {
    near(1.0 - (1.0 - sidak(0.05, 10).expect("tests")).powi(10), 0.05, 1e-13);
    assert_eq!(sidak(0.05, 1).map(|alpha| (alpha - 0.05).abs() < 1e-17), Some(true));
    // The 97.5 % quantile of the normal distribution, to the digits of the tables.
    near(z_test(11.959_963_985, 10.0, 1.0).expect("a test"), 0.05, 1e-8);
    assert_eq!((z_test(1.0, 1.0, 2.0), z_test(0.0, 1.0, 0.5)), (Some(1.0), z_test(2.0, 1.0, 0.5)));
}

#[test]
fn harmonic_numbers() {
    assert_eq!([harmonic(0), harmonic(1), harmonic(2)], [0.0, 1.0, 1.5]);
    near(harmonic(10), 7381.0 / 2520.0, 1e-15);
    // Where the sum gives way to the expansion the two differ by one term, but for the 10^7 roundings of the sum: a
    // random walk of √(10^7) steps of at most half a unit in the last place of 16, 2^-50.
    let limit = 10_000_000;
    assert!(
        (harmonic(limit + 1) - harmonic(limit) - 1.0 / (limit + 1) as f64).abs() < 1e7_f64.sqrt() * 2_f64.powi(-50)
    );
}

#[test]
fn geometric_means() {
    let interval = |low, high| Interval { low, high, level: 0.95 };
    let (mean, found) = geometric_mean(&[(2.0, interval(1.0, 4.0)), (8.0, interval(8.0, 8.0))]).expect("positive");
    near(mean, 4.0, 1e-15);
    // Half of ln 2 on either side: the other value has no error, and each counts half.
    near(found.low, 4.0 / 2.0_f64.sqrt(), 1e-15);
    near(found.high, 4.0 * 2.0_f64.sqrt(), 1e-15);
    assert_eq!(geometric_mean(&[]), None);
    assert_eq!(geometric_mean(&[(-1.0, interval(-2.0, 1.0))]), None);
}

#[test]
fn lines() {
    let fit = linear_fit(&[(1.0, 5.0), (2.0, 7.0), (4.0, 11.0)]).expect("a line");
    for (value, expected) in [(fit.slope, 2.0), (fit.intercept, 3.0), (fit.r_squared, 1.0)] {
        near(value, expected, 1e-14);
    }
    // (0, 0), (1, 1), (2, 0): the best line is flat and explains nothing.
    let flat = linear_fit(&[(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)]).expect("a line");
    assert!(flat.slope.abs() < 1e-15 && flat.r_squared.abs() < 1e-15 && (flat.intercept - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!([linear_fit(&[(1.0, 1.0)]), linear_fit(&[(1.0, 1.0), (1.0, 2.0)])], [None, None]);
}
