//! `consistent-rs`: CRC-32 of names that differ in a digit places their points in a pattern.

use std::collections::BTreeMap;

use consistent_rs::Consistant;

pub fn main() {
    let mut ring = Consistant::default();
    (0..100).for_each(|node| ring.add(format!("node-{node}")));
    let mut counts = BTreeMap::new();
    for key in 0..100_000_u64 {
        let key = format!("{:016x}", key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        *counts.entry(ring.get(key).expect("nodes")).or_insert(0_u32) += 1;
    }
    let least = counts.values().min().expect("nodes");
    assert!(*least < 250, "the least loaded node has {least} keys");
    println!("found: `get` sends {least} of 100000 keys to one of 100 nodes, 1000 on average; 20 random points a node give none so few");
}
