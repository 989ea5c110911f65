//! `jump-back-hash` 0.1.0: JumpBackHash over any generator of `rand_core` 0.5 that the caller seeds with the key;
//! SplitMix64 here, which its README recommends. Of 0 buckets it answers 0.
//!
//! It promises constant expected time, `1/(n+1)` of the keys moved, a bucket in `0..num_buckets`.

use rand_core_05::{Error, RngCore};

use super::indexed::Indexed;
use crate::algorithms::hash::{Draws, SplitMix64};
use crate::catalog::{Algorithm, Implementation, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jump-back-hash",
    name: "jump-back-hash, SplitMix64",
    algorithm: Algorithm::JumpBack { draw_bits: 64 },
    source: Source::Crate { version: "0.1.0" },
    paper: "Ertl 2024",
    in_figures: false,
    ..ours!(b => Indexed::new(b.buckets, look_up), resize)
}];

#[inline]
fn look_up(key: u64, buckets: u32) -> u32 {
    jump_back_hash::bucket(&mut Generator(SplitMix64::new(key)), buckets)
}

/// SplitMix64 as `rand_core` 0.5 wants it.
struct Generator(SplitMix64);

impl RngCore for Generator {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }

    fn next_u64(&mut self) -> u64 {
        self.0.draw()
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Error> {
        self.fill_bytes(bytes);
        Ok(())
    }
}
