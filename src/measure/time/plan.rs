//! What is to be timed, and how.

use std::collections::HashSet;
use std::time::Duration;

use super::clock::ready;
use super::{Contention, Measured, TimeError};

/// A shorter sample would show interrupts and the clock itself.
pub const SHORTEST_SAMPLE: Duration = Duration::from_millis(1);

/// What experiments ask for: blocks of 45 µs or more.
pub const SAMPLE: Duration = Duration::from_micros(1_500);

/// A partitioner to time.
#[derive(Clone, Copy)]
pub struct Contender<'a> {
    /// Names it in the result.
    pub id: &'a str,
    /// Memory that two contenders share is warmed by one for the other: give each its own.
    pub subject: &'a dyn Measured,
}

/// Which of the loops of [`Measured`] is timed.
#[derive(Clone, Copy)]
pub enum Mode<'a> {
    /// [`Measured::throughput`].
    Throughput,
    /// [`Measured::latency`].
    Latency,
    /// [`Measured::contended`]. The empty loop does the same reads, so that the difference is the look-up.
    Contended(&'a Contention),
}

impl Mode<'_> {
    pub(super) fn run(self, subject: &dyn Measured, keys: &[u64]) -> u64 {
        match self {
            Self::Throughput => subject.throughput(keys),
            Self::Latency => subject.latency(keys),
            Self::Contended(contention) => subject.contended(keys, contention),
        }
    }
}

/// How contenders are timed.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// In each round every contender is timed once.
    pub rounds: u32,
    /// What a sample lasts at least, up to noise; it is less than twice as long for a contender at a steady speed. Not
    /// below [`SHORTEST_SAMPLE`].
    pub sample_target: Duration,
    /// How long a contender runs untimed before each of its samples: it brings back the lines of its structure that
    /// the other contenders evicted.
    pub warm_up: Duration,
    /// The loop.
    pub mode: Mode<'a>,
    /// No round starts after this time, except the first.
    pub most: Duration,
    /// The [`alone_ratio`](super::alone_ratio()) of this machine, as far as it is known; infinity where it is not.
    pub alone_ratio: f64,
}

/// Checks what [`interleaved`](super::interleaved()) was asked for, the debug build first.
pub(super) fn check(contenders: &[Contender<'_>], plan: &Plan<'_>) -> Result<(), TimeError> {
    ready(plan.sample_target.max(SHORTEST_SAMPLE))?;
    if plan.sample_target < SHORTEST_SAMPLE {
        return Err(TimeError::SampleTooShort { asked: plan.sample_target, least: SHORTEST_SAMPLE });
    }
    if plan.rounds == 0 {
        return Err(TimeError::NoRounds);
    }
    if contenders.is_empty() {
        return Err(TimeError::NoContender);
    }
    let mut ids = HashSet::new();
    match contenders.iter().find(|contender| !ids.insert(contender.id)) {
        Some(twice) => Err(TimeError::DuplicateContender { id: twice.id.to_owned() }),
        None => Ok(()),
    }
}
