//! Why a time was not measured.

use std::time::Duration;

/// Every message says what would be accepted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TimeError {
    /// Without optimisation it is the build that is measured, not the algorithm.
    #[error("refusing to time a debug build: absolute and relative times would be wrong; build with --release")]
    DebugBuild,
    /// The error of reading the clock would be more than 0.1 % of a sample.
    #[error("the clock advances in steps of {resolution:?}, too coarse for samples of {sample:?}: at least 1000 steps")]
    ClockTooCoarse { resolution: Duration, sample: Duration },
    /// Nothing to time.
    #[error("no contender: give at least 1 partitioner to time")]
    NoContender,
    /// Two contenders of one id.
    #[error("contender {id:?} appears twice: results are found by id")]
    DuplicateContender { id: String },
    /// A plan without rounds, or a construction without repeats.
    #[error("0 rounds: ask for at least 1")]
    NoRounds,
    /// A sample in which the clock and interrupts would show.
    #[error("samples of {asked:?} are too short: ask for at least {least:?}")]
    SampleTooShort { asked: Duration, least: Duration },
    /// Memory to read from beside look-ups that does not hold one block.
    #[error("{asked} bytes of extra memory: at least one block of {least} is read")]
    ContentionTooSmall { asked: usize, least: usize },
    /// The allocator has no such amount of memory.
    #[error("{asked} bytes of extra memory could not be allocated: ask for fewer")]
    OutOfMemory { asked: usize },
}
