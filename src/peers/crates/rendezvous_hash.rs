//! `rendezvous_hash` 0.3.0: rendezvous over SipHash-1-3 with zero keys (`DefaultHasher`), nodes of any type; with weights by
//! the logarithmic method (`WeightedNode`). There is the sorted list of all candidates only: a look-up allocates and sorts
//! it, in `O(n log n)` as it says. An insertion searches all nodes.
//!
//! It promises that the order of the nodes that stay is kept, and shares in proportion to capacities.

use rendezvous_hash::{Capacity, DefaultNodeHasher, IdNode, RendezvousNodes, WeightedNode};

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, Several, absent, names};
use crate::algorithms::{Error, Weighted};
use crate::catalog::{Algorithm, Build, Implementation, Source};
use crate::ours;

const ENTRY: Implementation = Implementation {
    algorithm: Algorithm::Rendezvous,
    source: Source::Crate { version: "0.3.0" },
    paper: "Thaler & Ravishankar 1998",
    cost: "O(n log n)",
    own_hash: true,
    in_figures: false,
    quadratic_build: true,
    build_bytes: 128,
    ..ours!(b => build::<Plainly<Named<Plain>>>(b), resize, remove, replicas)
};

pub(super) static ENTRIES: &[Implementation] = &[
    Implementation {
        id: "rendezvous_hash",
        name: "rendezvous_hash",
        names: names!(b, N => build::<Plainly<N>>(b)),
        ..ENTRY
    },
    Implementation {
        id: "rendezvous_hash/weighted",
        name: "rendezvous_hash, weighted",
        algorithm: Algorithm::RendezvousWeighted,
        paper: "Schindelhauer & Schomaker 2005",
        build: |b| Ok(Box::new(build::<Heavy<Named<Plain>>>(b)?)),
        resize: Some(|b| Ok(Box::new(build::<Heavy<Named<Plain>>>(b)?))),
        remove: Some(|b| Ok(Box::new(build::<Heavy<Named<Plain>>>(b)?))),
        replicas: Some(|b| Ok(Box::new(build::<Heavy<Named<Plain>>>(b)?))),
        weigh: Some(|weights, _| Ok(Box::new(weighted::<Named<Plain>>(weights)?))),
        names: names!(b, N => build::<Heavy<N>>(b)),
        ..ENTRY
    },
];

type Plainly<N> = IdNode<N>;
type Heavy<N> = WeightedNode<IdNode<N>>;

/// The crate's kinds of nodes around ours.
trait Kind: rendezvous_hash::Node<NodeId = Self::Inner> + Send + Sync {
    type Inner: Node;

    /// The node of this number, of weight 1.
    fn of(bucket: u32) -> Self;
}

impl<N: Node> Kind for Plainly<N> {
    type Inner = N;

    fn of(bucket: u32) -> Self {
        IdNode::new(N::of(bucket))
    }
}

impl<N: Node> Kind for Heavy<N> {
    type Inner = N;

    fn of(bucket: u32) -> Self {
        WeightedNode::new(Plainly::of(bucket), Capacity::new(1.0).expect("1 is normal and positive"))
    }
}

fn build<K: Kind>(build: Build) -> Result<Members<Set<K>>, Error> {
    Members::filled(Set { nodes: RendezvousNodes::default() }, build.buckets)
}

fn weighted<N: Node>(weights: &[f64]) -> Result<Members<Set<Heavy<N>>>, Error> {
    let mut set = Set { nodes: RendezvousNodes::default() };
    for (bucket, &weight) in (0..).zip(weights) {
        set.nodes.insert(heavy::<N>(bucket, weight)?);
    }
    Ok(Members::new(set, weights.len() as u32))
}

fn heavy<N: Node>(bucket: u32, weight: f64) -> Result<Heavy<N>, Error> {
    let accepted = "a normal positive number";
    let refused = || Error::Weight { bucket, weight: weight.to_string(), accepted };
    Ok(WeightedNode::new(IdNode::new(N::of(bucket)), Capacity::new(weight).ok_or_else(refused)?))
}

struct Set<K: Kind> {
    nodes: RendezvousNodes<K, DefaultNodeHasher>,
}

impl<K: Kind> Nodes for Set<K> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.nodes.calc_candidates(&key).next().map_or(NOBODY, |node| node.node_id().bucket())
    }

    fn count(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        // One that is there already is replaced and given back.
        let _ = self.nodes.insert(K::of(bucket));
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        self.nodes.remove(&K::Inner::of(bucket)).map(drop).ok_or_else(|| absent(bucket))
    }
}

impl<K: Kind> Several for Set<K> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        self.nodes.calc_candidates(&key).take(count as usize).map(|node| node.node_id().bucket()).collect()
    }
}

impl<N: Node> Weighted for Members<Set<Heavy<N>>> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        let node = self.nodes.nodes.iter().find(|node| node.node.bucket() == bucket);
        node.map(|node| node.capacity.value()).ok_or_else(|| absent(bucket))
    }

    /// A node of the same name replaces the one that is there.
    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weight(bucket)?;
        self.nodes.nodes.insert(heavy::<N>(bucket, weight)?);
        Ok(())
    }
}
