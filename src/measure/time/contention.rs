//! Memory traffic beside the look-ups: the second benchmark of Lamping & Veach 2014, "Execution Time".
//!
//! There each hash went along with 16 reads of random single bytes and one read of a contiguous block of 64 KiB, all
//! from 1 GB of extra memory, so that a look-up table competes for the caches as it would in a real program.

use super::TimeError;
use crate::algorithms::hash::{GOLDEN, mix64};

/// The extra memory of the paper, which says "1 GB", read as 2^30 bytes.
pub const PAPER_BYTES: usize = 1 << 30;

/// Length of the block read in one piece beside each look-up, in bytes.
pub const BLOCK_BYTES: usize = 64 << 10;

/// Single bytes read beside each look-up.
pub const RANDOM_READS: usize = 16;

/// Extra memory to read from.
pub struct Contention {
    memory: Vec<u8>,
}

impl Contention {
    /// `bytes` of memory, rounded down to whole blocks of [`BLOCK_BYTES`]; the paper's amount is [`PAPER_BYTES`].
    ///
    /// It is filled with random bytes of this seed: pages that were never written to would all be one page of zeros,
    /// which stays in the cache.
    ///
    /// # Errors
    /// [`TimeError::ContentionTooSmall`] below one block, [`TimeError::OutOfMemory`].
    pub fn new(bytes: usize, seed: u64) -> Result<Self, TimeError> {
        if bytes < BLOCK_BYTES {
            return Err(TimeError::ContentionTooSmall { asked: bytes, least: BLOCK_BYTES });
        }
        let mut memory = Vec::new();
        memory.try_reserve_exact(bytes).map_err(|_| TimeError::OutOfMemory { asked: bytes })?;
        memory.resize(bytes / BLOCK_BYTES * BLOCK_BYTES, 0);
        let (words, _) = memory.as_chunks_mut();
        for (word, index) in words.iter_mut().zip(0..) {
            *word = mix64(seed.wrapping_add(index)).to_le_bytes();
        }
        Ok(Self { memory })
    }

    /// How many bytes are read from.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// Where the addresses beside these keys begin: other keys, other addresses, so that no call finds in the cache
    /// what the last one read.
    #[inline]
    #[must_use]
    pub fn start(&self, keys: &[u64]) -> u64 {
        mix64(keys.first().copied().unwrap_or(0).wrapping_add(GOLDEN))
    }

    /// What is read beside one look-up: [`RANDOM_READS`] single bytes anywhere, and one block. Returns their sum.
    ///
    /// No address depends on a byte that was read or on a bucket, so that the reads overlap as far as the processor
    /// can.
    #[inline]
    pub fn read(&self, state: &mut u64) -> u64 {
        let mut below = |end: usize| {
            *state = state.wrapping_add(GOLDEN);
            ((u128::from(mix64(*state)) * end as u128) >> 64) as usize
        };
        let single = (0..RANDOM_READS).map(|_| u64::from(self.memory[below(self.memory.len())])).sum::<u64>();
        let block = below(self.memory.len() / BLOCK_BYTES) * BLOCK_BYTES;
        // By words, with which the memory is the limit and not the adding.
        let (words, _) = self.memory[block..][..BLOCK_BYTES].as_chunks();
        words.iter().fold(single, |sum, &word| sum.wrapping_add(u64::from_le_bytes(word)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_blocks_or_none() {
        assert!(matches!(Contention::new(BLOCK_BYTES - 1, 0), Err(TimeError::ContentionTooSmall { .. })));
        assert_eq!(Contention::new(3 * BLOCK_BYTES - 1, 0).expect("two blocks").bytes(), 2 * BLOCK_BYTES);
        assert!(matches!(Contention::new(usize::MAX, 0), Err(TimeError::OutOfMemory { .. })));
    }

    #[test]
    fn the_sum_is_of_sixteen_bytes_and_a_block() {
        // With one block the contiguous read is known, and what remains of the sum is 16 bytes.
        let one = Contention::new(BLOCK_BYTES, 5).expect("one block");
        let words = (0..(BLOCK_BYTES / 8) as u64).fold(0_u64, |sum, word| sum.wrapping_add(mix64(5 + word)));
        let mut state = one.start(&[1]);
        let first = one.read(&mut state).wrapping_sub(words);
        let second = one.read(&mut state).wrapping_sub(words);
        assert!(first > 0 && first <= 16 * 255 && second > 0 && second <= 16 * 255);
        assert_ne!(first, second, "addresses move on");
        assert_ne!(one.start(&[1]), one.start(&[2]));
    }
}
