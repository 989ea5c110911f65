//! What an implementation is built from, and why it could not be.

use crate::algorithms;
use crate::measure::memory::MemoryError;
use crate::measure::share;
use crate::references::CppError;

/// What a partitioner is built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    /// Number of buckets.
    pub buckets: u32,
    /// Points per bucket; only rings use it.
    pub points: u32,
    /// Slots of what has a fixed number of them, working or not: a table, an array of buckets. 0: its own choice.
    pub slots: u32,
    /// Seed of the hash family; repeated rings have different ones. Jump has none.
    pub seed: u64,
}

impl Build {
    /// With the algorithm's own choice of slots.
    #[must_use]
    pub const fn new(buckets: u32, points: u32, seed: u64) -> Self {
        Self { buckets, points, slots: 0, seed }
    }

    /// The slots that were asked for, or `own` if none were.
    #[must_use]
    pub const fn slots_or(self, own: u32) -> u32 {
        if self.slots == 0 { own } else { self.slots }
    }
}

/// Why an implementation could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The request is not valid for the algorithm.
    #[error(transparent)]
    Algorithm(#[from] algorithms::Error),
    /// The C++ reference is not there, or failed.
    #[error(transparent)]
    Cpp(#[from] CppError),
    /// Its shares could not be computed.
    #[error(transparent)]
    Share(#[from] share::Error),
    /// Its shares are not known exactly.
    #[error("{id}: exact shares are not known; sample them with keys")]
    NoShares { id: &'static str },
    /// Its heap could not be counted.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}
