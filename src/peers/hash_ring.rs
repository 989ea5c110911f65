//! `hash_ring` 0.2.0: a ring over a sorted vector of positions and a hash map of their nodes, XXH64. Points a node have
//! no default; its documentation shows 10.
//!
//! A look-up wants a key that is an owned string, copies the positions and walks along them from the first: that string
//! is part of its time. Adding a node sorts all positions.

use hash_ring::HashRing;

use super::names::{Node, names};
use super::nodes::{Changing, Nodes, Placing};
use super::{NOBODY, name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hash_ring",
    name: "hash_ring",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.2.0" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(nv)", 128).with_quadratic_build(),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Mapped::new(b, name), resize, remove).named(names!(Mapped::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Mapped {
    ring: HashRing<Node<String>>,
    name: fn(u32) -> String,
}

impl Mapped {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        let nodes = (0..build.buckets).map(|bucket| Node::new(bucket, name)).collect();
        Ok(Nodes::within(Self { ring: HashRing::new(nodes, build.points as isize), name }, build.buckets))
    }
}

impl Placing for Mapped {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get_node(text(key).as_str().to_owned()).map_or(NOBODY, |node| node.number)
    }
}

impl Changing for Mapped {
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
    fn the_documented_owners() {
        let server = |number| format!("localhost:{}", 15324 + number);
        let nodes = (0..6).map(|number| Node { number, name: server(number) }).collect();
        let ring = HashRing::new(nodes, 10);
        let owners = ["two", "seven", "hello", "dude", "fourteen", "five"]
            .map(|key| ring.get_node(key.to_owned()).expect("points").number);
        assert_eq!(owners, [0, 1, 2, 3, 4, 5]);
    }
}
