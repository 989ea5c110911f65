//! `hashring_coordinator` 0.3.3: a ring over a sorted vector, SipHash-2-4 without a key; 200 points a node and 2 replicas
//! beside the owner by default.
//!
//! A look-up copies the whole ring and then names the owner with its replicas; their number is fixed when a ring is
//! built. Nodes are addresses, as in its documentation, so that a copy asks for no memory for each point. Its hash ranges
//! and the plans of moves that it makes of them have no trait here.

use hashring_coordinator::HashRing;

use super::NOBODY;
use super::names::{Name, Node, ip, names};
use super::nodes::{Changing, Listing, Nodes, Placing};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Capabilities, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// The default.
const POINTS: u32 = 200;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hashring_coordinator",
    name: "hashring_coordinator, v = 200",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.3.3" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(nv)", 200 * 80),
    shares: Shares::RandomRing { points: |_| POINTS },
    can: Capabilities {
        replicas: Some(|b| {
            let ring = HashRing::new(b.buckets.saturating_sub(1) as usize, POINTS as usize);
            Ok(Box::new(Coordinator::filled(ring, b, ip)?))
        }),
        ..can!(b => Coordinator::new(b, ip), resize, remove)
            .named(names!(Coordinator::new => name, host_port, short, number, address))
    },
    shown: Shown::on_request(0),
}];

struct Coordinator<N> {
    ring: HashRing<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Coordinator<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        Self::filled(HashRing::default(), build, name)
    }

    fn filled(mut ring: HashRing<Node<N>>, build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        ring.batch_add((0..build.buckets).map(|bucket| Node::new(bucket, name)).collect());
        Ok(Nodes::within(Self { ring, name }, build.buckets))
    }
}

impl<N: Name> Placing for Coordinator<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get(&key).first().map_or(NOBODY, |node| node.number)
    }
}

impl<N: Name> Changing for Coordinator<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add(Node::new(bucket, self.name));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove(&Node::new(bucket, self.name));
        Ok(())
    }
}

impl<N: Name> Listing for Coordinator<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.ring.get(&key).into_iter().map(|node| node.number).take(count as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Replicas;

    #[test]
    fn the_documented_cluster() {
        let mut ring = HashRing::new(1, 2);
        let nodes = [1, 2, 3].map(|number| Node { number, name: ip(0x7500_0000 + number) });
        assert_eq!(nodes[0].name.to_string(), "127.0.0.1");
        ring.batch_add(nodes.to_vec());
        let stored: Vec<u32> = ring.get(&"foo").into_iter().map(|node| node.number).collect();
        assert_eq!(stored, [1, 3]);
        let ours = Nodes::within(Coordinator { ring, name: ip }, 3);
        assert_eq!(ours.replicas(7, 2).expect("two of three").len(), 2);
    }
}
