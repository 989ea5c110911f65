//! Mistakes in scores.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::checked;
use crate::algorithms::hash::{HashFamily, Mix};
use crate::algorithms::{Error, Partitioner, Rendezvous, RendezvousWeighted, Weighted};

/// Rendezvous with a seed of its own for each instance, as a random one would be.
pub(super) struct OwnSeed(Rendezvous);

impl OwnSeed {
    pub(super) fn new(buckets: u32) -> Result<Self, Error> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Rendezvous::new(buckets, Mix::new(NEXT.fetch_add(1, Relaxed))).map(Self)
    }
}

impl Partitioner for OwnSeed {
    fn bucket(&self, key: u64) -> u32 {
        self.0.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.0.bucket_count()
    }
}

/// Rendezvous whose scores depend on the number of buckets.
pub(super) struct Reshuffle(Rendezvous);

impl Reshuffle {
    pub(super) fn new(buckets: u32) -> Result<Self, Error> {
        Rendezvous::new(buckets, Mix::new(buckets.into())).map(Self)
    }
}

impl Partitioner for Reshuffle {
    fn bucket(&self, key: u64) -> u32 {
        self.0.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.0.bucket_count()
    }
}

/// Rendezvous whose scores are two good hashes, combined without a third.
pub(super) struct Unfinished {
    buckets: u32,
    family: Mix,
}

impl Unfinished {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        Ok(Self { buckets: checked(buckets)?, family: Mix::new(seed) })
    }
}

impl Partitioner for Unfinished {
    fn bucket(&self, key: u64) -> u32 {
        let score = |bucket: &u32| self.family.key(key) ^ self.family.point(*bucket, 0);
        (0..self.buckets).max_by_key(score).unwrap_or(u32::MAX)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// Weighted rendezvous whose draws are of the bucket alone.
pub(super) struct Keyless {
    right: RendezvousWeighted,
    family: Mix,
}

impl Keyless {
    pub(super) fn new(weights: &[f64], seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        Ok(Self { right: RendezvousWeighted::new(weights, family)?, family })
    }

    fn score(&self, bucket: u32) -> f64 {
        let draw = ((self.family.score(0, bucket) >> 12) as f64 + 0.5) / 2_f64.powi(52);
        -self.right.weight(bucket).unwrap_or(0.0) / draw.ln()
    }
}

impl Partitioner for Keyless {
    fn bucket(&self, _key: u64) -> u32 {
        let all = 0..self.bucket_count();
        all.max_by(|&a, &b| self.score(a).total_cmp(&self.score(b))).unwrap_or(u32::MAX)
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

impl Weighted for Keyless {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.right.weight(bucket)
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.right.set_weight(bucket, weight)
    }
}
