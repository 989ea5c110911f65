//! `consistent_hash_ring` 0.8.0: a ring over a sorted vector, FNV-1a; 10 points a node by default, and a node may have
//! another number of them, which is its weight.
//!
//! Point i of a node is the hash, applied i + 1 times, of the node. The replicas of a key are the owners of its hash, of
//! the hash of that, and so on, and where one was met before, the next node on the circle.

use consistent_hash_ring::RingBuilder;

use super::names::{Name, Node, names};
use super::nodes::{self, Changing, Listing, Nodes, Placing, Weighing, Weights, absent, present};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// The default.
const POINTS: u32 = 10;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "consistent_hash_ring",
    name: "consistent_hash_ring, v = 10",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.8.0" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash().but_others_take_over(),
    costs: Costs::new("O(log nv)", 10 * 80),
    shares: Shares::RandomRing { points: |_| POINTS },
    can: can!(b => Chained::new(b, name), resize, remove, replicas)
        .with_weights(|weights, b| Ok(Box::new(Weights::given(Chained::of(Build { buckets: 0, ..b }, name), weights)?)))
        .named(names!(Chained::new => name, host_port, short, number, address)),
    shown: Shown::on_request(0),
}];

struct Chained<N> {
    ring: consistent_hash_ring::Ring<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Chained<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        Ok(Nodes::within(Self::of(build, name), build.buckets))
    }

    fn of(build: Build, name: fn(u32) -> N) -> Self {
        let nodes = (0..build.buckets).map(|bucket| Node::new(bucket, name));
        Self { ring: RingBuilder::default().nodes_iter(nodes).build(), name }
    }
}

impl<N: Name> Placing for Chained<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.try_get(key).map_or(NOBODY, |node| node.number)
    }
}

impl<N: Name> Changing for Chained<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        if self.ring.insert(Node::new(bucket, self.name)) { Ok(()) } else { Err(present(bucket)) }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        if self.ring.remove(&Node::new(bucket, self.name)) { Ok(()) } else { Err(absent(bucket)) }
    }
}

impl<N: Name> Listing for Chained<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.ring.replicas(key).take(count as usize).map(|node| node.number).collect()
    }
}

impl<N: Name> Weighing for Chained<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.insert_weight(Node::new(bucket, self.name), nodes::points(bucket, weight, POINTS)? as usize);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Weighted;
    use crate::peers::names::number;

    #[test]
    fn the_documented_replicas_and_weights() {
        let nodes = (0..12).map(|number| Node { number, name: number as i32 });
        let ring = RingBuilder::default().nodes_iter(nodes).build();
        let replicas: Vec<u32> = ring.replicas("key").take(3).map(|node| node.number).collect();
        assert_eq!(replicas, [10, 2, 8]);
        let build = Build::new(0, 0, 0);
        let mut weights = Weights::given(Chained::of(build, number), &[1.0, 0.9]).expect("weights");
        assert_eq!(weights.set_weight(1, 0.5), Ok(()));
        assert_eq!(weights.weight(1), Ok(0.5));
    }
}
