//! Replicas for algorithms that were defined for one bucket a key, and replicas in distinct failure zones.
//!
//! The replicas of a key are the buckets to which it would go one after the other if those before failed. On a ring
//! that is the first R distinct buckets of a clockwise walk (DeCandia et al. 2007, section 4.3), under rendezvous
//! hashing the R highest scores (Thaler & Ravishankar 1998); [`Failover`] derives it for any algorithm in which any
//! bucket may fail. [`Zoned`] prefers buckets in zones that have no replica yet, as rack-aware placement does.

use std::collections::BTreeSet;

use super::{Partitioner, Remove, Replicas};

/// Replicas by failing one bucket after the other in a copy. A look-up costs the copy and R removals.
#[derive(Debug, Clone)]
pub struct Failover<P> {
    /// What maps keys to buckets.
    pub partitioner: P,
}

impl<P: Partitioner> Partitioner for Failover<P> {
    fn bucket(&self, key: u64) -> u32 {
        self.partitioner.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.partitioner.bucket_count()
    }
}

impl<P: Remove + Clone> Replicas for Failover<P> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let mut rest = Some(self.partitioner.clone());
        Box::new(std::iter::from_fn(move || {
            let mut working = rest.take()?;
            let bucket = working.bucket(key);
            // The last bucket cannot be removed: it ends the list.
            rest = working.remove(bucket).is_ok().then_some(working);
            Some(bucket)
        }))
    }
}

/// Replicas that lie in as many zones as possible: first the most preferred bucket of each zone, in order of
/// preference, then all others in order of preference.
#[derive(Debug, Clone)]
pub struct Zoned<P> {
    partitioner: P,
    zones: Vec<u32>,
}

impl<P: Replicas> Zoned<P> {
    /// Bucket i lies in zone `zones[i]`; a bucket beyond the list is a zone of its own.
    #[must_use]
    pub fn new(partitioner: P, zones: Vec<u32>) -> Self {
        Self { partitioner, zones }
    }
}

impl<P: Replicas> Partitioner for Zoned<P> {
    fn bucket(&self, key: u64) -> u32 {
        self.partitioner.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.partitioner.bucket_count()
    }
}

impl<P: Replicas> Replicas for Zoned<P> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let mut met = BTreeSet::new();
        // A zone and a lone bucket of the same number must not be confused: Ok is a zone, Err a bucket.
        let zone = |bucket: u32| self.zones.get(bucket as usize).copied().ok_or(bucket);
        let (first, rest): (Vec<u32>, Vec<u32>) =
            self.partitioner.preference(key).partition(|&bucket| met.insert(zone(bucket)));
        Box::new(first.into_iter().chain(rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::Mix;
    use crate::algorithms::testing::Placed;
    use crate::algorithms::{Error, Rendezvous, RendezvousWeighted, RingSorted64, RingWeighted};

    const BUCKETS: u32 = 12;

    fn both() -> [Box<dyn Replicas>; 2] {
        let (weights, hash) = ([1.0; BUCKETS as usize], Mix::new(3));
        let ring = RingWeighted::new(&weights, 4, hash).expect("a ring");
        [Box::new(ring), Box::new(RendezvousWeighted::new(&weights, hash).expect("weights"))]
    }

    #[test]
    fn replicas_are_whom_failures_leave() {
        let ring = Failover { partitioner: RingSorted64::new(BUCKETS, 4, Mix::new(3)).expect("a ring") };
        let rendezvous = Failover { partitioner: Rendezvous::new(BUCKETS, Mix::new(3)).expect("buckets") };
        let models: [&dyn Replicas; 2] = [&ring, &rendezvous];
        for (subject, model) in both().iter().zip(models) {
            for key in 0..500 {
                let all = model.replicas(key, BUCKETS).expect("all of them");
                assert_eq!(subject.replicas(key, BUCKETS).as_ref(), Ok(&all));
                assert_eq!(all[0], subject.bucket(key));
                assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), BUCKETS as usize, "a duplicate: {all:?}");
            }
        }
    }

    #[test]
    fn a_failure_replaces_one_replica() {
        let mut ring = RingWeighted::new(&[1.0; 8], 5, Mix::new(1)).expect("a ring");
        let before: Vec<_> = (0..2_000).map(|key| ring.replicas(key, 4).expect("four of eight")).collect();
        ring.remove(6).expect("working");
        for (key, before) in (0..).zip(before) {
            let after = ring.replicas(key, 4).expect("four of seven");
            let stay: Vec<u32> = before.iter().copied().filter(|&bucket| bucket != 6).collect();
            assert_eq!(after[..stay.len()], stay, "key {key}");
        }
    }

    #[test]
    fn zones_first() {
        let zones: Vec<u32> = (0..BUCKETS).map(|bucket| bucket % 3).collect();
        let zoned = Zoned::new(RingWeighted::new(&[1.0; 12], 4, Mix::new(3)).expect("a ring"), zones);
        for key in 0..1_000 {
            let replicas = zoned.replicas(key, BUCKETS).expect("all of them");
            assert_eq!(replicas[0], zoned.bucket(key));
            assert_eq!(replicas[..3].iter().map(|bucket| bucket % 3).collect::<BTreeSet<_>>().len(), 3);
            assert_eq!(replicas.iter().collect::<BTreeSet<_>>().len(), BUCKETS as usize);
            // Within a zone and beyond the first of each zone, the order of the walk.
            let plain: Vec<u32> = zoned.partitioner.preference(key).collect();
            let rest: Vec<u32> = plain.into_iter().filter(|bucket| !replicas[..3].contains(bucket)).collect();
            assert_eq!(replicas[3..], rest);
        }
        let alone = Zoned::new(zoned.partitioner.clone(), vec![5; 2]);
        assert!((0..100).all(|key| alone.replicas(key, 12).expect("all of them").len() == 12));
    }

    #[test]
    fn more_replicas_than_buckets() {
        for subject in both() {
            assert_eq!(subject.replicas(1, BUCKETS + 1), Err(Error::TooFewBuckets { asked: 13, working: 12 }));
            assert_eq!(subject.replicas(1, u32::MAX), Err(Error::TooFewBuckets { asked: u32::MAX, working: 12 }));
            assert_eq!(subject.replicas(1, 0), Ok(vec![]));
        }
    }

    #[test]
    fn points_that_collide_give_no_duplicates() {
        let ring = RingWeighted::new(&[1.0; 3], 4, Placed(|_, _| 9)).expect("a ring");
        let rendezvous = RendezvousWeighted::new(&[1.0; 3], Placed(|_, _| 9)).expect("weights");
        for key in [0, 9, 10] {
            assert_eq!(ring.replicas(key, 3), Ok(vec![0, 1, 2]));
            assert_eq!(rendezvous.replicas(key, 3), Ok(vec![0, 1, 2]));
        }
    }
}
