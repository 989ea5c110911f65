//! Blocks: a sample in pieces so short that the machine seldom changes within one.

use super::reference::Around;
use super::{Condition, median};

/// Most blocks of one sample. With the shortest sample a block lasts 30 µs or more: a neighbour on the core was seen to come and
/// go within a few tenths of a millisecond, so that kernels around a whole sample do not tell what went on inside of it.
pub(super) const MOST_BLOCKS: usize = 32;
/// As many blocks must have had the core alone, or half where there are fewer than twice as many.
const LEAST_BLOCKS: usize = 3;

/// A part of a sample, between two runs of the kernels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    /// The time of one look-up.
    pub(super) ns_per_key: f64,
    /// What was seen around it.
    pub(super) around: Around,
}

/// The time of one look-up in a sample, and under which condition it was taken: the median of the blocks that had the core
/// alone; if those are too few, of all blocks, and what disturbed most of the others.
pub(super) fn sample(blocks: &[Block], conditions: &[Condition]) -> (f64, Condition) {
    let of = |wanted: Condition| conditions.iter().filter(|&&condition| condition == wanted).count();
    let is_alone = of(Condition::Alone) >= LEAST_BLOCKS.min(blocks.len().div_ceil(2));
    let disturbed = Condition::DISTURBED.into_iter().max_by_key(|&it| of(it)).unwrap_or(Condition::Waited);
    let condition = if is_alone { Condition::Alone } else { disturbed };
    let counts = |it: Condition| !is_alone || it == Condition::Alone;
    let times = blocks.iter().zip(conditions).filter(|(_, it)| counts(**it)).map(|(block, _)| block.ns_per_key);
    (median(&times.collect::<Vec<_>>()), condition)
}

#[cfg(test)]
mod tests {
    use super::Condition::{Alone, Shared, Slowed, Waited};
    use super::*;
    use crate::measure::time::Kernels;

    fn of(blocks: &[(f64, Condition)]) -> (f64, Condition) {
        let around = Around { kernels: [Kernels { chain: 4.0, parallel: 1.5 }; 2], waited_ratio: 0.0 };
        let conditions: Vec<Condition> = blocks.iter().map(|&(_, condition)| condition).collect();
        let blocks: Vec<Block> = blocks.iter().map(|&(ns_per_key, _)| Block { ns_per_key, around }).collect();
        sample(&blocks, &conditions)
    }

    #[test]
    fn a_sample_is_of_the_blocks_that_had_the_core_alone() {
        let slow = (5.0, Shared);
        assert_eq!(of(&[slow, (1.0, Alone), slow, (3.0, Alone), slow, (2.0, Alone), slow, slow]), (2.0, Alone));
        // Two of eight are too few.
        assert_eq!(of(&[slow, (1.0, Alone), slow, (3.0, Alone), slow, (6.0, Waited), slow, slow]), (5.0, Shared));
        assert_eq!(of(&[(1.0, Alone), (7.0, Slowed)]), (1.0, Alone));
        assert_eq!(of(&[(7.0, Slowed)]), (7.0, Slowed));
    }
}
