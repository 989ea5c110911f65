//! `jmphash` 0.1.0: jump of a 64-bit key, in doubles that are multiplied first and divided then: one rounding where Figure
//! 1 has two. Buckets are an `i64`; of 0 and fewer it answers 0.
//!
//! It promises the algorithm of the paper.

use super::indexed::Indexed;
use super::jump_shares;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jmphash",
    name: "jmphash",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.0" },
    paper: "Lamping & Veach 2014",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => Indexed::new(b.buckets, |key, buckets| jmphash::jump_hash(key, i64::from(buckets)) as u32), resize),
    shown: Shown::on_request(0),
}];
