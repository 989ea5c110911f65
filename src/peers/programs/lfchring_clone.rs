//! `lfchring`: a copy of a ring does not have the replicas that a look-up reads.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lfchring::HashRing;

pub fn main() {
    let nodes: Vec<Arc<str>> = vec![Arc::from("Node1"), Arc::from("Node2"), Arc::from("Node3")];
    let ring = HashRing::with_nodes(2, 3, &nodes).expect("three nodes");
    let copy = ring.clone();
    std::panic::set_hook(Box::new(|_| {}));
    let key = 7_u64.to_be_bytes();
    let panics = [&ring, &copy].map(|ring| catch_unwind(AssertUnwindSafe(|| ring.nodes_for_key(&key).is_ok())).is_err());
    let _ = std::panic::take_hook();
    assert_eq!(panics, [false, true], "the copy answers");
    println!("found: after `let copy = ring.clone()` every `copy.nodes_for_key(key)` panics, of a ring that answers itself");
}
