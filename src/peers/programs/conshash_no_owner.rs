//! `conshash`: a key behind the last point of the circle has no node.

use conshash::{Ring, hash};

pub fn main() {
    let mut ring = Ring::new(5);
    for node in 0..10 {
        ring.add_node(&format!("192.168.1.{node}"));
    }
    let lost = (0..100_000_u64).filter(|key| ring.get_node(hash(key)).is_none()).count();
    assert!(lost > 0, "every key has a node");
    println!("found: `get_node` gives no node for {lost} of 100000 keys, in a ring of ten nodes with five points each");
}
