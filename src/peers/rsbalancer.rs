//! `rsbalancer` 0.3.0, `consistent_hashing`: a ring in a B-tree, std's default hasher. A node has as many points as its
//! weight times the `replicas`, for which there is no default; its documentation shows 160.
//!
//! The first point is the hash of the node's name, point i > 0 that of the name with "-i" behind it. A look-up wants a
//! key that is an owned string and answers with a name, whose number is looked up: both are part of its time. The type of
//! the ring has no public name, so that a variable can hold one and no field can: hence the pointers to its functions. A
//! weight is changed by removing the node and adding it again. Its other balancers go by turns.

use rsbalancer::Node;

use super::names::{Numbers, names};
use super::nodes::{self, Changing, Nodes, Placing, Weighing, Weights, absent, present};
use super::{name, text};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "rsbalancer",
    name: "rsbalancer",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Crate { version: "0.3.0" },
    paper: "Karger et al. 1997",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(log nv)", 96),
    shares: Shares::RandomRing { points: |b| b.points },
    can: can!(b => new(b, name), resize, remove)
        .with_weights(|weights, b| Ok(Box::new(Weights::given(empty(b, name), weights)?)))
        .named(names!(new => host_port, short, digits)),
    shown: Shown::on_request(0),
}];

struct Balancer<C> {
    ring: C,
    numbers: Numbers,
    owner: for<'a> fn(&'a C, &String) -> Option<&'a String>,
    add: fn(&mut C, Node<String>) -> bool,
    remove: fn(&mut C, &String) -> bool,
}

fn new(build: Build, name: fn(u32) -> String) -> Result<Nodes<impl Changing>, Error> {
    Nodes::added(empty(build, name), build.buckets)
}

fn empty(build: Build, name: fn(u32) -> String) -> Balancer<impl Send + Sync> {
    Balancer {
        ring: rsbalancer::consistent_hashing(Vec::new(), build.points as usize),
        numbers: Numbers::new(name),
        owner: |ring, key| ring.get_matching_node_id(key),
        add: |ring, node| ring.add_node(node).is_ok(),
        remove: |ring, name| ring.remove_node(name).is_ok(),
    }
}

impl<C: Send + Sync> Placing for Balancer<C> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.numbers.of((self.owner)(&self.ring, &text(key).as_str().to_owned()))
    }
}

impl<C: Send + Sync> Changing for Balancer<C> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        let node = Node::new_with_default_weight(self.numbers.name(bucket));
        if (self.add)(&mut self.ring, node) { Ok(()) } else { Err(present(bucket)) }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        if (self.remove)(&mut self.ring, &(self.numbers.name)(bucket)) { Ok(()) } else { Err(absent(bucket)) }
    }
}

impl<C: Send + Sync> Weighing for Balancer<C> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let weight = nodes::whole::<usize>(bucket, weight)?;
        let name = self.numbers.name(bucket);
        // A new one is not there yet.
        let _was_there = (self.remove)(&mut self.ring, &name);
        if (self.add)(&mut self.ring, Node::new(name, weight)) { Ok(()) } else { Err(present(bucket)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Partitioner, Remove};

    #[test]
    fn the_documented_balancer() {
        let ip = |number| format!("ip{}", number + 1);
        let mut ring = new(Build::new(3, 160, 0), ip).expect("three names");
        assert!((0..1000).all(|key| ring.bucket(key) < 3));
        assert_eq!(ring.restore(1), Err(present(1)), "the crate refuses a name that is there");
        assert_eq!(ring.remove(9), Err(absent(9)), "the crate refuses a name that is not there");
    }
}
