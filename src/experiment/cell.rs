//! A cell of an experiment's grid: what is measured at one place, and how.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::record::Row;
use super::settings::Scale;
use super::timing_row::TimingRow;
use crate::algorithms::hash::mix64;
use crate::measure::memory::room_for;

/// How the runner treats a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Determined by the seed; runs beside other cells.
    Statistical,
    /// Measured with a clock; runs alone, several times, each in a process of its own.
    Timed,
}

type Measure = Box<dyn Fn(&Context) -> anyhow::Result<Findings> + Send + Sync>;

/// One place of the grid.
pub struct Cell {
    /// Unique in the grid, and the same in every run: a run that was stopped knows by it what it has.
    pub key: String,
    /// Statistical or timed.
    pub kind: Kind,
    /// The catalogue ids that it measures; verified before.
    pub implementations: Vec<&'static str>,
    /// Upper bound of the memory that it takes, in bytes.
    pub bytes: u64,
    /// How often it is measured independently, if it is timed. Once: its times have no interval.
    pub runs: u64,
    /// How it is measured.
    pub measure: Measure,
}

impl Cell {
    /// A cell whose values the seed determines.
    pub fn statistical(
        key: impl Into<String>,
        implementations: impl IntoIterator<Item = &'static str>,
        measure: impl Fn(&Context) -> anyhow::Result<Findings> + Send + Sync + 'static,
    ) -> Self {
        Self {
            key: key.into(),
            kind: Kind::Statistical,
            implementations: implementations.into_iter().collect(),
            bytes: 0,
            runs: 1,
            measure: Box::new(measure),
        }
    }

    /// A cell that is measured with a clock.
    pub fn timed(
        key: impl Into<String>,
        implementations: impl IntoIterator<Item = &'static str>,
        measure: impl Fn(&Context) -> anyhow::Result<Findings> + Send + Sync + 'static,
    ) -> Self {
        Self { kind: Kind::Timed, ..Self::statistical(key, implementations, measure) }
    }

    /// The same with the memory that it takes at most.
    #[must_use]
    pub fn bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// The same, measured in so many independent runs.
    #[must_use]
    pub fn runs(mut self, runs: u64) -> Self {
        self.runs = runs;
        self
    }

    /// What it finds, or a row for each of its implementations with the reason why it finds nothing.
    pub(super) fn measured(&self, context: &Context) -> Findings {
        match room_for(self.bytes) {
            Ok(()) => (self.measure)(context).unwrap_or_else(|error| self.failed(format!("{error:#}"))),
            Err(reason) => self.failed(reason),
        }
    }

    pub(super) fn failed(&self, why: impl ToString) -> Findings {
        let why = why.to_string();
        let rows: Vec<Row> = self.implementations.iter().map(|id| Row::missing(id, "error", &why)).collect();
        if rows.is_empty() { vec![Row::missing("-", "error", &why)].into() } else { rows.into() }
    }
}

/// What a cell may know.
pub struct Context {
    /// How much to measure.
    pub scale: Scale,
    /// The seed of the cell's own random stream, derived from the run's seed, the experiment and the cell.
    pub seed: u64,
    /// The [`alone_ratio`](crate::measure::time::alone_ratio) of this machine, as far as it is known.
    pub alone_ratio: f64,
}

impl Context {
    /// The context of a cell.
    #[must_use]
    pub fn new(scale: Scale, seed: u64, experiment: &str, cell: &str) -> Self {
        let labels = experiment.bytes().chain([0]).chain(cell.bytes());
        let seed = labels.fold(mix64(seed), |state, byte| mix64(state.wrapping_add(u64::from(byte) + 1)));
        Self { scale, seed, alone_ratio: f64::INFINITY }
    }

    /// The context of one of the cell's independent runs: other keys, other hash functions, other orders.
    #[must_use]
    pub fn of_run(self, run: u64) -> Self {
        // Apart from the repetitions of a run, which begin at 1.
        Self { seed: mix64(self.seed.wrapping_sub(mix64(run))), ..self }
    }

    /// The cell's own stream.
    #[must_use]
    pub fn stream(&self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.seed)
    }

    /// The seed of the cell's repetition number `repetition`.
    #[must_use]
    pub fn repetition(&self, repetition: u64) -> u64 {
        mix64(self.seed ^ mix64(repetition + 1))
    }

    /// The random stream of the cell's repetition number `repetition`.
    #[must_use]
    pub fn repetition_stream(&self, repetition: u64) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.repetition(repetition))
    }
}

/// What a cell found.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Findings {
    /// Rows that the seed determines.
    pub data: Vec<Row>,
    /// Rows that a clock measured.
    pub timing: Vec<TimingRow>,
}

impl From<Vec<Row>> for Findings {
    fn from(data: Vec<Row>) -> Self {
        Self { data, timing: Vec::new() }
    }
}
