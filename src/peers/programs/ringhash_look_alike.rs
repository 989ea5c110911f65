//! `ringhash`: point 1 of the node "11" and point 11 of the node "1" are the same text.

use ringhash::Consistent;

pub fn main() {
    let of = |nodes: &[&'static str]| {
        let ring = Consistent::new();
        nodes.iter().for_each(|node| ring.add(*node));
        ring
    };
    let shrunk = of(&["1", "2", "11"]);
    shrunk.remove("11");
    let anew = of(&["1", "2"]);
    let owner = |ring: &Consistent, key: u32| ring.get(format!("key-{key}")).expect("nodes");
    let differ = (0..10_000).filter(|&key| owner(&shrunk, key) != owner(&anew, key)).count();
    assert!(differ > 0, "they agree");
    println!("found: `remove(\"11\")` takes a point of \"1\" away: {differ} of 10000 keys are elsewhere than without \"11\"");
}
