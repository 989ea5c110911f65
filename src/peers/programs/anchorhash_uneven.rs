//! `anchorhash` promises "uniform balancing of load across all resources": ten resources in an anchor for twenty.

use std::hash::{BuildHasherDefault, DefaultHasher};

use anchorhash::{AnchorHash, Builder};

pub fn main() {
    const KEYS: u64 = 1_000_000;
    let hasher = BuildHasherDefault::<DefaultHasher>::default();
    let anchor: AnchorHash<u64, usize, _> = Builder::with_hasher(hasher).with_resources(0..10).build(20);
    let mut counts = [0_u64; 10];
    for key in 0..KEYS {
        counts[*anchor.get_resource(key).expect("ten resources")] += 1;
    }
    let average = KEYS as f64 / 10.0;
    let deviation = (average * 0.9).sqrt();
    let least = counts.into_iter().min().expect("ten counts");
    let below = (average - least as f64) / deviation;
    assert!(below > 6.0, "the counts are even: {counts:?}");
    println!(
        "found: `get_resource` sends {least} of {KEYS} keys to one of ten resources, where an even spread gives {average}, give or take {deviation:.0}"
    );
}
