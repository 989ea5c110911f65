//! Which buckets work, and in which order the others went: all that a model knows of a partitioner.

use std::collections::BTreeSet;

use crate::algorithms::{Error, Removals};
use crate::catalog::{Algorithm, Build, parameters};

/// The membership of a partitioner, with what its algorithm lets happen to it.
#[derive(Debug, Clone)]
pub struct History {
    algorithm: Algorithm,
    removals: Removals,
}

impl History {
    /// Of a partitioner that was just built.
    #[must_use]
    pub fn new(algorithm: Algorithm, build: Build) -> Self {
        let slots = match algorithm {
            Algorithm::Anchor | Algorithm::Dx => parameters::slots(build),
            _ => build.buckets,
        };
        // Slots never used count as removed, from the highest down.
        Self { algorithm, removals: Removals { slots, removed: (build.buckets..slots).rev().collect() } }
    }

    /// The buckets that there are, and those that do not work in the order in which they went.
    #[must_use]
    pub fn removals(&self) -> &Removals {
        &self.removals
    }

    /// How many buckets work.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.removals.slots - self.removals.removed.len() as u32
    }

    /// The buckets that work.
    #[must_use]
    pub fn working(&self) -> BTreeSet<u32> {
        let removed: BTreeSet<u32> = self.removals.removed.iter().copied().collect();
        (0..self.removals.slots).filter(|bucket| !removed.contains(bucket)).collect()
    }

    /// Whether the algorithm is another one, over buckets `0..slots`, with a memory of what was removed.
    fn has_memory(&self) -> bool {
        matches!(self.algorithm, Algorithm::Memento | Algorithm::JumpBackAnchor)
    }

    /// Takes a bucket out.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`], [`Error::LastBucket`].
    pub fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let Removals { slots, removed } = &self.removals;
        if bucket >= *slots || removed.contains(&bucket) {
            return Err(Error::UnknownBucket { bucket, choices: "a bucket that is working" });
        }
        if self.count() == 1 {
            return Err(Error::LastBucket { bucket });
        }
        if self.has_memory() && removed.is_empty() && bucket == slots - 1 {
            // The algorithm below loses its last bucket without any memory of it.
            self.removals.slots -= 1;
        } else {
            self.removals.removed.push(bucket);
        }
        Ok(())
    }

    /// Brings a bucket back.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`].
    pub fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        let Removals { slots, removed } = &self.removals;
        let is_removed = removed.contains(&bucket);
        let can_come_back = match self.algorithm {
            Algorithm::Anchor => removed.last() == Some(&bucket),
            Algorithm::Memento | Algorithm::JumpBackAnchor => *removed.last().unwrap_or(slots) == bucket,
            Algorithm::Dx | Algorithm::RingWeighted | Algorithm::RendezvousWeighted => is_removed,
            _ => is_removed,
        };
        if !can_come_back {
            return Err(Error::UnknownBucket { bucket, choices: "a bucket that can come back" });
        }
        self.works_again(bucket);
        Ok(())
    }

    fn works_again(&mut self, bucket: u32) {
        let Removals { slots, removed } = &mut self.removals;
        // What lies between the highest bucket so far and this one does not work.
        removed.extend(*slots..bucket);
        *slots = (*slots).max(bucket + 1);
        removed.retain(|&other| other != bucket);
    }

    /// Adds a bucket, and returns its number.
    ///
    /// # Errors
    /// [`Error::TooManyBuckets`] if the slots are fixed and all work.
    pub fn grow(&mut self) -> Result<u32, Error> {
        let Removals { slots, removed } = &self.removals;
        let full = Error::TooManyBuckets { asked: u64::from(*slots) + 1, most: *slots };
        let bucket = match self.algorithm {
            Algorithm::Anchor => removed.last().copied().ok_or(full)?,
            Algorithm::Dx => removed.iter().min().copied().ok_or(full)?,
            _ if self.has_memory() => *removed.last().unwrap_or(slots),
            _ => self.highest() + 1,
        };
        self.works_again(bucket);
        Ok(bucket)
    }

    /// Takes the highest bucket out, and returns its number.
    ///
    /// # Errors
    /// [`Error::LastBucket`].
    pub fn shrink(&mut self) -> Result<u32, Error> {
        let bucket = self.highest();
        self.remove(bucket)?;
        Ok(bucket)
    }

    fn highest(&self) -> u32 {
        (0..self.removals.slots).rev().find(|bucket| !self.removals.removed.contains(bucket)).unwrap_or(0)
    }
}
