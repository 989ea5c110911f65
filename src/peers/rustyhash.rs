//! `rustyhash` 0.1.1: a ring in a B-tree behind a lock, one of four hashes; 100 points a node by default. SHA-256, the
//! first of its list, is measured.
//!
//! It promises the same owners on all platforms and in its author's C++ and Go. A look-up takes the lock and answers with
//! a new string, whose number is looked up: all that is part of its time.

use rustyhash::{Algo, Ring64};

use super::names::{Numbers, names};
use super::nodes::{Changing, Nodes, Placing, absent, present};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "rustyhash",
    name: "rustyhash, SHA-256, v = 100",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.1.1" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 100 * 96),
    shares: Shares::RandomRing { points: |_| 100 },
    can: can!(b => Rusty::new(b, name), resize, remove).named(names!(Rusty::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Rusty {
    ring: Ring64,
    numbers: Numbers,
}

impl Rusty {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self { ring: Ring64::new(Algo::Sha256, None), numbers: Numbers::new(name) }, build.buckets)
    }
}

impl Placing for Rusty {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.numbers.of(self.ring.get(text(key).as_str()))
    }
}

impl Changing for Rusty {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        if self.ring.insert(&self.numbers.name(bucket)) { Ok(()) } else { Err(present(bucket)) }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        if self.ring.remove(&(self.numbers.name)(bucket)) { Ok(()) } else { Err(absent(bucket)) }
    }
}

#[cfg(test)]
mod tests {
    use rustyhash::Hash;

    use super::*;

    #[test]
    fn positions_are_the_upper_eight_bytes() {
        // As sha256sum says.
        assert_eq!(Hash::new(Algo::Sha256).to_u64("alpha"), 0x8ed3f6ad685b959e);
    }
}
