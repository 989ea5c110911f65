//! The exact shares of [`RingNearest`](crate::algorithms::RingNearest): a point owns the interval as far as the middles
//! between itself and its neighbours, the lowest and the highest as far as the ends.

use super::share::Error;

/// The share of each of `buckets` buckets on an interval of 2^64 positions with points (position, bucket), ascending;
/// of points that coincide the first owns everything.
///
/// # Errors
/// [`Error::NoPoints`], [`Error::NotAscending`], [`Error::OutOfRange`].
pub fn nearest_shares(points: impl IntoIterator<Item = (u64, u32)>, buckets: u32) -> Result<Vec<f64>, Error> {
    let mut points: Vec<(u64, u32)> = points.into_iter().collect();
    if let Some(pair) = points.windows(2).find(|pair| pair[0].0 > pair[1].0) {
        return Err(Error::NotAscending { previous: pair[0].0, position: pair[1].0 });
    }
    if points.is_empty() {
        return Err(Error::NoPoints);
    }
    if let Some(&(_, bucket)) = points.iter().find(|&&(_, bucket)| bucket >= buckets) {
        return Err(Error::OutOfRange { bucket, buckets });
    }
    points.dedup_by_key(|point| point.0);
    // The first position that a point does not own: past the middle, which is the lower one's.
    let middles = points.windows(2).map(|pair| (u128::from(pair[0].0) + u128::from(pair[1].0)) / 2 + 1);
    let mut positions = vec![0_u128; buckets as usize];
    let mut start = 0;
    for (end, &(_, bucket)) in middles.chain([1 << 64]).zip(&points) {
        positions[bucket as usize] += end - start;
        start = end;
    }
    Ok(positions.into_iter().map(|count| count as f64 / 2_f64.powi(64)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::RingNearest;
    use crate::algorithms::hash::Mix;
    use crate::measure::share::sampled_counts;
    use crate::statistics::{Moments, chi_squared, z_test};

    fn shares(buckets: u32, points: u32, seed: u64) -> Vec<f64> {
        let interval = RingNearest::new(buckets, points, Mix::new(seed)).expect("points");
        nearest_shares(interval.points(), buckets).expect("its points")
    }

    #[test]
    fn by_hand() {
        let quarter = 1 << 62;
        assert_eq!(nearest_shares([(quarter - 1, 0), (3 * quarter - 1, 1)], 2), Ok(vec![0.5, 0.5]));
        assert_eq!(nearest_shares([(0, 0), (quarter * 2 - 1, 1), (quarter * 2 - 1, 2)], 3), Ok(vec![0.25, 0.75, 0.0]));
        assert_eq!(nearest_shares([(5, 1)], 2), Ok(vec![0.0, 1.0]));
        assert_eq!(nearest_shares([], 2), Err(Error::NoPoints));
        assert_eq!(nearest_shares([(5, 2)], 2), Err(Error::OutOfRange { bucket: 2, buckets: 2 }));
        assert_eq!(nearest_shares([(5, 0), (4, 1)], 2), Err(Error::NotAscending { previous: 5, position: 4 }));
    }

    #[test]
    fn keys_fit() {
        for (buckets, points) in [(2, 1), (20, 1), (20, 5)] {
            let interval = RingNearest::new(buckets, points, Mix::new(3)).expect("points");
            let counts = sampled_counts(&interval, 0..200_000, buckets).expect("buckets in range");
            let test = chi_squared(&counts, &shares(buckets, points, 3)).expect("a test");
            assert!(test.p_two_sided > 1e-4, "n = {buckets}, v = {points}: {test:?}");
        }
    }

    #[test]
    fn the_spread_of_theory() {
        // V = n v uniform points leave V + 1 exchangeable spacings. A point owns half of both of its own, at an end all
        // of the outer one: E Σ s² over points = (1.5 V + 4) / ((V + 1)(V + 2)), and two points are of one bucket with
        // probability (v - 1)/(V - 1).
        for (n, v) in [(2_u32, 1_u32), (10, 1), (10, 4), (100, 1)] {
            let all = f64::from(n * v);
            let points = (1.5 * all + 4.0) / ((all + 1.0) * (all + 2.0));
            let expected = points + f64::from(v - 1) / (all - 1.0) * (1.0 - points);
            let squares = |seed| shares(n, v, seed).iter().map(|share| share * share).sum::<f64>();
            let squares: Vec<f64> = (0..1_000).map(squares).collect();
            let moments = Moments::of(&squares).expect("values");
            let error = (moments.variance_sample.expect("many") / 1_000.0).sqrt();
            assert!(
                z_test(moments.mean, expected, error).expect("a test") > 1e-4,
                "n = {n}, v = {v}: {moments:?}, {expected}"
            );
        }
    }
}
