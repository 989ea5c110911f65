//! The time of a build.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::clock::{clocked, ready};
use super::{Around, SHORTEST_SAMPLE, TimeError};
use crate::measure::memory::settle;

/// Times `build` alone, `repeats` times or until `most` has passed, but at least once: nanoseconds for one build, in
/// order, each with what was seen around it ([`conditions`](super::conditions)). Dropping what was built is outside the clock.
///
/// The first build pays for pages that the allocator does not have yet, as in a new process; the later ones need not.
/// A build that is too short for the clock (below 1000 of its steps) is timed in batches, whose values are kept until
/// the clock has stopped; then a sample is the mean of a batch. Inputs of `build` that are constants should go through
/// [`black_box`].
///
/// # Errors
/// [`TimeError::DebugBuild`], [`TimeError::ClockTooCoarse`], [`TimeError::NoRounds`] for zero repeats.
pub fn construction<T>(
    mut build: impl FnMut() -> T,
    repeats: usize,
    most: Duration,
) -> Result<Vec<(f64, Around)>, TimeError> {
    let least = ready(SHORTEST_SAMPLE)?;
    if repeats == 0 {
        return Err(TimeError::NoRounds);
    }
    let begun = Instant::now();
    let mut built = Vec::new();
    let mut batch = |size: usize| {
        built.clear();
        built.reserve(size);
        settle();
        let (((), time), around) = Around::work(|| clocked(|| (0..size).for_each(|_| built.push(black_box(build())))));
        (time, around)
    };
    let mut size = 1;
    let mut first = batch(size);
    while first.0 < least {
        size *= 2;
        first = batch(size);
    }
    if size > 1 {
        // The last batch was the first to touch its memory.
        first = batch(size);
    }
    let mut samples = vec![first];
    while samples.len() < repeats && begun.elapsed() < most {
        samples.push(batch(size));
    }
    Ok(samples.into_iter().map(|(time, around)| (time.as_nanos() as f64 / size as f64, around)).collect())
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    fn debug_builds_are_refused() {
        assert_eq!(construction(|| 1, 1, Duration::ZERO), Err(TimeError::DebugBuild));
    }
}

#[cfg(all(test, not(debug_assertions)))]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(10);

    struct SlowToDrop;

    impl Drop for SlowToDrop {
        fn drop(&mut self) {
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn the_build_and_not_the_drop() {
        let build = || {
            std::thread::sleep(Duration::from_millis(1));
            SlowToDrop
        };
        let samples = construction(build, 5, LONG).expect("a release build");
        assert_eq!(samples.len(), 5);
        let best = samples.iter().map(|sample| sample.0).fold(f64::INFINITY, f64::min);
        assert!((1e6..5e6).contains(&best), "{samples:?}");
    }

    #[test]
    fn a_build_below_the_clock() {
        let samples = construction(|| black_box(1_u32), 5, LONG).expect("a release build");
        let best = samples.iter().map(|sample| sample.0).fold(f64::INFINITY, f64::min);
        assert!(best > 0.0 && best < 100.0, "{samples:?}");
    }

    #[test]
    fn limits() {
        assert_eq!(construction(|| 1, 0, LONG), Err(TimeError::NoRounds));
        let once = construction(|| std::thread::sleep(Duration::from_millis(2)), 100, Duration::ZERO);
        assert_eq!(once.expect("a release build").len(), 1);
    }
}
