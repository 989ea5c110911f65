//! Consistent hashing as first published: Karger, Lehman, Leighton, Panigrahy, Levine & Lewin 1997 (STOC), section 4.
//!
//! Buckets and keys are mapped to the unit *interval*, and a key goes to the bucket with the nearest point, on
//! whichever side: the one that minimises |r_B(b) - r_I(i)|. That is a distance between numbers, so nothing wraps: the
//! interval has two ends, a key below the lowest point belongs to it and one above the highest to that, and what lies
//! at an end owns more than others. (The clockwise circle that textbooks teach came later; see
//! [`RingSorted64`](super::RingSorted64).)
//!
//! The interval is `0..2^64`. Of two points equally near the lower owns the key, of points that coincide the lowest
//! bucket. Look-up O(log V), a change of membership O(V), 16 bytes a point.

use super::circle::{Circle, points_of};
use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::{Error, Partitioner, Remove, Resize, checked_points};

/// Points on an interval; the nearest one owns the key.
#[derive(Debug, Clone)]
pub struct RingNearest<H = Mix> {
    circle: Circle,
    members: Members,
    points: u32,
    hash: H,
}

impl<H: HashFamily> RingNearest<H> {
    /// An interval with `points` points for each of `buckets` buckets; the paper has κ log C of them.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`] for zero of either; [`Error::OutOfMemory`].
    pub fn new(buckets: u32, points: u32, hash: H) -> Result<Self, Error> {
        // Before anything is allocated for so many buckets.
        let total = checked_points(buckets, points)?;
        let members = Members::new(buckets)?;
        let circle = Circle::of(total, (0..buckets).flat_map(|bucket| points_of(&hash, bucket, points)))?;
        Ok(Self { circle, members, points, hash })
    }

    /// The points, ascending: (position, bucket).
    pub fn points(&self) -> impl Iterator<Item = (u64, u32)> {
        self.circle.points().iter().copied()
    }

    fn reserve(&mut self) -> Result<(), Error> {
        self.circle.reserve(self.points as usize)
    }

    fn insert(&mut self, bucket: u32) {
        self.circle.insert(points_of(&self.hash, bucket, self.points));
    }

    fn withdraw(&mut self, bucket: u32) {
        self.circle.withdraw(bucket);
    }
}

impl<H: HashFamily> Partitioner for RingNearest<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let position = self.hash.key(key);
        let points = self.circle.points();
        let at = points.partition_point(|&(point, _)| point < position);
        let (below, above) = points.split_at(at);
        match (below.last(), above.first()) {
            (Some(&(low, _)), Some(&(high, bucket))) if high - position < position - low => bucket,
            (None, Some(&(_, bucket))) => bucket,
            // Of points that coincide with the last one below, the lowest bucket comes first.
            (Some(&(low, _)), _) => below[below.partition_point(|&(point, _)| point < low)].1,
            (None, None) => unreachable!("every working bucket has a point, and one is always working"),
        }
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

by_members!(impl<H: HashFamily> Resize + Remove for RingNearest<H>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing::Placed;

    /// Few positions hold all points: ties and collisions are met.
    fn coarse(seed: u64) -> impl HashFamily {
        Placed(move |bucket, replica| Mix::new(seed).point(bucket, replica) % 40 * 2)
    }

    /// The definition.
    fn nearest(points: &[(u64, u32)], position: u64) -> u32 {
        points.iter().min_by_key(|&&(point, bucket)| (point.abs_diff(position), point, bucket)).expect("points").1
    }

    #[test]
    fn the_definition() {
        for seed in 0..50 {
            let coarse = RingNearest::new(6, 3, coarse(seed)).expect("points");
            let fine = RingNearest::new(6, 3, Mix::new(seed)).expect("points");
            let all: (Vec<_>, Vec<_>) = (coarse.points().collect(), fine.points().collect());
            for position in (0..100).chain([u64::MAX - 1, u64::MAX]) {
                assert_eq!(coarse.bucket(position), nearest(&all.0, position), "seed {seed}, position {position}");
                assert_eq!(fine.bucket(position), nearest(&all.1, Mix::new(seed).key(position)));
            }
        }
    }

    #[test]
    fn the_interval_does_not_wrap() {
        let ends = Placed(|bucket, _| [u64::MAX - 1, 1 << 62][bucket as usize % 2]);
        // On a circle position 0 would be two steps from bucket 0.
        let interval = RingNearest::new(2, 1, ends).expect("points");
        assert_eq!([0, 1, u64::MAX].map(|key| interval.bucket(key)), [1, 1, 0]);
    }

    #[test]
    fn only_the_least_possible_moves() {
        let keys = 0..20_000;
        let mut subject = RingNearest::new(9, 6, Mix::new(8)).expect("points");
        let before = subject.clone();
        assert_eq!(subject.grow(), Ok(9));
        assert!(keys.clone().all(|key| subject.bucket(key) == 9 || subject.bucket(key) == before.bucket(key)));
        assert!(subject.points().eq(RingNearest::new(10, 6, Mix::new(8)).expect("points").points()));
        assert_eq!(subject.shrink(), Ok(9));
        subject.remove(4).expect("working");
        assert!(keys.clone().all(|key| before.bucket(key) == 4 || subject.bucket(key) == before.bucket(key)));
        assert!(keys.clone().all(|key| subject.bucket(key) != 4));
        subject.restore(4).expect("removed");
        assert!(keys.clone().all(|key| subject.bucket(key) == before.bucket(key)));
    }

    #[test]
    fn removing_one_of_coinciding_points_keeps_the_other() {
        let mut subject = RingNearest::new(30, 10, coarse(1)).expect("points");
        (0..29).for_each(|bucket| subject.remove(bucket).expect("working"));
        assert_eq!(subject.points().count(), 10);
        assert!((0..100).all(|position| subject.bucket(position) == 29));
        assert_eq!(subject.remove(29), Err(Error::LastBucket { bucket: 29 }));
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(RingNearest::new(0, 1, Mix::new(0)).unwrap_err(), Error::NoBuckets { asked: 0 });
        assert_eq!(RingNearest::new(1, 0, Mix::new(0)).unwrap_err(), Error::NoPoints);
        let mut one = RingNearest::new(1, 1, Mix::new(0)).expect("points");
        assert!(matches!(one.restore(u32::MAX), Err(Error::UnknownBucket { .. })));
    }
}
