//! `rendezvous_hash` 0.3.0: rendezvous over SipHash-1-3 with zero keys (`DefaultHasher`), nodes of any type; with weights by
//! the logarithmic method (`WeightedNode`). There is the sorted list of all candidates only: a look-up allocates and sorts
//! it, in `O(n log n)` as it says. An insertion searches all nodes.
//!
//! It promises that the order of the nodes that stay is kept, and shares in proportion to capacities.

use rendezvous_hash::{Capacity, DefaultNodeHasher, IdNode, RendezvousNodes, WeightedNode};

use super::names::{Name, Node, names};
use super::nodes::{Changing, Listing, Nodes, Placing, Weighing, Weights, absent, refused};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "rendezvous_hash",
    name: "rendezvous_hash",
    algorithm: Algorithm::Rendezvous,
    source: Source::Crate { version: "0.3.0" },
    paper: "Thaler & Ravishankar 1998",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(n log n)", 128).with_quadratic_build(),
    shares: Shares::EQUAL,
    can: can!(b => plain(b, name), resize, remove, replicas).named(names!(plain => host_port, short, number)),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "rendezvous_hash/weighted",
        name: "rendezvous_hash, weighted",
        algorithm: Algorithm::RendezvousWeighted,
        paper: "Schindelhauer & Schomaker 2005",
        can: can!(b => heavy(b, name), resize, remove, replicas)
            .with_weights(|weights, _| Ok(Box::new(Weights::given(Set::<Heavy<String>>::new(name), weights)?)))
            .named(names!(heavy => host_port, short, number)),
        ..ENTRY
    },
];

type Plain<N> = IdNode<Node<N>>;
type Heavy<N> = WeightedNode<Plain<N>>;

fn plain<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Set<Plain<N>>>, Error> {
    Nodes::added(Set::new(name), build.buckets)
}

fn heavy<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Set<Heavy<N>>>, Error> {
    Nodes::added(Set::new(name), build.buckets)
}

/// The crate's kinds of nodes around ours.
trait Kind: rendezvous_hash::Node<NodeId = Node<Self::Name>> + Send + Sync {
    type Name: Name;

    /// This node, of weight 1.
    fn of(node: Node<Self::Name>) -> Self;
}

impl<N: Name> Kind for Plain<N> {
    type Name = N;

    fn of(node: Node<N>) -> Self {
        IdNode::new(node)
    }
}

impl<N: Name> Kind for Heavy<N> {
    type Name = N;

    fn of(node: Node<N>) -> Self {
        WeightedNode::new(IdNode::new(node), Capacity::new(1.0).expect("1 is normal and positive"))
    }
}

struct Set<K: Kind> {
    nodes: RendezvousNodes<K, DefaultNodeHasher>,
    name: fn(u32) -> K::Name,
}

impl<K: Kind> Set<K> {
    fn new(name: fn(u32) -> K::Name) -> Self {
        Self { nodes: RendezvousNodes::default(), name }
    }
}

impl<K: Kind> Placing for Set<K> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.nodes.calc_candidates(&key).next().map_or(NOBODY, |node| node.node_id().number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.nodes.len() as u32)
    }
}

impl<K: Kind> Changing for Set<K> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        // One that is there already is replaced and given back.
        let _before = self.nodes.insert(K::of(Node::new(bucket, self.name)));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.nodes.remove(&Node::new(bucket, self.name)).map(drop).ok_or(absent(bucket))
    }
}

impl<K: Kind> Listing for Set<K> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.nodes.calc_candidates(&key).take(count as usize).map(|node| node.node_id().number).collect()
    }
}

impl<N: Name> Weighing for Set<Heavy<N>> {
    /// A node of the same name replaces the one that is there.
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let capacity = Capacity::new(weight).ok_or_else(|| refused(bucket, weight, "a normal positive number"))?;
        let node = WeightedNode::new(IdNode::new(Node::new(bucket, self.name)), capacity);
        let _before = self.nodes.insert(node);
        Ok(())
    }
}
