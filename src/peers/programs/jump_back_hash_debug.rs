//! `jump-back-hash`, compiled with overflow checks: more than 2^31 buckets.

use std::panic::catch_unwind;

use rand_core::RngCore;

struct SplitMix(u64);

impl RngCore for SplitMix {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        bytes.iter_mut().for_each(|byte| *byte = self.next_u64() as u8);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), rand_core::Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}

pub fn main() {
    const BUCKETS: u32 = (1 << 31) + 1;
    std::panic::set_hook(Box::new(|_| {}));
    let panics = (0..1000).filter(|&key| catch_unwind(|| jump_back_hash::bucket(&mut SplitMix(key), BUCKETS)).is_err());
    let panics = panics.count();
    let _ = std::panic::take_hook();
    assert!(panics > 0, "no key panics: was it compiled with overflow checks?");
    println!("found: `bucket(rng, 2147483649)` panics in a debug build for {panics} of 1000 keys (a release build is right)");
}
