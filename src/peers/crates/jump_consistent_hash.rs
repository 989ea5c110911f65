//! `jump-consistent-hash` 0.1.0: jump of a 64-bit key, Figure 1 in doubles. Buckets are a `usize`; of 0 it answers 0.
//!
//! It promises a bucket in `0..buckets`.

use super::indexed::Indexed;
use super::jump_shares;
use crate::catalog::{Algorithm, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jump-consistent-hash",
    name: "jump-consistent-hash",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.0" },
    paper: "Lamping & Veach 2014",
    cost: "O(log n)",
    hashes_keys: false,
    shares: Shares::Exact(jump_shares),
    in_figures: false,
    ..ours!(b => Indexed::new(b.buckets, |key, buckets| jump_consistent_hash::hash(key, buckets as usize)), resize)
}];
