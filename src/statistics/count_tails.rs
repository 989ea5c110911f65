//! Exact tails of counts, for tests of a single bucket where chi-squared is only asymptotic or does not apply.

/// The distribution of a count of 0..=trials: P(X ≤ k) and P(X ≥ k) of every k, each summed from its own end so that small
/// tails keep their digits.
#[derive(Debug, Clone)]
pub struct CountTails {
    at_most: Vec<f64>,
    at_least: Vec<f64>,
}

impl CountTails {
    /// Of independent trials. `None` unless 0 < `probability` < 1.
    #[must_use]
    pub fn binomial(trials: u32, probability: f64) -> Option<Self> {
        let odds = probability / (1.0 - probability);
        let n = f64::from(trials);
        (probability > 0.0 && probability < 1.0).then(|| Self::of(trials, |k| (n - k) / (k + 1.0) * odds))
    }

    /// Of trials whose common probability is itself drawn, Beta(`a`, `b`): the keys in a random arc of a ring. `None` unless
    /// both are positive and finite.
    #[must_use]
    pub fn beta_binomial(trials: u32, a: f64, b: f64) -> Option<Self> {
        let n = f64::from(trials);
        let positive = |x: f64| x > 0.0 && x.is_finite();
        (positive(a) && positive(b)).then(|| Self::of(trials, |k| (n - k) / (k + 1.0) * ((a + k) / (b + n - k - 1.0))))
    }

    /// From P(X = k + 1) / P(X = k): the sum of all is 1, which makes the constant in front needless.
    fn of(trials: u32, ratio: impl Fn(f64) -> f64) -> Self {
        let logarithms: Vec<f64> = std::iter::once(0.0)
            .chain((0..trials).scan(0.0, |sum, k| {
                *sum += ratio(f64::from(k)).ln();
                Some(*sum)
            }))
            .collect();
        let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let terms = || logarithms.iter().map(|logarithm| (logarithm - largest).exp());
        let total: f64 = terms().sum();
        let sums = |sum: &mut f64, term: f64| {
            *sum += term / total;
            Some(sum.min(1.0))
        };
        let at_most = terms().scan(0.0, sums).collect();
        let mut at_least: Vec<f64> = terms().rev().scan(0.0, sums).collect();
        at_least.reverse();
        Self { at_most, at_least }
    }

    /// P(X ≤ `count`); 1 beyond the trials.
    #[must_use]
    pub fn at_most(&self, count: u64) -> f64 {
        usize::try_from(count).ok().and_then(|count| self.at_most.get(count)).copied().unwrap_or(1.0)
    }

    /// P(X ≥ `count`); 0 beyond the trials.
    #[must_use]
    pub fn at_least(&self, count: u64) -> f64 {
        usize::try_from(count).ok().and_then(|count| self.at_least.get(count)).copied().unwrap_or(0.0)
    }

    /// min(1, 2 min(P(X ≤ `count`), P(X ≥ `count`))).
    #[must_use]
    pub fn two_sided(&self, count: u64) -> f64 {
        (2.0 * self.at_most(count).min(self.at_least(count))).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, right: f64) {
        assert!((found / right - 1.0).abs() < 1e-9, "{found}, not {right}");
    }

    #[test]
    fn binomial_by_hand() {
        let tails = CountTails::binomial(3, 0.25).expect("a distribution");
        close(tails.at_most(0), 27.0 / 64.0);
        close(tails.at_least(2), 10.0 / 64.0);
        close(tails.two_sided(3), 2.0 / 64.0);
        assert_eq!((tails.at_most(4), tails.at_least(4), tails.two_sided(4)), (1.0, 0.0, 0.0));
        close(CountTails::binomial(10_000, 0.01).expect("a distribution").at_most(0), 0.99_f64.powi(10_000));
    }

    #[test]
    fn a_uniform_probability_makes_all_counts_alike() {
        let tails = CountTails::beta_binomial(100_000, 1.0, 1.0).expect("a distribution");
        for count in [0, 7, 50_000, 100_000] {
            close(tails.at_most(count), (count + 1) as f64 / 100_001.0);
            close(tails.at_least(count), (100_001 - count) as f64 / 100_001.0);
        }
    }

    #[test]
    fn one_point_a_bucket() {
        // Beta(1, b): P(X = 0) = b / (b + n).
        close(CountTails::beta_binomial(10_000, 1.0, 99.0).expect("a distribution").at_most(0), 99.0 / 10_099.0);
    }

    #[test]
    fn five_points_a_bucket() {
        // P(X = 0) = B(a, b + n) / B(a, b).
        use statrs::function::beta::ln_beta;
        let (a, b, n) = (5.0, 45.0, 100_000);
        let none = (ln_beta(a, b + f64::from(n)) - ln_beta(a, b)).exp();
        close(CountTails::beta_binomial(n, a, b).expect("a distribution").at_most(0), none);
    }

    #[test]
    fn no_distribution() {
        assert!([0.0, 1.0, -0.5, f64::NAN].iter().all(|&p| CountTails::binomial(5, p).is_none()));
        assert!([0.0, -1.0, f64::NAN, f64::INFINITY].iter().all(|&a| CountTails::beta_binomial(5, a, 1.0).is_none()));
    }
}
