//! The ring in clockwise form whose buckets have points in proportion to their weight, as deployed rings with
//! weights have: Karger et al. 1997, section 4, with the weights of libketama 2007 and its successors.
//!
//! A bucket of weight w has max(1, round(points · w / unit)) points. The *unit* is the mean of the first weights, so
//! that the size of the ring does not depend on the scale of the weights, and then stays what it is: if it followed all
//! weights, as in Envoy, a change of one weight would move keys between all buckets. Expected shares are proportional
//! to the points, hence to the weights only up to their rounding. Look-up O(log V), a change O(V), 16 bytes a point.

use super::circle::{Circle, points_of};
use super::hash::{HashFamily, Mix};
use super::room::collected;
use super::weights::Weights;
use super::{Error, Partitioner, Remove, Replicas, Weighted, checked_points};

/// The largest ring that is built: 256 MiB of points.
const MOST_POINTS: u32 = 1 << 24;

/// A ring with points in proportion to weights, at least one for each bucket.
#[derive(Debug, Clone)]
pub struct RingWeighted<H = Mix> {
    circle: Circle,
    weights: Weights,
    points: u32,
    unit: f64,
    hash: H,
}

impl<H: HashFamily> RingWeighted<H> {
    /// A ring in which bucket i has weight `weights[i]`, and a bucket of mean weight `points` points.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`], [`Error::Weight`]; [`Error::TooManyPoints`], [`Error::RingTooLarge`]
    /// above 2^24 points; [`Error::OutOfMemory`].
    pub fn new(weights: &[f64], points: u32, hash: H) -> Result<Self, Error> {
        let mean = weights.iter().map(|weight| weight / weights.len() as f64).sum();
        Self::build(Weights::new(weights)?, mean, points, hash)
    }

    /// The same with the unit of another ring: equal to that ring after changes that led to these weights.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`Error::OutOfRange`] for a unit that is not a positive number.
    pub fn with_unit(weights: &[f64], unit: f64, points: u32, hash: H) -> Result<Self, Error> {
        if !(unit > 0.0 && unit.is_finite()) {
            return Err(Error::OutOfRange { what: "a unit", value: unit.to_string(), accepted: "a positive number" });
        }
        Self::build(Weights::new(weights)?, unit, points, hash)
    }

    fn build(weights: Weights, unit: f64, points: u32, hash: H) -> Result<Self, Error> {
        checked_points(weights.count(), points)?;
        let mut ring = Self { circle: Circle::default(), weights, points, unit, hash };
        let total = ring.weights.iter().fold(0_u64, |sum, (_, weight)| sum.saturating_add(ring.count(weight)));
        checked_size(total)?;
        let points = ring.weights.iter().flat_map(|(bucket, weight)| ring.points_at(bucket, weight));
        ring.circle = Circle::new(collected(total as usize, points)?);
        Ok(ring)
    }

    /// The weight of a bucket that has as many points as asked for.
    #[must_use]
    pub fn unit(&self) -> f64 {
        self.unit
    }

    /// The points, ascending: (position, bucket).
    pub fn ring(&self) -> impl Iterator<Item = (u64, u32)> {
        self.circle.points().iter().copied()
    }

    /// Adds a bucket after the highest working one, and returns its number.
    ///
    /// # Errors
    /// [`Error::Weight`], [`Error::TooManyBuckets`], [`Error::RingTooLarge`], [`Error::OutOfMemory`]; unchanged.
    pub fn add(&mut self, weight: f64) -> Result<u32, Error> {
        self.checked_change(0, self.count(weight))?;
        let new = self.weights.add(weight)?;
        self.place(new, weight);
        Ok(new)
    }

    /// How many points a weight is worth. A cast from f64 saturates, so that no weight overflows it.
    fn count(&self, weight: f64) -> u64 {
        (f64::from(self.points) * (weight / self.unit)).round().max(1.0) as u64
    }

    fn points_at(&self, bucket: u32, weight: f64) -> impl Iterator<Item = (u64, u32)> + use<'_, H> {
        points_of(&self.hash, bucket, self.count(weight).min(u64::from(MOST_POINTS)) as u32)
    }

    fn checked_change(&mut self, fewer: u64, more: u64) -> Result<(), Error> {
        checked_size((self.circle.points().len() as u64 - fewer).saturating_add(more))?;
        self.circle.reserve(more as usize)
    }

    fn place(&mut self, bucket: u32, weight: f64) {
        let new: Vec<_> = self.points_at(bucket, weight).collect();
        self.circle.insert(new);
    }
}

fn checked_size(points: u64) -> Result<(), Error> {
    if points > u64::from(MOST_POINTS) {
        return Err(Error::RingTooLarge { points, most: MOST_POINTS });
    }
    Ok(())
}

impl<H: HashFamily> Partitioner for RingWeighted<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.circle.owner(self.hash.key(key))
    }

    fn bucket_count(&self) -> u32 {
        self.weights.count()
    }
}

impl<H: HashFamily> Weighted for RingWeighted<H> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.weights.get(bucket)
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let mut weights = self.weights.clone();
        weights.set(bucket, weight)?;
        self.checked_change(self.count(self.weights.get(bucket)?), self.count(weight))?;
        self.weights = weights;
        self.circle.withdraw(bucket);
        self.place(bucket, weight);
        Ok(())
    }
}

impl<H: HashFamily> Remove for RingWeighted<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.weights.remove(bucket)?;
        self.circle.withdraw(bucket);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        let mut weights = self.weights.clone();
        let weight = weights.restore(bucket)?;
        self.checked_change(0, self.count(weight))?;
        self.weights = weights;
        self.place(bucket, weight);
        Ok(())
    }
}

impl<H: HashFamily> Replicas for RingWeighted<H> {
    /// The first distinct buckets of a clockwise walk.
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        // A walk that has met every bucket need not go on around the circle.
        let all = self.bucket_count() as usize;
        Box::new(self.circle.owners(self.hash.key(key)).take(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::RingSorted64;

    fn ring(weights: &[f64], points: u32) -> RingWeighted {
        RingWeighted::new(weights, points, Mix::new(5)).expect("a ring")
    }

    fn points(ring: &RingWeighted, bucket: u32) -> usize {
        ring.ring().filter(|&(_, owner)| owner == bucket).count()
    }

    #[test]
    fn points_in_proportion() {
        let ring = ring(&[1.0, 2.0, 3.0, 1e-6], 100);
        // The mean is 1.50000025.
        assert_eq!([0, 1, 2, 3].map(|bucket| points(&ring, bucket)), [67, 133, 200, 1]);
    }

    #[test]
    fn expected_shares_are_points_over_all_points() {
        // The share of a bucket with v of V random points is Beta(v, V - v): variance q (1 - q) / (V + 1), q = v/V.
        let (weights, rings) = ([1.0, 2.0, 5.0], 400);
        let mut sum = 0.0;
        for seed in 0..rings {
            let ring = RingWeighted::new(&weights, 10, Mix::new(seed)).expect("a ring");
            let all: Vec<_> = ring.ring().collect();
            let previous = std::iter::once(all[all.len() - 1].0).chain(all.iter().map(|point| point.0));
            let arcs = previous.zip(&all).filter(|(_, point)| point.1 == 2);
            sum += arcs.map(|(previous, point)| point.0.wrapping_sub(previous) as f64 / 2_f64.powi(64)).sum::<f64>();
        }
        // round(10 · w / (8/3)) = 4, 8 and 19 of 31 points.
        let share = 19.0 / 31.0_f64;
        let error = (share * (1.0 - share) / 32.0 / rings as f64).sqrt();
        assert!((sum / rings as f64 - share).abs() < 4.0 * error, "{} ± {error}, not {share}", sum / rings as f64);
    }

    #[test]
    fn equal_weights_are_the_plain_ring() {
        let plain = RingSorted64::new(20, 7, Mix::new(5)).expect("a ring");
        assert!(plain.ring().eq(ring(&[0.1; 20], 7).ring()));
        let weighted = ring(&[0.1; 20], 7);
        assert!((0..10_000).all(|key| plain.bucket(key) == weighted.bucket(key)));
    }

    #[test]
    fn large_weights_eat_no_memory() {
        assert_eq!(ring(&[1e6, 1.0], 100).ring().count(), 201);
        assert_eq!(ring(&[1e6; 10], 100).ring().count(), 1000);
        assert_eq!(ring(&[5_000.0, 4_999.0, 1.0], 40).ring().count(), 60 + 60 + 1);
        let mut ring = ring(&[1.0, 1.0], 100);
        for weight in [1e6, 1e100] {
            assert!(matches!(ring.set_weight(0, weight), Err(Error::RingTooLarge { .. })));
            assert!(matches!(ring.add(weight), Err(Error::RingTooLarge { .. })));
        }
        assert_eq!((ring.weight(0), ring.bucket_count(), ring.ring().count()), (Ok(1.0), 2, 200));
        assert!(matches!(RingWeighted::new(&[1.0; 2], u32::MAX, Mix::new(0)), Err(Error::RingTooLarge { .. })));
    }

    #[test]
    fn a_change_moves_keys_to_or_from_its_bucket_only() {
        let keys = 0..20_000;
        let before = ring(&[1.0, 2.0, 3.0], 50);
        for (weight, gains) in [(3.0, true), (1e-9, false)] {
            let mut after = before.clone();
            after.set_weight(1, weight).expect("a weight");
            let moves = keys.clone().map(|key| (before.bucket(key), after.bucket(key))).filter(|(old, new)| old != new);
            let moves: Vec<_> = moves.collect();
            assert!(!moves.is_empty() && moves.iter().all(|&(old, new)| if gains { new == 1 } else { old == 1 }));
            let anew = RingWeighted::with_unit(&[1.0, weight, 3.0], before.unit(), 50, Mix::new(5)).expect("a ring");
            assert!(anew.ring().eq(after.ring()));
        }
        let mut after = before.clone();
        after.remove(1).expect("working");
        assert!(keys.clone().all(|key| before.bucket(key) == 1 || before.bucket(key) == after.bucket(key)));
        assert!(keys.clone().all(|key| after.bucket(key) != 1));
        after.restore(1).expect("removed");
        assert!(before.ring().eq(after.ring()));
        assert_eq!(after.add(2.0), Ok(3));
        assert!(keys.clone().all(|key| after.bucket(key) == 3 || before.bucket(key) == after.bucket(key)));
    }

    #[test]
    fn bad_input_is_named() {
        let hash = Mix::new(0);
        assert_eq!(RingWeighted::new(&[], 1, hash).unwrap_err(), Error::NoBuckets { asked: 0 });
        assert_eq!(RingWeighted::new(&[1.0], 0, hash).unwrap_err(), Error::NoPoints);
        let nan = RingWeighted::new(&[1.0, f64::NAN], 1, hash).unwrap_err();
        assert!(matches!(nan, Error::Weight { bucket: 1, weight, .. } if weight == "NaN"));
        assert!(matches!(RingWeighted::with_unit(&[1.0], 0.0, 1, hash), Err(Error::OutOfRange { .. })));
        assert!(matches!(RingWeighted::with_unit(&[1e100], 1e-300, 1, hash), Err(Error::RingTooLarge { .. })));
        let mut ring = ring(&[1.0, 1.0], 3);
        assert!(matches!(ring.set_weight(2, 1.0), Err(Error::UnknownBucket { bucket: 2, .. })));
        assert!(matches!(ring.restore(0), Err(Error::UnknownBucket { .. })));
        ring.remove(0).expect("working");
        assert_eq!(ring.remove(1), Err(Error::LastBucket { bucket: 1 }));
        assert!(matches!(ring.weight(0), Err(Error::UnknownBucket { .. })));
    }
}
