//! FlipHash: Masson & Lee 2024, "FlipHash: A Constant-Time Consistent Range-Hashing Algorithm", arXiv 2402.17549.
//!
//! A hash masked to a power of two is consistent among powers of two if the bits below its top one are *flipped* by
//! another hash, which depends on where the top bit is. If that value lies past the end of the range, up to 64 more
//! hashes are tried, until one falls in the range's upper half (the answer), or in the lower half: then the flipped
//! value of half the power of two is the answer. Look-up O(1), fewer than four hashes on average; integers only; memory
//! none. Shares are equal but for 2^-64.

use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Resize, by_count};

const ATTEMPTS: u32 = 64;

/// The hash functions of FlipHash.
pub trait FlipFamily: Clone + Send + Sync {
    /// A hash of the key for bit `level`, 0..64, and `attempt`, 0 for the flips and 1..=64 for what follows.
    fn hash(&self, key: u64, level: u32, attempt: u32) -> u64;
}

impl FlipFamily for Mix {
    #[inline]
    fn hash(&self, key: u64, level: u32, attempt: u32) -> u64 {
        self.score(key, (attempt << 6) | level)
    }
}

/// The hash of a key in `0..=end`, the paper's function: `end` may be anything in 64 bits.
#[must_use]
pub fn flip_hash(family: &impl FlipFamily, key: u64, end: u64) -> u64 {
    let Some(level) = end.checked_ilog2() else {
        return 0;
    };
    let mask = u64::MAX >> end.leading_zeros();
    let first = family.hash(key, 0, 0);
    let flipped = flip(family, key, first & mask);
    if flipped <= end {
        return flipped;
    }
    for attempt in 1..=ATTEMPTS {
        let candidate = family.hash(key, level, attempt) & mask;
        if candidate <= mask >> 1 {
            break;
        }
        if candidate <= end {
            return candidate;
        }
    }
    flip(family, key, first & (mask >> 1))
}

#[inline]
fn flip(family: &impl FlipFamily, key: u64, masked: u64) -> u64 {
    match masked.checked_ilog2() {
        None => 0,
        Some(level) => masked ^ (family.hash(key, level, 0) & ((1 << level) - 1)),
    }
}

/// [`flip_hash`] into `0..buckets`.
#[derive(Debug, Clone)]
pub struct Flip<H = Mix> {
    buckets: u32,
    hash: H,
}

impl<H: FlipFamily> Flip<H> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), u32::MAX).map(|buckets| Self { buckets, hash })
    }
}

impl<H: FlipFamily> Partitioner for Flip<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        flip_hash(&self.hash, key, u64::from(self.buckets - 1)) as u32
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: FlipFamily> Resize for Flip<H>, at most u32::MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing;

    #[test]
    fn total_monotone_and_fair() {
        let build = |n| Flip::new(n, Mix::new(1));
        testing::total(&testing::SIZES, build);
        testing::total(&[u32::MAX], build);
        testing::monotone(build);
        testing::uniform(build);
    }

    #[test]
    fn monotone_beyond_32_bits() {
        let family = Mix::new(1);
        for bits in 1..64 {
            for end in [(1_u64 << bits) - 1, 1 << bits, (1 << bits) + 1, (1 << bits) + (1 << (bits - 1))] {
                for key in testing::keys(100) {
                    let (less, more) = (flip_hash(&family, key, end - 1), flip_hash(&family, key, end));
                    assert!(less < end && (more == less || more == end), "0..={end}, key {key}: {less}, {more}");
                }
            }
        }
        assert!(testing::keys(100).any(|key| flip_hash(&family, key, u64::MAX) > 1 << 63));
    }

    /// A family all of whose values are the same.
    #[derive(Clone)]
    struct Constant(u64);

    impl FlipFamily for Constant {
        fn hash(&self, _: u64, _: u32, _: u32) -> u64 {
            self.0
        }
    }

    #[test]
    fn attempts_end() {
        for value in [0, 1, 0b101, 1 << 63, u64::MAX] {
            for end in [0, 1, 2, 4, 8, 1 << 40, 1 << 63, u64::MAX] {
                assert!(flip_hash(&Constant(value), 0, end) <= end);
            }
        }
    }
}
