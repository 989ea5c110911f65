//! `ringhash`: where the points of two nodes coincide, which is usual with a hundred nodes and more, the removal of one
//! takes the other's point away.

use ringhash::Consistent;

pub fn main() {
    let of = |nodes: u32| {
        let ring = Consistent::new();
        (0..nodes).for_each(|node| ring.add(format!("node-{node}")));
        ring
    };
    let (shrunk, anew) = (of(1000), of(500));
    (500..1000).for_each(|node| shrunk.remove(format!("node-{node}")));
    let owner = |ring: &Consistent, key: u32| ring.get(format!("key-{key}")).expect("nodes");
    let differ = (0..100_000).filter(|&key| owner(&shrunk, key) != owner(&anew, key)).count();
    assert!(differ > 0, "they agree");
    println!("found: {differ} of 100000 keys have another owner in a ring from which 500 of 1000 nodes were removed than in one of the other 500");
}
