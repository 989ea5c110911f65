//! `tagged-rendezvous`: "Returns the top `n` nodes that are responsible for the provided item".

use std::num::NonZeroUsize;

use tagged_rendezvous::{Node, NodeSelection};

pub fn main() {
    let nodes: NodeSelection<(), u32> = NodeSelection::new();
    for node in 0..10 {
        let _id = nodes.add(Node::new(NonZeroUsize::MIN, node));
    }
    let same = (0..1000_u64).filter(|key| {
        let key = key.to_le_bytes();
        let one = nodes.get(&key).map(|node| *node.data());
        let first = nodes.get_n(&key, 1).first().map(|node| *node.data());
        one == first
    });
    assert_eq!(same.count(), 0, "the first is the top one");
    let all = nodes.get_n(b"key", 10).iter().map(|node| *node.data()).next_back();
    assert_eq!(all, nodes.get(b"key").map(|node| *node.data()));
    println!("found: `get_n(key, 1)` is never the node of `get(key)`, among ten: it begins with the lowest score, not the top");
}
