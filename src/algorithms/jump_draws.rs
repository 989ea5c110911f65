//! Jump consistent hash over any generator: Lamping & Veach 2014, section 3, as the Java library hash4j has it (0.31).
//!
//! The walk of Figure 1, floor((b + 1) / r), but r is a draw of 53 bits from [0, 1) of the key's stream, so that the
//! quality of the answers is that of the stream: [`Jump`](super::Jump) takes 31 bits of a linear congruential
//! generator. Expected number of draws H_n < ln n + 1; memory none.

use super::hash::{Draws, Mix, StreamFamily};
use super::{Error, JUMP_MAX_BUCKETS, Partitioner, Resize, by_count};

/// Jump, with the generator as a parameter.
#[derive(Debug, Clone)]
pub struct JumpDraws<H = Mix> {
    buckets: u32,
    hash: H,
}

impl<H: StreamFamily> JumpDraws<H> {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), JUMP_MAX_BUCKETS).map(|buckets| Self { buckets, hash })
    }
}

impl<H: StreamFamily> Partitioner for JumpDraws<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let mut draws = self.hash.stream(key);
        let mut bucket = 0;
        loop {
            // A draw of 0 gives infinity, which the conversion saturates.
            let next = (f64::from(bucket + 1) / draws.unit()) as u64;
            if next >= u64::from(self.buckets) {
                return bucket;
            }
            bucket = next as u32;
        }
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl<H: StreamFamily> Resize for JumpDraws<H>, at most JUMP_MAX_BUCKETS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing;

    #[test]
    fn total_monotone_and_fair() {
        let build = |n| JumpDraws::new(n, Mix::new(1));
        testing::total(&testing::SIZES, build);
        testing::monotone(build);
        testing::uniform(build);
        assert!(matches!(build(1 << 31), Err(Error::TooManyBuckets { .. })));
    }

    /// A stream that goes nowhere, or as far as it can.
    #[derive(Clone)]
    struct Constant(u64);

    impl Draws for Constant {
        fn draw(&mut self) -> u64 {
            self.0
        }
    }

    #[test]
    fn extreme_draws_end() {
        for (draw, expected) in [(0, 0), (u64::MAX, 999)] {
            let subject = JumpDraws::new(1000, move |_| Constant(draw)).expect("valid");
            assert_eq!(subject.bucket(0), expected);
        }
    }
}
