//! `jump-consistent-hash` 0.1.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are a `usize`; of 0 it answers 0.
//!
//! It promises a bucket in `0..buckets`.

use super::indexed::Indexed;
use super::jump_shares;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jump-consistent-hash",
    name: "jump-consistent-hash",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.0" },
    paper: "Lamping & Veach 2014",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => Indexed::new(b.buckets, |key, buckets| jump_consistent_hash::hash(key, buckets as usize)), resize),
    shown: Shown::on_request(0),
}];
