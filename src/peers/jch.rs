//! `jch` 1.0.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are an `i32`; of 0 and fewer it answers -1.
//!
//! It promises a bucket in `0..num_buckets` and few changes when that changes. Its README calls the cost linear.

use super::indexed::Indexed;
use super::jump_shares;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jch",
    name: "jch",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "1.0.0" },
    paper: "Lamping & Veach 2014",
    limits: Limits::up_to(i32::MAX as u32),
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => Indexed::up_to(i32::MAX as u32, b.buckets, look_up), resize),
    shown: Shown::on_request(0),
}];

#[inline]
fn look_up(key: u64, buckets: u32) -> u32 {
    jch::hash(key, buckets.cast_signed()).cast_unsigned()
}
