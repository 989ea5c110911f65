//! The exact shares of [`MultiProbe`](crate::algorithms::MultiProbe), integrated over its circle.
//!
//! Let a bucket's arc be the distance from the point before its own, and G(t) the fraction of the circle from which the
//! next point is further than t. The smallest of k independent uniform distances has density k G(t)^(k-1) m(t)/2^64 at
//! t, where m(t) is the number of arcs longer than t, and each of these m buckets is equally likely to be the one. G is
//! linear between arc lengths, so the integral is a sum: the bucket with the r-th shortest of n arcs has share
//! Σ_{i ≤ r} (G_{i-1}^k - G_i^k) / (n - i + 1), where G_i is G at the i-th length and G_0 = 1.

use super::share::Error;

/// The share of each of `buckets` buckets on a circle of points (position, bucket), ascending, one for each bucket that
/// works, for keys with `probes` independent probes.
///
/// The probes of double hashing are independent in pairs only. For keys of `MultiProbe` the shares are exact up to two
/// probes; from three on a bucket's share differs: samples on circles of 3 to 20 buckets were up to a tenth off, so
/// that a test of counts against them fails rightly.
///
/// # Errors
/// [`Error::NoPoints`], [`Error::NotAscending`], [`Error::OutOfRange`].
pub fn multi_probe_shares(
    points: impl IntoIterator<Item = (u64, u32)>,
    buckets: u32,
    probes: u32,
) -> Result<Vec<f64>, Error> {
    let points: Vec<(u64, u32)> = points.into_iter().collect();
    if let Some(pair) = points.windows(2).find(|pair| pair[0].0 > pair[1].0) {
        return Err(Error::NotAscending { previous: pair[0].0, position: pair[1].0 });
    }
    let last = points.last().ok_or(Error::NoPoints)?.0;
    let previous = std::iter::once(last).chain(points.iter().map(|point| point.0));
    let mut arcs: Vec<(u128, u32)> = previous
        .zip(&points)
        .map(|(previous, &(point, bucket))| (u128::from(point.wrapping_sub(previous)), bucket))
        .collect();
    // Only where all points coincide does the first of them own the whole circle, and not nothing.
    if last == points[0].0 {
        arcs[0].0 = 1 << 64;
    }
    arcs.sort_unstable();

    let mut shares = vec![0.0; buckets as usize];
    let (mut share, mut shorter, mut above) = (0.0, 0, 1.0);
    for (longer, &(arc, bucket)) in (1..=arcs.len()).rev().zip(&arcs) {
        // What lies further than `arc` from its next point, counted in integers.
        let beyond = (1_u128 << 64) - shorter - arc * longer as u128;
        let power = (beyond as f64 / 2_f64.powi(64)).powf(f64::from(probes));
        share += (above - power) / longer as f64;
        *shares.get_mut(bucket as usize).ok_or(Error::OutOfRange { bucket, buckets })? = share;
        (above, shorter) = (power, shorter + arc);
    }
    Ok(shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::MultiProbe;
    use crate::algorithms::hash::{Mix, mix64};
    use crate::measure::share::{Balance, ring_shares64, sampled_counts};
    use crate::statistics::{Moments, chi_squared, z_test};

    fn shares(buckets: u32, probes: u32, seed: u64) -> Vec<f64> {
        let circle = MultiProbe::new(buckets, probes, Mix::new(seed)).expect("a circle");
        multi_probe_shares(circle.ring(), buckets, probes).expect("its points")
    }

    #[test]
    fn by_hand() {
        // Arcs of 1/4 and 3/4: both probes within 1/4 of a point with probability 1 - (1/2)², then either is as likely.
        let points = [(0, 0), (3 << 62, 1)];
        assert_eq!(multi_probe_shares(points, 2, 2), Ok(vec![3.0 / 8.0, 5.0 / 8.0]));
        assert_eq!(multi_probe_shares([(9, 1), (9, 2)], 3, 7), Ok(vec![0.0, 1.0, 0.0]));
        assert_eq!(multi_probe_shares([(9, 0)], 1, 3), Ok(vec![1.0]));
        assert_eq!(multi_probe_shares([], 1, 3), Err(Error::NoPoints));
        assert_eq!(multi_probe_shares([(2, 0), (1, 1)], 2, 3), Err(Error::NotAscending { previous: 2, position: 1 }));
        assert_eq!(multi_probe_shares([(2, 2)], 2, 3), Err(Error::OutOfRange { bucket: 2, buckets: 2 }));
    }

    #[test]
    fn one_probe_is_the_ring() {
        let circle = MultiProbe::new(50, 1, Mix::new(1)).expect("a circle");
        let ring = ring_shares64(circle.ring(), 50).expect("its points");
        assert!(shares(50, 1, 1).iter().zip(ring).all(|(share, arc)| (share - arc).abs() < 1e-14));
    }

    #[test]
    fn keys_fit_up_to_two_probes() {
        for buckets in [2, 10, 100] {
            let circle = MultiProbe::new(buckets, 2, Mix::new(9)).expect("a circle");
            let counts = sampled_counts(&circle, 0..100_000, buckets).expect("buckets in range");
            let test = chi_squared(&counts, &shares(buckets, 2, 9)).expect("a test");
            assert!(test.p_two_sided > 1e-4, "n = {buckets}: {test:?}");
        }
    }

    #[test]
    fn independent_probes_fit() {
        for (buckets, probes) in [(3, 3), (5, 21), (100, 21)] {
            let circle = MultiProbe::new(buckets, 1, Mix::new(0)).expect("a circle");
            let points: Vec<(u64, u32)> = circle.ring().collect();
            let mut counts = vec![0; buckets as usize];
            for key in 0..20_000_u64 {
                let nearest = (0..u64::from(probes)).map(|i| {
                    let probe = mix64(key * 64 + i);
                    let next = points.iter().find(|point| point.0 >= probe).unwrap_or(&points[0]);
                    (next.0.wrapping_sub(probe), next.1)
                });
                counts[nearest.min().expect("a probe").1 as usize] += 1;
            }
            let test = chi_squared(&counts, &shares(buckets, probes, 0)).expect("a test");
            assert!(test.p_two_sided > 1e-4, "n = {buckets}, k = {probes}: {test:?}");
        }
    }

    #[test]
    fn three_probes_of_double_hashing_are_not_independent() {
        let circle = MultiProbe::new(3, 3, Mix::new(0)).expect("a circle");
        let counts = sampled_counts(&circle, 0..100_000, 3).expect("buckets in range");
        assert!(chi_squared(&counts, &shares(3, 3, 0)).expect("a test").p_high < 1e-10);
    }

    /// Some value of ten circles of 6000 buckets.
    fn of_ten_circles(probes: u32, value: impl Fn(Balance) -> f64) -> Moments {
        let values = (0..10).map(|seed| value(Balance::of_shares(&shares(6000, probes, seed)).expect("shares")));
        Moments::of(&values.collect::<Vec<_>>()).expect("values")
    }

    #[test]
    fn peaks_of_one_circle_and_of_theory() {
        // Peaks for 6000 buckets that were integrated independently of this code, and the limit k/(k - 1).
        for (probes, peak) in [(2, 2.011), (3, 1.496), (5, 1.250), (11, 1.100), (21, 1.050), (41, 1.026)] {
            let Moments { mean, variance_sample, .. } = of_ten_circles(probes, |balance| balance.peak_to_average);
            let deviation = variance_sample.expect("many").sqrt();
            assert!((peak - mean).abs() < 3.0 * deviation, "k = {probes}: {mean} with deviation {deviation}");
            let limit = f64::from(probes) / f64::from(probes - 1);
            assert!(z_test(mean, limit, deviation / 10_f64.sqrt()).expect("a test") > 1e-4, "k = {probes}: {mean}");
        }
    }

    #[test]
    fn spread_of_large_circles() {
        // Arcs over their mean are exponential, and share over mean is k/(k - 1) (1 - exp(-(k - 1) arc)): its variance
        // is 1/(2k - 1).
        for probes in [2, 5, 21] {
            let moments = of_ten_circles(probes, |balance| balance.cv.powi(2));
            let error = (moments.variance_sample.expect("many") / 10.0).sqrt();
            let p = z_test(moments.mean, 1.0 / f64::from(2 * probes - 1), error).expect("a test");
            assert!(p > 1e-4, "k = {probes}: {moments:?}");
        }
    }
}
