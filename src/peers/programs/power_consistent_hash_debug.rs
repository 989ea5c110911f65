//! `power-consistent-hash`, compiled with overflow checks: more than 2^31 buckets.

use std::panic::catch_unwind;

use power_consistent_hash::PowerConsistentHasher;

pub fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let made = catch_unwind(|| PowerConsistentHasher::try_new((1 << 31) + 1).is_ok());
    let _ = std::panic::take_hook();
    assert!(made.is_err(), "no panic: was it compiled with overflow checks?");
    println!("found: `PowerConsistentHasher::try_new(2147483649)` panics in a debug build");
}
