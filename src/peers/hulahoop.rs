//! `hulahoop` 0.2.0: a ring in a B-tree, std's default hasher. A node has as many points as its weight; there is no
//! default, its documentation shows 1.
//!
//! A node that is inserted again gets the new weight, and counts as there already.

use std::hash::{BuildHasherDefault, DefaultHasher};

use hulahoop::HashRing;

use super::names::{Name, Node, names};
use super::nodes::{self, Changing, Nodes, Placing, Weighing, Weights, absent, present};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "hulahoop",
    name: "hulahoop",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.2.0" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 48),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => Hulahoop::new(b, name), resize, remove)
        .with_weights(|weights, b| Ok(Box::new(Weights::given(Hulahoop::empty(b, name), weights)?)))
        .named(names!(Hulahoop::new => name, host_port, short, number, address)),
    shown: Shown::on_request(0),
}];

struct Hulahoop<N> {
    ring: HashRing<Node<N>, BuildHasherDefault<DefaultHasher>>,
    points: u32,
    name: fn(u32) -> N,
}

impl<N: Name> Hulahoop<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
        Nodes::added(Self::empty(build, name), build.buckets)
    }

    fn empty(build: Build, name: fn(u32) -> N) -> Self {
        Self { ring: HashRing::new(), points: build.points, name }
    }
}

impl<N: Name> Placing for Hulahoop<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get(key).map_or(NOBODY, |node| node.number)
    }
}

impl<N: Name> Changing for Hulahoop<N> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        match self.ring.insert(Node::new(bucket, self.name), self.points.into()) {
            None => Ok(()),
            Some(_there_already) => Err(present(bucket)),
        }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        match self.ring.remove(&Node::new(bucket, self.name)) {
            0 => Err(absent(bucket)),
            _points => Ok(()),
        }
    }
}

impl<N: Name> Weighing for Hulahoop<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let points = nodes::points(bucket, weight, self.points)?;
        let _before = self.ring.insert(Node::new(bucket, self.name), points.into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Partitioner, Remove};

    #[test]
    fn the_documented_node() {
        let mut ring = Hulahoop::new(Build::new(1, 1, 0), |_| "10.0.0.1:1234").expect("one node");
        assert_eq!(ring.bucket(7), 0);
        assert_eq!(ring.restore(0), Err(present(0)), "the crate says that it was there");
        assert_eq!(ring.remove(0), Ok(()));
        assert_eq!(ring.bucket(7), NOBODY);
    }
}
