//! `jch` 1.0.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are an `i32`; of 0 and fewer it answers -1.
//!
//! It promises a bucket in `0..num_buckets` and few changes when that changes. Its README calls the cost linear.

use super::indexed::{Indexed, jump};
use crate::catalog::Implementation;
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jch",
    name: "jch",
    most_buckets: i32::MAX as u32,
    ..jump("1.0.0", ours!(b => Indexed::new(b.buckets, look_up), resize))
}];

#[inline]
fn look_up(key: u64, buckets: u32) -> u32 {
    jch::hash(key, buckets.cast_signed()).cast_unsigned()
}
