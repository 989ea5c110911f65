//! `h mod n`: the control.
//!
//! Perfectly balanced and as fast as a division, but not consistent: on growth from n to n + 1 buckets n/(n + 1) of the
//! keys move, where 1/(n + 1) would do. Look-up O(1), memory none.

use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Resize, by_count};

/// The hash of the key modulo the number of buckets.
#[derive(Debug, Clone)]
pub struct Modulo<H = Mix> {
    buckets: u32,
    hash: H,
}

impl<H: HashFamily> Modulo<H> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), u32::MAX).map(|buckets| Self { buckets, hash })
    }
}

impl<H: HashFamily> Partitioner for Modulo<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        (self.hash.key(key) % u64::from(self.buckets)) as u32
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: HashFamily> Resize for Modulo<H>, at most u32::MAX);
