//! What was timed: raw samples.

use super::reference::Kernels;
use super::{Condition, median};

/// The samples of one contender.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    /// Of the contender.
    pub id: String,
    /// How many look-ups one sample took together.
    pub keys_per_sample: usize,
    /// For each round the time of one look-up in nanoseconds: gross, the loop included.
    pub ns_per_key: Vec<f64>,
    /// For each round the condition under which it was measured.
    pub conditions: Vec<Condition>,
    /// Wrapping sum of the checksums of the timed calls of all rounds. With the keys, which
    /// [`timed_keys`](super::timed_keys) tells, it can be computed without a clock.
    pub checksum: u64,
}

/// What [`interleaved`](super::interleaved()) measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Timing {
    /// In the order in which they were given.
    pub contenders: Vec<Samples>,
    /// The loop without a look-up.
    pub empty_loop: Samples,
    /// For each round the mean times of the reference kernels.
    pub kernels: Vec<Kernels>,
    /// Fewer rounds than planned, because the time was over.
    pub out_of_time: bool,
    /// Of the keys: see [`timed_keys`](super::timed_keys).
    pub seed: u64,
}

impl Timing {
    /// Most that an empty loop may take, in nanoseconds a key, where it reads nothing but keys.
    pub const EMPTY_LOOP_MOST_NS: f64 = 1.0;

    /// For each round the worst condition under which one of its samples was taken.
    #[must_use]
    pub fn worst_conditions(&self) -> Vec<Condition> {
        let all = || self.contenders.iter().chain([&self.empty_loop]);
        let worst = |round: usize| all().filter_map(|samples| samples.conditions.get(round)).max().copied();
        (0..self.kernels.len()).map(|round| worst(round).unwrap_or(Condition::Alone)).collect()
    }

    /// The samples of a contender.
    #[must_use]
    pub fn samples(&self, id: &str) -> Option<&Samples> {
        self.contenders.iter().find(|samples| samples.id == id)
    }

    /// The time of one look-up alone, for each round, in nanoseconds: the sample less the median of the empty
    /// loop. Of a look-up that costs next to nothing it can be negative.
    #[must_use]
    pub fn net(&self, id: &str) -> Option<Vec<f64>> {
        let empty = self.empty_loop_ns();
        Some(self.samples(id)?.ns_per_key.iter().map(|gross| gross - empty).collect())
    }

    /// The time of one look-up alone, for each round, in nanoseconds: the sample less the empty loop of the same
    /// round. Its spread is that of both, so that an interval made of it holds where the empty loop is most of the
    /// sample: the one to use for [`Mode::Contended`](super::Mode::Contended).
    #[must_use]
    pub fn paired_net(&self, id: &str) -> Option<Vec<f64>> {
        let empty = &self.empty_loop.ns_per_key;
        Some(self.samples(id)?.ns_per_key.iter().zip(empty).map(|(gross, empty)| gross - empty).collect())
    }

    /// The least of [`Self::net`].
    #[must_use]
    pub fn minimum(&self, id: &str) -> Option<f64> {
        self.net(id)?.into_iter().min_by(f64::total_cmp)
    }

    /// The median of the empty loop in nanoseconds a key, over the rounds that had the core alone, or all if none had.
    #[must_use]
    pub fn empty_loop_ns(&self) -> f64 {
        let Samples { ns_per_key, conditions, .. } = &self.empty_loop;
        let alone = ns_per_key.iter().zip(conditions).filter(|(_, it)| **it == Condition::Alone).map(|(&ns, _)| ns);
        let alone: Vec<f64> = alone.collect();
        median(if alone.is_empty() { ns_per_key } else { &alone })
    }

    /// Whether the loop itself is as cheap as it has to be for the difference to mean something. Not a question to ask
    /// of [`Mode::Contended`](super::Mode::Contended), where the empty loop reads 64 KiB a key.
    #[must_use]
    pub fn loop_is_cheap(&self) -> bool {
        self.empty_loop_ns() <= Self::EMPTY_LOOP_MOST_NS
    }
}
