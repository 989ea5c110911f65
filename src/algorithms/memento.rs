//! MementoHash: Coluzzi et al. 2023, arXiv 2306.09783.
//!
//! Jump over n buckets, and a memory of the removed ones: for each the *replacer* c, which is the number of buckets
//! that still worked after its removal, and the bucket removed before it. A key whose bucket is removed is hashed again
//! into the c places of that time; a place that had been removed before leads on to its replacer, until a bucket that
//! worked then.
//!
//! Look-up O(ln n) with none removed. With w working of n it hashes H_n - H_w times more on average, exactly, and each
//! time follows replacers. The c paths through the n - c removed buckets do not meet, so that a path has (n - c)/c
//! steps on average at most, and (n - c)/(c + 1) if the removals were in random order: with few of many buckets left a
//! look-up is linear in n/w. ([`JumpBackAnchor`](super::JumpBackAnchor), which keeps the end of each path, takes
//! O(ln²(n/w)) steps.) Memory 16 bytes a *removed* bucket, and the table's overhead.
//!
//! History-dependent: a replacer is a count, so the order of the removals decides. They are undone in reverse order
//! only.

use super::bucket_map::{BucketMap, reserve_one};
use super::hash::{HashFamily, Mix};
use super::{Error, JUMP_MAX_BUCKETS, Partitioner, Removals, Remove, Resize, State};

/// Jump in which any bucket may fail; the last to fail is the first to come back.
#[derive(Debug, Clone)]
pub struct Memento<H = Mix> {
    buckets: u32,
    memory: BucketMap<Removed>,
    /// The bucket removed last: the head of a list that runs through the memory.
    last: Option<u32>,
    hash: H,
}

#[derive(Debug, Clone, Copy)]
struct Removed {
    replacer: u32,
    previous: Option<u32>,
}

impl<H: HashFamily> Memento<H> {
    /// A partitioner of `buckets` buckets, all of which work.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        let buckets = super::checked_buckets(i64::from(buckets), JUMP_MAX_BUCKETS)?;
        Ok(Self { buckets, memory: BucketMap::default(), last: None, hash })
    }

    #[inline]
    fn replacer(&self, bucket: u32) -> Option<u32> {
        self.memory.get(&bucket).map(|removed| removed.replacer)
    }

    /// From a place to the bucket that it was when `working` buckets worked. Replacers are distinct, and none on the
    /// way is below `working` as the place is, so a path cannot go in a circle.
    #[inline]
    fn path(&self, place: u32, working: u32) -> impl Iterator<Item = u32> {
        let next = move |&bucket: &u32| self.replacer(bucket).filter(|&replacer| replacer >= working);
        std::iter::successors(Some(place), next)
    }
}

impl<H: HashFamily> Partitioner for Memento<H> {
    fn bucket(&self, key: u64) -> u32 {
        let mut bucket = self.hash.jump(self.hash.key(key), 0, self.buckets);
        while let Some(working) = self.replacer(bucket) {
            let place = (self.hash.score(key, bucket) % u64::from(working)) as u32;
            bucket = self.path(place, working).last().unwrap_or(place);
        }
        bucket
    }

    fn bucket_count(&self) -> u32 {
        self.buckets - self.memory.len() as u32
    }
}

/// Growth brings the bucket back that was removed last, or adds a new one; shrinking removes the highest that works.
impl<H: HashFamily> Resize for Memento<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        let Some(bucket) = self.last else {
            return super::grow_count(&mut self.buckets, JUMP_MAX_BUCKETS);
        };
        self.last = self.memory.remove(&bucket).and_then(|removed| removed.previous);
        Ok(bucket)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        // The search is bounded by the removals.
        let last = (0..self.buckets).rev().find(|bucket| !self.memory.contains_key(bucket)).unwrap_or(0);
        self.remove(last)?;
        Ok(last)
    }
}

/// Of the buckets that are not working only the one removed last can be restored.
impl<H: HashFamily> Remove for Memento<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let works = bucket < self.buckets && !self.memory.contains_key(&bucket);
        super::checked_removal(bucket, works, self.bucket_count())?;
        if self.last.is_none() && bucket == self.buckets - 1 {
            // Jump itself can lose its last bucket, and needs no memory for it.
            self.buckets -= 1;
            return Ok(());
        }
        reserve_one(&mut self.memory)?;
        let replacer = self.bucket_count() - 1;
        let previous = self.last.replace(bucket);
        self.memory.insert(bucket, Removed { replacer, previous });
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if self.last.unwrap_or(self.buckets) != bucket {
            return Err(Error::UnknownBucket { bucket, choices: "the bucket that was removed last" });
        }
        self.grow().map(|_| ())
    }
}

impl<H: HashFamily> State for Memento<H> {
    type Hash = H;

    fn save(&self) -> Removals {
        let previous = |bucket: &u32| self.memory.get(bucket).and_then(|removed| removed.previous);
        let mut removed: Vec<u32> = std::iter::successors(self.last, previous).collect();
        removed.reverse();
        Removals { slots: self.buckets, removed }
    }

    fn load(saved: &Removals, hash: H) -> Result<Self, Error> {
        super::replay(Self::new(saved.slots, hash)?, &saved.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing;

    fn build(n: u32) -> Result<Memento, Error> {
        Memento::new(n, Mix::new(1))
    }

    #[test]
    fn grows_like_jump() {
        testing::total(&testing::SIZES, build);
        testing::monotone(build);
        testing::uniform(build);
        assert!(matches!(build(1 << 31), Err(Error::TooManyBuckets { .. })));
    }

    #[test]
    fn any_may_fail() {
        [2, 3, 10, 33, 64, 100].into_iter().for_each(|n| testing::removable(n, build));
        testing::nearly_all_removed(8_000, 7_997, build);
        testing::harmonic_rehashes(0.0, Memento::new);
        testing::wanders(build);
        testing::history_dependent(build);
        testing::last_removed_first(build(10).expect("ten buckets"));
        testing::saved_and_loaded(build, || Mix::new(1));
    }

    #[test]
    fn paths_are_long() {
        const ORDERS: u32 = 2_000;
        let mut mean = 0.0;
        for seed in 0..ORDERS {
            let mut memento = build(50).expect("valid");
            let removals = testing::random_order(50, u64::from(seed));
            removals[1..].iter().for_each(|&bucket| memento.remove(bucket).expect("it works"));
            let (steps, removed) = (memento.path(0, 1).count() - 1, memento.memory.len());
            assert!(steps <= removed);
            mean += steps as f64 / removed as f64 / f64::from(ORDERS);
        }
        // As the cycle of one element in a random permutation: uniform in 0..=removed, at least 40 here.
        let error = (42.0 / 40.0 / 12.0 / f64::from(ORDERS)).sqrt();
        assert!((mean - 0.5).abs() < 5.0 * error, "{mean} of the removed buckets on the path to the last one");
    }

    #[test]
    fn memory_is_for_failures_only() {
        let mut memento = build(1000).expect("valid");
        assert!((1..1000).rev().all(|last| memento.shrink() == Ok(last)));
        assert_eq!(memento.save(), Removals { slots: 1, removed: vec![] });
    }
}
