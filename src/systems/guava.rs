//! Guava `Hashing.consistentHash(long, int)`, Guava 31.1-jre.
//!
//! Jump consistent hash with two differences from Figure 1 of the paper. The next bucket is (candidate + 1) / draw,
//! with one rounding instead of two; and the draw is a sum of 32-bit integers whose largest value overflows to -2^31:
//! the next bucket is then negative and the walk ends, for every n, so that the hash stays monotone. Both are rare: the
//! one needs a quotient next to a whole number, the other is one draw in 2^31. Expected number of steps H_n < ln n + 1.

use crate::algorithms::{Error, JUMP_MAX_BUCKETS, Partitioner, Resize, by_count, checked_buckets};

/// Where the walk of `state` ends that begins at bucket `from` and stays below `buckets`.
#[inline]
#[must_use]
pub fn walk(mut state: u64, from: u32, buckets: u32) -> u32 {
    let mut bucket = from;
    loop {
        state = state.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        let draw = f64::from(((state >> 33) as i32).wrapping_add(1)) / f64::from(1_u32 << 31);
        // Java's conversion saturates, as Rust's does.
        let next = ((f64::from(bucket) + 1.0) / draw) as i32;
        match u32::try_from(next) {
            Ok(next) if next < buckets => bucket = next,
            _ => return bucket,
        }
    }
}

/// Guava's jump hash over buckets `0..n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guava {
    buckets: u32,
}

impl Guava {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32) -> Result<Self, Error> {
        checked_buckets(i64::from(buckets), JUMP_MAX_BUCKETS).map(|buckets| Self { buckets })
    }
}

impl Partitioner for Guava {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        walk(key, 0, self.buckets)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl Resize for Guava, at most JUMP_MAX_BUCKETS);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Jump;

    #[test]
    fn a_draw_that_overflows_ends_the_walk() {
        let key = 17_068_571_456_203_592_619;
        assert_eq!(Guava::new(1000).expect("valid").bucket(key), 0);
        assert_ne!(Jump::new(1000).expect("valid").bucket(key), 0);
    }

    #[test]
    fn one_rounding_instead_of_two() {
        let key = 14_866_344_542_948_493_586;
        assert_eq!(Guava::new(2048).expect("valid").bucket(key), 48);
        assert_eq!(Jump::new(2048).expect("valid").bucket(key), 2047);
    }

    #[test]
    fn limits() {
        assert_eq!(Guava::new(0).unwrap_err(), Error::NoBuckets { asked: 0 });
        let too_many = Error::TooManyBuckets { asked: 1 << 31, most: JUMP_MAX_BUCKETS };
        assert_eq!(Guava::new(1 << 31).unwrap_err(), too_many);
        let mut most = Guava::new(JUMP_MAX_BUCKETS).expect("the limit is allowed");
        assert!((0..1000).chain([u64::MAX]).all(|key| most.bucket(key) < JUMP_MAX_BUCKETS));
        assert_eq!(most.grow().unwrap_err(), too_many);
        assert_eq!(Guava::new(1).expect("valid").shrink().unwrap_err(), Error::LastBucket { bucket: 0 });
    }
}
