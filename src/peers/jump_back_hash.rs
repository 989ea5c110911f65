//! `jump-back-hash` 0.1.0: JumpBackHash over any generator of `rand_core` 0.5 that the caller seeds with the key;
//! SplitMix64 here, which its README recommends. Of 0 buckets it answers 0.
//!
//! It promises constant expected time, `1/(n+1)` of the keys moved, a bucket in `0..num_buckets`.

use super::generator::Generator;
use super::indexed::Indexed;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jump-back-hash",
    name: "jump-back-hash, SplitMix64",
    algorithm: Algorithm::JumpBack { draw_bits: 64 },
    source: Source::Crate { version: "0.1.0" },
    paper: "Ertl 2024",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Indexed::new(b.buckets, look_up), resize),
    shown: Shown::on_request(0),
}];

#[inline]
fn look_up(key: u64, buckets: u32) -> u32 {
    jump_back_hash::bucket(&mut Generator::new(key), buckets)
}
