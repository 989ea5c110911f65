//! `mpchash`: "It is guaranteed that the first node is the same as the one returned by `node()`".

use mpchash::HashRing;

pub fn main() {
    let ring = HashRing::new();
    (0..10_u64).for_each(|node| ring.add(node));
    let differ = (0..10_000_u64).filter(|key| {
        let primary = *ring.node(key).expect("ten nodes").node();
        let replicas = ring.replicas(key, 3);
        *replicas[0].node() != primary
    });
    let differ = differ.count();
    assert!(differ > 0, "the first is the same");
    println!("found: `replicas(key, 3)` does not begin with `node(key)` for {differ} of 10000 keys, among ten nodes");
}
