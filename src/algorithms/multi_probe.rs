//! Multi-probe consistent hashing: Appleton & O'Reilly 2015, arXiv 1505.00062.
//!
//! Every bucket has one point on the circle, every key k probes h1 + i·h2, i = 0, ..., k - 1 (double hashing); the
//! probe that is closest to the next point clockwise decides, of equally close ones the first. Distances are modulo
//! 2^64: what follows the end of the circle is its beginning. In large circles the peak-to-average ratio tends to
//! k/(k - 1), in place of the log n of one point and one probe. Look-up O(k log n), memory 16 bytes a bucket.

use super::circle::Circle;
use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::{Error, Partitioner, Remove, Resize};

/// More probes would only make look-ups endless: at this number the peak is 0.002 % above the average.
const MOST_PROBES: u32 = 1 << 16;

/// One point a bucket, k probes a key.
#[derive(Debug, Clone)]
pub struct MultiProbe<H = Mix> {
    circle: Circle,
    members: Members,
    probes: u32,
    hash: H,
}

impl<H: HashFamily> MultiProbe<H> {
    /// A circle of `buckets` buckets on which every key has `probes` probes.
    ///
    /// # Errors
    /// [`Error::NoBuckets`]; [`Error::OutOfRange`] for 0 or more than 2^16 probes; [`Error::OutOfMemory`].
    pub fn new(buckets: u32, probes: u32, hash: H) -> Result<Self, Error> {
        if !(1..=MOST_PROBES).contains(&probes) {
            let value = probes.to_string();
            return Err(Error::OutOfRange { what: "a number of probes", value, accepted: "1..=65536" });
        }
        let members = Members::new(buckets)?;
        let circle = Circle::of(buckets as usize, (0..buckets).map(|bucket| (hash.point(bucket, 0), bucket)))?;
        Ok(Self { circle, members, probes, hash })
    }

    /// The points, ascending: (position, bucket).
    pub fn ring(&self) -> impl Iterator<Item = (u64, u32)> {
        self.circle.points().iter().copied()
    }

    /// Where a key probes.
    pub fn probes(&self, key: u64) -> impl Iterator<Item = u64> + use<H> {
        // Bucket 0's score is a second hash of the key, independent of its position.
        let (first, step) = (self.hash.key(key), self.hash.score(key, 0));
        (0..u64::from(self.probes)).map(move |i| first.wrapping_add(i.wrapping_mul(step)))
    }

    fn reserve(&mut self) -> Result<(), Error> {
        self.circle.reserve(1)
    }

    fn insert(&mut self, bucket: u32) {
        self.circle.insert([(self.hash.point(bucket, 0), bucket)]);
    }

    fn withdraw(&mut self, bucket: u32) {
        self.circle.withdraw(bucket);
    }
}

impl<H: HashFamily> Partitioner for MultiProbe<H> {
    fn bucket(&self, key: u64) -> u32 {
        let distances = self.probes(key).map(|probe| {
            let (point, bucket) = self.circle.points()[self.circle.at_or_after(probe)];
            (point.wrapping_sub(probe), bucket)
        });
        distances.min_by_key(|&(distance, _)| distance).expect("at least one probe").1
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

by_members!(impl<H: HashFamily> Resize + Remove for MultiProbe<H>);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::RingSorted64;

    /// The definition, in arithmetic that cannot wrap.
    fn model(subject: &MultiProbe<impl HashFamily>, key: u64) -> u32 {
        let mut best = (u128::MAX, 0);
        for probe in subject.probes(key) {
            for (point, bucket) in subject.ring() {
                let distance = (u128::from(point) + (1 << 64) - u128::from(probe)) % (1 << 64);
                if distance < best.0 {
                    best = (distance, bucket);
                }
            }
        }
        best.1
    }

    #[test]
    fn the_definition() {
        // Of many circles some have a short arc across the end, where a wrong modulus shows.
        for (seed, (buckets, probes)) in (0..40).zip([(1, 1), (2, 2), (7, 3), (30, 21)].into_iter().cycle()) {
            let subject = MultiProbe::new(buckets, probes, Mix::new(seed)).expect("a circle");
            assert!((0..300).all(|key| subject.bucket(key) == model(&subject, key)), "seed {seed}");
        }
    }

    #[test]
    fn one_probe_is_the_ring() {
        let (ring, subject) = (RingSorted64::new(40, 1, Mix::new(4)), MultiProbe::new(40, 1, Mix::new(4)));
        let (ring, subject) = (ring.expect("a ring"), subject.expect("a circle"));
        assert!((0..5_000).all(|key| ring.bucket(key) == subject.bucket(key)));
    }

    #[test]
    fn distances_are_modular() {
        #[derive(Debug, Clone)]
        struct Given;
        impl HashFamily for Given {
            fn key(&self, _: u64) -> u64 {
                u64::MAX - 4
            }
            fn point(&self, bucket: u32, _: u32) -> u64 {
                [3, 1 << 63][bucket as usize % 2]
            }
            fn score(&self, _: u64, _: u32) -> u64 {
                (1 << 63) - 10
            }
        }
        // Probe 2^64 - 5 is 8 before bucket 0, past the end; probe 2^63 - 15 is 15 before bucket 1. Without the modulus
        // the first distance would be huge or negative.
        let subject = MultiProbe::new(2, 2, Given).expect("a circle");
        assert_eq!(subject.probes(0).collect::<Vec<_>>(), [u64::MAX - 4, (1 << 63) - 15]);
        assert_eq!(subject.bucket(0), 0);
    }

    #[test]
    fn only_the_least_possible_moves() {
        let keys = 0..20_000;
        let mut subject = MultiProbe::new(20, 5, Mix::new(6)).expect("a circle");
        let before = subject.clone();
        assert_eq!(subject.grow(), Ok(20));
        assert!(keys.clone().all(|key| subject.bucket(key) == 20 || subject.bucket(key) == before.bucket(key)));
        assert!(keys.clone().any(|key| subject.bucket(key) == 20));
        assert_eq!(subject.shrink(), Ok(20));
        subject.remove(3).expect("working");
        assert!(keys.clone().all(|key| before.bucket(key) == 3 || subject.bucket(key) == before.bucket(key)));
        subject.restore(3).expect("removed");
        assert!(subject.ring().eq(before.ring()));
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(MultiProbe::new(0, 1, Mix::new(0)).unwrap_err(), Error::NoBuckets { asked: 0 });
        for probes in [0, MOST_PROBES + 1, u32::MAX] {
            assert!(matches!(MultiProbe::new(1, probes, Mix::new(0)), Err(Error::OutOfRange { .. })));
        }
        let mut one = MultiProbe::new(1, MOST_PROBES, Mix::new(0)).expect("a circle");
        assert_eq!((one.bucket(7), one.remove(0)), (0, Err(Error::LastBucket { bucket: 0 })));
        assert!(matches!(one.restore(u32::MAX), Err(Error::UnknownBucket { .. })));
    }
}
