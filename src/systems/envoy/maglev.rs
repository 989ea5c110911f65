//! Envoy's `MAGLEV` load balancer, Envoy 1.40.0.
//!
//! The table of [`algorithms::maglev`](crate::algorithms::maglev) with h1 = xxHash64 of the host's name with seed 0, h2
//! with seed 1; hosts take turns in the order of their names, by weight. Look-up table\[hash mod M\].

use xxhash_rust::xxh64::xxh64;

use super::{HashTable, Hosts, VERSION, request_hash};
use crate::algorithms::maglev::{Backend, TABLE_SIZE, populate_by_name};
use crate::systems::{Entry, Node, Promises, System, SystemError, Weights, boxed};

/// The default table size.
pub(in crate::systems) const ENTRY: Entry = Entry {
    id: "envoy-maglev",
    name: "Envoy MAGLEV",
    version: VERSION,
    build: |nodes| Maglev::new(nodes, Maglev::DEFAULT_TABLE_SIZE).map(boxed),
    promises: Promises { weights: Weights::Exact, ..Promises::MAGLEV },
};

/// A table of hosts.
#[derive(Debug, Clone)]
pub struct Maglev {
    table: Vec<u32>,
}

impl Maglev {
    /// `table_size` unless configured.
    pub const DEFAULT_TABLE_SIZE: u64 = TABLE_SIZE;

    /// The largest `table_size` that Envoy accepts.
    pub const MOST_SLOTS: u64 = 5_000_011;

    /// The table of hosts without localities.
    ///
    /// # Errors
    /// As [`Hosts::new`] and [`of_hosts`](Self::of_hosts).
    pub fn new(nodes: &[Node], table_size: u64) -> Result<Self, SystemError> {
        Self::of_hosts(&Hosts::new(nodes)?, table_size)
    }

    /// The table of hosts.
    ///
    /// # Errors
    /// [`SystemError::TableSize`] above [`Self::MOST_SLOTS`]; [`SystemError::Algorithm`] for a table size that is not a
    /// prime or is below the number of hosts (Envoy then leaves hosts without a slot).
    pub fn of_hosts(hosts: &Hosts, table_size: u64) -> Result<Self, SystemError> {
        if table_size > Self::MOST_SLOTS {
            return Err(SystemError::TableSize { size: table_size, allowed: "a prime of at most 5000011" });
        }
        let backend = |name: &str, weight| Backend {
            weight,
            ..Backend::new(xxh64(name.as_bytes(), 0), xxh64(name.as_bytes(), 1))
        };
        let backends: Vec<(&str, Backend)> =
            hosts.hosts.iter().map(|(name, weight)| (name.as_str(), backend(name, *weight))).collect();
        Ok(Self { table: populate_by_name(table_size, &backends)? })
    }

    /// The index of the host that owns each slot.
    #[must_use]
    pub fn table(&self) -> &[u32] {
        &self.table
    }
}

impl HashTable for Maglev {
    fn owner(&self, hash: u64) -> usize {
        self.table[(hash % self.table.len() as u64) as usize] as usize
    }
}

impl System for Maglev {
    fn node(&self, key: &[u8]) -> usize {
        self.owner(request_hash(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Error;

    #[test]
    fn table_sizes_that_cannot_work_are_named() {
        let nodes = [Node::new("a", 1), Node::new("b", 1), Node::new("c", 1)];
        let error = |size| Maglev::new(&nodes, size).unwrap_err();
        assert_eq!(error(0), Error::TableNotPrime { size: 0, next: 2 }.into());
        assert_eq!(error(65_536), Error::TableNotPrime { size: 65_536, next: 65_537 }.into());
        assert_eq!(error(2), Error::TableTooSmall { size: 2, buckets: 3 }.into());
        assert!(matches!(error(Maglev::MOST_SLOTS + 1), SystemError::TableSize { size: 5_000_012, .. }));
    }

    #[test]
    fn the_lightest_host_still_has_a_slot() {
        let nodes = [Node::new("a", 1), Node::new("b", u32::MAX), Node::new("c", u32::MAX)];
        let maglev = Maglev::new(&nodes, 65_537).expect("valid");
        assert_eq!(maglev.table().iter().filter(|&&host| host == 0).count(), 1);
    }

    #[test]
    fn a_locality_without_weight_has_no_slot() {
        let (a, b) = ([Node::new("a", 1)], [Node::new("b", 1)]);
        let hosts = Hosts::in_localities(&[(0, &a), (1, &b)]).expect("valid");
        assert_eq!(Maglev::of_hosts(&hosts, 7).expect("valid").table(), [1; 7]);
    }
}
