//! The clock: whether it may be used, and how it is read around a piece of work.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::TimeError;

/// The smallest step of the monotonic clock that can be seen, which includes the time of reading it.
/// [`Duration::MAX`] if it was never seen to move.
#[must_use]
pub fn resolution() -> Duration {
    let step = |_| {
        let start = Instant::now();
        (0..1000).map(|_| start.elapsed()).find(|step| !step.is_zero())
    };
    // The least of many, because any one of them may have been interrupted.
    (0..1000).filter_map(step).min().unwrap_or(Duration::MAX)
}

/// Checks that samples of this length can be timed here; returns the shortest that could.
///
/// # Errors
/// [`TimeError::DebugBuild`], [`TimeError::ClockTooCoarse`].
pub(super) fn ready(sample: Duration) -> Result<Duration, TimeError> {
    if cfg!(debug_assertions) {
        return Err(TimeError::DebugBuild);
    }
    let resolution = resolution();
    let least = resolution.saturating_mul(1000);
    if sample < least { Err(TimeError::ClockTooCoarse { resolution, sample }) } else { Ok(least) }
}

/// How long this thread has been ready to run so far while other threads ran. Only Linux tells; elsewhere zero.
pub(super) fn waited() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    // Time on a processor, time waiting for one (both in nanoseconds), number of turns.
    Duration::from_nanos(told.split_whitespace().nth(1).and_then(|waited| waited.parse().ok()).unwrap_or(0))
}

/// The result of `work` and the time that it took. Inputs that the compiler can see must go through [`black_box`]
/// inside of `work`, or it may do the work before the clock starts.
pub(super) fn clocked<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    // By reference: the result has to exist before the clock stops, but a large one is not copied.
    black_box(&result);
    (result, start.elapsed())
}
