//! JumpBackHash: Ertl 2024, arXiv 2403.18682, "JumpBackHash: Say Goodbye to the Modulo Operation to Distribute Keys
//! Uniformly to Buckets".
//!
//! Read backwards, the jumps of a key that reach a bucket of 2^i..2^(i+1) are at most one for each *level* i: a random
//! bit says whether the level is reached, and i more bits where. The key belongs to its highest jump below n, so one
//! looks from the top level downwards. Only on the top level can a jump lie at n or above; then more candidates are
//! drawn.
//!
//! One draw of 64 bits serves all levels: its two halves, exclusive-ored, are the bits that say which are reached, and
//! each half supplies the positions of every other level. With α = 2^⌈log2 n⌉ / n a look-up consumes 1 + α(α - 1)/(2α -
//! 1) draws of 64 bits on average, at most 5/3, or 1 + α draws of 32 bits. Memory none; integers only.

use super::hash::{Draws, Mix, StreamFamily};
use super::{Error, Partitioner, Resize, by_count};

/// JumpBackHash from 64-bit draws. With [`Mix`] its buckets are those of the Java library hash4j with SplitMix64.
pub type JumpBack<H = Mix> = JumpBackHash<H, false>;

/// JumpBackHash from 32-bit draws: the lower half of every value of the stream.
pub type JumpBack32<H = Mix> = JumpBackHash<H, true>;

/// [`JumpBack`] or [`JumpBack32`].
#[derive(Debug, Clone)]
pub struct JumpBackHash<H, const HALF_DRAWS: bool> {
    buckets: u32,
    hash: H,
}

impl<H: StreamFamily, const HALF_DRAWS: bool> JumpBackHash<H, HALF_DRAWS> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), u32::MAX).map(|buckets| Self { buckets, hash })
    }
}

/// The bucket below `buckets` of the key to whom the stream belongs.
#[inline]
pub(super) fn jump_back(draws: &mut impl Draws, buckets: u32) -> u32 {
    if buckets <= 1 {
        return 0;
    }
    let first = draws.draw();
    let mut upper = None;
    descend(first, buckets, || match upper.take() {
        Some(half) => half,
        None => {
            let draw = draws.draw();
            upper = Some(draw >> 32);
            draw
        }
    })
}

/// The same, if only the lower half of each draw is used.
#[inline]
fn jump_back32(draws: &mut impl Draws, buckets: u32) -> u32 {
    if buckets <= 1 {
        return 0;
    }
    let first = (draws.draw() & 0xffff_ffff) | (draws.draw() << 32);
    descend(first, buckets, || draws.draw())
}

/// Looks down the levels; `next` gives further candidates in its lower 32 bits. At least 2 buckets.
#[inline]
fn descend(first: u64, buckets: u32, mut next: impl FnMut() -> u64) -> u32 {
    let n = u64::from(buckets);
    let mut reached = (first ^ (first >> 32)) & (u64::from(u32::MAX) >> (buckets - 1).leading_zeros());
    while reached != 0 {
        let level = 1_u64 << reached.ilog2();
        let half = if reached.count_ones() % 2 == 1 { first >> 32 } else { first };
        let mut candidate = level + (half & (level - 1));
        // A candidate below the level means that no jump of this level lies below n.
        while candidate >= level {
            if candidate < n {
                return candidate as u32;
            }
            candidate = next() & (2 * level - 1);
        }
        reached ^= level;
    }
    0
}

impl<H: StreamFamily, const HALF_DRAWS: bool> Partitioner for JumpBackHash<H, HALF_DRAWS> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let mut draws = self.hash.stream(key);
        if HALF_DRAWS { jump_back32(&mut draws, self.buckets) } else { jump_back(&mut draws, self.buckets) }
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: StreamFamily, const HALF_DRAWS: bool> Resize for JumpBackHash<H, HALF_DRAWS>, at most u32::MAX);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::SplitMix64;
    use crate::algorithms::testing::{self, Counting};

    #[test]
    fn total_and_monotone() {
        testing::total(&testing::SIZES, |n| JumpBack::new(n, Mix::new(1)));
        testing::total(&testing::SIZES, |n| JumpBack32::new(n, Mix::new(1)));
        testing::total(&[u32::MAX], |n| JumpBack::new(n, Mix::new(1)));
        testing::monotone(|n| JumpBack::new(n, Mix::new(1)));
        testing::monotone(|n| JumpBack32::new(n, Mix::new(1)));
        testing::uniform(|n| JumpBack::new(n, Mix::new(1)));
        testing::uniform(|n| JumpBack32::new(n, Mix::new(1)));
    }

    /// The halves of the draws of SplitMix64, the lower first.
    struct Halves(SplitMix64, Option<u64>);

    impl Draws for Halves {
        fn draw(&mut self) -> u64 {
            self.1.take().unwrap_or_else(|| {
                let draw = self.0.draw();
                self.1 = Some(draw >> 32);
                draw & 0xffff_ffff
            })
        }
    }

    #[test]
    fn two_half_draws_are_a_draw() {
        for n in testing::SIZES {
            let whole = JumpBack::new(n, SplitMix64::new).expect("a valid size");
            let halves = JumpBack32::new(n, |key| Halves(SplitMix64::new(key), None)).expect("a valid size");
            for key in testing::keys(1000) {
                assert_eq!(halves.bucket(key), whole.bucket(key), "n = {n}, key {key}");
            }
        }
    }

    /// The mean of the draws over many keys, within five standard errors of `expected`, found from the variance.
    fn assert_mean_draws(n: u32, expected: f64, variance: f64, draws: f64, keys: u32) {
        let error = (variance / f64::from(keys)).sqrt();
        assert!((draws - expected).abs() <= 5.0 * error, "n = {n}: {draws} draws, {expected} ± {error} expected");
    }

    #[test]
    fn draws_consumed() {
        const KEYS: u32 = 50_000;
        for n in [2, 3, 5, 7, 8, 9, 100, 1000, 1023, 1024, 1025, 65_537, 1_000_000, i32::MAX as u32] {
            let alpha = f64::from(n).log2().ceil().exp2() / f64::from(n);
            // The top level is reached with probability 1/2 and its first candidate lies at n or above with 2(1 - 1/α)
            // for α in [1, 2): so p = 1 - 1/α of the keys draw candidates, of which each ends the search with 1/α, a
            // pair with 1 - (1 - 1/α)²: geometric, with the second moment (2 - s)/s² where s is success.
            let p = 1.0 - 1.0 / alpha;
            let variance = |s: f64| p * (2.0 - s) / (s * s) - (p / s).powi(2);
            let counting = Counting::default();
            let whole = JumpBack::new(n, counting.clone()).expect("a valid size");
            let expected = 1.0 + alpha * (alpha - 1.0) / (2.0 * alpha - 1.0);
            assert_mean_draws(n, expected, variance(1.0 - p * p), counting.mean(&whole, KEYS), KEYS);
            let half = JumpBack32::new(n, counting.clone()).expect("a valid size");
            assert_mean_draws(n, 1.0 + alpha, variance(1.0 - p), counting.mean(&half, KEYS), KEYS);
        }
        let counting = Counting::default();
        assert_eq!(counting.mean(&JumpBack::new(1, counting.clone()).expect("one bucket"), 100), 0.0);
    }
}
