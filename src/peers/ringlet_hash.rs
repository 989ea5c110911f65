//! `ringlet-hash` 0.2.2: a ring over a sorted vector; any hash, its documentation shows XXH3 with seed 0. A node has as many
//! points as its weight times a base count, for which there is no default; its documentation shows 50.
//!
//! The ring borrows its nodes, so that their numbers live as long as the program. A look-up makes a set and a vector of
//! the one node. Adding a node sorts all points. A weight is changed by removing the node and adding it again. Its
//! previews of moves have no trait here.

use ringlet_hash::{ConsistentRing, RingConfig, RingError};
use xxhash_rust::xxh3::Xxh3Builder;

use super::names::{Node, kept, names, number};
use super::nodes::{self, Changing, Listing, Nodes, Placing, Weighing, Weights, present};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "ringlet-hash",
    name: "ringlet-hash, XXH3",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.2.2" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 32).with_quadratic_build(),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Ringlet::new(b, name), resize, remove, replicas)
        .with_weights(|weights, b| Ok(Box::new(Weights::given(Ringlet::empty(b, name)?, weights)?)))
        .named(names!(Ringlet::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Ringlet {
    ring: ConsistentRing<'static, Node<u32>, Xxh3Builder>,
    name: fn(u32) -> String,
}

impl Ringlet {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self::empty(build, name)?, build.buckets)
    }

    fn empty(build: Build, name: fn(u32) -> String) -> Result<Self, Error> {
        let config = RingConfig {
            virtual_node_base_count: build.points as usize,
            build_hasher: Xxh3Builder::new().with_seed(0),
        };
        Ok(Self { ring: ConsistentRing::try_new(config).map_err(|_| Error::NoPoints)?, name })
    }

    fn weighed(&mut self, bucket: u32, weight: usize) -> Result<(), Error> {
        let added = self.ring.add_node(kept(bucket, number), &(self.name)(bucket), weight);
        added.map(drop).map_err(|error| match error {
            RingError::ZeroWeight(_) => {
                Error::Weight { bucket, weight: weight.to_string(), accepted: "a whole number from 1" }
            }
            _ => present(bucket),
        })
    }
}

impl Placing for Ringlet {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get_node(&key).map_or(NOBODY, |node| node.number)
    }
}

impl Changing for Ringlet {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.weighed(bucket, 1)
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove_node(&(self.name)(bucket));
        Ok(())
    }
}

impl Listing for Ringlet {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.ring.get_nodes(&key, count as usize).into_iter().map(|node| node.number).collect()
    }
}

impl Weighing for Ringlet {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let weight = nodes::whole(bucket, weight)?;
        self.ring.remove_node(&(self.name)(bucket));
        self.weighed(bucket, weight)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Replicas;

    #[test]
    fn the_documented_servers() {
        let server = |number| ["a", "b"][number as usize].to_owned();
        let ring = Ringlet::new(Build::new(2, 50, 0), server).expect("two names");
        let mut both = ring.replicas(42, 2).expect("both");
        both.sort_unstable();
        assert_eq!(both, [0, 1]);
        assert_eq!(Ringlet::new(Build::new(2, 0, 0), server).err(), Some(Error::NoPoints), "the crate refuses it");
    }
}
