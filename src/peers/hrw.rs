//! `hrw` 0.1.2: rendezvous over any hasher, nodes of any type in a `HashSet`; SipHash-1-3 with random keys by default, and
//! another that is given (`from_nodes_and_hasher`; the same with zero keys here, so that instances agree).
//!
//! It promises deterministic selection and the top k in a deterministic order.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};

use hrw::Rendezvous;

use super::names::{Name, Node, names};
use super::nodes::{Changing, Listing, Nodes, Placing, absent, present};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "hrw",
    name: "hrw, random keys",
    algorithm: Algorithm::Rendezvous,
    source: Source::Crate { version: "0.1.2" },
    paper: "Thaler & Ravishankar 1998; SipHash-1-3",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(n)", 256),
    shares: Shares::EQUAL,
    can: can!(b => random(b, name), resize, remove, replicas).named(names!(random => host_port, short, number)),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "hrw/hasher",
        name: "hrw, DefaultHasher",
        can: can!(b => fixed(b, name), resize, remove, replicas).named(names!(fixed => host_port, short, number)),
        ..ENTRY
    },
];

type Random<N> = Set<N, RandomState>;
type Fixed<N> = Set<N, BuildHasherDefault<DefaultHasher>>;

fn random<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Random<N>>, Error> {
    let set = Rendezvous::from_nodes((0..build.buckets).map(|bucket| Node::new(bucket, name)));
    Ok(Nodes::within(Set { set, name }, build.buckets))
}

fn fixed<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Fixed<N>>, Error> {
    let nodes = (0..build.buckets).map(|bucket| Node::new(bucket, name));
    let set = Rendezvous::from_nodes_and_hasher(nodes, BuildHasherDefault::default());
    Ok(Nodes::within(Set { set, name }, build.buckets))
}

struct Set<N, S> {
    set: Rendezvous<Node<N>, S>,
    name: fn(u32) -> N,
}

impl<N: Name, S: BuildHasher + Clone + Send + Sync> Placing for Set<N, S> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.set.pick_top(&key).map_or(NOBODY, |node| node.number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.set.len() as u32)
    }
}

impl<N: Name, S: BuildHasher + Clone + Send + Sync> Changing for Set<N, S> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        if self.set.add_node(Node::new(bucket, self.name)) { Ok(()) } else { Err(present(bucket)) }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        if self.set.remove_node(&Node::new(bucket, self.name)) { Ok(()) } else { Err(absent(bucket)) }
    }
}

impl<N: Name, S: BuildHasher + Clone + Send + Sync> Listing for Set<N, S> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.set.pick_top_k(&key, count as usize).into_iter().map(|node| node.number).collect()
    }
}
