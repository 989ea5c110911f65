//! `tagged-rendezvous`: `Node::new` draws the seed that places its node, which its documentation does not mention.

use std::num::NonZeroUsize;

use tagged_rendezvous::{Node, NodeId, NodeSelection};

fn ten() -> NodeSelection<(), u32> {
    let nodes = NodeSelection::new();
    for node in 0..10 {
        nodes.add_with_id(NodeId::new(node as usize), Node::new(NonZeroUsize::MIN, node));
    }
    nodes
}

pub fn main() {
    let (one, other) = (ten(), ten());
    let owner = |nodes: &NodeSelection<(), u32>, key: u64| nodes.get(&key.to_le_bytes()).map(|node| *node.data());
    let differ = (0..1000).filter(|&key| owner(&one, key) != owner(&other, key)).count();
    assert!(differ > 500, "{differ} of 1000 keys have another node");
    println!("found: `get` of two selections with the same ten nodes, each made by `Node::new`, disagrees about most keys");
}
