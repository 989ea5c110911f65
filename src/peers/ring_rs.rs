//! `ring-rs` 0.0.0: consistent hashing with bounded loads on a ring over a sorted vector, BLAKE2b; 10 points a node and a
//! load factor of 1.25 by default.
//!
//! Point i is the hash of the node's name with i behind it. `get` is measured, which knows no loads; `get_least` needs
//! to be told of every load. A look-up wants the ring to itself, though it changes nothing, so that it is behind a lock
//! here, as it would be in a program with threads; it walks along the positions from the first and answers with a new
//! string, whose number is looked up: all that is part of its time.

use std::sync::{Mutex, PoisonError};

use ring_rs::Config;

use super::names::{Numbers, names};
use super::nodes::{Changing, Nodes, Placing};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "ring-rs",
    name: "ring-rs, v = 10",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.0.0" },
    paper: "Mirrokni et al. 2016",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(nv)", 10 * 48 + 320),
    shares: Shares::RandomRing { points: |_| 10 },
    can: can!(b => Blake::new(b, name), resize, remove).named(names!(Blake::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Blake {
    ring: Mutex<ring_rs::Ring>,
    numbers: Numbers,
}

impl Blake {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        let ring = Mutex::new(ring_rs::Ring::new(Config::default()));
        Nodes::added(Self { ring, numbers: Numbers::new(name) }, build.buckets)
    }
}

impl Placing for Blake {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        let owner = self.ring.lock().unwrap_or_else(PoisonError::into_inner).get(text(key).as_str());
        self.numbers.of(owner)
    }
}

impl Changing for Blake {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        let name = self.numbers.name(bucket);
        self.ring.get_mut().unwrap_or_else(PoisonError::into_inner).add(&name);
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let name = (self.numbers.name)(bucket);
        self.ring.get_mut().unwrap_or_else(PoisonError::into_inner).remove(&name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Partitioner;

    #[test]
    fn the_documented_hosts() {
        let host = |number| ["1.1.1.1", "2.2.2.2", "3.3.3.3"][number as usize].to_owned();
        let ring = Blake::new(Build::new(3, 0, 0), host).expect("the crate has no errors");
        assert!((0..1000).all(|key| ring.bucket(key) < 3));
    }
}
