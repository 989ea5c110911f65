//! `hashring` 0.3.6: a ring over a sorted vector, SipHash-2-4 without a key.
//!
//! It has no virtual nodes: its documentation shows how to add several of a node, as is done here, with an address and a
//! counter. `get_with_replicas` names points, so that only with one point a node are they distinct nodes; replicas are
//! of such a ring. Adding a node sorts all points; `batch_add` sorts once.

use hashring::HashRing;

use super::NOBODY;
use super::names::{Name, Node, address, names};
use super::nodes::{Changing, Listing, Nodes, Placing, absent};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Capabilities, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hashring",
    name: "hashring, points by hand",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.3.6" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 80),
    shares: Shares::RandomRing { points: |b| b.points },
    can: Capabilities {
        replicas: Some(|b| Ok(Box::new(Hashring::new(Build { points: 1, ..b }, address)?))),
        ..can!(b => Hashring::new(b, address), resize, remove)
            .named(names!(Hashring::new => name, host_port, short, number, address))
    },
    shown: Shown::on_request(0),
}];

#[derive(Debug, Clone, PartialEq, Hash)]
struct VNode<N> {
    id: usize,
    node: Node<N>,
}

struct Hashring<N> {
    ring: HashRing<VNode<N>>,
    points: u32,
    name: fn(u32) -> N,
}

impl<N: Name> Hashring<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        let mut adapter = Self { ring: HashRing::new(), points: build.points, name };
        adapter.ring.batch_add((0..build.buckets).flat_map(|bucket| adapter.points(bucket)).collect());
        Ok(Nodes::within(adapter, build.buckets))
    }

    fn points(&self, bucket: u32) -> Vec<VNode<N>> {
        (0..self.points as usize).map(|id| VNode { id, node: Node::new(bucket, self.name) }).collect()
    }
}

impl<N: Name> Placing for Hashring<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get(&key).map_or(NOBODY, |point| point.node.number)
    }
}

impl<N: Name> Changing for Hashring<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.batch_add(self.points(bucket));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.points(bucket).iter().try_for_each(|point| self.ring.remove(point).map(drop).ok_or(absent(bucket)))
    }
}

impl<N: Name> Listing for Hashring<N> {
    /// The crate counts the replicas beside the owner.
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        let Some(others) = count.checked_sub(1) else { return Vec::new() };
        let points = self.ring.get_with_replicas(&key, others as usize).unwrap_or_default();
        points.into_iter().map(|point| point.node.number).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use super::*;
    use crate::algorithms::Partitioner;

    #[derive(Clone, Debug, Hash, PartialEq)]
    struct Documented {
        id: usize,
        addr: SocketAddr,
    }

    #[test]
    fn owners_are_those_of_the_documented_nodes() {
        let mut ring = HashRing::new();
        for bucket in 0..9 {
            (0..4).for_each(|id| ring.add(Documented { id, addr: address(bucket) }));
        }
        let ours = Hashring::new(Build::new(9, 4, 0), address).expect("the crate has no errors");
        for key in 0..1000_u64 {
            assert_eq!(ring.get(&key).map(|node| node.addr), Some(address(ours.bucket(key))), "key {key}");
        }
    }
}
