//! `pingora-ketama` 0.9.1: the ring of nginx's consistent hash, CRC-32; 160 points a unit of weight. It is built once.
//!
//! It promises what nginx answers. Nodes are socket addresses, which are numbers again without a table. Other weights mean
//! another ring, as it is used in pingora. Its `node_iter` walks along the points, and names a node as often as it is met:
//! distinct nodes are left to the caller, so that it has no replicas here. Its feature `v2` is not measured.

use std::net::SocketAddr;

use pingora_ketama::{Bucket, Continuum};

use super::NOBODY;
use super::names::{address, of_address};
use super::nodes::{Nodes, Placing, Weighing, Weights, whole, wholes};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "pingora-ketama",
    name: "pingora-ketama, v = 160",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::Crate { version: "0.9.1" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 160 * 8),
    shares: Shares::RandomRing { points: |_| 160 },
    can: can!(b => Ketama::new(b, IPV4))
        .with_weights(|weights, _| Ok(Box::new(Weights::within(Ketama::weighted(wholes(weights)?, IPV4), weights))))
        .named(&[
            ("ports of one host", |b| Ok(Box::new(Ketama::new(b, PORTS)?))),
            ("IPv6", |b| Ok(Box::new(Ketama::new(b, IPV6)?))),
        ]),
    shown: Shown::on_request(0),
}];

/// Addresses of numbers, and back.
#[derive(Clone, Copy)]
struct Addresses {
    of: fn(u32) -> SocketAddr,
    back: fn(SocketAddr) -> u32,
}

const IPV4: Addresses = Addresses { of: address, back: of_address };

/// At most 65536, but who has more of them on one host?
const PORTS: Addresses =
    Addresses { of: |number| SocketAddr::from(([127, 0, 0, 1], number as u16)), back: |address| address.port().into() };

const IPV6: Addresses = Addresses {
    of: |number| SocketAddr::from(([0xfd00, 0, 0, 0, 0, 0, (number >> 16) as u16, number as u16], 8080)),
    back: |address| match address {
        SocketAddr::V6(address) => address.ip().to_bits() as u32,
        SocketAddr::V4(_) => NOBODY,
    },
};

struct Ketama {
    ring: Continuum,
    weights: Vec<u32>,
    addresses: Addresses,
}

impl Ketama {
    fn new(build: Build, addresses: Addresses) -> Result<Nodes<Self>, Error> {
        let ring = Self::weighted(vec![1; build.buckets as usize], addresses);
        Ok(Nodes::within(ring, build.buckets))
    }

    fn weighted(weights: Vec<u32>, addresses: Addresses) -> Self {
        let mut adapter = Self { ring: Continuum::new(&[]), weights, addresses };
        adapter.rebuild();
        adapter
    }

    fn rebuild(&mut self) {
        let bucket = |(number, &weight): (u32, &u32)| Bucket::new((self.addresses.of)(number), weight);
        self.ring = Continuum::new(&(0..).zip(&self.weights).map(bucket).collect::<Vec<_>>());
    }
}

impl Placing for Ketama {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.node(&key.to_le_bytes()).map_or(NOBODY, self.addresses.back)
    }
}

impl Weighing for Ketama {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weights[bucket as usize] = whole(bucket, weight)?;
        self.rebuild();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_owners() {
        let hosts = ["127.0.0.1:12345", "127.0.0.2:12345", "127.0.0.3:12345"];
        let buckets = (1..).zip(hosts).map(|(weight, host)| Bucket::new(host.parse().expect("an address"), weight));
        let ring = Continuum::new(&buckets.collect::<Vec<_>>());
        let owners = ["some_key", "another_key", "last_key"].map(|key| ring.node(key.as_bytes()).expect("points"));
        assert_eq!(owners.map(|owner| owner.to_string()), [hosts[2], hosts[2], hosts[1]]);
    }

    #[test]
    fn addresses_are_numbers_again() {
        for Addresses { of, back } in [IPV4, PORTS, IPV6] {
            assert!((0..=u16::MAX.into()).all(|number| back(of(number)) == number));
        }
        assert!([IPV4, IPV6].iter().all(|addresses| (addresses.back)((addresses.of)(1 << 24)) == 1 << 24));
    }
}
