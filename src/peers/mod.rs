//! The crates that people would pick, each used as its own documentation shows. With the feature `peers` only.
//!
//! One file, one crate: an adapter behind the traits that the crate honestly has, and its entries. An adapter hides
//! nothing: no answer becomes [`NOBODY`], a panic stays one, and what a crate does with a request that makes no sense is
//! what the caller sees. Only where a crate is asked for more nodes than there are and names no more than those, once each,
//! is its short list an error, because that is how crates say so. Where a crate would never return, the adapter panics and
//! says so. Keys are 64-bit numbers; a crate that wants text or bytes gets their [`text`] or bytes.
//!
//! Left out:
//!
//! * `aegis-replication`, `dynomite-engine`: database engines that have a ring or rendezvous of their own; `libaster`,
//!   `brz-memcache`, `oximedia-cache`, `oximedia-distributed`, `phago-distributed`, `pollen-router`: products with a ring;
//! * `consist` 0.3.2, `consistent_hashing` 0.5.0: on nightly Rust only, `#![feature]` stands at their top;
//! * `conhash-ring` 0.1.2: names nodes only for keys that it stores (`insert`, `get_pids_containing_key`), has no look-up of
//!   another key, and keeps its nodes behind `Rc`; it calls itself an educational example, not for production;
//! * `consistent` 0.1.0: no code besides a test that 2 + 2 is 4;
//! * `nave` 0.1.0: an undocumented copy of an old `hash_ring`;
//! * `par_get` and tags of `tagged-rendezvous`, the clients of `hash-rings`: nothing of ours asks for what they add.

mod anchorhash;
mod chash;
pub mod checks;
mod conhash;
mod conshash;
mod consistent_hash;
mod consistent_hash_ring;
mod consistent_hasher;
mod consistent_hashing_rs;
mod consistent_rs;
pub mod conversions;
pub mod explain;
pub mod findings;
mod fliphash;
mod generator;
mod hash_ring;
mod hash_rings;
mod hashring;
mod hashring_coordinator;
mod hrw;
mod hrw_hash;
mod hulahoop;
mod indexed;
mod jch;
mod jmphash;
mod jump_back_hash;
mod jump_consistent_hash;
mod jumpch;
mod jumpconsistenthash;
mod jumphash;
mod ketama;
mod lfchring;
mod maglev;
mod maglev_hash;
mod maglev_rs;
mod mpchash;
mod names;
mod nodes;
mod pingora_ketama;
mod power_consistent_hash;
pub mod programs;
mod rendezvous_hash;
mod ring_rs;
mod ringhash;
mod ringlet_hash;
mod rsbalancer;
mod rustyhash;
mod simplehash;
mod table;
mod tagged_rendezvous;
#[cfg(test)]
mod tests;

use crate::catalog::{Build, BuildError, Implementation};
use crate::measure::share;

/// The answer where the crate has none: no bucket has this number.
pub const NOBODY: u32 = u32::MAX;

/// All entries, by the name of the crate.
pub fn peers() -> impl Iterator<Item = &'static Implementation> {
    [
        anchorhash::ENTRIES,
        chash::ENTRIES,
        conhash::ENTRIES,
        conshash::ENTRIES,
        consistent_hash::ENTRIES,
        consistent_hash_ring::ENTRIES,
        consistent_hasher::ENTRIES,
        consistent_hashing_rs::ENTRIES,
        consistent_rs::ENTRIES,
        fliphash::ENTRIES,
        hash_ring::ENTRIES,
        hash_rings::ENTRIES,
        hashring::ENTRIES,
        hashring_coordinator::ENTRIES,
        hrw::ENTRIES,
        hrw_hash::ENTRIES,
        hulahoop::ENTRIES,
        jch::ENTRIES,
        jmphash::ENTRIES,
        jump_back_hash::ENTRIES,
        jump_consistent_hash::ENTRIES,
        jumpch::ENTRIES,
        jumpconsistenthash::ENTRIES,
        jumphash::ENTRIES,
        ketama::ENTRIES,
        lfchring::ENTRIES,
        maglev::ENTRIES,
        maglev_hash::ENTRIES,
        maglev_rs::ENTRIES,
        mpchash::ENTRIES,
        pingora_ketama::ENTRIES,
        power_consistent_hash::ENTRIES,
        rendezvous_hash::ENTRIES,
        ring_rs::ENTRIES,
        ringhash::ENTRIES,
        ringlet_hash::ENTRIES,
        rsbalancer::ENTRIES,
        rustyhash::ENTRIES,
        simplehash::ENTRIES,
        tagged_rendezvous::ENTRIES,
    ]
    .into_iter()
    .flatten()
}

/// Shares of jump, as those of ours.
fn jump_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::jump_shares(build.buckets))
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
