//! `simplehash`: "Rendezvous hashing with FNV-1a or MurmurHash3 provides excellent distribution properties".

use std::collections::BTreeMap;
use std::hash::BuildHasherDefault;

use simplehash::fnv::Fnv1aHasher64;
use simplehash::rendezvous::RendezvousHasher;

pub fn main() {
    let hasher = RendezvousHasher::<_, BuildHasherDefault<Fnv1aHasher64>>::new(BuildHasherDefault::default());
    let nodes: Vec<String> = (0..10).map(|node| format!("server{node}")).collect();
    let mut counts = BTreeMap::new();
    for key in 0..100_000 {
        let node = hasher.select(&format!("user_{key}"), &nodes).expect("ten nodes");
        *counts.entry(node).or_insert(0_u32) += 1;
    }
    let most = counts.values().max().expect("ten nodes");
    let served = counts.len();
    assert!(*most > 15_000, "the keys are spread: {counts:?}");
    println!("found: with FNV-1a `select` sends {most} of 100000 keys user_0, user_1, ... to one of ten nodes; {served} have any");
}
