//! Time of a look-up and of a construction, measured so that the figure can be believed.
//!
//! * [`Measured`] holds the timed loops, compiled for each partitioner: one dynamic call for a block of keys, never one
//!   for a key. [`EmptyLoop`] is what they cost without a look-up.
//! * [`interleaved`] times contenders side by side in shuffled rounds, with fresh keys made outside the clock, and says of each
//!   sample under which [`Condition`] it was taken.
//! * [`Contention`] is the memory traffic beside each look-up in the second benchmark of Lamping & Veach 2014.
//! * [`construction`] times a build alone.
//!
//! What comes back are raw samples in nanoseconds; medians and intervals are the business of the statistics.
//! Nanoseconds are what one machine did on one day: claims are made on ratios of contenders of one [`Timing`].

mod block;
mod clock;
mod condition;
mod construction;
mod contention;
mod error;
mod interleaved;
mod measured;
mod plan;
mod reference;
mod timing;

pub use clock::resolution;
pub use condition::Condition;
pub use construction::construction;
pub use contention::{BLOCK_BYTES, Contention, PAPER_BYTES, RANDOM_READS};
pub use error::TimeError;
pub use interleaved::{KEYS_PER_CALL, interleaved, interleaved_warmed, timed_keys};
pub use measured::{EmptyLoop, Measured};
pub use plan::{Contender, Mode, Plan, SAMPLE, SHORTEST_SAMPLE};
pub use reference::{Around, CHAIN_STEPS, Kernels, PARALLEL_STEPS, alone_ratio, conditions};
pub use timing::{Samples, Timing};

/// NaN without values.
fn median(values: &[f64]) -> f64 {
    crate::statistics::median(values).unwrap_or(f64::NAN)
}
