//! The worked article on consistent hashing: its keys, its nodes and its hash, to the byte (`article.*` in
//! `published.json`).
//!
//! The hash is BLAKE2b with a digest of 8 bytes, read as a little-endian u64. The length is part of BLAKE2b's parameter
//! block: this is not a truncated longer digest.

use blake2::digest::consts::U8;
use blake2::{Blake2b, Digest};

use crate::algorithms::{Boundary, Error, TokenRing};

/// How many keys the article uses.
pub const KEYS: usize = 100_000;

/// The article's hash of a text.
#[must_use]
pub fn hash(text: &str) -> u64 {
    u64::from_le_bytes(Blake2b::<U8>::digest(text.as_bytes()).into())
}

/// The hashes of the keys `key-20260720-0` to `key-20260720-99999`.
#[must_use]
pub fn keys() -> Vec<u64> {
    (0..KEYS).map(|i| hash(&format!("key-20260720-{i}"))).collect()
}

/// The ring of `node-0` to `node-<nodes - 1>`, each with the points `node-<i>#0` to `node-<i>#<virtual_nodes - 1>`. A key
/// belongs to the first point strictly after it.
///
/// # Errors
/// [`Error::NoNodes`], [`Error::NoTokens`] for zero of either.
pub fn ring(nodes: u32, virtual_nodes: u32) -> Result<TokenRing, Error> {
    let nodes = (0..nodes).map(|i| {
        let name = format!("node-{i}");
        let points: Vec<u64> = (0..virtual_nodes).map(|v| hash(&format!("{name}#{v}"))).collect();
        (name, points)
    });
    TokenRing::new(nodes, Boundary::StrictlyAfter)
}
