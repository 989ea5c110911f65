//! `maglev-hash` 0.1.0: Maglev over seeded `DefaultHasher`s, nodes of any type; a table of the prime from 100 slots a node
//! on, or from the capacity that is asked for. Several nodes of a key: those that follow its slot.
//!
//! It promises the same table for the same set of nodes, about 1/n of the keys moved (at the same capacity, so that is how
//! it is resized here), memory in proportion to the table, the first of several nodes to be the one.

use maglev_hash::MaglevTable;

use super::names::{Name, Node, names};
use super::nodes::{Listing, Nodes, Placing};
use super::table::{Rebuilt, shares_of_turns};
use super::{NOBODY, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev-hash",
    name: "maglev-hash, 100 slots a node",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.1.0" },
    paper: "Eisenbud et al. 2016",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE.with_own_hash(),
    costs: Costs::new("O(1)", 1024),
    shares: Shares::Exact(shares),
    can: can!(b => build(b, name), resize, remove, replicas).named(names!(build => host_port, short, number)),
    shown: Shown::on_request(0),
}];

fn build<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Table<N>>, Error> {
    Ok(Nodes::within(Table::new(build, name), build.buckets))
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(Table::new(of, name).table.capacity(), of)
}

struct Table<N> {
    table: MaglevTable<Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Table<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Self {
        let nodes = (0..build.buckets).map(|bucket| Node::new(bucket, name)).collect();
        let table = match build.slots {
            0 => MaglevTable::new(nodes),
            slots => MaglevTable::with_capacity(nodes, slots as usize),
        };
        Self { table, name }
    }
}

impl<N: Name> Placing for Table<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.table.get(&key).map_or(NOBODY, |node| node.number)
    }

    fn count(&self) -> Option<u32> {
        Some(self.table.len() as u32)
    }
}

impl<N: Name> Rebuilt for Table<N> {
    fn rebuild(&mut self, numbers: Vec<u32>) {
        let nodes = numbers.into_iter().map(|bucket| Node::new(bucket, self.name)).collect();
        self.table = MaglevTable::with_capacity(nodes, self.table.capacity());
    }

    fn numbers(&self) -> Vec<u32> {
        self.table.nodes().iter().map(|node| node.number).collect()
    }
}

impl<N: Name> Listing for Table<N> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.table.get_top_k(&key, count as usize).into_iter().map(|node| node.number).collect()
    }
}
