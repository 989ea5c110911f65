//! `jumphash` 0.1.9: jump over SipHash-1-3 of the key, which may be anything that hashes.
//!
//! `JumpHasher::new()`, as its documentation shows, has random keys: two instances disagree, as it says. With
//! `new_with_keys` they agree. 0 buckets fail an assertion in a debug build and answer `u32::MAX` in another.

use jumphash::JumpHasher;

use super::indexed::{Indexed, jump};
use crate::algorithms::Error;
use crate::catalog::Implementation;
use crate::ours;

const ENTRY: Implementation = Implementation {
    paper: "Lamping & Veach 2014; SipHash-1-3",
    hashes_keys: true,
    own_hash: true,
    ..jump("0.1.9", ours!(b => random(b.buckets), resize))
};

pub(super) static ENTRIES: &[Implementation] = &[
    Implementation { id: "jumphash", name: "jumphash, random keys", ..ENTRY },
    Implementation {
        id: "jumphash/keys",
        name: "jumphash, keys (0, 0)",
        build: |b| Ok(Box::new(keyed(b.buckets)?)),
        resize: Some(|b| Ok(Box::new(keyed(b.buckets)?))),
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
