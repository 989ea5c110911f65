//! `power-consistent-hash`, compiled without overflow checks: more than 2^31 buckets.

use power_consistent_hash::PowerConsistentHasher;

pub fn main() {
    const BUCKETS: u32 = (1 << 31) + 1;
    let hasher = PowerConsistentHasher::try_new(BUCKETS).expect("more than one");
    let key = |key: u64| key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let outside = (0..10_000).filter(|&at| hasher.hash_u64(key(at)) >= BUCKETS).count();
    assert!(outside > 0, "all buckets exist");
    println!("found: `hash_u64` gives {outside} of 10000 keys a bucket that does not exist, with 2147483649 buckets");
}
