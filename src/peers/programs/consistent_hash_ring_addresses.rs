//! `consistent_hash_ring`: keys that differ in their last bytes only, as addresses do, stay together.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use consistent_hash_ring::RingBuilder;

pub fn main() {
    let ring = RingBuilder::default().nodes_iter((0..10).map(|node| format!("node-{node}"))).build();
    let mut counts = BTreeMap::new();
    for low in 0..32_768_u32 {
        let address = Ipv4Addr::from(0x0a00_0000 + low);
        *counts.entry(ring.get(address)).or_insert(0_u32) += 1;
    }
    let most = counts.values().max().expect("ten nodes");
    assert!(*most > 16_384, "the addresses are spread: {counts:?}");
    println!("found: `get` sends {most} of the 32768 addresses 10.0.0.0 to 10.0.127.255 to one of ten nodes");
}
