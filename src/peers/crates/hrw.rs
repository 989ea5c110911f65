//! `hrw` 0.1.2: rendezvous over any hasher, nodes of any type in a `HashSet`; SipHash-1-3 with random keys by default, and
//! another that is given (`from_nodes_and_hasher`; the same with zero keys here, so that instances agree).
//!
//! It promises deterministic selection and the top k in a deterministic order.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};

use hrw::Rendezvous;

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, Several, absent, names, present};
use crate::algorithms::Error;
use crate::catalog::{Algorithm, Build, Implementation, Source};
use crate::ours;

const ENTRY: Implementation = Implementation {
    algorithm: Algorithm::Rendezvous,
    source: Source::Crate { version: "0.1.2" },
    paper: "Thaler & Ravishankar 1998; SipHash-1-3",
    cost: "O(n)",
    own_hash: true,
    in_figures: false,
    build_bytes: 256,
    ..ours!(b => random::<Named<Plain>>(b), resize, remove, replicas)
};

pub(super) static ENTRIES: &[Implementation] = &[
    Implementation { id: "hrw", name: "hrw, random keys", names: names!(b, N => random::<N>(b)), ..ENTRY },
    Implementation {
        id: "hrw/hasher",
        name: "hrw, DefaultHasher",
        build: |b| Ok(Box::new(fixed::<Named<Plain>>(b)?)),
        resize: Some(|b| Ok(Box::new(fixed::<Named<Plain>>(b)?))),
        remove: Some(|b| Ok(Box::new(fixed::<Named<Plain>>(b)?))),
        replicas: Some(|b| Ok(Box::new(fixed::<Named<Plain>>(b)?))),
        names: names!(b, N => fixed::<N>(b)),
        ..ENTRY
    },
];

fn random<N: Node>(build: Build) -> Result<Members<Set<N, RandomState>>, Error> {
    let nodes = Set(Rendezvous::from_nodes((0..build.buckets).map(N::of)));
    Ok(Members::new(nodes, build.buckets))
}

type Fixed = BuildHasherDefault<DefaultHasher>;

fn fixed<N: Node>(build: Build) -> Result<Members<Set<N, Fixed>>, Error> {
    let nodes = Set(Rendezvous::from_nodes_and_hasher((0..build.buckets).map(N::of), Fixed::default()));
    Ok(Members::new(nodes, build.buckets))
}

struct Set<N, S>(Rendezvous<N, S>);

impl<N: Node, S: BuildHasher + Clone + Send + Sync> Nodes for Set<N, S> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.0.pick_top(&key).map_or(NOBODY, N::bucket)
    }

    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        if self.0.add_node(N::of(bucket)) { Ok(()) } else { Err(present(bucket)) }
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        if self.0.remove_node(&N::of(bucket)) { Ok(()) } else { Err(absent(bucket)) }
    }
}

impl<N: Node, S: BuildHasher + Clone + Send + Sync> Several for Set<N, S> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        self.0.pick_top_k(&key, count as usize).into_iter().map(N::bucket).collect()
    }
}
