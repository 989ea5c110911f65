//! `jumphash` 0.1.9: jump over SipHash-1-3 of the key, which may be anything that hashes.
//!
//! `JumpHasher::new()`, as its documentation shows, has random keys: two instances disagree, as it says. With
//! `new_with_keys` they agree. 0 buckets fail an assertion in a debug build and answer `u32::MAX` in another.

use jumphash::JumpHasher;

use super::indexed::Indexed;
use super::jump_shares;
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "jumphash",
    name: "jumphash, random keys",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.9" },
    paper: "Lamping & Veach 2014; SipHash-1-3",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump_shares),
    can: can!(b => random(b.buckets), resize),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "jumphash/keys",
        name: "jumphash, keys (0, 0)",
        can: can!(b => keyed(b.buckets), resize),
        ..ENTRY
    },
];

fn over(hasher: JumpHasher, buckets: u32) -> Result<Indexed<impl Fn(u64, u32) -> u32 + Send + Sync>, Error> {
    Indexed::new(buckets, move |key, buckets| hasher.slot(&key, buckets))
}

fn random(buckets: u32) -> Result<Indexed<impl Fn(u64, u32) -> u32 + Send + Sync>, Error> {
    over(JumpHasher::new(), buckets)
}

fn keyed(buckets: u32) -> Result<Indexed<impl Fn(u64, u32) -> u32 + Send + Sync>, Error> {
    over(JumpHasher::new_with_keys(0, 0), buckets)
}
