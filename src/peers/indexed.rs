//! Crates that are a function of a key and a number of buckets.

use crate::algorithms::{Error, Partitioner, Resize, grow_count};

/// Such a function with its number of buckets. No number that the crate's type holds is refused here: 0 is the crate's to
/// answer.
pub(super) struct Indexed<F> {
    buckets: u32,
    most: u32,
    of: F,
}

impl<F: Fn(u64, u32) -> u32 + Send + Sync> Indexed<F> {
    /// The bucket of a key among so many.
    pub(super) fn new(buckets: u32, of: F) -> Result<Self, Error> {
        Self::up_to(u32::MAX, buckets, of)
    }

    /// The same of a crate whose type holds no more than `most`.
    pub(super) fn up_to(most: u32, buckets: u32, of: F) -> Result<Self, Error> {
        match buckets <= most {
            true => Ok(Self { buckets, most, of }),
            false => Err(Error::TooManyBuckets { asked: buckets.into(), most }),
        }
    }
}

impl<F: Fn(u64, u32) -> u32 + Send + Sync> Partitioner for Indexed<F> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        (self.of)(key, self.buckets)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

impl<F: Fn(u64, u32) -> u32 + Send + Sync> Resize for Indexed<F> {
    fn grow(&mut self) -> Result<u32, Error> {
        grow_count(&mut self.buckets, self.most)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        self.buckets = self.buckets.checked_sub(1).ok_or(Error::NoBuckets { asked: -1 })?;
        Ok(self.buckets)
    }
}
