//! `ringhash`: point 1 of the node "11" and point 11 of the node "1" are the same text.

use ringhash::Consistent;

pub fn main() {
    let of = |nodes: u32| {
        let ring = Consistent::new();
        (1..=nodes).for_each(|node| ring.add(node.to_string()));
        ring
    };
    let (shrunk, anew) = (of(19), of(10));
    (11..=19).for_each(|node: u32| shrunk.remove(node.to_string()));
    let owner = |ring: &Consistent, key: u32| ring.get(format!("key-{key}")).expect("nodes");
    let differ = (0..10_000).filter(|&key| owner(&shrunk, key) != owner(&anew, key)).count();
    assert!(differ > 0, "they agree");
    println!("found: `remove` of the nodes \"11\" to \"19\" takes points of \"1\" to \"9\" away: {differ} of 10000 keys are elsewhere");
}
