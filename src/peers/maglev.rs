//! `maglev` 0.2.1: Maglev over SipHash-1-3 with zero keys (`DefaultHasher`), nodes of any type; a table of the prime from
//! 100 slots a node on, or from the capacity that is asked for. While it is built it holds every permutation: nodes x
//! slots words, 100 n² at its own size.
//!
//! It promises a rebuilt table with few changes at the same capacity, so that is how it is resized here.

use maglev::{ConsistentHasher, Maglev};

use super::names::{Name, Node, names};
use super::nodes::{Nodes, Placing};
use super::table::{Rebuilt, shares_of_turns};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev/crate",
    name: "maglev, 100 slots a node",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.2.1" },
    paper: "Eisenbud et al. 2016",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE.with_own_hash(),
    // Quadratic in truth; this is so much at 3000 buckets.
    costs: Costs::new("O(1)", 2_400_000),
    shares: Shares::Exact(shares),
    can: can!(b => build(b, name), resize, remove).named(names!(build => host_port, short, number)),
    shown: Shown::on_request(0),
}];

fn build<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Table<N>>, Error> {
    // The capacity 0 is the crate's word for its own choice.
    Ok(Nodes::within(Table::of(0..build.buckets, build.slots as usize, name), build.buckets))
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(Table::of(0..of.buckets, of.slots as usize, name).table.capacity(), of)
}

struct Table<N> {
    table: Maglev<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Table<N> {
    fn of(numbers: impl IntoIterator<Item = u32>, capacity: usize, name: fn(u32) -> N) -> Self {
        let nodes = numbers.into_iter().map(|bucket| Node::new(bucket, name));
        Self { table: Maglev::with_capacity(nodes, capacity), name }
    }
}

impl<N: Name> Placing for Table<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.table.get(&key).map_or(NOBODY, |node| node.number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.table.nodes().len() as u32)
    }
}

impl<N: Name> Rebuilt for Table<N> {
    fn rebuild(&mut self, numbers: Vec<u32>) {
        *self = Self::of(numbers, self.table.capacity(), self.name);
    }

    fn numbers(&self) -> Vec<u32> {
        self.table.nodes().iter().map(|node| node.number).collect()
    }
}
