//! `jump-consistent-hash`, compiled with overflow checks: the one key whose product with the multiplier is 2^64 - 1.

use std::panic::catch_unwind;

use jump_consistent_hash::hash;

pub fn main() {
    const MULTIPLIER: u64 = 2_862_933_555_777_941_757;
    // Newton's iteration for the inverse of an odd number.
    let inverse = (0..6).fold(MULTIPLIER, |x, _| x.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(x))));
    let key = inverse.wrapping_neg();
    std::panic::set_hook(Box::new(|_| {}));
    let answer = catch_unwind(|| hash(key, 10));
    let _ = std::panic::take_hook();
    assert!(answer.is_err(), "no panic: was it compiled with overflow checks?");
    println!("found: `hash({key}, 10)` panics in a debug build; few keys do (a release build is right)");
}
