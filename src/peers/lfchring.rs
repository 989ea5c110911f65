//! `lfchring` 0.1.3: a ring over a sorted vector, which every change copies and swaps in, so that readers need no lock;
//! `DefaultHasher` without a key, or another hash. Neither the points of a node nor the replicas of a key have a default;
//! its documentation shows 2 and 3.
//!
//! It hashes nodes and not keys: a key is compared with the digests of the points as it is. Here it is a digest, made as the
//! crate makes its own, so that a look-up hashes once, as with other crates. How many replicas a key has is fixed when a
//! ring is built: one for look-ups; where replicas are asked for as many as there are nodes, of which the crate can count
//! 255. An answer is a new list of the replicas. A ring that is dropped frees nothing.
//!
//! It promises replicas on distinct nodes as long as there are so many, and to refuse a node that is there already.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::Arc;

use lfchring::{HashRing, HashRingError, Hasher, Vnid};

use super::NOBODY;
use super::names::{Node, name, names};
use super::nodes::{Changing, Listing, Nodes, Placing, absent, present};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Capabilities, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "lfchring",
    name: "lfchring, digests as keys",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.1.3" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 200),
    shares: Shares::RandomRing { points: |b| b.points },
    can: Capabilities {
        replicas: Some(|b| Ok(Box::new(ring(b, name, u8::try_from(b.buckets).unwrap_or(u8::MAX))?))),
        ..can!(b => alone(b, name), resize, remove).named(names!(alone => host_port, short, digits))
    },
    shown: Shown::on_request(0),
}];

struct Swapped<H: Hasher> {
    ring: HashRing<Node<String>, H>,
    name: fn(u32) -> String,
}

fn alone(build: Build, name: fn(u32) -> String) -> Result<Nodes<Swapped<impl Hasher + Send + Sync>>, Error> {
    ring(build, name, 1)
}

/// The type of its hasher has no public name.
fn ring(
    build: Build,
    name: fn(u32) -> String,
    replicas: u8,
) -> Result<Nodes<Swapped<impl Hasher + Send + Sync>>, Error> {
    let points = Vnid::try_from(build.points).map_err(|_| Error::OutOfRange {
        what: "points per node",
        value: build.points.to_string(),
        accepted: "1 to 65535, which is what this crate can count",
    })?;
    let nodes: Vec<_> = (0..build.buckets).map(|bucket| Arc::new(Node::new(bucket, name))).collect();
    let ring = HashRing::with_nodes(points, replicas.max(1), &nodes).map_err(|error| match error {
        HashRingError::InvalidConfiguration(..) => Error::NoPoints,
        error => Error::DuplicateName { name: error.to_string() },
    })?;
    Ok(Nodes::within(Swapped { ring, name }, build.buckets))
}

impl lfchring::Node for Node<String> {
    fn hashring_node_id(&self) -> Cow<'_, [u8]> {
        self.name.as_bytes().into()
    }
}

/// As the crate digests its nodes.
#[inline]
pub(super) fn digest(key: &[u8]) -> [u8; 8] {
    let mut hash = DefaultHasher::new();
    hash.write(key);
    hash.finish().to_ne_bytes()
}

impl<H: Hasher + Send + Sync> Placing for Swapped<H> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        let owners = self.ring.nodes_for_key(&digest(&key.to_ne_bytes()));
        owners.ok().and_then(|owners| Some(owners.first()?.number)).unwrap_or(NOBODY)
    }

    fn count(&self) -> Option<u32> {
        u32::try_from(self.ring.len_nodes()).ok()
    }
}

impl<H: Hasher + Send + Sync> Changing for Swapped<H> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.insert(&[Arc::new(Node::new(bucket, self.name))]).map_err(|_| present(bucket))
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove(&[Arc::new(Node::new(bucket, self.name))]).map_err(|_| absent(bucket))
    }
}

impl<H: Hasher + Send + Sync> Listing for Swapped<H> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        let owners = self.ring.nodes_for_key(&digest(&key.to_ne_bytes())).unwrap_or_default();
        owners.iter().map(|node| node.number).take(count as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Replicas as _;

    #[test]
    fn digests_are_the_crates() {
        let ring = HashRing::<str, _>::with_nodes(1, 1, &[Arc::from("a"), Arc::from("b")]).expect("two nodes");
        assert!(ring.has_virtual_node(&digest(b"a\0\0")) && ring.has_virtual_node(&digest(b"b\0\0")));
    }

    #[test]
    fn documented_replicas() {
        let ring = HashRing::<str, _>::new(2, 3).expect("a ring");
        ring.insert(&[Arc::from("Node1"), Arc::from("Node2"), Arc::from("Node3")]).expect("three nodes");
        assert_eq!((ring.len_nodes(), ring.len_virtual_nodes()), (3, 6));
        let key = 0x232a_8a94_1ee9_01c1_u64.to_be_bytes();
        assert_eq!(
            ring.nodes_for_key(&key).expect("replicas"),
            ring.virtual_node_for_key(&key).expect("one").replica_owners()
        );
    }

    #[test]
    fn points_that_the_crate_cannot_count_are_refused() {
        assert!(matches!(alone(Build::new(3, 65_536, 0), name), Err(Error::OutOfRange { .. })));
        assert!(matches!(alone(Build::new(3, 0, 0), name), Err(Error::NoPoints)));
        assert_eq!(ring(Build::new(3, 20, 0), name, 3).expect("a ring").replicas(7, 3).expect("all").len(), 3);
    }
}
