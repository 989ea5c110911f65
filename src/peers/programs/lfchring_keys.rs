//! `lfchring`: nodes are hashed and keys are not, and the documentation does not say that the caller has to.

use std::collections::BTreeMap;
use std::sync::Arc;

use lfchring::HashRing;

pub fn main() {
    let nodes: Vec<Arc<str>> = (0..10).map(|node| Arc::from(format!("node-{node}"))).collect();
    let ring = HashRing::with_nodes(100, 1, &nodes).expect("ten nodes");
    let mut owned = BTreeMap::new();
    for key in 0..10_000 {
        let owners = ring.nodes_for_key(&format!("key-{key}").into_bytes()).expect("a node");
        *owned.entry(owners[0].to_string()).or_insert(0) += 1;
    }
    assert_eq!(owned.len(), 1, "more than one node has keys");
    println!(
        "found: `nodes_for_key` sends all of 10,000 keys, key-0 to key-9999, to one of 10 nodes: it compares a key with the \
         digests of the nodes without hashing it, which its documentation does not say"
    );
}
