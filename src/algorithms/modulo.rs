//! `h mod n`: the control.
//!
//! Perfectly balanced and as fast as a division, but not consistent: on growth from n to n + 1 buckets n/(n + 1) of the
//! keys move, where 1/(n + 1) would do. Look-up O(1), memory none.

use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Resize};

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
        match buckets {
            0 => Err(Error::NoBuckets { asked: 0 }),
            buckets => Ok(Self { buckets, hash }),
        }
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

impl<H: HashFamily> Resize for Modulo<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        super::grow_count(&mut self.buckets, u32::MAX)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        super::shrink_count(&mut self.buckets)
    }
}
