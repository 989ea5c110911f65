//! dgryski/go-maglev, commit 8961b9b (2020-06-11).
//!
//! h = SipHash-2-4 of the name with the key (0xdeadbeefcafebabe, 0); offset = (h >> 32) mod M, skip = (h mod 2^32) mod
//! (M - 1) + 1. Nodes take turns in the order *given*: the same nodes in another order make another table. Dead nodes
//! have no turn.
//!
//! The library looks up numbers, table\[key mod M\], and hashes none: sequential keys meet sequential slots. For keys
//! of bytes [`System::node`] hashes as the library hashes names.

use siphasher::sip::SipHasher24;

use super::nodes::check_unweighted;
use super::{Entry, Node, Promise, Promises, System, SystemError, boxed};
use crate::algorithms::maglev::{Backend, TABLE_SIZE, populate};

/// The library's small table, with all nodes alive.
pub(super) const ENTRY: Entry = Entry {
    id: "go-maglev",
    name: "dgryski/go-maglev, SipHash-2-4 of the key",
    version: "8961b9b (2020-06-11)",
    build: |nodes| GoMaglev::new(nodes, SMALL_TABLE, &[]).map(boxed),
    promises: Promises { order: Promise::NotMade("nodes take turns in the order of the list"), ..Promises::MAGLEV },
};

/// The library's constant `SmallM`.
pub const SMALL_TABLE: u64 = TABLE_SIZE;

/// A table of nodes.
#[derive(Debug, Clone)]
pub struct GoMaglev {
    table: Vec<u32>,
}

impl GoMaglev {
    /// A table of `table_size` slots for `nodes`, of which those at the indices `dead` own none.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1;
    /// [`SystemError::Setting`] for a dead node that is not there, [`SystemError::NoUsableNode`] if all are dead;
    /// [`SystemError::Algorithm`] for a table size that is not a prime, where filling the table would not end, or below
    /// the number of nodes.
    pub fn new(nodes: &[Node], table_size: u64, dead: &[usize]) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        let mut backends: Vec<Backend> = nodes
            .iter()
            .map(|node| {
                let hash = hash(node.name.as_bytes());
                Backend::new(hash >> 32, hash & 0xffff_ffff)
            })
            .collect();
        for &index in dead {
            let Some(backend) = backends.get_mut(index) else {
                let allowed = "an index below the number of nodes";
                return Err(SystemError::Setting { setting: "dead node", value: index.to_string(), allowed });
            };
            backend.weight = 0.0;
        }
        Ok(Self { table: populate(table_size, &backends)? })
    }

    /// The node that owns a key that is already a number.
    #[must_use]
    pub fn number(&self, key: u64) -> usize {
        self.table[(key % self.table.len() as u64) as usize] as usize
    }

    /// The index of the node that owns each slot.
    #[must_use]
    pub fn table(&self) -> &[u32] {
        &self.table
    }
}

fn hash(bytes: &[u8]) -> u64 {
    SipHasher24::new_with_keys(0xdead_beef_cafe_babe, 0).hash(bytes)
}

impl System for GoMaglev {
    fn node(&self, key: &[u8]) -> usize {
        self.number(hash(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Error;

    #[test]
    fn tables_that_cannot_be_filled_are_named() {
        let nodes = [Node::new("a", 1), Node::new("b", 1)];
        let error = |size, dead: &[usize]| GoMaglev::new(&nodes, size, dead).unwrap_err();
        assert_eq!(error(7, &[0, 1]), SystemError::NoUsableNode { nodes: 2 });
        assert_eq!(error(0, &[]), Error::TableNotPrime { size: 0, next: 2 }.into());
        assert_eq!(error(8, &[]), Error::TableNotPrime { size: 8, next: 11 }.into());
        assert!(matches!(error(7, &[2]), SystemError::Setting { setting: "dead node", .. }));
        assert_eq!(GoMaglev::new(&nodes, 7, &[0, 0]).expect("dead twice is dead").table(), [1; 7]);
    }

    #[test]
    fn the_table_depends_on_the_order_given() {
        let nodes: Vec<Node> = (0..5).map(|i| Node::new(format!("node-{i}"), 1)).collect();
        let reversed: Vec<Node> = nodes.iter().rev().cloned().collect();
        let table = |nodes: &[Node]| GoMaglev::new(nodes, 1021, &[]).expect("valid").table().to_vec();
        let mirrored: Vec<u32> = table(&reversed).into_iter().map(|index| 4 - index).collect();
        assert_ne!(table(&nodes), mirrored);
    }
}
