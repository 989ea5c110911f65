//! `consistent_hasher` 0.1.5, `LDB`: a ring in an unbalanced binary tree and a hash map of its nodes, std's default hasher.
//! Neither the bits of a position nor the points of a node have a default; its documentation shows 16 bits and 5 points.
//!
//! Measured with the 64 bits that its hash has: 2^16 positions do not take the points of many nodes. A look-up wants the
//! ring to itself, though it changes nothing, so that it is behind a lock here, as it would be in a program with threads:
//! that is part of its time. Nodes are numbers. It answers a change with the ranges of keys that move, which have no
//! trait here.

use std::sync::{Mutex, PoisonError};

use consistent_hasher::{Identifier, LDB};

use super::nodes::{Changing, Nodes, Placing, absent, present};
use super::{NOBODY, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// Bits of a position.
const BITS: u32 = 64;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "consistent_hasher",
    name: "consistent_hasher, 64 bits",
    algorithm: Algorithm::Ring { position_bits: BITS },
    source: Source::Crate { version: "0.1.5" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 256),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Ldb::new(b), resize, remove),
    shown: Shown::on_request(0),
}];

struct Number(u32);

impl Identifier for Number {
    fn identify(&self) -> usize {
        self.0 as usize
    }
}

struct Ldb {
    ring: Mutex<LDB>,
}

impl Ldb {
    fn new(build: Build) -> Result<Nodes<Self>, Error> {
        let ring = Mutex::new(LDB::new(BITS.into(), build.points as usize));
        Nodes::added(Self { ring }, build.buckets)
    }
}

impl Placing for Ldb {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.key(text(key).as_str()).map_or(NOBODY, |(node, _position)| node as u32)
    }
}

impl Changing for Ldb {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        let ring = self.ring.get_mut().unwrap_or_else(PoisonError::into_inner);
        ring.add_node(Number(bucket)).map(drop).map_err(|_| present(bucket))
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let ring = self.ring.get_mut().unwrap_or_else(PoisonError::into_inner);
        ring.delete_node(Number(bucket)).map(drop).map_err(|_| absent(bucket))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Partitioner, Remove};

    #[test]
    fn the_documented_nodes() {
        let mut ring = Ldb::new(Build::new(3, 5, 0)).expect("three numbers");
        assert!((0..1000).all(|key| ring.bucket(key) < 3));
        assert_eq!(ring.restore(1), Err(present(1)), "the crate refuses a node that is there");
        assert_eq!(ring.remove(9), Err(absent(9)), "the crate refuses a node that is not there");
    }
}
