//! `jumpch` 2.0.0: jump of a 64-bit key, Figure 1 in doubles; a `Hasher` around another hasher is there too. 0 buckets
//! panic, as it says.
//!
//! It promises the same bucket for the same key, in `0..slots`.

use super::indexed::Indexed;
use super::jump_shares;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumpch",
    name: "jumpch",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "2.0.0" },
    paper: "Lamping & Veach 2014",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => Indexed::new(b.buckets, jumpch::hash), resize),
    shown: Shown::on_request(0),
}];
