//! `consistent_hasher`: a node is searched for among the first few only, as many as it has virtual instances.

use consistent_hasher::{Identifier, LDB};

struct Node(usize);

impl Identifier for Node {
    fn identify(&self) -> usize {
        self.0
    }
}

pub fn main() {
    let mut ring = LDB::new(64, 5);
    for node in 0..10 {
        ring.add_node(Node(node)).expect("another node");
    }
    let answer = ring.delete_node(Node(7));
    assert!(matches!(answer, Ok(None)), "it is found");
    let still = (0..10_000).filter(|key| ring.key(&format!("key-{key}")).expect("nodes").0 == 7).count();
    assert!(still > 0, "no key has the deleted node");
    println!("found: `delete_node` of the eighth of ten nodes with five instances is `Ok`, and {still} of 10000 keys still have it");
}
