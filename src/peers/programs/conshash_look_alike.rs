//! `conshash`: point 1x of node-1 and point x of node-11 are the same text.

use conshash::{Ring, hash};

pub fn main() {
    let of = |nodes: &[u32]| {
        let mut ring = Ring::new(20);
        nodes.iter().for_each(|node| ring.add_node(&format!("node-{node}")));
        ring
    };
    let mut shrunk = of(&[1, 2, 11]);
    shrunk.remove_node(&"node-11".to_owned());
    let anew = of(&[1, 2]);
    let differ = (0..10_000_u64).filter(|key| shrunk.get_node(hash(key)) != anew.get_node(hash(key))).count();
    assert!(differ > 0, "they agree");
    println!("found: `remove_node` of node-11 takes points of node-1 away: {differ} of 10000 keys are elsewhere, with 20 points");
}
