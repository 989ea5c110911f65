//! `ringhash` 0.1.1: a ring that threads may change and search at once, FxHash of 32 bits; 20 points a node by default.
//!
//! Positions are a sorted vector behind a lock, their nodes a concurrent hash map. Point i is the hash of the node's name
//! with i before it. A look-up takes the lock twice and answers with a name, whose number is looked up: all that is part
//! of its time. Adding a node sorts all positions.

use ringhash::Consistent;

use super::names::{Numbers, names};
use super::nodes::{Changing, Listing, Nodes, Placing};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "ringhash",
    name: "ringhash, v = 20",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::Crate { version: "0.1.1" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 20 * 64 + 160),
    shares: Shares::RandomRing { points: |_| 20 },
    can: can!(b => Concurrent::new(b, name), resize, remove, replicas)
        .named(names!(Concurrent::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Concurrent {
    ring: Consistent,
    numbers: Numbers,
}

impl Concurrent {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self { ring: Consistent::new(), numbers: Numbers::new(name) }, build.buckets)
    }
}

impl Placing for Concurrent {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.numbers.of(self.ring.get(text(key).as_str()).ok())
    }
}

impl Changing for Concurrent {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add(self.numbers.name(bucket));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove((self.numbers.name)(bucket));
        Ok(())
    }
}

impl Listing for Concurrent {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        assert!(count > 0, "`get_n` of 0 never returns for a key whose owner has the first point");
        let names = self.ring.get_n(text(key).as_str(), count as usize).unwrap_or_default();
        names.into_iter().map(|name| self.numbers.of(Some(name))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Partitioner, Remove};

    #[test]
    fn the_documented_caches() {
        let cache = |number| format!("cache{}", ["A", "B", "C", "D", "E"][number as usize]);
        let mut ring = Concurrent::new(Build::new(5, 0, 0), cache).expect("the crate has no errors");
        let users = ["user_mcnulty", "user_bunk", "user_omar", "user_bunny", "user_stringer"];
        assert!(users.iter().all(|user| ring.bucket(user.len() as u64) < 5));
        ring.remove(2).expect("the crate has no errors");
        assert!((0..1000).all(|key| ring.bucket(key) != 2));
    }
}
