//! `conshash` 0.1.4: a ring in a B-tree, std's default hasher. Points a node have no default; its documentation shows 5.
//!
//! It wants keys that were hashed with its `hash`, as is done here. Point i is the hash of the node's name with i behind
//! it. A look-up walks along the points from the first.

use conshash::hash;

use super::names::{Node, names};
use super::nodes::{Changing, Nodes, Placing};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "conshash",
    name: "conshash",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.1.4" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(nv)", 96),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Conshash::new(b, name), resize, remove).named(names!(Conshash::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Conshash {
    ring: conshash::Ring<Node<String>>,
    name: fn(u32) -> String,
}

impl Conshash {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self { ring: conshash::Ring::new(build.points as usize), name }, build.buckets)
    }
}

impl Placing for Conshash {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get_node(hash(&key)).map_or(NOBODY, |node| node.number)
    }
}

impl Changing for Conshash {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add_node(&Node::new(bucket, self.name));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove_node(&Node::new(bucket, self.name));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_owner() {
        let mut ring = conshash::Ring::new(5);
        let node = Node { number: 7, name: "192.168.1.142".to_owned() };
        ring.add_node(&node);
        ring.remove_node(&node);
        ring.add_node(&node);
        assert_eq!(ring.get_node(hash(&format!("{node}0"))).map(|node| node.number), Some(7));
    }
}
