//! `hrw-hash` 2.0.3: weighted rendezvous (logarithmic method) over rapidhash v3, nodes of any type with a capacity that is
//! a whole number. Node and key are hashed once each, their exclusive or is finalised. There is the sorted list of all nodes
//! only: a look-up allocates and sorts it. A set of nodes is fixed; it is built again here for every change.
//!
//! It promises hashes that stay the same across versions, and that nodes are chosen in proportion to their capacity.

use hrw_hash::{HrwNode, HrwNodes};
use std::hash::{Hash, Hasher};

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, Several, absent, names};
use crate::algorithms::{Error, Partitioner, Weighted};
use crate::catalog::{Algorithm, Build, Implementation, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hrw-hash",
    name: "hrw-hash",
    algorithm: Algorithm::RendezvousWeighted,
    source: Source::Crate { version: "2.0.3" },
    paper: "Thaler & Ravishankar 1996; Schindelhauer & Schomaker 2005",
    cost: "O(n log n)",
    own_hash: true,
    in_figures: false,
    build_bytes: 256,
    weigh: Some(|weights, _| Ok(Box::new(weighted::<Named<Plain>>(weights)?))),
    names: names!(b, N => build::<N>(b)),
    ..ours!(b => build::<Named<Plain>>(b), resize, remove, replicas)
}];

fn build<N: Node>(build: Build) -> Result<Members<Set<N>>, Error> {
    Ok(Members::new(
        Set::new((0..build.buckets).map(|bucket| Server { node: N::of(bucket), capacity: 1 }).collect()),
        build.buckets,
    ))
}

fn weighted<N: Node>(weights: &[f64]) -> Result<Members<Set<N>>, Error> {
    let servers = (0..)
        .zip(weights)
        .map(|(bucket, &weight)| Ok(Server { node: N::of(bucket), capacity: capacity(bucket, weight)? }));
    Ok(Members::new(Set::new(servers.collect::<Result<_, Error>>()?), weights.len() as u32))
}

/// What the crate's type can hold.
fn capacity(bucket: u32, weight: f64) -> Result<usize, Error> {
    let whole = weight as usize;
    if whole as f64 == weight {
        Ok(whole)
    } else {
        Err(Error::Weight { bucket, weight: weight.to_string(), accepted: "a whole number, which is the crate's type" })
    }
}

/// A node and its capacity. It is hashed and compared as the node.
#[derive(Clone)]
struct Server<N> {
    node: N,
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

impl<N: Node> HrwNode for Server<N> {
    fn capacity(&self) -> usize {
        self.capacity
    }
}

struct Set<N> {
    hrw: HrwNodes<Server<N>>,
    /// The crate does not give them back.
    servers: Vec<Server<N>>,
}

impl<N: Node> Set<N> {
    fn new(servers: Vec<Server<N>>) -> Self {
        Self { hrw: HrwNodes::new(servers.clone()), servers }
    }

    fn at(&self, bucket: u32) -> Result<usize, Error> {
        self.servers.iter().position(|server| server.node.bucket() == bucket).ok_or_else(|| absent(bucket))
    }

    fn rebuild(&mut self) {
        self.hrw = HrwNodes::new(self.servers.clone());
    }
}

impl<N: Node> Nodes for Set<N> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.hrw.sorted(&key).next().map_or(NOBODY, |server| server.node.bucket())
    }

    fn count(&self) -> u32 {
        self.servers.len() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.servers.push(Server { node: N::of(bucket), capacity: 1 });
        self.rebuild();
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        self.servers.remove(self.at(bucket)?);
        self.rebuild();
        Ok(())
    }
}

impl<N: Node> Several for Set<N> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        self.hrw.sorted(&key).take(count as usize).map(|server| server.node.bucket()).collect()
    }
}

impl<N: Node> Weighted for Members<Set<N>>
where
    Self: Partitioner,
{
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        Ok(self.nodes.servers[self.nodes.at(bucket)?].capacity as f64)
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let at = self.nodes.at(bucket)?;
        self.nodes.servers[at].capacity = capacity(bucket, weight)?;
        self.nodes.rebuild();
        Ok(())
    }
}
