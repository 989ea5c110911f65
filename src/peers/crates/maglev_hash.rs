//! `maglev-hash` 0.1.0: Maglev over seeded `DefaultHasher`s, nodes of any type; a table of the prime from 100 slots a node
//! on, or from the capacity that is asked for. Several nodes of a key: those that follow its slot.
//!
//! It promises the same table for the same set of nodes, about 1/n of the keys moved (at the same capacity, so that is how
//! it is resized here), memory in proportion to the table, the first of several nodes to be the one.

use maglev_hash::MaglevTable;

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, Several, absent, names};
use super::table::shares_of_turns;
use crate::algorithms::Error;
use crate::catalog::{Algorithm, Build, BuildError, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev-hash",
    name: "maglev-hash, 100 slots a node",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.1.0" },
    paper: "Eisenbud et al. 2016",
    monotone: false,
    own_hash: true,
    in_figures: false,
    build_bytes: 1024,
    shares: Shares::Exact(shares),
    names: names!(b, N => build::<N>(b)),
    ..ours!(b => build::<Named<Plain>>(b), resize, remove, replicas)
}];

fn build<N: Node>(build: Build) -> Result<Members<Table<N>>, Error> {
    let nodes = (0..build.buckets).map(N::of).collect();
    let table = if build.slots == 0 {
        MaglevTable::new(nodes)
    } else {
        MaglevTable::with_capacity(nodes, build.slots as usize)
    };
    Ok(Members::new(Table(table), build.buckets))
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(build::<Named<Plain>>(of)?.nodes.0.capacity(), of)
}

struct Table<N>(MaglevTable<N>);

impl<N: Node> Table<N> {
    fn rebuild(&mut self, nodes: Vec<N>) {
        self.0 = MaglevTable::with_capacity(nodes, self.0.capacity());
    }
}

impl<N: Node> Nodes for Table<N> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.0.get(&key).map_or(NOBODY, N::bucket)
    }

    fn count(&self) -> u32 {
        self.0.len() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        // In the order of the numbers, as a list of nodes would be kept.
        let mut nodes = self.0.nodes().to_vec();
        nodes.insert(nodes.partition_point(|node| node.bucket() < bucket), N::of(bucket));
        self.rebuild(nodes);
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        let mut nodes = self.0.nodes().to_vec();
        let at = nodes.iter().position(|node| node.bucket() == bucket).ok_or_else(|| absent(bucket))?;
        nodes.remove(at);
        self.rebuild(nodes);
        Ok(())
    }
}

impl<N: Node> Several for Table<N> {
    fn several(&self, key: u64, count: u32) -> Vec<u32> {
        self.0.get_top_k(&key, count as usize).into_iter().map(N::bucket).collect()
    }
}
