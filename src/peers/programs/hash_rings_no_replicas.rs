//! `hash-rings`: a rendezvous node with no replicas is accepted, and then no key can be looked up.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hash_rings::rendezvous::Ring;

pub fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut ring: Ring<&str> = Ring::new();
    ring.insert_node(&"node-0", 1);
    ring.insert_node(&"node-1", 0);
    let panics = (0..1000).filter(|key| catch_unwind(AssertUnwindSafe(|| *ring.get_node(key))).is_err()).count();
    let _ = std::panic::take_hook();
    assert!(panics > 0, "keys are looked up");
    println!("found: after `rendezvous::Ring::insert_node(&\"node-1\", 0)` `get_node` panics for {panics} of 1000 keys");
}
