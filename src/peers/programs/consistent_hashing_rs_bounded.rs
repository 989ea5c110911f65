//! `consistent-hashing-rs`: its bound of a load divides the keys by the points of all nodes, not by the nodes.

use std::collections::BTreeMap;

use consistenthash::{ConsistentHash, Node};

pub fn main() {
    let mut ring = ConsistentHash::with_load_factor(1.25);
    for node in 0..10 {
        ring.add_node(&Node::new(format!("test_node{node}")), 3);
    }
    let mut owners = BTreeMap::new();
    let assigned = (0..60).take_while(|key| {
        let key = format!("key{key}");
        let owner = ring.get_node(key.clone()).map(|node| node.get_name().clone());
        ring.assign_key(key);
        owner.map(|owner| *owners.entry(owner).or_insert(0_u32) += 1).is_some()
    });
    let assigned = assigned.count();
    assert!(assigned < 60, "all are assigned");
    println!("found: `assign_key` of 60 keys among ten nodes, at a load factor of 1.25, fails from the {}th on, and `get_node` then gives no node", assigned + 1);
}
