//! `jch` 1.0.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are an `i32`; of 0 and fewer it answers -1.
//!
//! It promises a bucket in `0..num_buckets` and few changes when that changes. Its README calls the cost linear.

use super::indexed::Indexed;
use super::jump_shares;
use crate::catalog::{Algorithm, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jch",
    name: "jch",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "1.0.0" },
    paper: "Lamping & Veach 2014",
    cost: "O(log n)",
    hashes_keys: false,
    shares: Shares::Exact(jump_shares),
    most_buckets: i32::MAX as u32,
    in_figures: false,
    ..ours!(b => Indexed::new(b.buckets, |key, buckets: u32| jch::hash(key, buckets.cast_signed()).cast_unsigned()), resize)
}];
