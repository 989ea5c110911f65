//! Mistakes in the bookkeeping of buckets that fail.

use std::collections::{BTreeSet, VecDeque};

use super::checked;
use crate::algorithms::hash::{HashFamily, Mix};
use crate::algorithms::{Anchor, Dx, Error, Partitioner, Removals, Remove, Rendezvous, Resize, State};
use crate::catalog::{Build, BuildError, Reloaded, parameters};

/// DxHash that refuses its last slot.
pub(super) struct LastSlot(Dx);

impl LastSlot {
    pub(super) fn new(build: Build) -> Result<Self, Error> {
        let slots = build.slots_or(build.buckets.saturating_mul(2));
        if build.buckets >= slots && slots > 1 {
            return Err(Error::TooManyBuckets { asked: build.buckets.into(), most: slots - 1 });
        }
        Dx::new(build.buckets, slots, Mix::new(build.seed)).map(Self)
    }
}

impl Partitioner for LastSlot {
    fn bucket(&self, key: u64) -> u32 {
        self.0.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.0.bucket_count()
    }
}

/// AnchorHash without removals, whose slots never used hold their place among themselves, not their number.
pub(super) struct AnchorArray {
    slots: Vec<u32>,
    working: u32,
    family: Mix,
}

impl AnchorArray {
    pub(super) fn new(build: Build) -> Result<Self, Error> {
        let working = checked(build.buckets)?;
        let slots = build.slots_or(working * 2).max(working);
        let unused = |slot| if slot < working { 0 } else { slot - working + 1 };
        Ok(Self { slots: (0..slots).map(unused).collect(), working, family: Mix::new(build.seed) })
    }
}

impl Partitioner for AnchorArray {
    fn bucket(&self, key: u64) -> u32 {
        let mut hash = self.family.key(key);
        let mut bucket = (hash % self.slots.len() as u64) as u32;
        while self.slots[bucket as usize] > 0 {
            hash = self.family.rehash(key, hash, bucket);
            bucket = (hash % u64::from(self.slots[bucket as usize])) as u32;
        }
        bucket
    }

    fn bucket_count(&self) -> u32 {
        self.working
    }
}

/// Rendezvous whose look-ups never hear of removals.
pub(super) struct NoRemoval {
    all: Rendezvous,
    members: Rendezvous,
}

impl NoRemoval {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        let all = Rendezvous::new(buckets, Mix::new(seed))?;
        Ok(Self { members: all.clone(), all })
    }
}

impl Partitioner for NoRemoval {
    fn bucket(&self, key: u64) -> u32 {
        self.all.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.members.bucket_count()
    }
}

impl Remove for NoRemoval {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.restore(bucket)
    }
}

/// Rendezvous over a set into which anything can be put.
pub(super) struct UnknownMember {
    working: BTreeSet<u32>,
    family: Mix,
}

impl UnknownMember {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        Ok(Self { working: (0..checked(buckets)?).collect(), family: Mix::new(seed) })
    }
}

impl Partitioner for UnknownMember {
    fn bucket(&self, key: u64) -> u32 {
        let best = self.working.iter().max_by_key(|&&bucket| self.family.score(key, bucket));
        best.copied().unwrap_or(u32::MAX)
    }

    fn bucket_count(&self) -> u32 {
        self.working.len() as u32
    }
}

impl Remove for UnknownMember {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        if self.working.len() == 1 && self.working.contains(&bucket) {
            return Err(Error::LastBucket { bucket });
        }
        let unknown = Error::UnknownBucket { bucket, choices: "a bucket that is working" };
        if self.working.remove(&bucket) { Ok(()) } else { Err(unknown) }
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        let works = Error::UnknownBucket { bucket, choices: "a bucket that is not working" };
        if self.working.insert(bucket) { Ok(()) } else { Err(works) }
    }
}

/// AnchorHash in which all slots are used.
pub(super) fn anchor(build: Build) -> Result<Anchor, Error> {
    Anchor::new(build.buckets, build.buckets, Mix::new(build.seed))
}

/// Saves which buckets were removed, in the order of their numbers.
pub(super) fn forgetful(build: Build, removed: &[u32]) -> Result<Reloaded, BuildError> {
    let mut one = anchor(build)?;
    removed.iter().try_for_each(|&bucket| one.remove(bucket))?;
    let Removals { slots, mut removed } = one.save();
    removed.sort_unstable();
    let again = Anchor::load(&Removals { slots, removed }, Mix::new(build.seed))?;
    Ok((Box::new(one), Box::new(again)))
}

/// AnchorHash by lists, whose restoration appends a bucket to those that work, where the one that took its place should go
/// back to the end: only a removal after a restoration shows it.
pub(super) struct ForgottenPlace {
    /// The working buckets, each in its place.
    places: Vec<u32>,
    /// For each of the others those that worked after its removal, the first removed first.
    removed: Vec<(u32, Vec<u32>)>,
    family: Mix,
}

impl ForgottenPlace {
    pub(super) fn new(build: Build) -> Result<Self, Error> {
        let working = checked(build.buckets)?;
        let slots = parameters::slots(build);
        let mut subject = Self { places: (0..slots).collect(), removed: Vec::new(), family: Mix::new(build.seed) };
        (working..slots).rev().try_for_each(|slot| subject.remove(slot)).map(|()| subject)
    }
}

impl Partitioner for ForgottenPlace {
    fn bucket(&self, key: u64) -> u32 {
        let slots = self.places.len() + self.removed.len();
        let mut bucket = (self.family.key(key) % slots as u64) as u32;
        while let Some((_, left)) = self.removed.iter().find(|(other, _)| *other == bucket) {
            bucket = left[(self.family.score(key, bucket) % left.len() as u64) as usize];
        }
        bucket
    }

    fn bucket_count(&self) -> u32 {
        self.places.len() as u32
    }
}

impl Remove for ForgottenPlace {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let place = self.places.iter().position(|&other| other == bucket);
        let place = place.ok_or(Error::UnknownBucket { bucket, choices: "a bucket that is working" })?;
        if self.places.len() == 1 {
            return Err(Error::LastBucket { bucket });
        }
        self.places.swap_remove(place);
        self.removed.push((bucket, self.places.clone()));
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        let last = self.removed.pop_if(|(last, _)| *last == bucket);
        last.ok_or(Error::UnknownBucket { bucket, choices: "the bucket that was removed last" })?;
        self.places.push(bucket);
        Ok(())
    }
}

/// DxHash in which the slot that was emptied first is the first to be used again.
pub(super) struct SlotOrder {
    right: Dx,
    empty: VecDeque<u32>,
}

impl SlotOrder {
    pub(super) fn new(build: Build) -> Result<Self, Error> {
        let right = Dx::new(build.buckets, parameters::slots(build), Mix::new(build.seed))?;
        Ok(Self { right, empty: VecDeque::new() })
    }
}

impl Partitioner for SlotOrder {
    fn bucket(&self, key: u64) -> u32 {
        self.right.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

impl Resize for SlotOrder {
    fn grow(&mut self) -> Result<u32, Error> {
        match self.empty.pop_front() {
            Some(first) => self.right.restore(first).map(|()| first),
            None => self.right.grow(),
        }
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.right.shrink()?;
        self.empty.push_back(last);
        Ok(last)
    }
}
