//! `hash_ring`: a node that is there is added again, and then removed once: its second points lead to nothing.

use std::panic::{AssertUnwindSafe, catch_unwind};

use hash_ring::HashRing;

pub fn main() {
    let nodes = (0..10).map(|node| format!("node-{node}")).collect();
    let mut ring: HashRing<String> = HashRing::new(nodes, 20);
    ring.add_node(&"node-3".to_owned());
    ring.remove_node(&"node-3".to_owned());
    std::panic::set_hook(Box::new(|_| {}));
    let panics = |key: &u32| catch_unwind(AssertUnwindSafe(|| ring.get_node(format!("key-{key}")).is_some())).is_err();
    let panics = (0..1000).filter(panics).count();
    let _ = std::panic::take_hook();
    assert!(panics > 0, "no look-up panics");
    println!(
        "found: after `add_node` of a node that is there and one `remove_node` of it, one of ten, `get_node` panics for \
         {panics} of 1000 keys"
    );
}
