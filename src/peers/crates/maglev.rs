//! `maglev` 0.2.1: Maglev over SipHash-1-3 with zero keys (`DefaultHasher`), nodes of any type; a table of the prime from
//! 100 slots a node on, or from the capacity that is asked for. While it is built it holds every permutation: nodes x
//! slots words, 100 n² at its own size.
//!
//! It promises a rebuilt table with few changes at the same capacity, so that is how it is resized here.

use maglev::{ConsistentHasher, Maglev};

use super::NOBODY;
use super::nodes::{Members, Named, Node, Nodes, Plain, absent, names};
use super::table::shares_of_turns;
use crate::algorithms::Error;
use crate::catalog::{Algorithm, Build, BuildError, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev/crate",
    name: "maglev, 100 slots a node",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.2.1" },
    paper: "Eisenbud et al. 2016",
    monotone: false,
    own_hash: true,
    in_figures: false,
    // Quadratic in truth; this is so much at 3000 buckets.
    build_bytes: 2_400_000,
    shares: Shares::Exact(shares),
    names: names!(b, N => build::<N>(b)),
    ..ours!(b => build::<Named<Plain>>(b), resize, remove)
}];

fn build<N: Node>(build: Build) -> Result<Members<Table<N>>, Error> {
    let nodes = (0..build.buckets).map(N::of);
    // The capacity 0 is the crate's word for its own choice.
    let table = Maglev::with_capacity(nodes, build.slots as usize);
    Ok(Members::new(Table(table), build.buckets))
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(build::<Named<Plain>>(of)?.nodes.0.capacity(), of)
}

struct Table<N>(Maglev<N>);

impl<N: Node> Table<N> {
    fn rebuild(&mut self, nodes: Vec<N>) {
        self.0 = Maglev::with_capacity(nodes, self.0.capacity());
    }
}

impl<N: Node> Nodes for Table<N> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.0.get(&key).map_or(NOBODY, N::bucket)
    }

    fn count(&self) -> u32 {
        self.0.nodes().len() as u32
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
