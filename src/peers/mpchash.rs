//! `mpchash` 2.0.10: multi-probe over XXH3, 23 probes of double hashing whose two hashes are the same one, nodes of any type
//! on a lock-free skip list of one position each; the number of probes cannot be chosen. Several nodes of a key: those
//! clockwise from its position.
//!
//! It promises loads within `1 + e` of the average with `1 + 1/e` probes, and the first of several nodes to be the one.

use mpchash::HashRing;

use super::names::{Name, Node, names};
use super::nodes::{Changing, Listing, Nodes, Placing};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "mpchash",
    name: "mpchash, k = 23",
    algorithm: Algorithm::MultiProbe,
    source: Source::Crate { version: "2.0.10" },
    paper: "Appleton & O'Reilly 2015",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(k log n)", 256),
    shares: Shares::MultiProbe { probes: 23 },
    can: can!(b => Ring::new(b, name), resize, remove, replicas).named(names!(Ring::new => host_port, short, number)),
    shown: Shown::on_request(0),
}];

struct Ring<N: Name> {
    ring: HashRing<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Ring<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self { ring: HashRing::new(), name }, build.buckets)
    }
}

impl<N: Name> Placing for Ring<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.node(&key).map_or(NOBODY, |token| token.node().number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.ring.len() as u32)
    }
}

impl<N: Name> Changing for Ring<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add(Node::new(bucket, self.name));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove(&Node::new(bucket, self.name));
        Ok(())
    }
}

impl<N: Name> Listing for Ring<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.ring.replicas(&key, count as usize).iter().map(|token| token.node().number).collect()
    }
}
