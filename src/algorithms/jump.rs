//! Jump consistent hash: Lamping & Veach 2014, arXiv 1406.2294, Figure 1.
//!
//! A key walks upwards from bucket to bucket: from bucket b it next moves when the number of buckets reaches
//! j = floor((b + 1) / r), where r is a uniform draw from (0, 1] of the key's own generator. The last bucket below n is
//! its answer. Expected number of steps H_n < ln n + 1; memory none.
//!
//! The draw has 31 bits and the arithmetic is f64 with two roundings, *division first*: a version with one rounding
//! differs (key 14866344542948493586 at n = 2048 is bucket 2047, with one rounding 48).

use super::{Error, Partitioner, Resize, by_count};

/// Figure 1 counts buckets in an `int32_t`.
pub const MAX_BUCKETS: u32 = i32::MAX as u32;

const DRAWS: f64 = (1_u64 << 31) as f64;

/// Figure 1 of the paper. The key seeds a 64-bit linear congruential generator and is not hashed before.
#[derive(Debug, Clone)]
pub struct Jump {
    buckets: u32,
}

impl Jump {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::TooManyBuckets`] above 2^31 - 1.
    pub fn new(buckets: u32) -> Result<Self, Error> {
        super::checked_buckets(i64::from(buckets), MAX_BUCKETS).map(|buckets| Self { buckets })
    }

    /// The buckets that a key visits in `0..buckets`, in order; the last one is its answer. Its length is the number of
    /// iterations of the loop in Figure 1.
    pub fn walk(key: u64, buckets: u32) -> impl Iterator<Item = u32> {
        Self::walk_from(key, 0, buckets)
    }

    /// The same of a walk that begins at bucket `from`, which is below `buckets`.
    pub fn walk_from(key: u64, from: u32, buckets: u32) -> impl Iterator<Item = u32> {
        let mut state = key;
        let mut next = u64::from(from);
        std::iter::from_fn(move || {
            if next >= u64::from(buckets) {
                return None;
            }
            let bucket = next;
            (state, next) = step(state, bucket);
            Some(bucket as u32)
        })
    }
}

/// One iteration of Figure 1: the generator's new state, and the number of buckets above which the key leaves `bucket`.
#[inline]
fn step(state: u64, bucket: u64) -> (u64, u64) {
    let state = state.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
    // Truncation is the paper's; the value is below 2^62 and never negative.
    let next = ((bucket + 1) as f64 * (DRAWS / ((state >> 33) + 1) as f64)) as u64;
    (state, next)
}

/// The bucket below `buckets` at which the walk of `key` ends, if it begins at bucket `from`.
#[inline]
pub(super) fn walk_from(key: u64, from: u32, buckets: u32) -> u32 {
    let (mut state, mut next) = (key, u64::from(from));
    loop {
        let bucket = next;
        (state, next) = step(state, bucket);
        if next >= u64::from(buckets) {
            return bucket as u32;
        }
    }
}

impl Partitioner for Jump {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        walk_from(key, 0, self.buckets)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

by_count!(impl Resize for Jump, at most MAX_BUCKETS);

#[cfg(test)]
mod tests {
    use super::*;

    fn jump(key: u64, buckets: u32) -> u32 {
        Jump::new(buckets).expect("a valid count").bucket(key)
    }

    #[test]
    fn two_roundings() {
        assert_eq!(jump(14_866_344_542_948_493_586, 2048), 2047);
    }

    #[test]
    fn published_pairs() {
        assert_eq!([jump(0, 60), jump(1, 60), jump(2, 60), jump(256, 1024)], [0, 55, 46, 520]);
        assert_eq!(jump(1_673_232_497_983_283_878, 64), 63);
    }

    #[test]
    fn the_walk_ends_at_the_bucket() {
        for key in 0..1000 {
            assert_eq!(Jump::walk(key, 1000).last(), Some(jump(key, 1000)));
        }
    }

    #[test]
    fn limits() {
        assert_eq!(Jump::new(0).unwrap_err(), Error::NoBuckets { asked: 0 });
        assert!(matches!(Jump::new(1 << 31), Err(Error::TooManyBuckets { .. })));
        let mut largest = Jump::new(MAX_BUCKETS).expect("the limit itself");
        assert!(largest.bucket(u64::MAX) < MAX_BUCKETS);
        assert!(largest.grow().is_err());
    }
}
