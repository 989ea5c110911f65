//! kkdai/maglev, commits 750c761 (2026-08-19, xxHash64) and a977f65 (before, SipHash-2-4).
//!
//! Nodes take turns in the order of their names. Offsets, skips and keys are hashed by three functions: xxHash64 of the
//! byte 0xBA, respectively 0xBE, followed by the name, and of the key alone; before, SipHash-2-4 with the keys
//! 0xdeadbabe, respectively 0xdeadbeef, and 0xdeadbabe again. The change moved most keys of those who upgraded.

use siphasher::sip::SipHasher24;
use xxhash_rust::xxh64::xxh64;

use super::nodes::check_unweighted;
use super::{Entry, Node, Promises, System, SystemError, boxed};
use crate::algorithms::maglev::{Backend, TABLE_SIZE, populate_by_name};

/// The table of the library's examples.
pub(super) const ENTRY: Entry = Entry {
    id: "kkdai-maglev",
    name: "kkdai/maglev, xxHash64",
    version: "750c761 (2026-08-19)",
    build: |nodes| KkdaiMaglev::new(nodes, SMALL_TABLE, Release::XxHash).map(boxed),
    promises: Promises::MAGLEV,
};

/// The same in the placement of before.
pub(super) const SIPHASH: Entry = Entry {
    id: "kkdai-maglev-siphash",
    name: "kkdai/maglev before 2026, SipHash-2-4",
    version: "a977f65",
    build: |nodes| KkdaiMaglev::new(nodes, SMALL_TABLE, Release::SipHash).map(boxed),
    promises: Promises::MAGLEV,
};

/// The paper's small table, which the library's examples use.
pub const SMALL_TABLE: u64 = TABLE_SIZE;

/// Which placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// From 2026-08-19 on.
    XxHash,
    /// Before.
    SipHash,
}

impl Release {
    fn backend(self, name: &str) -> Backend {
        let name = name.as_bytes();
        match self {
            Self::XxHash => {
                let prefixed = |byte: u8| xxh64(&[&[byte], name].concat(), 0);
                Backend::new(prefixed(0xba), prefixed(0xbe))
            }
            Self::SipHash => Backend::new(sip(0xdead_babe, name), sip(0xdead_beef, name)),
        }
    }

    fn key(self, key: &[u8]) -> u64 {
        match self {
            Self::XxHash => xxh64(key, 0),
            Self::SipHash => sip(0xdead_babe, key),
        }
    }
}

fn sip(key: u64, bytes: &[u8]) -> u64 {
    SipHasher24::new_with_keys(key, 0).hash(bytes)
}

/// A table of nodes.
#[derive(Debug, Clone)]
pub struct KkdaiMaglev {
    table: Vec<u32>,
    release: Release,
}

impl KkdaiMaglev {
    /// A table of `table_size` slots.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1;
    /// [`SystemError::Algorithm`] for a table size that is not a prime, or below the number of nodes.
    pub fn new(nodes: &[Node], table_size: u64, release: Release) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        let backends: Vec<(&str, Backend)> =
            nodes.iter().map(|node| (node.name.as_str(), release.backend(&node.name))).collect();
        Ok(Self { table: populate_by_name(table_size, &backends)?, release })
    }

    /// The index of the node that owns each slot.
    #[must_use]
    pub fn table(&self) -> &[u32] {
        &self.table
    }

    /// The slot of a hash. It is unsigned: as the absolute value of a signed one, the smallest would stay negative.
    fn slot(&self, hash: u64) -> usize {
        (hash % self.table.len() as u64) as usize
    }
}

impl System for KkdaiMaglev {
    fn node(&self, key: &[u8]) -> usize {
        self.table[self.slot(self.release.key(key))] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Error;

    #[test]
    fn the_smallest_signed_hash_has_a_slot() {
        let nodes = [Node::new("a", 1), Node::new("b", 1)];
        let maglev = KkdaiMaglev::new(&nodes, 65_537, Release::SipHash).expect("valid");
        assert_eq!(maglev.slot(i64::MIN as u64), ((1_u128 << 63) % 65_537) as usize);
        assert!([0, 1, u64::MAX, i64::MAX as u64].into_iter().all(|hash| maglev.slot(hash) < 65_537));
    }

    #[test]
    fn tables_that_cannot_work_are_named() {
        let nodes = [Node::new("a", 1), Node::new("b", 1), Node::new("c", 1)];
        for release in [Release::XxHash, Release::SipHash] {
            let error = |size| KkdaiMaglev::new(&nodes, size, release).unwrap_err();
            assert_eq!(error(2), Error::TableTooSmall { size: 2, buckets: 3 }.into());
            assert_eq!(error(9), Error::TableNotPrime { size: 9, next: 11 }.into());
        }
    }
}
