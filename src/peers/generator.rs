//! SplitMix64 as the crates' versions of `rand` want a generator.

use crate::algorithms::hash::{Draws, SplitMix64};

/// The generator with this seed.
pub(super) struct Generator(SplitMix64);

impl Generator {
    pub(super) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }
}

/// The trait of one version.
macro_rules! generator {
    ($rand:ident) => {
        impl $rand::RngCore for Generator {
            fn next_u32(&mut self) -> u32 {
                self.0.draw() as u32
            }

            fn next_u64(&mut self) -> u64 {
                self.0.draw()
            }

            fn fill_bytes(&mut self, bytes: &mut [u8]) {
                for chunk in bytes.chunks_mut(8) {
                    chunk.copy_from_slice(&self.0.draw().to_le_bytes()[..chunk.len()]);
                }
            }

            fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), $rand::Error> {
                $rand::RngCore::fill_bytes(self, bytes);
                Ok(())
            }
        }
    };
}

generator!(rand_core);
generator!(rand_08);
