//! `jumpch` 2.0.0: jump of a 64-bit key, Figure 1 in doubles; a `Hasher` around another hasher is there too. 0 buckets
//! panic, as it says.
//!
//! It promises the same bucket for the same key, in `0..slots`.

use super::indexed::Indexed;
use super::jump_shares;
use crate::catalog::{Algorithm, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumpch",
    name: "jumpch",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "2.0.0" },
    paper: "Lamping & Veach 2014",
    cost: "O(log n)",
    hashes_keys: false,
    shares: Shares::Exact(jump_shares),
    in_figures: false,
    ..ours!(b => Indexed::new(b.buckets, jumpch::hash), resize)
}];
