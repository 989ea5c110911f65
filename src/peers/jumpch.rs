//! `jumpch` 2.0.0: jump of a 64-bit key, Figure 1 in doubles; a `Hasher` around another hasher is there too. 0 buckets
//! panic, as it says.
//!
//! It promises the same bucket for the same key, in `0..slots`.

use super::indexed::{Indexed, jump};
use crate::catalog::Implementation;
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumpch",
    name: "jumpch",
    ..jump("2.0.0", ours!(b => Indexed::new(b.buckets, jumpch::hash), resize))
}];
