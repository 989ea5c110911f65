//! Jump consistent hash, the linear-time version with which its paper begins: Lamping & Veach 2014, section 3.
//!
//! A generator is seeded with the key; for j = 1, 2, ..., n - 1 the key jumps to bucket j with probability 1/(j + 1).
//! The balance and the movement are those of [`Jump`](super::Jump), the answers are others, because the generator is
//! asked n - 1 times. Look-up O(n), memory none.

use super::hash::{Draws, SplitMix64, mix64};
use super::{Error, Partitioner, Resize, by_count};

/// The linear-time version, with SplitMix64 as its generator.
#[derive(Debug, Clone)]
pub struct JumpLinear {
    buckets: u32,
}

impl JumpLinear {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), super::JUMP_MAX_BUCKETS).map(|buckets| Self { buckets })
    }
}

impl Partitioner for JumpLinear {
    fn bucket(&self, key: u64) -> u32 {
        // A key is a seed, not a state: neighbouring keys must not share a stream that is shifted by one.
        let mut draws = SplitMix64::new(mix64(key));
        let mut bucket = 0;
        for j in 1..self.buckets {
            // u < 1/(j + 1) for u uniform in [0, 1), in integers: the product's high word is 0.
            if (u128::from(draws.draw()) * u128::from(j + 1)) >> 64 == 0 {
                bucket = j;
            }
        }
        bucket
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl Resize for JumpLinear, at most super::JUMP_MAX_BUCKETS);
