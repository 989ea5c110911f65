//! `conhash` 0.5.1: a ring in a B-tree with positions of 128 bits, MD5. Each node is added with its number of points;
//! there is no default, its documentation shows 20.
//!
//! A position is a vector of bytes on the heap, that of a key too. Nodes are added again to change their points.

use conhash::ConsistentHash;

use super::names::{Node, names};
use super::nodes::{self, Changing, Nodes, Placing, Weighing, Weights};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "conhash",
    name: "conhash",
    algorithm: Algorithm::Ring { position_bits: 128 },
    source: Source::Crate { version: "0.5.1" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 160),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Conhash::new(b, name), resize, remove)
        .with_weights(|weights, b| Ok(Box::new(Weights::given(Conhash::empty(b, name), weights)?)))
        .named(names!(Conhash::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

impl conhash::Node for Node<String> {
    fn name(&self) -> String {
        self.name.clone()
    }
}

struct Conhash {
    ring: ConsistentHash<Node<String>>,
    points: u32,
    name: fn(u32) -> String,
}

impl Conhash {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self::empty(build, name), build.buckets)
    }

    fn empty(build: Build, name: fn(u32) -> String) -> Self {
        Self { ring: ConsistentHash::new(), points: build.points, name }
    }
}

impl Placing for Conhash {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get(&key.to_le_bytes()).map_or(NOBODY, |node| node.number)
    }
}

impl Changing for Conhash {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add(&Node::new(bucket, self.name), self.points as usize);
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove(&Node::new(bucket, self.name));
        Ok(())
    }
}

impl Weighing for Conhash {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.add(&Node::new(bucket, self.name), nodes::points(bucket, weight, self.points)? as usize);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_owner() {
        let server = |number| format!("localhost:{}", 12345 + number);
        let mut ring = Conhash::empty(Build::new(9, 20, 0), server);
        (0..9).try_for_each(|bucket| ring.add(bucket)).expect("the crate has no errors");
        let owner = |ring: &Conhash| ring.ring.get(b"hello").expect("points").name.clone();
        assert_eq!((ring.ring.len(), owner(&ring).as_str()), (9 * 20, "localhost:12347"));
        ring.remove(5).expect("the crate has no errors");
        assert_eq!(owner(&ring), "localhost:12347");
    }
}
