//! `consistent-rs` 0.1.1: a ring over a sorted vector of 32-bit positions and a hash map of their nodes, CRC-32; 20 points
//! a node by default.
//!
//! Point i is the CRC of the node's name with i behind it. A look-up takes an owned string, walks along the positions from
//! the first and answers with a new string, whose number is looked up: all that is part of its time.

use consistent_rs::Consistant;

use super::names::{Numbers, names};
use super::nodes::{Changing, Listing, Nodes, Placing};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "consistent-rs",
    name: "consistent-rs, v = 20",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::Crate { version: "0.1.1" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(nv)", 20 * 48 + 160),
    shares: Shares::RandomRing { points: |_| 20 },
    can: can!(b => Crc::new(b, name), resize, remove, replicas).named(names!(Crc::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Crc {
    ring: Shared,
    numbers: Numbers,
}

/// `Consistant` keeps names behind `Rc`, which alone makes it neither `Send` nor `Sync`. Without `unsafe` it would need a
/// thread of its own, or a copy for each thread, and a look-up would no longer be the crate's.
struct Shared(Consistant);

// SAFETY: the `Rc`s are in two private maps. No function of 0.1.1, the only version that the manifest allows, takes one,
// hands one out or keeps one elsewhere: all owners of a count are in the ring and move to another thread with it.
unsafe impl Send for Shared {}
// SAFETY: what 0.1.1 offers through `&` (`count`, `get`, `get_n`, `Debug`) reads the maps and copies the text behind an
// `Rc`; it clones and drops none, so that no count changes. `add` and `remove`, which change counts, want `&mut`.
unsafe impl Sync for Shared {}

impl Crc {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self { ring: Shared(Consistant::default()), numbers: Numbers::new(name) }, build.buckets)
    }
}

impl Placing for Crc {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.numbers.of(self.ring.0.get(text(key).as_str()))
    }
}

impl Changing for Crc {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.0.add(self.numbers.name(bucket));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.0.remove((self.numbers.name)(bucket));
        Ok(())
    }
}

impl Listing for Crc {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        assert!(count != 1 || self.ring.0.count() < 2, "`get_n` of 1 never returns if another node's point comes next");
        let names = self.ring.0.get_n(text(key).as_str(), count as usize).unwrap_or_default();
        names.into_iter().map(|name| self.numbers.of(Some(name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Partitioner, Remove, Replicas};

    #[test]
    fn the_documented_caches() {
        let cache = |number| format!("cache{}", ["A", "B", "C"][number as usize]);
        let mut ring = Crc::new(Build::new(3, 0, 0), cache).expect("the crate has no errors");
        assert_eq!(ring.replicas(7, 3).expect("three").len(), 3);
        ring.remove(2).expect("the crate has no errors");
        assert!((0..1000).all(|key| ring.bucket(key) < 2));
    }
}
