//! `consistent_hash` 0.1.4: a ring over a sorted vector that is built once, SipHash-1-3 without a key.
//!
//! Each node says how many points it has; there is no default beyond 1. A look-up is the first of `calc_candidates`,
//! which then names every other node. Nodes cannot come or go: other weights mean another ring.

use consistent_hash::{DefaultHash, Node, StaticHashRing};

use super::names::{Name, names};
use super::nodes::{self, Listing, Nodes, Placing, Weighing, Weights};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "consistent_hash",
    name: "consistent_hash",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.1.4" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 64),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Static::new(b, name), replicas)
        .with_weights(|weights, b| {
            let quantity = |(bucket, &weight): (u32, &f64)| nodes::points(bucket, weight, b.points);
            let quantities: Vec<u32> = (0..).zip(weights).map(quantity).collect::<Result<_, _>>()?;
            Ok(Box::new(Weights::within(Static::of(quantities, b, name), weights)))
        })
        .named(names!(Static::new => name, host_port, short, number, address)),
    shown: Shown::on_request(0),
}];

struct Static<N: 'static> {
    ring: StaticHashRing<'static, N, u32, DefaultHash>,
    quantities: Vec<u32>,
    points: u32,
    name: fn(u32) -> N,
}

impl<N: Name> Static<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        let ring = Self::of(vec![build.points; build.buckets as usize], build, name);
        Ok(Nodes::within(ring, build.buckets))
    }

    fn of(quantities: Vec<u32>, build: Build, name: fn(u32) -> N) -> Self {
        let ring = StaticHashRing::new(DefaultHash, std::iter::empty());
        let mut adapter = Self { ring, quantities, points: build.points, name };
        adapter.rebuild();
        adapter
    }

    fn rebuild(&mut self) {
        let node =
            |(number, &quantity): (u32, &u32)| Node::new((self.name)(number)).value(number).quantity(quantity as usize);
        self.ring = StaticHashRing::new(DefaultHash, (0..).zip(&self.quantities).map(node));
    }
}

impl<N: Name> Placing for Static<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.calc_candidates(&key).next().map_or(NOBODY, |node| node.value)
    }
}

impl<N: Name> Listing for Static<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.ring.calc_candidates(&key).map(|node| node.value).take(count as usize).collect()
    }
}

impl<N: Name> Weighing for Static<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.quantities[bucket as usize] = nodes::points(bucket, weight, self.points)?;
        self.rebuild();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documented_candidates() {
        let nodes = [("foo", 0, 5), ("bar", 1, 5), ("baz", 2, 1), ("baz", 3, 2)];
        let nodes = nodes.map(|(name, number, quantity)| Node::new(name).value(number).quantity(quantity));
        let ring = StaticHashRing::new(DefaultHash, nodes.into_iter());
        let candidates = |key| ring.calc_candidates(&key).map(|node| node.value).collect::<Vec<u32>>();
        assert_eq!((candidates("aa"), candidates("bb")), (vec![1, 0, 2], vec![0, 1, 2]));
    }
}
