//! Bounded loads: there is room for every key.

use anyhow::ensure;

use crate::catalog::Implementation;
use crate::verify::{Inputs, Outcome};

const NODES: u32 = 10;
const KEYS: u32 = 6 * NODES;

pub(super) fn bounded(implementation: &Implementation, _: Inputs) -> anyhow::Result<Outcome> {
    let assigned = match implementation.id {
        "consistent-hashing-rs" => consistent_hashing_rs(),
        "ring-rs" => ring_rs(),
        _ => return Ok(Outcome::NotPromised("it assigns no keys to nodes with loads")),
    };
    ensure!(assigned == KEYS, "{assigned} of {KEYS} keys that are assigned one by one to {NODES} nodes find a node");
    Ok(Outcome::Passed)
}

fn consistent_hashing_rs() -> u32 {
    let mut ring = consistenthash::ConsistentHash::with_load_factor(1.25);
    (0..NODES).for_each(|node| ring.add_node(&consistenthash::Node::new(super::super::name(node)), 20));
    let mut accepted = 0;
    for key in 0..KEYS {
        // It prints a line where there is no node.
        if ring.get_node(format!("key-{key}")).is_some() {
            ring.assign_key(format!("key-{key}"));
            accepted += 1;
        }
    }
    accepted
}

fn ring_rs() -> u32 {
    let mut ring = ring_rs::Ring::new(ring_rs::Config::default());
    (0..NODES).for_each(|node| ring.add(&super::super::name(node)));
    let mut accepted = 0;
    for key in 0..KEYS {
        if let Some(node) = ring.get_least(&format!("key-{key}")) {
            ring.inc_load(&node);
            accepted += 1;
        }
    }
    accepted
}
