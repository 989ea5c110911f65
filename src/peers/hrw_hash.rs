//! `hrw-hash` 2.0.3: weighted rendezvous (logarithmic method) over rapidhash v3, nodes of any type with a capacity that is
//! a whole number. Node and key are hashed once each, their exclusive or is finalised. There is the sorted list of all nodes
//! only: a look-up allocates and sorts it. A set of nodes is fixed; it is built again here for every change.
//!
//! It promises hashes that stay the same across versions, and that nodes are chosen in proportion to their capacity.

use hrw_hash::{HrwNode, HrwNodes};
use std::hash::{Hash, Hasher};

use super::names::{Name, Node, names};
use super::nodes::{Changing, Listing, Nodes, Placing, Weighing, Weights, absent, whole};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hrw-hash",
    name: "hrw-hash",
    algorithm: Algorithm::RendezvousWeighted,
    source: Source::Crate { version: "2.0.3" },
    paper: "Thaler & Ravishankar 1996; Schindelhauer & Schomaker 2005",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(n log n)", 256),
    shares: Shares::EQUAL,
    can: can!(b => build(b, name), resize, remove, replicas)
        .with_weights(|weights, _| Ok(Box::new(weighted(weights)?)))
        .named(names!(build => host_port, short, number)),
    shown: Shown::on_request(0),
}];

fn build<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Set<N>>, Error> {
    let servers = (0..build.buckets).map(|bucket| Server { node: Node::new(bucket, name), capacity: 1 });
    Ok(Nodes::within(Set::new(servers.collect(), name), build.buckets))
}

fn weighted(weights: &[f64]) -> Result<Weights<Set<String>>, Error> {
    let server = |(bucket, &weight)| Ok(Server { node: Node::new(bucket, name), capacity: whole(bucket, weight)? });
    let servers: Result<_, Error> = (0..).zip(weights).map(server).collect();
    Ok(Weights::within(Set::new(servers?, name), weights))
}

/// A node and its capacity. It is hashed and compared as the node.
#[derive(Clone)]
struct Server<N> {
    node: Node<N>,
    capacity: usize,
}

impl<N: Hash> Hash for Server<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.node.hash(state);
    }
}

impl<N: PartialEq> PartialEq for Server<N> {
    fn eq(&self, other: &Self) -> bool {
        self.node == other.node
    }
}

impl<N: Eq> Eq for Server<N> {}

impl<N: Name> HrwNode for Server<N> {
    fn capacity(&self) -> usize {
        self.capacity
    }
}

struct Set<N> {
    hrw: HrwNodes<Server<N>>,
    /// The crate does not give them back.
    servers: Vec<Server<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Set<N> {
    fn new(servers: Vec<Server<N>>, name: fn(u32) -> N) -> Self {
        Self { hrw: HrwNodes::new(servers.clone()), servers, name }
    }

    fn at(&self, bucket: u32) -> Result<usize, Error> {
        self.servers.iter().position(|server| server.node.number == bucket).ok_or(absent(bucket))
    }

    fn rebuild(&mut self) {
        self.hrw = HrwNodes::new(self.servers.clone());
    }
}

impl<N: Name> Placing for Set<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.hrw.sorted(&key).next().map_or(NOBODY, |server| server.node.number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.servers.len() as u32)
    }
}

impl<N: Name> Changing for Set<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.servers.push(Server { node: Node::new(bucket, self.name), capacity: 1 });
        self.rebuild();
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.servers.remove(self.at(bucket)?);
        self.rebuild();
        Ok(())
    }
}

impl<N: Name> Listing for Set<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.hrw.sorted(&key).take(count as usize).map(|server| server.node.number).collect()
    }
}

impl<N: Name> Weighing for Set<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let at = self.at(bucket)?;
        self.servers[at].capacity = whole(bucket, weight)?;
        self.rebuild();
        Ok(())
    }
}
