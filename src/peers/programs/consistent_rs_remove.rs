//! `consistent-rs`: point 1x of node-1 and point x of node-11 are the same text. A removal of one takes them from both.

use std::panic::{AssertUnwindSafe, catch_unwind};

use consistent_rs::Consistant;

pub fn main() {
    let mut ring = Consistant::default();
    (0..12).for_each(|node| ring.add(format!("node-{node}")));
    ring.remove("node-11");
    std::panic::set_hook(Box::new(|_| {}));
    let panics = |key: &u32| catch_unwind(AssertUnwindSafe(|| ring.get(format!("key-{key}")))).is_err();
    let panics = (0..1000).filter(panics).count();
    let _ = std::panic::take_hook();
    assert!(panics > 0, "no look-up panics");
    println!("found: after `remove(\"node-11\")`, one of node-0 to node-11, `get` panics for {panics} of 1000 keys");
}
