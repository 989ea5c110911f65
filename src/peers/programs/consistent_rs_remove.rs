//! `consistent-rs`: two nodes whose points collide in the 32 bits of a position, which is usual with some thousand nodes.

use std::panic::{AssertUnwindSafe, catch_unwind};

use consistent_rs::Consistant;

pub fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let mut ring = Consistant::default();
    (0..6_000).for_each(|node| ring.add(format!("node-{node}")));
    let all = (0..6_000).find(|node| {
        ring.remove(format!("node-{node}"));
        let looked_up = || (0..200).for_each(|key| drop(ring.get(format!("key-{key}"))));
        catch_unwind(AssertUnwindSafe(looked_up)).is_err()
    });
    let _ = std::panic::take_hook();
    let removed = all.expect("no look-up panics") + 1;
    println!("found: after {removed} of 6000 nodes were removed `get` panics, on a point without a node");
}
