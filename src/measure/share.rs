//! What share of the keys each bucket gets: exactly where that can be computed, by counting keys where it cannot.
//!
//! A share is a fraction of the key space, so that the shares of all buckets, in the order of their numbers, sum to 1.
//! The exact functions count in integers and round once, at the end: their results are the shares of the algorithm
//! itself, with no sampling noise. [`Balance`] summarises shares; [`ring_cv`] and [`ring_quantile`] are what theory
//! says of a ring.

use serde::{Deserialize, Serialize};

use crate::algorithms::Partitioner;
use crate::statistics::{SHARES_TOLERANCE, beta_quantile, quantile};

/// Points, counts or shares that describe no partition.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A bucket number too large, of a point or of a key.
    #[error("bucket {bucket}: outside 0..{buckets}")]
    OutOfRange { bucket: u32, buckets: u32 },
    /// A ring without points.
    #[error("no points: on an empty ring no bucket has a share")]
    NoPoints,
    /// Points out of order.
    #[error("point {position} comes after point {previous}: give the points in ascending order")]
    NotAscending { previous: u64, position: u64 },
    /// No buckets, no keys, a negative share, or a bucket left out.
    #[error("the shares of {buckets} buckets sum to {sum}: they must sum to 1, every bucket counted")]
    NotShares { buckets: usize, sum: f64 },
}

/// The bit that stands for 1 in the fixed point of [`jump_shares`].
const ONE_BIT: u32 = 127;

/// Figure 1 draws 31 bits.
const DRAW_BITS: u32 = 31;

/// The exact shares on a ring of 2^64 positions under the rule "the first point at or after the key, past the last the
/// first": see [`RingSorted64::ring`](crate::algorithms::RingSorted64::ring) for its points (position, bucket).
///
/// A point owns the positions after the previous point up to its own, the first point also those past the last; of
/// points at one position the first in order owns them all. A bucket without a point has share 0.
///
/// # Errors
/// [`Error::NoPoints`], [`Error::NotAscending`], [`Error::OutOfRange`].
pub fn ring_shares64(points: impl IntoIterator<Item = (u64, u32)>, buckets: u32) -> Result<Vec<f64>, Error> {
    ring_shares(points, buckets, 64)
}

/// The same as [`ring_shares64`] on a circle of 2^32 positions.
///
/// # Errors
/// [`Error::NoPoints`], [`Error::NotAscending`], [`Error::OutOfRange`].
pub fn ring_shares32(points: impl IntoIterator<Item = (u32, u32)>, buckets: u32) -> Result<Vec<f64>, Error> {
    ring_shares(points.into_iter().map(|(position, bucket)| (u64::from(position), bucket)), buckets, 32)
}

fn ring_shares(points: impl IntoIterator<Item = (u64, u32)>, buckets: u32, bits: u32) -> Result<Vec<f64>, Error> {
    Ok(ring_arcs(points, buckets, 1 << bits)?.into_iter().map(|arc| fraction(arc, bits)).collect())
}

/// The number of positions that each bucket owns; they sum to the circumference.
fn ring_arcs(
    points: impl IntoIterator<Item = (u64, u32)>,
    buckets: u32,
    circumference: u128,
) -> Result<Vec<u128>, Error> {
    let mut arcs = vec![0_u128; buckets as usize];
    let mut points = points.into_iter().peekable();
    let &(first, heir) = points.peek().ok_or(Error::NoPoints)?;
    let mut previous = first;
    for (position, bucket) in points {
        let arc = arcs.get_mut(bucket as usize).ok_or(Error::OutOfRange { bucket, buckets })?;
        *arc += u128::from(position.checked_sub(previous).ok_or(Error::NotAscending { previous, position })?);
        previous = position;
    }
    // From the last point all the way round to the first, inclusive.
    arcs[heir as usize] += circumference - u128::from(previous - first);
    Ok(arcs)
}

/// count / 2^bits, rounded once: the division by a power of two is exact.
fn fraction(count: u128, bits: u32) -> f64 {
    count as f64 / 2_f64.powi(bits as i32)
}

/// The exact shares of [`Jump`](crate::algorithms::Jump), Figure 1 of Lamping & Veach 2014, if its generator's draws
/// are independent and uniform over 31 bits: they are *not* all 1/n, because 2^31 draws cannot be divided evenly.
///
/// From bucket b the next jump reaches i > b or more for exactly floor((b + 1) 2^31 / i) of the 2^31 draws. The
/// probability of a visit to each bucket follows from those before it, in O(n²) time; 96 fractional bits leave an error
/// of n 2^-96.
#[must_use]
pub fn jump_shares(buckets: u32) -> Vec<f64> {
    // Of each bucket: the probability of a visit, and how many of the draws made there do not leave 0..i as i grows.
    let mut cells: Vec<(u128, u64)> = Vec::new();
    for new in 0..u64::from(buckets) {
        let mut arriving = 0;
        for (bucket, (visits, staying)) in (0_u64..).zip(&mut cells) {
            let still = ((bucket + 1) << DRAW_BITS) / (new + 1);
            arriving += *visits * u128::from(*staying - still);
            *staying = still;
        }
        let visits = if new == 0 { 1 << (ONE_BIT - DRAW_BITS) } else { arriving >> DRAW_BITS };
        cells.push((visits, 1 << DRAW_BITS));
    }
    cells.into_iter().map(|(visits, staying)| fraction(visits * u128::from(staying), ONE_BIT)).collect()
}

/// The exact shares of a uniform 64-bit hash modulo `buckets`: the lower 2^64 mod n buckets have one hash value more.
#[must_use]
pub fn modulo_shares(buckets: u32) -> Vec<f64> {
    let n = u128::from(buckets);
    (0..n).map(|bucket| fraction((1 << 64) / n + u128::from(bucket < (1 << 64) % n), 64)).collect()
}

/// How many of the keys each of `buckets` buckets gets.
///
/// # Errors
/// [`Error::OutOfRange`] if a key's bucket is not in `0..buckets`.
pub fn sampled_counts(
    partitioner: &dyn Partitioner,
    keys: impl IntoIterator<Item = u64>,
    buckets: u32,
) -> Result<Vec<u64>, Error> {
    let mut counts = vec![0; buckets as usize];
    for key in keys {
        let bucket = partitioner.bucket(key);
        *counts.get_mut(bucket as usize).ok_or(Error::OutOfRange { bucket, buckets })? += 1;
    }
    Ok(counts)
}

/// How even shares are. Every bucket counts, also one without keys; the mean share is 1/n.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// Population standard deviation over the mean, σ/μ.
    pub cv: f64,
    /// The largest share over the mean.
    pub peak_to_average: f64,
    /// The smallest share over the mean.
    pub least_to_average: f64,
    /// The 0.5 % quantile of share over mean.
    pub q005: f64,
    /// The 99.5 % quantile of share over mean.
    pub q995: f64,
    /// The fraction of the buckets at least 8 % larger or smaller than the average.
    pub outside_8_percent: f64,
}

impl Balance {
    /// The balance of exact shares, one for each bucket.
    ///
    /// # Errors
    /// [`Error::NotShares`] if there are none, one is negative, or they do not sum to 1 within 1e-9.
    pub fn of_shares(shares: &[f64]) -> Result<Self, Error> {
        let (buckets, sum) = (shares.len(), shares.iter().sum::<f64>());
        let wrong = Error::NotShares { buckets, sum };
        if !((sum - 1.0).abs() <= SHARES_TOLERANCE && shares.iter().all(|&share| share >= 0.0)) {
            return Err(wrong);
        }
        let n = buckets as f64;
        // share / (1/n) - 1 in one rounding: the shares of jump differ from the mean in their last digits only.
        let mut deviations: Vec<f64> = shares.iter().map(|share| share.mul_add(n, -1.0)).collect();
        deviations.sort_unstable_by(f64::total_cmp);
        let to_average = |q| quantile(&deviations, q).map(|deviation| 1.0 + deviation).ok_or(wrong);
        // 8 % exactly is outside, and must not be lost to a rounding.
        let outside = deviations.iter().filter(|deviation| deviation.abs() >= 0.08 - 1e-12).count();
        Ok(Self {
            cv: (deviations.iter().map(|deviation| deviation * deviation).sum::<f64>() / n).sqrt(),
            peak_to_average: to_average(1.0)?,
            least_to_average: to_average(0.0)?,
            q005: to_average(0.005)?,
            q995: to_average(0.995)?,
            outside_8_percent: outside as f64 / n,
        })
    }

    /// The balance of counted keys, one count for each bucket; the noise of the sample is in it.
    ///
    /// # Errors
    /// [`Error::NotShares`] if there are no buckets or no keys.
    pub fn of_counts(counts: &[u64]) -> Result<Self, Error> {
        let keys = counts.iter().sum::<u64>().max(1) as f64;
        Self::of_shares(&counts.iter().map(|&count| count as f64 / keys).collect::<Vec<_>>())
    }
}

/// σ/μ on a ring of `buckets` buckets with `points` random points each, √((n - 1)/(n v + 1)), the root of its mean
/// square over rings. The share of a bucket is Beta(v, (n - 1) v), as every sum of v of the n v spacings of uniform
/// points (David & Nagaraja 2003, section 6.4). `None` without buckets or points.
#[must_use]
pub fn ring_cv(buckets: u32, points: u32) -> Option<f64> {
    let (n, v) = (f64::from(buckets), f64::from(points));
    (buckets > 0 && points > 0).then(|| ((n - 1.0) / n.mul_add(v, 1.0)).sqrt())
}

/// The `q` quantile of share over mean of one bucket on such a ring. `None` without buckets or points, or q outside
/// 0..=1.
#[must_use]
pub fn ring_quantile(buckets: u32, points: u32, q: f64) -> Option<f64> {
    let (n, v) = (f64::from(buckets), f64::from(points));
    match buckets {
        1 if points > 0 && (0.0..=1.0).contains(&q) => Some(1.0),
        _ => Some(n * beta_quantile(v, (n - 1.0) * v, q)?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::Mix;
    use crate::algorithms::{Jump, RingSorted32, RingSorted64};
    use crate::statistics::chi_squared;

    #[test]
    fn arcs_of_a_small_circle() {
        // Sixteen positions: bucket 0 owns 3..=5 and, wrapped, 13..=15 and 0..=2; bucket 1 owns 6..=12; its twin at 12
        // nothing.
        let points = [(2, 0), (5, 0), (12, 1), (12, 2)];
        assert_eq!(ring_arcs(points, 4, 16), Ok(vec![9, 7, 0, 0]));
        assert_eq!(ring_arcs([(7, 0), (7, 1)], 2, 16), Ok(vec![16, 0]));
        assert_eq!(ring_shares64([(u64::MAX, 1)], 2), Ok(vec![0.0, 1.0]));
        assert_eq!(ring_shares32([(0, 0), (1 << 31, 1)], 2), Ok(vec![0.5, 0.5]));
    }

    #[test]
    fn arcs_close_the_circle() {
        let ring = RingSorted64::new(100, 10, Mix::new(1)).expect("a ring");
        assert_eq!(ring_arcs(ring.ring(), 100, 1 << 64).expect("its points").iter().sum::<u128>(), 1 << 64);
    }

    #[test]
    fn points_that_describe_no_ring() {
        assert_eq!(ring_shares64([], 2), Err(Error::NoPoints));
        assert_eq!(ring_shares64([(1, 2)], 2), Err(Error::OutOfRange { bucket: 2, buckets: 2 }));
        assert_eq!(ring_shares64([(5, 0), (4, 1)], 2), Err(Error::NotAscending { previous: 5, position: 4 }));
    }

    #[test]
    fn a_ring_gives_the_keys_that_its_arcs_promise() {
        let keys = 0..200_000;
        let ring64 = RingSorted64::new(20, 5, Mix::new(3)).expect("a ring");
        let ring32 = RingSorted32::new(20, 5, Mix::new(3)).expect("a ring");
        let counts = sampled_counts(&ring64, keys.clone(), 20).expect("buckets in range");
        let exact = ring_shares64(ring64.ring(), 20).expect("its points");
        assert!(chi_squared(&counts, &exact).expect("a test").p_two_sided > 1e-4);
        let counts = sampled_counts(&ring32, keys, 20).expect("buckets in range");
        let exact = ring_shares32(ring32.ring(), 20).expect("its points");
        assert!(chi_squared(&counts, &exact).expect("a test").p_two_sided > 1e-4);
    }

    #[test]
    fn jump_is_nearly_even() {
        // By the same recurrence with 400 fractional bits.
        for (buckets, cv) in [
            (3, 8.711_724_976_948_326e-10),
            (10, 2.609_745_414_015_712e-9),
            (100, 2.567_199_516_569_995e-8),
            (1000, 2.444_844_754_364_342_7e-7),
        ] {
            let balance = Balance::of_shares(&jump_shares(buckets)).expect("shares");
            // A share in f64 is within 2^-53 of itself, and cv no further from its own than that.
            assert!((balance.cv - cv).abs() < 2_f64.powi(-53), "n = {buckets}: {}", balance.cv);
            assert!((balance.cv / cv - 1.0).abs() < 5e-7, "n = {buckets}: {}", balance.cv);
        }
    }

    #[test]
    fn jump_in_small() {
        let whole = 2_f64.powi(31);
        assert!(jump_shares(0).is_empty());
        assert_eq!(jump_shares(1), [1.0]);
        assert_eq!(jump_shares(2), [0.5, 0.5]);
        assert_eq!(jump_shares(1000)[0], (2_147_483_648_u64 / 1000) as f64 / whole);
        // n = 3: bucket 0 keeps floor(2^31/3) draws; bucket 1, visited by half of them, floor(2^32/3).
        let [first, second] = [715_827_882.0 / whole, 1_431_655_765.0 / whole / 2.0];
        assert_eq!(jump_shares(3), [first, second, 1.0 - first - second]);
    }

    #[test]
    fn modulo_is_even() {
        assert_eq!(modulo_shares(4), [0.25; 4]);
        assert!(modulo_shares(0).is_empty());
        assert!(Balance::of_shares(&modulo_shares(1000)).expect("shares").cv <= 2_f64.powi(-53));
    }

    #[test]
    fn buckets_out_of_range_are_named() {
        let jump = Jump::new(100).expect("a count");
        assert!(matches!(sampled_counts(&jump, 0..1000, 50), Err(Error::OutOfRange { buckets: 50, .. })));
    }

    #[test]
    fn balance_by_hand() {
        // Shares over mean 0, 0.92, 1.08, 2: mean square deviation (1 + 0.0064 + 0.0064 + 1) / 4. All four are outside.
        let balance = Balance::of_counts(&[0, 23, 27, 50]).expect("counts");
        assert!((balance.cv - 0.5032_f64.sqrt()).abs() < 1e-15);
        assert_eq!([balance.peak_to_average, balance.least_to_average, balance.outside_8_percent], [2.0, 0.0, 1.0]);
        // Type 7 of four values: 0.5 % lies 0.015 of the way from the first to the second.
        assert!((balance.q005 - 0.015 * 0.92).abs() < 1e-15);
        assert!((balance.q995 - (2.0 - 0.015 * 0.92)).abs() < 1e-15);
        assert!(matches!(Balance::of_shares(&[0.5, 0.4]), Err(Error::NotShares { buckets: 2, .. })));
        assert!(Balance::of_shares(&[]).is_err() && Balance::of_counts(&[0, 0]).is_err());
        assert!(Balance::of_shares(&[f64::NAN, 1.0]).is_err() && Balance::of_shares(&[-0.5, 1.5]).is_err());
    }

    #[test]
    fn theory_of_the_ring() {
        // Standard errors in Figure 2 of Lamping & Veach 2014, simulated there: the deviation of 1000 values is
        // uncertain by 1/√2000 of itself, if it was one ring.
        for (points, published) in [(1, 0.999_406_0), (10, 0.315_181_0), (100, 0.099_699_6), (1000, 0.031_572_3)] {
            assert!((ring_cv(1000, points).expect("a ring") / published - 1.0).abs() < 1.0 / 2000_f64.sqrt());
        }
        // One point a bucket: P(share > x) = (1 - x)^(n - 1).
        for q in [0.005_f64, 0.5, 0.995] {
            let exact = 1000.0 * (1.0 - (1.0 - q).powf(1.0 / 999.0));
            assert!((ring_quantile(1000, 1, q).expect("a ring") / exact - 1.0).abs() < 1e-10);
        }
        // SciPy 1.17: 1000 * scipy.stats.beta.ppf(q, v, 999 * v).
        for (points, low, high) in [
            (10, 0.371_827_631_9, 1.998_942_515),
            (100, 0.761_299_681_1, 1.276_150_791_6),
            (1000, 0.920_461_138_3, 1.083_287_503_2),
        ] {
            assert!((ring_quantile(1000, points, 0.005).expect("a ring") - low).abs() < 1e-7);
            assert!((ring_quantile(1000, points, 0.995).expect("a ring") - high).abs() < 1e-7);
        }
        assert_eq!((ring_cv(1, 5), ring_quantile(1, 5, 0.3)), (Some(0.0), Some(1.0)));
        assert_eq!((ring_cv(0, 5), ring_quantile(5, 0, 0.3), ring_quantile(1, 0, 0.3)), (None, None, None));
    }
}
