//! BinomialHash: Coluzzi et al. 2024, arXiv 2406.19836.
//!
//! The buckets are the nodes of a binomial tree of E nodes, E the smallest power of two at or above n. A hash's lower
//! bits give a node, which is *relocated* within its level: the bits below its top one are drawn anew. A node at n or
//! above is tried again with a rehash, up to ω times, until one is below n; a try below E/2, or the end of the tries,
//! sends the key to its own node in 0..E/2. Look-up O(1) with at most ω + 1 tries; integers only; memory none.
//!
//! The price of a fixed ω: with q = (E - n)/E each bucket in E/2..n gets 1 - q^(ω+1) of its fair share, and those below
//! E/2 what is left. At ω = 4 that is 3.1 % too little at worst, just above a power of two.

use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Resize, by_count};

/// ω of the paper's implementation.
const ATTEMPTS: u32 = 4;

/// Relocated nodes of a binomial tree.
#[derive(Debug, Clone)]
pub struct Binomial<H = Mix> {
    buckets: u32,
    attempts: u32,
    hash: H,
}

impl<H: HashFamily> Binomial<H> {
    /// A partitioner of `buckets` buckets, with ω = 4 rehashes.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        Self::with_attempts(buckets, ATTEMPTS, hash)
    }

    /// The same with ω = `attempts`: evenness for time.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn with_attempts(buckets: u32, attempts: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), u32::MAX).map(|buckets| Self { buckets, attempts, hash })
    }

    /// The largest number of a node in the tree, E - 1.
    #[inline]
    fn last_node(&self) -> u32 {
        match self.buckets {
            1 => 0,
            n => u32::MAX >> (n - 1).leading_zeros(),
        }
    }

    /// The exact share of a bucket if hashes and rehashes are independent; 0 for one that is not there.
    #[must_use]
    pub fn share(&self, bucket: u32) -> f64 {
        let (n, size) = (f64::from(self.buckets), f64::from(self.last_node()) + 1.0);
        let missing = (size - n) / size;
        let upper = (1.0 - missing.powf(f64::from(self.attempts) + 1.0)) / n;
        let half = self.last_node() / 2 + 1;
        match bucket {
            bucket if bucket >= self.buckets => 0.0,
            // One bucket has no upper half.
            _ if self.buckets == 1 => 1.0,
            bucket if bucket >= half => upper,
            _ => (1.0 - (n - f64::from(half)) * upper) / f64::from(half),
        }
    }

    /// The node of a hash within its level.
    #[inline]
    fn relocate(&self, hash: u64, mask: u32) -> u32 {
        let node = hash as u32 & mask;
        if node < 2 {
            return node;
        }
        let below = (1 << node.ilog2()) - 1;
        below + 1 + (self.hash.score(hash, below) as u32 & below)
    }
}

impl<H: HashFamily> Partitioner for Binomial<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let (hash, mask) = (self.hash.key(key), self.last_node());
        let mut again = hash;
        for attempt in 0..=u64::from(self.attempts) {
            let node = self.relocate(again, mask);
            if attempt > 0 && node <= mask / 2 {
                break;
            }
            if node < self.buckets {
                return node;
            }
            again = self.hash.score(again, mask);
        }
        self.relocate(hash, mask / 2)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: HashFamily> Resize for Binomial<H>, at most u32::MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::{Draws, SplitMix64};
    use crate::algorithms::testing;

    #[test]
    fn total_and_monotone() {
        let build = |n| Binomial::new(n, Mix::new(1));
        testing::total(&testing::SIZES, build);
        testing::total(&[u32::MAX], build);
        testing::monotone(build);
        testing::monotone(|n| Binomial::with_attempts(n, 0, Mix::new(1)));
    }

    #[test]
    fn shares_are_those_of_the_formula() {
        for (n, attempts) in
            [(1, 4), (2, 4), (3, 0), (5, 0), (5, 1), (9, 4), (17, 2), (24, 1), (32, 0), (33, 4), (33, 64)]
        {
            let subject = Binomial::with_attempts(n, attempts, Mix::new(1)).expect("a valid size");
            let shares: Vec<f64> = (0..n).map(|bucket| subject.share(bucket)).collect();
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            let mut counts = vec![0_u32; n as usize];
            let mut random = SplitMix64::new(3);
            (0..200_000).for_each(|_| counts[subject.bucket(random.draw()) as usize] += 1);
            testing::assert_fair(&counts, &shares);
        }
    }

    #[test]
    fn the_upper_half_gets_too_little() {
        let worst = Binomial::new((1 << 20) + 1, Mix::new(1)).expect("a valid size");
        let of_fair = worst.share(1 << 20) * f64::from((1 << 20) + 1);
        assert!((of_fair - (1.0 - 0.5_f64.powi(5))).abs() < 1e-5, "{of_fair}: 3.1 % low");
        assert_eq!(worst.share((1 << 20) + 1), 0.0);
    }
}
