//! How many random values a look-up draws, exactly, if they are independent and uniform.

use super::{BACK, BACK32, JUMP};

/// Moments of the number of draws.
#[derive(Debug, Clone, Copy)]
pub struct Draws {
    /// Mean.
    pub mean: f64,
    /// Variance.
    pub variance: f64,
    /// Fourth central moment less three squared variances.
    pub fourth_cumulant: f64,
    /// The fewest draws.
    pub least: f64,
}

impl Draws {
    /// The variance of the mean of so many keys.
    pub fn of_mean(&self, keys: f64) -> f64 {
        self.variance / keys
    }

    /// The variance of the variance of so many keys, to first order: (κ4 + 2σ⁴)/N.
    pub fn of_variance(&self, keys: f64) -> f64 {
        (self.fourth_cumulant + 2.0 * self.variance * self.variance) / keys
    }

    /// Whether each key draws one of two numbers with probability 1/2 each: then κ4 = -2σ⁴, and the sample's variance
    /// follows from its mean.
    pub fn is_a_fair_coin(&self) -> bool {
        self.variance > 0.0 && self.of_variance(1.0) < 1e-9
    }

    /// The variance of a sample of two neighbouring numbers that has this mean.
    pub fn variance_of_two(&self, mean: f64) -> f64 {
        (mean - self.least) * (self.least + 1.0 - mean)
    }
}

/// The draws of one of the three at `n` buckets, 2 or more.
pub fn draws(id: &str, n: u32) -> Option<Draws> {
    match id {
        JUMP => Some(jump(n)),
        BACK | BACK32 if n < 2 => None,
        BACK => Some(back(n, |above| 1.0 - above * above, 1.0)),
        BACK32 => Some(back(n, |above| 1.0 - above, 2.0)),
        _ => None,
    }
}

/// Jump stops at each i ≤ n with probability 1/i, independently: cumulants of Bernoulli variables add up.
fn jump(n: u32) -> Draws {
    let [mut mean, mut variance, mut fourth_cumulant] = [0.0; 3];
    for i in (1..=n).rev() {
        let p = 1.0 / f64::from(i);
        let v = p * (1.0 - p);
        mean += p;
        variance += v;
        fourth_cumulant += v * (1.0 - 6.0 * v);
    }
    Draws { mean, variance, fourth_cumulant, least: 1.0 }
}

/// JumpBackHash draws `least`, and with probability p = 1 - 1/α, the first candidate's being at n or above, geometrically
/// many more: each such draw has a candidate, or two of them, that ends the search with probability `success`.
fn back(n: u32, success: impl Fn(f64) -> f64, least: f64) -> Draws {
    let alpha = f64::from(n.next_power_of_two()) / f64::from(n);
    let p = 1.0 - 1.0 / alpha;
    let s = success(p);
    let first = p / s;
    let second = p * (2.0 - s) / s.powi(2);
    let third = p * (s * s - 6.0 * s + 6.0) / s.powi(3);
    let fourth = p * (2.0 - s) * (12.0 - 12.0 * s + s * s) / s.powi(4);
    let variance = second - first * first;
    let central = fourth - 4.0 * first * third + 6.0 * first.powi(2) * second - 3.0 * first.powi(4);
    Draws { mean: least + first, variance, fourth_cumulant: central - 3.0 * variance * variance, least }
}

/// Sizes between which a curve over 2 to 2^20 shows its jumps after powers of two.
pub fn curve() -> Vec<u32> {
    let of_power = |power: u32| {
        let n = 1_u32 << power;
        [n, n + 1].into_iter().chain((1..8).map(move |eighth| n + n * eighth / 8))
    };
    let mut sizes: Vec<u32> = (1..20).flat_map(of_power).collect();
    sizes.sort_unstable();
    sizes.dedup();
    sizes
}
