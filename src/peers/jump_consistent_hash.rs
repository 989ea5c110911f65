//! `jump-consistent-hash` 0.1.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are a `usize`; of 0 it answers 0.
//!
//! It promises a bucket in `0..buckets`.

use super::indexed::{Indexed, jump};
use crate::catalog::Implementation;
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jump-consistent-hash",
    name: "jump-consistent-hash",
    ..jump(
        "0.1.0",
        ours!(b => Indexed::new(b.buckets, |key, buckets| jump_consistent_hash::hash(key, buckets as usize)), resize),
    )
}];
