//! PowerCH: Leu 2023, "Fast Consistent Hashing in Constant Time", arXiv 2307.12448.
//!
//! Let m be the smallest power of two at or above n. A key has a place in 0..m that is consistent among powers of two:
//! its lower bits, of which those below the top one are drawn anew for each top bit. If the place lies in 0..n it is
//! the answer. Otherwise the key continues its jump walk as if it stood at bucket m/2 - 1; if the walk leaves that
//! bucket it ends in m/2..n, and else the place in 0..m/2 is the answer. Every bucket's share is 1/m + (m - n)/(mn) =
//! 1/n. Look-up O(1): the walk covers less than a factor of two. Memory none.

use super::hash::{HashFamily, Mix};
use super::{Error, JUMP_MAX_BUCKETS, Partitioner, Resize, by_count};

/// Places among powers of two, and a short jump walk between them.
#[derive(Debug, Clone)]
pub struct Power<H = Mix> {
    buckets: u32,
    hash: H,
}

impl<H: HashFamily> Power<H> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), JUMP_MAX_BUCKETS).map(|buckets| Self { buckets, hash })
    }

    /// The place of a hash among a number of buckets that is a power of two.
    #[inline]
    fn place(&self, hash: u64, buckets: u32) -> u32 {
        let place = hash as u32 & (buckets - 1);
        match place.checked_ilog2() {
            None => 0,
            Some(bits) => {
                let top = 1 << bits;
                top + (self.hash.score(hash, top) as u32 & (top - 1))
            }
        }
    }
}

impl<H: HashFamily> Partitioner for Power<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let hash = self.hash.key(key);
        let upper = self.buckets.next_power_of_two();
        let place = self.place(hash, upper);
        if place < self.buckets {
            return place;
        }
        // Not with n = 1, where the only place is 0.
        let last = upper / 2 - 1;
        let end = self.hash.jump(hash, last, self.buckets);
        if end > last { end } else { self.place(hash, upper / 2) }
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: HashFamily> Resize for Power<H>, at most JUMP_MAX_BUCKETS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing;

    #[test]
    fn total_monotone_and_fair() {
        let build = |n| Power::new(n, Mix::new(1));
        testing::total(&testing::SIZES, build);
        testing::monotone(build);
        testing::uniform(build);
        assert!(matches!(build(1 << 31), Err(Error::TooManyBuckets { .. })));
    }
}
