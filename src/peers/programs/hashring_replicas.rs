//! `hashring`: as many replicas as there are nodes: one node is named twice.

use hashring::HashRing;

pub fn main() {
    let mut ring = HashRing::new();
    ring.batch_add(vec!["node-0", "node-1", "node-2"]);
    let named = ring.get_with_replicas(&"key", 3).expect("three nodes");
    assert_eq!(named.len(), 4, "the list shrinks to the entire ring");
    assert_eq!(named[0], named[3]);
    println!("found: `get_with_replicas(key, 3)` of three nodes names four, the first of them twice");
}
