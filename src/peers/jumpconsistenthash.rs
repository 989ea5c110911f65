//! `jumpconsistenthash` 0.1.0: jump of a 64-bit key in integers, so without the roundings of Figure 1; of text through
//! `DefaultHasher` too. 0 buckets panic.
//!
//! It promises Google's jump consistent hash, "matches the reference" in its tests, and a bucket in `0..buckets`.

use super::indexed::{Indexed, jump};
use crate::catalog::Implementation;
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumpconsistenthash",
    name: "jumpconsistenthash",
    ..jump("0.1.0", ours!(b => Indexed::new(b.buckets, jumpconsistenthash::jump_hash_from_u64), resize))
}];
