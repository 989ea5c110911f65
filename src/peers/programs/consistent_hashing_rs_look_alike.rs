//! `consistent-hashing-rs`: point 1 of the node "cache" is the first point of the node "cache-1".

use consistenthash::{ConsistentHash, Node};

pub fn main() {
    let of = |names: &[&str]| {
        let mut ring = ConsistentHash::with_load_factor(1.25);
        names.iter().for_each(|name| ring.add_node(&Node::new((*name).to_owned()), 3));
        ring
    };
    let mut shrunk = of(&["cache", "other", "cache-1"]);
    shrunk.remove_node("cache-1".to_owned());
    let anew = of(&["cache", "other"]);
    let owner = |ring: &ConsistentHash, key: u32| ring.get_node(format!("key{key}"));
    let differ = (0..10_000).filter(|&key| owner(&shrunk, key) != owner(&anew, key)).count();
    assert!(differ > 0, "they agree");
    println!("found: `remove_node` of cache-1 takes a point of cache away: {differ} of 10000 keys are elsewhere, with 3 replicas");
}
