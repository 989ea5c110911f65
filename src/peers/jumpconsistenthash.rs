//! `jumpconsistenthash` 0.1.0: jump of a 64-bit key in integers, so without the roundings of Figure 1; of text through
//! `DefaultHasher` too. 0 buckets panic.
//!
//! It promises Google's jump consistent hash, "matches the reference" in its tests, and a bucket in `0..buckets`.

use super::indexed::Indexed;
use super::jump_shares;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumpconsistenthash",
    name: "jumpconsistenthash",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.0" },
    paper: "Lamping & Veach 2014",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => Indexed::new(b.buckets, jumpconsistenthash::jump_hash_from_u64), resize),
    shown: Shown::on_request(0),
}];
