//! The crates that people would pick, each used as its own documentation shows. With the feature `peers` only.
//!
//! One file, one crate: an adapter behind the traits that the crate honestly has, and its entries. An adapter hides
//! nothing: no answer becomes [`NOBODY`], a panic stays one, and what a crate does with a request that makes no sense is
//! what the caller sees. Where a crate would never return, the adapter panics and says so. Keys are 64-bit numbers; a crate
//! that wants text or bytes gets their [`text`] or bytes.
//!
//! Left out:
//!
//! * `consist` 0.3.2 and `consistent_hashing` 0.5.0 build on nightly Rust only: `#![feature]` at their top.
//! * `consistent` 0.1.0 has no code besides a test that 2 + 2 is 4.
//! * `nave` 0.1.0 is an undocumented copy of an old `hash_ring`.
//! * Rings inside of products, which nobody would take a product for: `aegis-replication`, `brz-memcache`, `libaster`,
//!   `oximedia-cache`, `oximedia-distributed`, `phago-distributed`, `pollen-router`.

mod conhash;
mod conshash;
mod consistent_hash;
mod consistent_hash_ring;
mod consistent_hasher;
mod consistent_hashing_rs;
mod consistent_rs;
mod hash_ring;
mod hashring;
mod hashring_coordinator;
mod hulahoop;
mod jumphash;
mod ketama;
mod named;
mod names;
mod pingora_ketama;
mod ring_rs;
mod ringhash;
mod ringlet_hash;
mod rsbalancer;
mod rustyhash;

use crate::catalog::Implementation;

/// The answer where the crate has none: no bucket has this number.
pub const NOBODY: u32 = u32::MAX;

/// All entries, by the name of the crate.
pub fn peers() -> impl Iterator<Item = &'static Implementation> {
    [
        conhash::ENTRIES,
        conshash::ENTRIES,
        consistent_hash::ENTRIES,
        consistent_hash_ring::ENTRIES,
        consistent_hasher::ENTRIES,
        consistent_hashing_rs::ENTRIES,
        consistent_rs::ENTRIES,
        hash_ring::ENTRIES,
        hashring::ENTRIES,
        hashring_coordinator::ENTRIES,
        hulahoop::ENTRIES,
        jumphash::ENTRIES,
        ketama::ENTRIES,
        pingora_ketama::ENTRIES,
        ring_rs::ENTRIES,
        ringhash::ENTRIES,
        ringlet_hash::ENTRIES,
        rsbalancer::ENTRIES,
        rustyhash::ENTRIES,
    ]
    .into_iter()
    .flatten()
}

/// A key as text: 16 hexadecimal digits, written without a loop over digits that divides, so that little of the time of a
/// look-up is spent on it.
#[derive(Debug, Clone, Copy)]
pub struct KeyText([u8; 16]);

impl KeyText {
    /// The digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("hexadecimal digits are ASCII")
    }
}

/// The key's digits.
#[must_use]
pub fn text(key: u64) -> KeyText {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    KeyText(std::array::from_fn(|at| DIGITS[(key >> (60 - 4 * at)) as usize & 15]))
}

/// The name of a bucket where a crate wants names.
#[must_use]
pub fn name(bucket: u32) -> String {
    format!("node-{bucket}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_hexadecimal() {
        for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(text(key).as_str(), format!("{key:016x}"));
        }
    }

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> = peers().map(|peer| peer.id).collect();
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
    }
}
