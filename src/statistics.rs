//! The statistics that every experiment shares: summaries, intervals and tests. Pure functions; distributions are
//! statrs's.
//!
//! One convention for all of them: `None` means that the answer does not exist, because there are too few values, one
//! of them is not finite, or a level or a probability lies outside its range; whatever is returned is a number, never
//! NaN. Only the tests of shares have a typed [`Error`], because they can be asked wrongly in more than one way. Levels
//! and probabilities are fractions (0.99, not 99); variances are in squared units of the values.

mod count_tails;
mod exact_counts;
mod runs;

use serde::{Deserialize, Serialize};
use statrs::distribution::{Beta, Binomial, ChiSquared, ContinuousCDF, Discrete, Normal};

pub use count_tails::CountTails;
pub use exact_counts::{CountsTest, test_of_counts, test_of_two_samples};
pub use runs::{RunValue, Runs, of_runs, resample};

/// How far the sum of shares may be from 1 by rounding.
pub const SHARES_TOLERANCE: f64 = 1e-9;

/// Count, extremes, mean and both variances of a sample, by two passes with the correction of Chan, Golub & LeVeque
/// 1983, so that a large mean does not swallow a small variance.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Moments {
    pub count: usize,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    /// Divided by the count: the values are all there are.
    pub variance_population: f64,
    /// Divided by the count less one: the values are a sample. `None` for a single value.
    pub variance_sample: Option<f64>,
}

impl Moments {
    /// The moments of at least one value.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        if !usable(values) {
            return None;
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let (sum, squares) = values.iter().map(|x| x - mean).fold((0.0, 0.0), |(s, q), d| (s + d, q + d * d));
        let squares = (squares - sum * sum / count).max(0.0);
        Some(Self {
            count: values.len(),
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            mean: mean + sum / count,
            variance_population: squares / count,
            variance_sample: (values.len() > 1).then(|| squares / (count - 1.0)),
        })
    }

    /// Population standard deviation over the mean, the σ/μ of the literature. `None` at mean zero.
    #[must_use]
    pub fn coefficient_of_variation(&self) -> Option<f64> {
        (self.mean != 0.0).then(|| self.variance_population.sqrt() / self.mean)
    }
}

fn usable(values: &[f64]) -> bool {
    !values.is_empty() && values.iter().all(|x| x.is_finite())
}

fn ascending(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    sorted
}

/// The `q` quantile of ascending values by linear interpolation: type 7 of Hyndman & Fan 1996, the default of R and
/// NumPy.
#[must_use]
pub fn quantile(sorted: &[f64], q: f64) -> Option<f64> {
    if !usable(sorted) || !(0.0..=1.0).contains(&q) {
        return None;
    }
    debug_assert!(sorted.is_sorted(), "quantile() wants ascending values");
    let at = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some((high - low).mul_add(at.fract(), low))
}

/// The median of values in any order.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quantile(&ascending(values), 0.5)
}

/// A closed interval with its confidence, or the fraction that it covers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    pub low: f64,
    pub high: f64,
    pub level: f64,
}

impl Interval {
    /// Whether `value` lies inside or on an end.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Whether the two have a value in common.
    #[must_use]
    pub fn meets(&self, other: &Self) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}

/// The two tails that a level leaves, each half of the rest. `None` unless 0 < level < 1.
fn tail(level: f64) -> Option<f64> {
    (level > 0.0 && level < 1.0).then_some((1.0 - level) / 2.0)
}

/// The range that holds the central `level` of repeated measurements: it describes the repetitions, not their mean.
#[must_use]
pub fn range_of_repetitions(values: &[f64], level: f64) -> Option<Interval> {
    let (sorted, tail) = (ascending(values), tail(level)?);
    Some(Interval { low: quantile(&sorted, tail)?, high: quantile(&sorted, 1.0 - tail)?, level })
}

/// The geometric mean of positive values that were measured apart, and its interval: on a logarithmic scale the
/// distances to the ends of the values' own intervals add up as independent errors do.
#[must_use]
pub fn geometric_mean(values: &[(f64, Interval)]) -> Option<(f64, Interval)> {
    let count = values.len() as f64;
    let level = values.iter().map(|(_, interval)| interval.level).min_by(f64::total_cmp)?;
    let mean = values.iter().map(|(value, _)| value.ln()).sum::<f64>() / count;
    let error = |end: fn(&Interval) -> f64| {
        values.iter().map(|(value, interval)| (end(interval) / value).ln().powi(2)).sum::<f64>().sqrt() / count
    };
    let (below, above) = (error(|interval| interval.low), error(|interval| interval.high));
    let interval = Interval { low: (mean - below).exp(), high: (mean + above).exp(), level };
    (mean.is_finite() && below.is_finite() && above.is_finite()).then_some((mean.exp(), interval))
}

/// A straight line through points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LinearFit {
    pub slope: f64,
    pub intercept: f64,
    /// Fraction of the variance of y that the line explains.
    pub r_squared: f64,
}

/// The line of least squares through points (x, y) that share neither their x nor their y.
#[must_use]
pub fn linear_fit(points: &[(f64, f64)]) -> Option<LinearFit> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (x_moments, y_moments) = (Moments::of(&x)?, Moments::of(&y)?);
    let products = points.iter().map(|(x, y)| (x - x_moments.mean) * (y - y_moments.mean));
    let covariance = products.sum::<f64>() / points.len() as f64;
    let slope = covariance / x_moments.variance_population;
    let r_squared = slope * covariance / y_moments.variance_population;
    let fit = LinearFit { slope, intercept: slope.mul_add(-x_moments.mean, y_moments.mean), r_squared };
    (fit.slope.is_finite() && fit.r_squared.is_finite()).then_some(fit)
}

/// Student's interval for the mean of at least two values.
#[must_use]
pub fn mean_interval(values: &[f64], level: f64) -> Option<Interval> {
    let Moments { count, mean, variance_sample, .. } = Moments::of(values)?;
    let half = student_t(count as u64 - 1, level)? * (variance_sample? / count as f64).sqrt();
    half.is_finite().then_some(Interval { low: mean - half, high: mean + half, level })
}

/// How far from zero on both sides the central `level` of Student's distribution reaches.
#[must_use]
pub fn student_t(freedom: u64, level: f64) -> Option<f64> {
    tail(level)?;
    let freedom = freedom as f64;
    // t²/(f + t²) is Beta(1/2, f/2), and statrs's own inverse is 3e-4 off at 10^6 degrees of freedom.
    let y = beta_quantile(0.5, freedom / 2.0, level)?;
    Some((freedom * y / (1.0 - y)).sqrt()).filter(|t| t.is_finite())
}

/// The exact interval of Clopper & Pearson 1934 for the probability behind `successes` of `trials`.
#[must_use]
pub fn binomial_interval(successes: u64, trials: u64, level: f64) -> Option<Interval> {
    let tail = tail(level)?;
    if trials == 0 || successes > trials {
        return None;
    }
    let low = least_probability(successes, trials, tail);
    let high = 1.0 - least_probability(trials - successes, trials, tail);
    Some(Interval { low, high, level })
}

/// The probability of success at which `successes` or more of `trials` have the probability `tail` < 1/2.
///
/// The tail is summed term by term: the incomplete beta function that is its closed form stops after 140
/// terms in statrs, too few near the centre from 10^6 trials on.
fn least_probability(successes: u64, trials: u64, tail: f64) -> f64 {
    let (k, n) = (successes, trials);
    // An integer mean is the median, so that the answer lies below k/n, where the terms of the tail fall.
    bisect(0.0, k as f64 / n as f64, |p| {
        let first = Binomial::new(p, n).map_or(0.0, |binomial| binomial.pmf(k));
        let ratio = |i: u64| (n - i) as f64 / (i + 1) as f64 * (p / (1.0 - p));
        let terms = (k..n).scan(1.0, |term, i| {
            *term *= ratio(i);
            (*term > f64::EPSILON).then_some(*term)
        });
        first * (1.0 + terms.sum::<f64>()) < tail
    })
}

/// The quantile of the Beta(a, b) distribution, by bisection on its cdf: within 1e-7 of itself for min(a, b) up to
/// 10^5. (The Newton iteration of statrs 0.19 can stop early: its 0.975 quantile of Beta(1, 10^6) is 1.3e-4 too low.)
#[must_use]
pub fn beta_quantile(a: f64, b: f64, q: f64) -> Option<f64> {
    let beta = Beta::new(a, b).ok().filter(|_| (0.0..=1.0).contains(&q))?;
    Some(bisect(0.0, 1.0, |x| beta.cdf(x) < q))
}

/// The probability that a value of the Beta(a, b) distribution is at most `x`.
#[must_use]
pub fn beta_probability(a: f64, b: f64, x: f64) -> Option<f64> {
    Beta::new(a, b).ok().map(|beta| beta.cdf(x))
}

/// The quantile of the chi-squared distribution with `freedom` degrees of freedom.
#[must_use]
pub fn chi_squared_quantile(freedom: u64, q: f64) -> Option<f64> {
    let distribution = ChiSquared::new(freedom as f64).ok().filter(|_| (0.0..1.0).contains(&q))?;
    // Chernoff: beyond this the distribution ends for every q that a double can tell from 1.
    Some(bisect(0.0, 4.0 * freedom as f64 + 200.0, |x| distribution.cdf(x) < q))
}

/// The probability that a value of the chi-squared distribution with `freedom` degrees of freedom is at most `x`.
#[must_use]
pub fn chi_squared_probability(freedom: u64, x: f64) -> Option<f64> {
    ChiSquared::new(freedom as f64).ok().map(|distribution| distribution.cdf(x))
}

/// The standard error that an interval of a normal mean stands for.
#[must_use]
pub fn normal_error(interval: Interval) -> Option<f64> {
    Some((interval.high - interval.low) / 2.0 / chi_squared_quantile(1, interval.level)?.sqrt())
}

/// Where `below` turns from true to false between two ends, to the last bit.
fn bisect(mut low: f64, mut high: f64, below: impl Fn(f64) -> bool) -> f64 {
    loop {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            return high;
        }
        if below(middle) { low = middle } else { high = middle }
    }
}

/// Counts and shares that no test can compare.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Counts and shares of different lengths.
    #[error("{observed} counts but {expected} expected shares: give one share for each count")]
    Lengths { observed: usize, expected: usize },
    /// A share below 0, above 1 or not a number.
    #[error("cell {cell}: an expected share of {share}, but shares lie in 0..=1")]
    NotAShare { cell: usize, share: f64 },
    /// Shares that leave out a cell, or are not normalised.
    #[error("the expected shares sum to {sum}: they must sum to 1 within {SHARES_TOLERANCE:e}")]
    Sum { sum: f64 },
    /// A count that the expected shares rule out.
    #[error("cell {cell}: {observed} observed where none can be, as its expected share is 0")]
    Impossible { cell: usize, observed: u64 },
    /// Nothing to compare: a single cell gets everything.
    #[error("{cells} cells with a share above 0: a test needs at least 2")]
    TooFewCells { cells: usize },
    /// Counts that are all zero.
    #[error("nothing observed: all counts are 0")]
    NothingObserved,
}

/// A test of counts against expected shares, in both directions: too uneven (`p_high` small) and too even (`p_low`
/// small), as when the keys are not independent draws.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Test {
    pub statistic: f64,
    /// Cells with an expected share above 0, less one.
    pub degrees_of_freedom: u64,
    /// Probability of a statistic at most this large.
    pub p_low: f64,
    /// Probability of a statistic at least this large.
    pub p_high: f64,
    /// min(1, 2 min(p_low, p_high)).
    pub p_two_sided: f64,
}

/// Pearson's test, Σ (observed - expected)² / expected. Its distribution is asymptotic: expect 5 or more in a cell.
///
/// # Errors
/// [`Error`], each variant.
pub fn chi_squared(observed: &[u64], expected_shares: &[f64]) -> Result<Test, Error> {
    test_of_shares(observed, expected_shares, |observed, expected| (observed - expected).powi(2) / expected)
}

/// The likelihood-ratio test, 2 Σ observed ln(observed / expected) (Woolf 1957). Asymptotic as [`chi_squared`] is.
///
/// # Errors
/// [`Error`], each variant.
pub fn g_test(observed: &[u64], expected_shares: &[f64]) -> Result<Test, Error> {
    test_of_shares(observed, expected_shares, |observed, expected| {
        // The linear part sums to zero over the cells, and keeps every term positive whatever the rounding of the
        // shares.
        let logarithm = if observed > 0.0 { observed * (observed / expected).ln() } else { 0.0 };
        (2.0 * (logarithm - (observed - expected))).max(0.0)
    })
}

/// Checks that counts and shares can be compared; how many cells have a share above 0, and the sum of the counts.
fn validated(observed: &[u64], shares: &[f64]) -> Result<(usize, f64), Error> {
    if observed.len() != shares.len() {
        return Err(Error::Lengths { observed: observed.len(), expected: shares.len() });
    }
    if let Some((cell, &share)) = shares.iter().enumerate().find(|(_, share)| !(0.0..=1.0).contains(*share)) {
        return Err(Error::NotAShare { cell, share });
    }
    let cells = shares.iter().filter(|&&share| share > 0.0).count();
    if cells < 2 {
        return Err(Error::TooFewCells { cells });
    }
    let sum: f64 = shares.iter().sum();
    if (sum - 1.0).abs() > SHARES_TOLERANCE {
        return Err(Error::Sum { sum });
    }
    let pairs = observed.iter().copied().zip(shares.iter().copied());
    if let Some((cell, (observed, _))) = pairs.enumerate().find(|&(_, (count, share))| count > 0 && share == 0.0) {
        return Err(Error::Impossible { cell, observed });
    }
    let total = observed.iter().map(|&count| count as f64).sum::<f64>();
    if total == 0.0 {
        return Err(Error::NothingObserved);
    }
    Ok((cells, total))
}

fn test_of_shares(observed: &[u64], shares: &[f64], term: impl Fn(f64, f64) -> f64) -> Result<Test, Error> {
    let (cells, total) = validated(observed, shares)?;
    let possible = observed.iter().zip(shares).filter(|&(_, &share)| share > 0.0);
    let statistic = possible.map(|(&count, &share)| term(count as f64, total * share)).sum();
    let distribution = ChiSquared::new((cells - 1) as f64).expect("at least one degree of freedom");
    let (p_low, p_high) = (distribution.cdf(statistic), distribution.sf(statistic));
    let p_two_sided = (2.0 * p_low.min(p_high)).min(1.0);
    Ok(Test { statistic, degrees_of_freedom: cells as u64 - 1, p_low, p_high, p_two_sided })
}

/// The threshold for each of `tests` independent tests at which any of them fails by chance with probability `alpha`
/// (Šidák 1967): 1 - (1 - alpha)^(1/tests).
#[must_use]
pub fn sidak(alpha: f64, tests: u64) -> Option<f64> {
    (tests > 0 && (0.0..1.0).contains(&alpha)).then(|| -((-alpha).ln_1p() / tests as f64).exp_m1())
}

/// The p of the least of `tests` independent ones: 1 - (1 - p)^tests, the inverse of [`sidak`].
fn sidak_adjusted(p: f64, tests: u64) -> f64 {
    if p < 1.0 { -(tests as f64 * (-p).ln_1p()).exp_m1() } else { 1.0 }
}

/// The two-sided p of a mean whose standard error is known.
#[must_use]
pub fn z_test(mean: f64, expected: f64, standard_error: f64) -> Option<f64> {
    let z = (mean - expected).abs() / standard_error;
    (standard_error > 0.0 && z.is_finite()).then(|| (2.0 * Normal::standard().sf(z)).min(1.0))
}

/// The harmonic number H_n = 1 + 1/2 + ... + 1/n: summed up to 10^7, beyond by its expansion
/// ln n + γ + 1/(2n) - 1/(12n²), whose next term is below 10^-30.
#[must_use]
pub fn harmonic(n: u64) -> f64 {
    if n <= 10_000_000 {
        // The smallest first, so that they are not lost against the sum.
        return (1..=n).rev().map(|k| 1.0 / k as f64).sum();
    }
    let n = n as f64;
    n.ln() + statrs::consts::EULER_MASCHERONI + 1.0 / (2.0 * n) - 1.0 / (12.0 * n * n)
}

#[cfg(test)]
mod tests;
