//! `ketama` 0.0.2: the ring of ketama, MD5, four 32-bit points a digest; 160 points a unit of weight. It is built once.
//!
//! It promises the owners of libmemcached and twemproxy, and panics without nodes, with more than 65535 of them, and
//! without points, as it documents. Its answer is the number of the node in the list. Other weights mean another ring.

use ketama::RingBuilder;

use super::name;
use super::names::names;
use super::nodes::{Nodes, Placing, Weighing, Weights, whole, wholes};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "ketama",
    name: "ketama, v = 160",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::Crate { version: "0.0.2" },
    paper: "Karger et al. 1997",
    limits: Limits::up_to(65_535),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 160 * 24),
    shares: Shares::RandomRing { points: |_| 160 },
    can: can!(b => Ketama::new(b, name))
        .with_weights(|weights, _| Ok(Box::new(Weights::within(Ketama::weighted(wholes(weights)?, name), weights))))
        .named(names!(Ketama::new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Ketama {
    ring: ketama::Ring,
    weights: Vec<u32>,
    name: fn(u32) -> String,
}

impl Ketama {
    fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<Self>, Error> {
        let ring = Self::weighted(vec![1; build.buckets as usize], name);
        Ok(Nodes::within(ring, build.buckets))
    }

    fn weighted(weights: Vec<u32>, name: fn(u32) -> String) -> Self {
        Self { ring: built(&weights, name), weights, name }
    }
}

fn built(weights: &[u32], name: fn(u32) -> String) -> ketama::Ring {
    let nodes = (0..).zip(weights);
    nodes.fold(RingBuilder::new(), |nodes, (number, &weight)| nodes.node(&name(number), weight)).build()
}

impl Placing for Ketama {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.route(&key.to_le_bytes()) as u32
    }
}

impl Weighing for Ketama {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weights[bucket as usize] = whole(bucket, weight)?;
        self.ring = built(&self.weights, self.name);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_ring() {
        let server = |number| format!("server{}:11211", number + 1);
        let ours = built(&[1; 3], server);
        let documented = ketama::Ring::build(&["server1:11211", "server2:11211", "server3:11211"]);
        let keys = (0..1000_u32).map(u32::to_le_bytes);
        assert!(keys.clone().all(|key| ours.route(&key) == documented.route(&key)));
        assert_eq!(ours.point_count(), 3 * 160);
    }
}
