//! `mpchash` 2.0.10: multi-probe over XXH3, 23 probes of double hashing whose two hashes are the same one, nodes of any type
//! on a lock-free skip list of one position each; the number of probes cannot be chosen. Several nodes of a key: those
//! clockwise from its position.
//!
//! It promises loads within `1 + e` of the average with `1 + 1/e` probes, and the first of several nodes to be the one.

use mpchash::HashRing;

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, Several, names};
use crate::algorithms::Error;
use crate::catalog::{Algorithm, Build, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "mpchash",
    name: "mpchash, k = 23",
    algorithm: Algorithm::MultiProbe,
    source: Source::Crate { version: "2.0.10" },
    paper: "Appleton & O'Reilly 2015",
    cost: "O(k log n)",
    own_hash: true,
    in_figures: false,
    build_bytes: 256,
    shares: Shares::MultiProbe { probes: 23 },
    names: names!(b, N => build::<N>(b)),
    ..ours!(b => build::<Named<Plain>>(b), resize, remove, replicas)
}];

fn build<N: Node>(build: Build) -> Result<Members<Ring<N>>, Error> {
    Members::filled(Ring(HashRing::new()), build.buckets)
}

struct Ring<N: Node>(HashRing<N>);

impl<N: Node> Nodes for Ring<N> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.0.node(&key).map_or(NOBODY, |token| token.node().bucket())
    }

    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.0.add(N::of(bucket));
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        self.0.remove(&N::of(bucket));
        Ok(())
    }
}

impl<N: Node> Several for Ring<N> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        self.0.replicas(&key, count as usize).iter().map(|token| token.node().bucket()).collect()
    }
}
