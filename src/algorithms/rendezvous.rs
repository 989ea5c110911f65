//! Rendezvous hashing, or highest random weight: Thaler & Ravishankar 1998.
//!
//! Every bucket scores every key, h(key, bucket); the highest score owns the key, ties go to the lower bucket. Perfectly
//! monotone under any change of membership. Look-up O(n), memory one word a bucket.

use super::hash::{HashFamily, Mix};
use super::members::Members;
use super::{Error, Partitioner, Remove, Resize};

/// The bucket whose score for the key is highest.
#[derive(Debug, Clone)]
pub struct Rendezvous<H = Mix> {
    members: Members,
    /// The working buckets, ascending: the loop of a look-up wants them side by side.
    working: Vec<u32>,
    hash: H,
}

impl<H: HashFamily> Rendezvous<H> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        let members = Members::new(buckets)?;
        let working = members.iter().collect();
        Ok(Self { members, working, hash })
    }

    fn refresh(&mut self) {
        self.working.clear();
        self.working.extend(self.members.iter());
    }
}

impl<H: HashFamily> Partitioner for Rendezvous<H> {
    fn bucket(&self, key: u64) -> u32 {
        let mut best = (0, self.working[0]);
        for &bucket in &self.working {
            let score = self.hash.score(key, bucket);
            // Strictly greater: of equal scores the lowest bucket keeps the key.
            if score > best.0 {
                best = (score, bucket);
            }
        }
        best.1
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

impl<H: HashFamily> Resize for Rendezvous<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        let new = self.members.grow()?;
        self.working.push(new);
        Ok(new)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.members.last();
        self.remove(last)?;
        Ok(last)
    }
}

impl<H: HashFamily> Remove for Rendezvous<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)?;
        self.refresh();
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.restore(bucket)?;
        self.refresh();
        Ok(())
    }
}
