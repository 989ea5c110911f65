//! `chash` 0.1.0: a port of Go's buraksezer/consistent: partitions on a ring with bounded loads. Default: 71 partitions, 20
//! points a node, loads of at most 1.25 times the average; SipHash-1-3 with random keys, or another hasher (zero keys here,
//! so that instances agree). Nodes are stored as their text behind a mutex; an answer is a copy of it that the crate parses
//! into the caller's type: both are in the time. Here that type reads the number out of the text.
//!
//! It promises uniformity and consistency, and to agree with the Go package.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};
use std::str::FromStr;

use chash::{HashRing, HashRingConfig, HashRingError};

use super::names::{names, of_address};
use super::nodes::{Changing, Listing, Nodes, Placing};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "chash",
    name: "chash, 71 partitions, random keys",
    algorithm: Algorithm::PartitionTable,
    source: Source::Crate { version: "0.1.0" },
    paper: "Mirrokni et al. 2016; buraksezer/consistent",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE.with_own_hash(),
    costs: Costs::new("O(1)", 4096),
    shares: Shares::Unknown("the hash of its partitions has random keys"),
    can: can!(b => random(b, name), resize, remove, replicas).named(names!(random => host_port)),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "chash/hasher",
        name: "chash, 71 partitions, DefaultHasher",
        shares: Shares::Exact(shares),
        // The shares are those of one kind of names, so that no others are asked for.
        can: can!(b => fixed(b, name), resize, remove, replicas),
        ..ENTRY
    },
];

type Fixed = BuildHasherDefault<DefaultHasher>;

fn random(build: Build, name: fn(u32) -> String) -> Result<Nodes<Ring<RandomState>>, Error> {
    filled(HashRing::default(), build, name)
}

fn fixed(build: Build, name: fn(u32) -> String) -> Result<Nodes<Ring<Fixed>>, Error> {
    filled(HashRing::with_config(HashRingConfig::with_build_hasher(Fixed::default())), build, name)
}

/// All nodes are added at once, as its documentation does.
fn filled<H: BuildHasher>(ring: HashRing<H>, build: Build, name: fn(u32) -> String) -> Result<Nodes<Ring<H>>, Error> {
    ring.add_nodes((0..build.buckets).map(name).collect()).map_err(error)?;
    Ok(Nodes::within(Ring { ring, name }, build.buckets))
}

/// The share of a node is that of its partitions.
fn shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = HashRing::with_config(HashRingConfig::with_build_hasher(Fixed::default()));
    ring.add_nodes((0..build.buckets).map(name).collect()).map_err(error)?;
    let partitions = HashRingConfig::default().partition_count();
    let mut owned = vec![0_u32; build.buckets as usize];
    for partition in 0..partitions {
        if let Some(Number(bucket)) = ring.get_node_for_partition(partition) {
            owned[bucket as usize] += 1;
        }
    }
    Ok(owned.into_iter().map(|count| f64::from(count) / partitions as f64).collect())
}

/// The crate's error has its reason as text.
fn error(error: HashRingError) -> Error {
    Error::OutOfRange { what: "request", value: error.to_string(), accepted: "what the crate says" }
}

/// The node as the crate gives it back.
struct Number(u32);

impl FromStr for Number {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        let number = match name.strip_prefix("node-") {
            Some(number) => number.parse().ok(),
            None => name.parse().ok().map(of_address),
        };
        number.map(Self).ok_or(())
    }
}

struct Ring<H: BuildHasher> {
    ring: HashRing<H>,
    name: fn(u32) -> String,
}

impl<H: BuildHasher + Send + Sync> Placing for Ring<H> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.locate_key(&key).map_or(NOBODY, |Number(node)| node)
    }

    fn count(&self) -> Option<u32> {
        self.ring.nodes_count().ok().map(|count| count as u32)
    }
}

impl<H: BuildHasher + Send + Sync> Changing for Ring<H> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add_nodes(vec![(self.name)(bucket)]).map_err(error)
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove_nodes(vec![(self.name)(bucket)]).map_err(error)
    }
}

impl<H: BuildHasher + Send + Sync> Listing for Ring<H> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        let partition = self.ring.find_partition_for_key(&key);
        let nodes =
            partition.and_then(|partition| self.ring.get_closest_nodes_for_partition(partition, count as usize));
        nodes.map_or_else(|_| Vec::new(), |nodes| nodes.into_iter().map(|Number(node)| node).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::names::host_port;

    #[test]
    fn numbers_are_read_back() {
        for name in [name, host_port] {
            let read = |number| name(number).parse().map(|Number(number)| number);
            assert!([0, 1, 255, 256, 70_000, 1 << 24].iter().all(|&number| read(number) == Ok(number)));
        }
    }
}
