//! dgryski/go-rendezvous, commit 9f7001d (2020-08-22), with xxHash64.
//!
//! The score of a node is xorshift64* of hash(key) ^ hash(name): x ^= x >> 12, x ^= x << 25, x ^= x >> 27,
//! x·2685821657736338717; the highest owns the key. The function is a bijection, so that only names that collide in 64
//! bits can tie; the library then keeps the one that was given first. Look-up O(n). (Its `Remove` panics in this
//! version; rebuild instead.)

use xxhash_rust::xxh64::xxh64;

use super::nodes::check_unweighted;
use super::promises::named;
use super::{Entry, Node, Promise, Promises, System, SystemError, boxed};

/// The library has no options besides its hash function.
pub(super) const ENTRY: Entry = Entry {
    id: "go-rendezvous",
    name: "dgryski/go-rendezvous, xxHash64",
    version: "9f7001d (2020-08-22)",
    build: |nodes| GoRendezvous::new(nodes).map(boxed),
    promises: Promises {
        order: Promise::Mostly {
            why: "of names with one xxHash64, which can be made, the first in the list owns every key",
            example: || named(&["server-a000000-a", "s005355579c2yOhf", "n1"]),
        },
        ..Promises::CONSISTENT
    },
};

/// The hashes of the nodes' names.
#[derive(Debug, Clone)]
pub struct GoRendezvous {
    hashes: Vec<u64>,
}

impl GoRendezvous {
    /// A rendezvous of nodes.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1.
    pub fn new(nodes: &[Node]) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        Ok(Self { hashes: nodes.iter().map(|node| xxh64(node.name.as_bytes(), 0)).collect() })
    }

    fn owner(&self, key: u64) -> usize {
        let mut best = (score(key ^ self.hashes[0]), 0);
        for (index, &hash) in self.hashes.iter().enumerate().skip(1) {
            let score = score(key ^ hash);
            if score > best.0 {
                best = (score, index);
            }
        }
        best.1
    }
}

const fn score(x: u64) -> u64 {
    let x = x ^ (x >> 12);
    let x = x ^ (x << 25);
    let x = x ^ (x >> 27);
    x.wrapping_mul(2_685_821_657_736_338_717)
}

impl System for GoRendezvous {
    fn node(&self, key: &[u8]) -> usize {
        self.owner(xxh64(key, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_equal_hashes_keeps_the_key() {
        let tied = GoRendezvous { hashes: vec![1, 7, 7, 1] };
        for key in 0..100 {
            assert!(tied.owner(key) < 2);
        }
        // A score of 0 is a score: the only node owns the key that gives it.
        assert_eq!(GoRendezvous { hashes: vec![7] }.owner(7), 0);
    }
}
