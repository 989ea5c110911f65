//! JumpBackHash over a set from which any bucket may be removed, as the Java library hash4j has it (0.31): AnchorHash
//! (Mendelson et al. 2018) with JumpBackHash in the place of its array of slots.
//!
//! Of each removed bucket b it keeps n', the number of buckets that worked after the removal, and the bucket that took
//! its place. If a key's bucket is removed, the key draws one of the n' places of that time, and follows replacements
//! until a bucket that worked then; this is repeated until a bucket works now. With w of a buckets working a look-up
//! draws H_a - H_w more places on average and takes O(ln²(a/w)) steps; memory 16 bytes a *removed* bucket, and the
//! table's overhead.
//!
//! History-dependent: which bucket takes the place of which depends on the order of the removals. They are undone in
//! reverse order only, because later replacements build on earlier ones.

use super::bucket_map::{BucketMap, reserve_one};
use super::hash::{Draws, Mix, StreamFamily};
use super::jump_back::jump_back;
use super::room::reserve;
use super::{Error, Partitioner, Removals, Remove, Resize, State};

/// JumpBackHash in which any bucket may fail; the last to fail is the first to come back.
#[derive(Debug, Clone)]
pub struct JumpBackAnchor<H = Mix> {
    buckets: u32,
    removed: BucketMap<Removed>,
    order: Vec<u32>,
    hash: H,
}

#[derive(Debug, Clone, Copy)]
struct Removed {
    /// How many buckets were left.
    working: u32,
    replacement: u32,
}

impl<H: StreamFamily> JumpBackAnchor<H> {
    /// A partitioner of `buckets` buckets, all of which work.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        let buckets = super::checked_buckets(i64::from(buckets), u32::MAX)?;
        Ok(Self { buckets, removed: BucketMap::default(), order: Vec::new(), hash })
    }

    /// The bucket at `place` when `working` buckets were left.
    #[inline]
    fn at(&self, mut place: u32, working: u32) -> u32 {
        while let Some(removed) = self.removed.get(&place)
            && removed.working >= working
        {
            place = removed.replacement;
        }
        place
    }
}

impl<H: StreamFamily> Partitioner for JumpBackAnchor<H> {
    fn bucket(&self, key: u64) -> u32 {
        let mut draws = self.hash.stream(key);
        let mut bucket = jump_back(&mut draws, self.buckets);
        while let Some(&Removed { working, .. }) = self.removed.get(&bucket) {
            bucket = self.at(draws.below(working), working);
        }
        bucket
    }

    fn bucket_count(&self) -> u32 {
        self.buckets - self.order.len() as u32
    }
}

/// Growth brings the bucket back that was removed last, or adds a new one; shrinking removes the highest that works.
impl<H: StreamFamily> Resize for JumpBackAnchor<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        match self.order.pop() {
            Some(bucket) => {
                self.removed.remove(&bucket);
                Ok(bucket)
            }
            None => super::grow_count(&mut self.buckets, u32::MAX),
        }
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        // The search is bounded by the removals.
        let last = (0..self.buckets).rev().find(|bucket| !self.removed.contains_key(bucket)).unwrap_or(0);
        self.remove(last)?;
        Ok(last)
    }
}

/// Of the buckets that are not working only the one removed last can be restored.
impl<H: StreamFamily> Remove for JumpBackAnchor<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let works = bucket < self.buckets && !self.removed.contains_key(&bucket);
        super::checked_removal(bucket, works, self.bucket_count())?;
        if self.order.is_empty() && bucket == self.buckets - 1 {
            // JumpBackHash itself can lose its last bucket, and needs no memory for it.
            self.buckets -= 1;
            return Ok(());
        }
        reserve_one(&mut self.removed)?;
        reserve(&mut self.order, 1)?;
        let working = self.bucket_count() - 1;
        let replacement = self.at(working, working + 1);
        self.removed.insert(bucket, Removed { working, replacement });
        self.order.push(bucket);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if self.order.last().copied().unwrap_or(self.buckets) != bucket {
            return Err(Error::UnknownBucket { bucket, choices: "the bucket that was removed last" });
        }
        self.grow().map(|_| ())
    }
}

impl<H: StreamFamily> State for JumpBackAnchor<H> {
    type Hash = H;

    fn save(&self) -> Removals {
        Removals { slots: self.buckets, removed: self.order.clone() }
    }

    fn load(saved: &Removals, hash: H) -> Result<Self, Error> {
        super::replay(Self::new(saved.slots, hash)?, &saved.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{JumpBack, testing};

    fn build(n: u32) -> Result<JumpBackAnchor, Error> {
        JumpBackAnchor::new(n, Mix::new(1))
    }

    #[test]
    fn grows_like_jump_back() {
        testing::total(&testing::SIZES, build);
        testing::monotone(build);
        let (set, plain) = (build(1000).expect("valid"), JumpBack::new(1000, Mix::new(1)).expect("valid"));
        assert_eq!(testing::answers(&set, 1000), testing::answers(&plain, 1000));
    }

    #[test]
    fn any_may_fail() {
        [2, 3, 10, 33, 64, 100].into_iter().for_each(|n| testing::removable(n, build));
        testing::nearly_all_removed(20_000, 19_991, build);
        testing::nearly_all_removed(10_000, 9_999, build);
        // JumpBackHash needs one draw among a power of two.
        testing::harmonic_rehashes(1.0, JumpBackAnchor::new);
        testing::wanders(build);
        testing::history_dependent(build);
        testing::last_removed_first(build(10).expect("ten buckets"));
        testing::saved_and_loaded(build, || Mix::new(1));
    }

    #[test]
    fn memory_is_for_failures_only() {
        let mut set = build(1000).expect("valid");
        assert!((1..1000).rev().all(|last| set.shrink() == Ok(last)));
        assert_eq!(set.save(), Removals { slots: 1, removed: vec![] });
    }
}
