//! Rendezvous hashing, or highest random weight: Thaler & Ravishankar 1998.
//!
//! Every bucket scores every key, h(key, bucket); the highest score owns the key, ties go to the lower bucket. Perfectly
//! monotone under any change of membership. Look-up O(n), memory one word a bucket.

use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::room::reserve;
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
    /// [`Error::NoBuckets`] for zero, [`Error::OutOfMemory`].
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        let members = Members::new(buckets)?;
        let working = members.to_vec()?;
        Ok(Self { members, working, hash })
    }

    fn reserve(&mut self) -> Result<(), Error> {
        reserve(&mut self.working, 1)
    }

    fn insert(&mut self, bucket: u32) {
        let at = self.working.partition_point(|&other| other < bucket);
        self.working.insert(at, bucket);
    }

    fn withdraw(&mut self, bucket: u32) {
        self.working.retain(|&other| other != bucket);
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

by_members!(impl<H: HashFamily> Resize + Remove for Rendezvous<H>);
