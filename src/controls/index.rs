//! Mistakes in arithmetic on hashes and indices.

use super::checked;
use crate::algorithms::hash::{Mix, mix64};
use crate::algorithms::{Error, JumpBack, Partitioner, Resize};

/// A number of buckets and nothing else.
macro_rules! counted {
    ($(#[$doc:meta])* $name:ident, $self:ident, $key:ident => $bucket:expr) => {
        $(#[$doc])*
        pub(super) struct $name(u32);

        impl $name {
            pub(super) fn new(buckets: u32) -> Result<Self, Error> {
                checked(buckets).map(Self)
            }
        }

        impl Partitioner for $name {
            fn bucket(&$self, $key: u64) -> u32 {
                $bucket
            }

            fn bucket_count(&self) -> u32 {
                self.0
            }
        }
    };
}

counted! {
    /// One bucket gets everything.
    OneBucket, self, _key => 0
}

counted! {
    /// A 32-bit hash, its absolute value, its remainder.
    Absolute, self, key => ((key >> 32) as u32).cast_signed().wrapping_abs().wrapping_rem(self.0.cast_signed()).cast_unsigned()
}

counted! {
    /// The hash of a key that was cut to 32 bits.
    LowBits, self, key => (mix64(key & 0xffff_ffff) % u64::from(self.0)) as u32
}

counted! {
    /// A uniform draw of 11 bits.
    FewBits, self, key => (((mix64(key) >> 53) * u64::from(self.0)) >> 11) as u32
}

counted! {
    /// Figure 1 of Lamping & Veach with `int32_t` where the draw is increased.
    JumpOverflow, self, key => {
        let (mut state, mut bucket, mut next) = (key, -1_i64, 0_i64);
        while next < i64::from(self.0) {
            bucket = next;
            state = state.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
            let draw = ((state >> 33) as i32).wrapping_add(1);
            next = ((bucket + 1) as f64 * (f64::from(1_u32 << 31) / f64::from(draw))) as i64;
        }
        bucket as u32
    }
}

/// One that grows and shrinks in name only.
pub(super) struct NoGrowth {
    first: JumpBack,
    buckets: u32,
}

impl NoGrowth {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        Ok(Self { first: JumpBack::new(buckets, Mix::new(seed))?, buckets })
    }
}

impl Partitioner for NoGrowth {
    fn bucket(&self, key: u64) -> u32 {
        self.first.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

impl Resize for NoGrowth {
    fn grow(&mut self) -> Result<u32, Error> {
        self.buckets += 1;
        Ok(self.buckets - 1)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        self.buckets -= 1;
        Ok(self.buckets)
    }
}
