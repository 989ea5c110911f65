//! `chash`: the default ring has 71 partitions, and panics when it gets a 72nd node.

use std::panic::{AssertUnwindSafe, catch_unwind};

use chash::HashRing;

pub fn main() {
    let ring = HashRing::default();
    ring.add_nodes((0..71).map(|node| format!("node-{node}")).collect()).expect("71 nodes");
    std::panic::set_hook(Box::new(|_| {}));
    let added = catch_unwind(AssertUnwindSafe(|| ring.add_nodes(vec!["node-71".to_owned()])));
    let _ = std::panic::take_hook();
    assert!(added.is_err(), "72 nodes are accepted");
    let owner: Option<String> = ring.locate_key(&"key");
    assert_eq!(owner, None, "the ring survived");
    println!("found: `HashRing::default().add_nodes` panics at the 72nd node, and after that no key has a node any more");
}
