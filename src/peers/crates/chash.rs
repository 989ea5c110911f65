//! `chash` 0.1.0: a port of Go's buraksezer/consistent: partitions on a ring with bounded loads. Default: 71 partitions, 20
//! points a node, loads of at most 1.25 times the average; SipHash-1-3 with random keys, or another hasher (zero keys here,
//! so that instances agree). Nodes are stored as their text behind a mutex; an answer is a copy of it that the crate parses
//! into the caller's type: both are in the time. Here that type reads the number out of the text.
//!
//! It promises uniformity and consistency, and to agree with the Go package.

use std::fmt;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;
use std::str::FromStr;

use chash::{HashRing, HashRingConfig, HashRingError};

use super::NOBODY;
use super::nodes::{Address, Members, Naming, Nodes, Plain, Several};
use crate::algorithms::Error;
use crate::catalog::{Algorithm, Build, BuildError, Implementation, Shares, Source};
use crate::ours;

const ENTRY: Implementation = Implementation {
    algorithm: Algorithm::PartitionTable,
    source: Source::Crate { version: "0.1.0" },
    paper: "Mirrokni et al. 2016; buraksezer/consistent",
    monotone: false,
    own_hash: true,
    in_figures: false,
    build_bytes: 4096,
    shares: Shares::Unknown("the hash of its partitions has random keys"),
    ..ours!(b => random::<Plain>(b), resize, remove, replicas)
};

pub(super) static ENTRIES: &[Implementation] = &[
    Implementation {
        id: "chash",
        name: "chash, 71 partitions, random keys",
        names: &[("host:port", |b| Ok(Box::new(random::<Address>(b)?)))],
        ..ENTRY
    },
    Implementation {
        id: "chash/hasher",
        name: "chash, 71 partitions, DefaultHasher",
        build: |b| Ok(Box::new(fixed::<Plain>(b)?)),
        resize: Some(|b| Ok(Box::new(fixed::<Plain>(b)?))),
        remove: Some(|b| Ok(Box::new(fixed::<Plain>(b)?))),
        replicas: Some(|b| Ok(Box::new(fixed::<Plain>(b)?))),
        names: &[("host:port", |b| Ok(Box::new(fixed::<Address>(b)?)))],
        shares: Shares::Exact(shares),
        ..ENTRY
    },
];

type Fixed = BuildHasherDefault<DefaultHasher>;

fn random<N: Naming + Number>(build: Build) -> Result<Members<Ring<N>>, Error> {
    filled(HashRing::default(), build)
}

fn fixed<N: Naming + Number>(build: Build) -> Result<Members<Ring<N, Fixed>>, Error> {
    filled(HashRing::with_config(HashRingConfig::with_build_hasher(Fixed::default())), build)
}

/// All nodes are added at once, as its documentation does.
fn filled<N: Naming + Number, H: BuildHasher + Send + Sync>(
    ring: HashRing<H>,
    build: Build,
) -> Result<Members<Ring<N, H>>, Error> {
    ring.add_nodes((0..build.buckets).map(N::name).collect()).map_err(error)?;
    Ok(Members::new(Ring { ring, naming: PhantomData }, build.buckets))
}

/// The share of a node is that of its partitions.
fn shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = fixed::<Plain>(build)?.nodes.ring;
    let partitions = HashRingConfig::default().partition_count();
    let mut owned = vec![0_u32; build.buckets as usize];
    for partition in 0..partitions {
        if let Some(Reads::<Plain>(bucket, _)) = ring.get_node_for_partition(partition) {
            owned[bucket as usize] += 1;
        }
    }
    Ok(owned.into_iter().map(|count| f64::from(count) / partitions as f64).collect())
}

/// The crate's error has its reason as text.
fn error(error: HashRingError) -> Error {
    Error::OutOfRange { what: "request", value: error.to_string(), accepted: "what the crate says" }
}

/// The number in a name.
trait Number {
    fn number(name: &str) -> Option<u32>;
}

impl Number for Plain {
    fn number(name: &str) -> Option<u32> {
        name.rsplit('-').next()?.parse().ok()
    }
}

impl Number for Address {
    fn number(name: &str) -> Option<u32> {
        let mut octets = name.split(':').next()?.split('.').map(|octet| octet.parse::<u32>().ok());
        let first = octets.next()??;
        octets.try_fold(first.checked_sub(10)?, |number, octet| Some((number << 8) | octet?))
    }
}

/// The node as the crate gives it back.
struct Reads<N>(u32, PhantomData<N>);

impl<N: Number> FromStr for Reads<N> {
    type Err = fmt::Error;

    fn from_str(name: &str) -> Result<Self, fmt::Error> {
        N::number(name).map(|bucket| Self(bucket, PhantomData)).ok_or(fmt::Error)
    }
}

struct Ring<N, H: BuildHasher = std::hash::RandomState> {
    ring: HashRing<H>,
    naming: PhantomData<N>,
}

impl<N: Naming + Number, H: BuildHasher + Send + Sync> Nodes for Ring<N, H> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.ring.locate_key::<u64, Reads<N>>(&key).map_or(NOBODY, |node| node.0)
    }

    fn count(&self) -> u32 {
        self.ring.nodes_count().map_or(0, |count| count as u32)
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add_nodes(vec![N::name(bucket)]).map_err(error)
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove_nodes(vec![N::name(bucket)]).map_err(error)
    }
}

impl<N: Naming + Number, H: BuildHasher + Send + Sync> Several for Ring<N, H> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        let partition = self.ring.find_partition_for_key(&key);
        let nodes = partition
            .and_then(|partition| self.ring.get_closest_nodes_for_partition::<Reads<N>>(partition, count as usize));
        nodes.map_or_else(|_| Vec::new(), |nodes| nodes.into_iter().map(|node| node.0).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        let numbers = [0, 1, 255, 256, 70_000, 1 << 24];
        assert!(numbers.iter().all(|&bucket| Plain::number(&Plain::name(bucket)) == Some(bucket)));
        assert!(numbers.iter().all(|&bucket| Address::number(&Address::name(bucket)) == Some(bucket)));
    }
}
