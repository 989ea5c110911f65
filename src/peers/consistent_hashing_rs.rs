//! `consistent-hashing-rs` 0.1.0: consistent hashing with bounded loads on a ring in a B-tree with positions of 128 bits,
//! MD5. Each node is added with its number of points; there is no default, its documentation shows 3 and a load factor of
//! 1.25.
//!
//! Loads are keys that `assign_key` has counted; none are here, so that look-ups are those of the ring. A look-up takes an
//! owned string, copies names and answers with a copy of the node, whose number is looked up: all that is part of its time.

use consistenthash::{ConsistentHash, Node};

use super::names::{Numbers, names};
use super::nodes::{Changing, Nodes, Placing};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "consistent-hashing-rs",
    name: "consistent-hashing-rs, c = 1.25, no loads",
    algorithm: Algorithm::Ring { position_bits: 128 },
    source: Source::Crate { version: "0.1.0" },
    paper: "Mirrokni et al. 2016",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 128),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Bounded::new(b, name), resize, remove).named(names!(Bounded::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Bounded {
    ring: ConsistentHash,
    numbers: Numbers,
    points: u32,
}

impl Bounded {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        let ring = ConsistentHash::with_load_factor(1.25);
        Nodes::added(Self { ring, numbers: Numbers::new(name), points: build.points }, build.buckets)
    }
}

impl Placing for Bounded {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        let node = self.ring.get_node(text(key).as_str().to_owned());
        self.numbers.of(node.as_ref().map(Node::get_name))
    }
}

impl Changing for Bounded {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add_node(&Node::new(self.numbers.name(bucket)), self.points);
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove_node((self.numbers.name)(bucket));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Partitioner;

    #[test]
    fn the_documented_nodes() {
        let test_node = |number| format!("test_node{}", number + 1);
        let ring = Bounded::new(Build::new(2, 3, 0), test_node).expect("the crate has no errors");
        let owners: Vec<u32> = (0..1000).map(|key| ring.bucket(key)).collect();
        assert!((0..2).all(|bucket| owners.contains(&bucket)) && owners.iter().all(|&owner| owner < 2));
    }
}
