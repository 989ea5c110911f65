//! The parameters that stand in the names of entries. The slow models of [`verify`](crate::verify) have them too.

use super::Build;
use crate::algorithms::maglev::TABLE_SIZE;

/// The S of round-hashing.
pub(crate) const ROUND_SPLIT: u32 = 8;
/// The k at which multi-probe's peak is 1.05.
pub(crate) const PROBES: u32 = 21;
/// The larger table of the Maglev paper, and the most buckets: one a slot.
pub(crate) const MAGLEV_LARGE: u32 = 655_373;
/// c of bounded loads.
pub(crate) const LOAD: f64 = 1.25;

/// Of an array with room for as many buckets again; one of fixed size while there are few, so that what grew is what is
/// built anew.
pub(crate) fn slots(build: Build) -> u32 {
    build.slots_or(build.buckets.max(1).checked_next_power_of_two().map_or(u32::MAX, |power| power.saturating_mul(2)))
}

/// Weights of a build that states none.
pub(crate) fn equal(build: Build) -> Vec<f64> {
    vec![1.0; build.buckets as usize]
}

/// The paper's small table for up to a hundredth of its size, then its large one.
pub(crate) fn maglev_slots(build: Build) -> u32 {
    let is_small = u64::from(build.buckets) * 100 <= TABLE_SIZE;
    build.slots_or(if is_small { TABLE_SIZE as u32 } else { MAGLEV_LARGE })
}

/// As many partitions as a Maglev table has slots.
pub(crate) fn partition_slots(build: Build) -> u32 {
    build.slots_or(TABLE_SIZE as u32)
}
