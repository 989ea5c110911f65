//! `simplehash` 0.1.3: rendezvous over a slice of nodes of any type, with the crate's own hashers; the key is hashed first
//! and then the node. Its documentation shows FNV-1a of 64 bits and the standard `RandomState`; all its hashers are here.
//!
//! It promises few moves, and "excellent distribution" with FNV-1a and MurmurHash3.

use std::hash::{BuildHasher, BuildHasherDefault, RandomState};

use simplehash::{
    CityHasher64, Fnv1aHasher32, Fnv1aHasher64, FnvHasher32, FnvHasher64, MurmurHasher32, MurmurHasher64,
    RendezvousHasher,
};

use super::names::{Name, Node, names};
use super::nodes::{Changing, Listing, Nodes, Placing, absent};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// An entry with this builder of hashers.
macro_rules! entry {
    ($id:literal, $name:literal, $hashers:ty) => {
        Implementation {
            id: $id,
            name: $name,
            algorithm: Algorithm::Rendezvous,
            source: Source::Crate { version: "0.1.3" },
            paper: "Thaler & Ravishankar 1998",
            limits: Limits::NONE,
            promises: Promises::MONOTONE.with_own_hash(),
            costs: Costs::new("O(n)", 128),
            shares: Shares::EQUAL,
            can: can!(b => Slice::<_, $hashers>::new(b, name), resize, remove, replicas)
                .named(names!(Slice::<_, $hashers>::new => host_port, short, number)),
            shown: Shown::on_request(0),
        }
    };
}

pub(super) static ENTRIES: &[Implementation] = &[
    entry!("simplehash/fnv1a-64", "simplehash, FNV-1a 64", BuildHasherDefault<Fnv1aHasher64>),
    entry!("simplehash/random", "simplehash, RandomState", RandomState),
    entry!("simplehash/fnv1a-32", "simplehash, FNV-1a 32", BuildHasherDefault<Fnv1aHasher32>),
    entry!("simplehash/fnv1-64", "simplehash, FNV-1 64", BuildHasherDefault<FnvHasher64>),
    entry!("simplehash/fnv1-32", "simplehash, FNV-1 32", BuildHasherDefault<FnvHasher32>),
    entry!("simplehash/murmur3-64", "simplehash, MurmurHash3 64", BuildHasherDefault<MurmurHasher64>),
    entry!("simplehash/murmur3-32", "simplehash, MurmurHash3 32", BuildHasherDefault<MurmurHasher32>),
    entry!("simplehash/city-64", "simplehash, CityHash 64", BuildHasherDefault<CityHasher64>),
];

struct Slice<N, B: BuildHasher> {
    hasher: RendezvousHasher<B::Hasher, B>,
    /// The crate keeps none.
    nodes: Vec<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name, B: BuildHasher + Default> Slice<N, B> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        let nodes = (0..build.buckets).map(|bucket| Node::new(bucket, name)).collect();
        let slice = Self { hasher: RendezvousHasher::new(B::default()), nodes, name };
        Ok(Nodes::within(slice, build.buckets))
    }
}

impl<N: Name, B: BuildHasher + Send + Sync> Placing for Slice<N, B>
where
    B::Hasher: Send + Sync,
{
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.hasher.select(&key, &self.nodes).map_or(NOBODY, |node| node.number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.nodes.len() as u32)
    }
}

impl<N: Name, B: BuildHasher + Send + Sync> Changing for Slice<N, B>
where
    B::Hasher: Send + Sync,
{
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.nodes.push(Node::new(bucket, self.name));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let at = self.nodes.iter().position(|node| node.number == bucket).ok_or(absent(bucket))?;
        self.nodes.remove(at);
        Ok(())
    }
}

impl<N: Name, B: BuildHasher + Send + Sync> Listing for Slice<N, B>
where
    B::Hasher: Send + Sync,
{
    /// The crate ranks all and knows no count.
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.hasher.rank(&key, &self.nodes).into_iter().take(count as usize).map(|node| node.number).collect()
    }
}
