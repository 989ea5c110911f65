//! `jmphash` 0.1.0: jump of a 64-bit key, in doubles that are multiplied first and divided then: one rounding where Figure
//! 1 has two. Buckets are an `i64`; of 0 and fewer it answers 0.
//!
//! It promises the algorithm of the paper.

use super::indexed::{Indexed, jump};
use crate::catalog::Implementation;
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jmphash",
    name: "jmphash",
    ..jump(
        "0.1.0",
        ours!(b => Indexed::new(b.buckets, |key, buckets| jmphash::jump_hash(key, i64::from(buckets)) as u32), resize),
    )
}];
