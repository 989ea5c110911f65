//! AnchorHash: Mendelson et al. 2018, arXiv 1812.09674.
//!
//! There are a slots, of which w work; `a` is fixed. A\[b\] is 0 for a working bucket b, otherwise how many worked
//! after its removal, and K\[b\] is the bucket that took b's place then. A key is hashed to one of the a slots; while
//! its bucket is removed it is hashed again, to one of the A\[b\] places that there were, and follows K from a place
//! that had been removed before. A look-up hashes again H_a - H_w < 1 + ln(a/w) times on average and takes O(ln²(a/w))
//! steps.
//!
//! The two layouts give the same answers. With the paper's arrays W and L ([`Anchor`], 16 bytes a slot) a removal finds
//! the replacement at once; without ([`CompactAnchor`], 8 bytes a slot) it walks along K. Both keep 4 bytes for each
//! bucket that failed.
//!
//! History-dependent: the order of the removals decides who takes whose place. They are undone in reverse order only.
//! The slots never used count as removed at the beginning, from the highest down. (An array A that holds another value
//! for them than their own number makes the shares uneven; that was published once as a property of the algorithm.)

use super::hash::{HashFamily, Mix};
use super::room::{collected, reserve};
use super::{Error, Partitioner, Removals, Remove, Resize, State};

/// AnchorHash with constant-time removals, 16 bytes a slot.
pub type Anchor<H = Mix> = AnchorHash<H, Positions>;

/// AnchorHash in 8 bytes a slot.
pub type CompactAnchor<H = Mix> = AnchorHash<H, Chains>;

/// [`Anchor`] or [`CompactAnchor`]; the last bucket to fail is the first to come back.
#[derive(Debug, Clone)]
pub struct AnchorHash<H, R> {
    slots: Vec<Slot>,
    working: u32,
    /// The buckets that failed while a higher one worked or was to come back first; below them on the paper's stack lie
    /// the slots never used.
    failed: Vec<u32>,
    replacements: R,
    hash: H,
}

/// What a look-up reads of a slot, side by side.
#[derive(Debug, Clone, Copy)]
pub struct Slot {
    /// A: 0 if the bucket works, otherwise how many worked after its removal.
    left: u32,
    /// K: the bucket that took its place.
    replacement: u32,
}

/// How a removal finds the bucket that takes the place: [`Positions`] or [`Chains`].
pub trait Replacements: Clone + Send + Sync {
    /// For this number of slots, all of which work.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    fn new(slots: u32) -> Result<Self, Error>;

    /// The bucket in place number `left`, which takes that of `bucket`: `left` buckets work afterwards.
    fn remove(&mut self, slots: &[Slot], bucket: u32, left: u32) -> u32;

    /// Undoes the last removal, of `bucket`, after which `left` buckets worked.
    fn restore(&mut self, bucket: u32, left: u32);
}

/// The arrays W, the bucket in each place, and L, the place of each bucket.
#[derive(Debug, Clone)]
pub struct Positions {
    bucket_at: Vec<u32>,
    place_of: Vec<u32>,
}

impl Replacements for Positions {
    fn new(slots: u32) -> Result<Self, Error> {
        let each = || collected(slots as usize, 0..slots);
        Ok(Self { bucket_at: each()?, place_of: each()? })
    }

    fn remove(&mut self, _: &[Slot], bucket: u32, left: u32) -> u32 {
        let replacement = self.bucket_at[left as usize];
        let place = self.place_of[bucket as usize];
        self.bucket_at[place as usize] = replacement;
        self.place_of[replacement as usize] = place;
        replacement
    }

    fn restore(&mut self, bucket: u32, left: u32) {
        let replacement = self.bucket_at[left as usize];
        self.place_of[replacement as usize] = left;
        self.bucket_at[self.place_of[bucket as usize] as usize] = bucket;
    }
}

/// No arrays: the bucket in a place is found along K from the slot of that number.
#[derive(Debug, Clone, Copy)]
pub struct Chains;

impl Replacements for Chains {
    fn new(_: u32) -> Result<Self, Error> {
        Ok(Self)
    }

    fn remove(&mut self, slots: &[Slot], _: u32, left: u32) -> u32 {
        bucket_at(slots, left, left + 1)
    }

    fn restore(&mut self, _: u32, _: u32) {}
}

/// The bucket in a place at the time when `working` buckets worked.
#[inline]
fn bucket_at(slots: &[Slot], mut place: u32, working: u32) -> u32 {
    while slots[place as usize].left >= working {
        place = slots[place as usize].replacement;
    }
    place
}

impl<H: HashFamily, R: Replacements> AnchorHash<H, R> {
    /// Buckets `0..working` of `slots` slots.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] if none works, [`Error::TooManyBuckets`] if more do than there are slots,
    /// [`Error::OutOfMemory`].
    pub fn new(working: u32, slots: u32, hash: H) -> Result<Self, Error> {
        let working = super::checked_buckets(i64::from(working), slots)?;
        let used = |bucket| Slot { left: if bucket < working { 0 } else { bucket }, replacement: bucket };
        Ok(Self {
            slots: collected(slots as usize, (0..slots).map(used))?,
            working,
            failed: Vec::new(),
            replacements: R::new(slots)?,
            hash,
        })
    }

    /// The bucket that was removed last, or the first slot never used; a number out of range if all slots work.
    fn next_back(&self) -> u32 {
        self.failed.last().copied().unwrap_or(self.working)
    }
}

impl<H: HashFamily, R: Replacements> Partitioner for AnchorHash<H, R> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let mut hash = self.hash.key(key);
        let mut bucket = (hash % self.slots.len() as u64) as u32;
        loop {
            let working = self.slots[bucket as usize].left;
            if working == 0 {
                return bucket;
            }
            hash = self.hash.rehash(key, hash, bucket);
            bucket = bucket_at(&self.slots, (hash % u64::from(working)) as u32, working);
        }
    }

    fn bucket_count(&self) -> u32 {
        self.working
    }
}

/// Growth brings the bucket back that was removed last, or the first slot never used; shrinking removes the highest
/// bucket that works.
impl<H: HashFamily, R: Replacements> Resize for AnchorHash<H, R> {
    fn grow(&mut self) -> Result<u32, Error> {
        let most = self.slots.len() as u32;
        if self.working == most {
            return Err(Error::TooManyBuckets { asked: u64::from(most) + 1, most });
        }
        let bucket = self.next_back();
        self.failed.pop();
        self.replacements.restore(bucket, self.working);
        self.slots[bucket as usize] = Slot { left: 0, replacement: bucket };
        self.working += 1;
        Ok(bucket)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.slots.iter().rposition(|slot| slot.left == 0).unwrap_or(0) as u32;
        self.remove(last)?;
        Ok(last)
    }
}

/// Of the buckets that are not working only the one removed last can be restored.
impl<H: HashFamily, R: Replacements> Remove for AnchorHash<H, R> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let works = self.slots.get(bucket as usize).is_some_and(|slot| slot.left == 0);
        super::checked_removal(bucket, works, self.working)?;
        let left = self.working - 1;
        if bucket != left || !self.failed.is_empty() {
            reserve(&mut self.failed, 1)?;
            self.failed.push(bucket);
        }
        let replacement = self.replacements.remove(&self.slots, bucket, left);
        self.slots[bucket as usize] = Slot { left, replacement };
        self.working = left;
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if bucket != self.next_back() || bucket as usize >= self.slots.len() {
            return Err(Error::UnknownBucket { bucket, choices: "the bucket that was removed last" });
        }
        self.grow().map(|_| ())
    }
}

impl<H: HashFamily, R: Replacements> State for AnchorHash<H, R> {
    type Hash = H;

    fn save(&self) -> Removals {
        let slots = self.slots.len() as u32;
        let used = self.working + self.failed.len() as u32;
        Removals { slots, removed: (used..slots).rev().chain(self.failed.iter().copied()).collect() }
    }

    fn load(saved: &Removals, hash: H) -> Result<Self, Error> {
        super::replay(Self::new(saved.slots, saved.slots, hash)?, &saved.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing;

    fn check<R: Replacements>() {
        let with_spares = |n: u32| AnchorHash::<Mix, R>::new(n, 140.max(n), Mix::new(1));
        let full = |n: u32| AnchorHash::<Mix, R>::new(n, n, Mix::new(1));
        testing::total(&[1, 2, 3, 7, 8, 9, 1023, 1024, 1025, 65_536, 1_000_000], full);
        testing::total(&[1, 2, 3, 7, 8, 9, 99], with_spares);
        testing::monotone(with_spares);
        testing::uniform(with_spares);
        [2, 3, 10, 33, 64, 100].into_iter().for_each(|n| testing::removable(n, full));
        testing::nearly_all_removed(20_000, 19_991, full);
        testing::nearly_all_removed(10_000, 9_999, full);
        testing::harmonic_rehashes(0.0, |n, hash| AnchorHash::<_, R>::new(n, n, hash));
        testing::wanders(with_spares);
        testing::history_dependent(with_spares);
        testing::last_removed_first(with_spares(10).expect("ten buckets"));
        testing::saved_and_loaded(full, || Mix::new(1));
        testing::saved_and_loaded(with_spares, || Mix::new(1));
    }

    #[test]
    fn with_positions() {
        check::<Positions>();
    }

    #[test]
    fn with_chains() {
        check::<Chains>();
    }

    #[test]
    fn limits() {
        assert_eq!(Anchor::new(5, 4, Mix::new(1)).err(), Some(Error::TooManyBuckets { asked: 5, most: 4 }));
        let mut full = Anchor::new(4, 4, Mix::new(1)).expect("four slots");
        assert_eq!(full.grow(), Err(Error::TooManyBuckets { asked: 5, most: 4 }));
        assert!(full.restore(4).is_err());
    }

    #[test]
    fn the_layouts_agree() {
        let mut positions = Anchor::new(300, 500, Mix::new(1)).expect("valid");
        let mut chains = CompactAnchor::new(300, 500, Mix::new(1)).expect("valid");
        for (step, bucket) in testing::random_order(300, 9).into_iter().enumerate() {
            assert_eq!(positions.remove(bucket), chains.remove(bucket));
            // Three steps forward, one back.
            if step % 3 == 2 {
                assert_eq!(positions.grow(), chains.grow());
            }
            assert_eq!(positions.save(), chains.save());
            assert_eq!(testing::answers(&positions, 200), testing::answers(&chains, 200));
        }
    }
}
