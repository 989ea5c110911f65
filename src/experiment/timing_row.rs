//! One value that a clock measured, in one run or in several.
//!
//! A run is a process of its own with structures of its own ([`Cell`](super::Cell)). Its value is the median of the samples
//! that were taken with the core alone, and the row's that of [`of_runs`]; one run alone has no interval, and readers see "n = 1".

use std::collections::BTreeSet;

use rand::Rng;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::record::{Parameters, Parametrised};
use crate::measure::time::Condition;
use crate::statistics::{Interval, Moments, RunValue, median, of_runs, resample};

/// The probability with which the interval of a timing row holds the value of a repeat.
pub const TIMING_LEVEL: f64 = 0.95;
const RESAMPLES: u32 = 500;
/// A run with fewer samples that were taken with the core alone has none that can be told from chance.
const FEWEST_ALONE: usize = 3;
/// An interval whose ends are further apart than this factor says that nothing is known.
const WIDEST: f64 = 1e4;
/// Between how the samples were sorted and whatever else a note says.
const MORE: &str = ". ";
/// What marks a value that is not to be judged, wherever it is printed.
pub const UNSTABLE: &str = "†";
/// What the mark says.
pub const LEGEND: &str = "Times are value (95% interval of a repeat of all runs); (n = 1) was measured in one run and has none; (not determined): the runs differ too much to say; \
                          † marks a cell in which too few rounds had the core alone: not judged.";

/// One value that a clock measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimingRow {
    /// The cell of the grid that it belongs to.
    pub cell: String,
    /// Catalogue id.
    pub implementation: String,
    /// What it was measured at.
    pub parameters: Parameters,
    /// What was measured, with its unit.
    pub metric: String,
    /// The runs' value: of each run the median of the samples that count.
    pub value: f64,
    /// Where the value of a repeat lies, with 95% probability; none of a single run, of runs beside a neighbour that may be gone in
    /// the next, nor where its ends would be further apart than a factor of 10,000.
    #[serde(default)]
    pub interval: Option<Interval>,
    /// The smallest sample that counts.
    pub minimum: f64,
    /// The raw samples, in the order in which they were taken, run after run.
    pub samples: Vec<f64>,
    /// The runs; none in records that are older than runs.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub runs: Vec<Run>,
    /// Both parts of the variance.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub variance: Option<Variance>,
    /// Too few samples were taken with the core alone: all count, and nothing is judged by them.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub unstable: bool,
    /// Whatever a reader must know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// One run of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The median of its samples that count.
    pub value: f64,
    /// The variance of that value over resampled rounds; where all are positive that of the logarithm, times the squared value, so
    /// that a round that took many times as long is not taken for a time below zero.
    pub variance: f64,
    /// A letter for each of its samples: what else the core did ([`Condition::letter`]).
    pub conditions: String,
}

/// The variance of a run's value, in squared units of the logarithm where all runs' values are positive.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Variance {
    /// Between runs, beyond the noise of their rounds; none of a single run.
    pub between_runs: Option<f64>,
    /// Of a run's value, by the noise of its rounds.
    pub within_runs: f64,
}

impl Run {
    fn alone(&self) -> usize {
        self.conditions.chars().filter(|&letter| letter == Condition::Alone.letter()).count()
    }

    /// Whether enough of its samples were taken with the core alone.
    fn settled(&self) -> bool {
        self.alone() >= FEWEST_ALONE.min(self.conditions.len())
    }

    /// For each of its samples whether it counts: those with the core alone, or all where these are too few.
    fn counts(&self) -> impl Iterator<Item = bool> {
        let settled = self.settled();
        self.conditions.chars().map(move |letter| !settled || letter == Condition::Alone.letter())
    }
}

impl TimingRow {
    /// The row of one run: samples, and under which condition each was taken. `None` without samples, or if one is not finite.
    pub fn of(
        implementation: &str,
        metric: &str,
        samples: Vec<f64>,
        conditions: &[Condition],
        stream: &mut impl Rng,
    ) -> Option<Self> {
        let value = |rounds: &[usize]| median(&rounds.iter().map(|&round| samples[round]).collect::<Vec<_>>());
        let run = run(samples.len(), conditions, value, stream)?;
        Self::joined(Self::blank(implementation, metric, samples, run)?)
    }

    /// The row of a ratio of two things that were measured in the same rounds of one run: of their medians over the rounds
    /// in which both had the core alone. Its samples are the rounds' ratios.
    pub fn ratio(
        implementation: &str,
        metric: &str,
        (a, a_conditions): (&[f64], &[Condition]),
        (b, b_conditions): (&[f64], &[Condition]),
        stream: &mut impl Rng,
    ) -> Option<Self> {
        if a.len() != b.len() {
            return None;
        }
        let conditions: Vec<Condition> = a_conditions.iter().zip(b_conditions).map(|(&a, &b)| a.max(b)).collect();
        let of =
            |times: &[f64], rounds: &[usize]| median(&rounds.iter().map(|&round| times[round]).collect::<Vec<_>>());
        let value = |rounds: &[usize]| Some(of(a, rounds)? / of(b, rounds)?).filter(|ratio| ratio.is_finite());
        let run = run(a.len(), &conditions, value, stream)?;
        let samples = a.iter().zip(b).map(|(a, b)| a / b).collect();
        Self::joined(Self::blank(implementation, metric, samples, run)?)
    }

    fn blank(implementation: &str, metric: &str, samples: Vec<f64>, run: Run) -> Option<Self> {
        samples.iter().all(|sample| sample.is_finite()).then(|| Self {
            cell: String::new(),
            implementation: implementation.to_owned(),
            parameters: Parameters::new(),
            metric: metric.to_owned(),
            value: run.value,
            interval: None,
            minimum: f64::NAN,
            samples,
            runs: vec![run],
            variance: None,
            unstable: false,
            note: None,
        })
    }

    /// Whether another row is of the same thing, in another run.
    #[must_use]
    pub fn same(&self, other: &Self) -> bool {
        self.metric == other.metric
            && self.implementation == other.implementation
            && self.parameters == other.parameters
    }

    /// The rows of several runs as one, with whatever else their notes say. `None` without rows.
    #[must_use]
    pub fn of_runs(rows: Vec<Self>) -> Option<Self> {
        let more: BTreeSet<String> = rows.iter().filter_map(Self::more).collect();
        let mut rows = rows.into_iter();
        let first = rows.next()?;
        let all = rows.fold(first, |mut all, row| {
            all.samples.extend(row.samples);
            all.runs.extend(row.runs);
            all
        });
        Some(more.into_iter().fold(Self::joined(all)?, Self::note))
    }

    /// Value, interval and note from the runs. A run that hardly had its core alone is left out, as long as another way is
    /// left to see how runs differ.
    fn joined(mut self) -> Option<Self> {
        let settled = self.runs.iter().filter(|run| run.settled()).count();
        self.unstable = settled < self.runs.len().min(2);
        let wanted = |run: &Run| self.unstable || run.settled();
        let runs = self.runs.iter().filter(|run| wanted(run));
        let values: Vec<RunValue> = runs.map(|run| RunValue { value: run.value, variance: run.variance }).collect();
        let found = of_runs(&values, TIMING_LEVEL)?;
        let counts = self.runs.iter().flat_map(|run| run.counts().map(move |counts| counts && wanted(run)));
        let counted: Vec<f64> =
            self.samples.iter().zip(counts).filter(|&(_, counts)| counts).map(|(&sample, _)| sample).collect();
        self.minimum = counted.iter().copied().min_by(f64::total_cmp)?;
        self.value = found.value;
        let told = |range: &Interval| !self.unstable && (range.low <= 0.0 || range.high / range.low <= WIDEST);
        self.interval = found.interval.filter(told);
        self.variance = Some(Variance { between_runs: found.between, within_runs: found.within });
        self.note = Some(self.sorted(counted.len(), values.len()));
        Some(self)
    }

    /// What its note says beyond how the samples were sorted.
    fn more(&self) -> Option<String> {
        let (_, more) = self.note.as_ref()?.split_once(MORE)?;
        Some(more.to_owned())
    }

    /// How the samples were sorted, in words.
    fn sorted(&self, counted: usize, runs: usize) -> String {
        let of = |condition: Condition| {
            self.runs
                .iter()
                .flat_map(|run| run.conditions.chars())
                .filter(|&letter| letter == condition.letter())
                .count()
        };
        let others: Vec<String> = Condition::DISTURBED
            .into_iter()
            .filter(|&condition| of(condition) > 0)
            .map(|condition| format!("{} {}", of(condition), condition.cause()))
            .collect();
        let mut note = format!(
            "{} samples in {}: {} with the core alone",
            self.samples.len(),
            counted_runs(self.runs.len()),
            of(Condition::Alone)
        );
        for other in others {
            note.push_str(", ");
            note.push_str(&other);
        }
        match (self.unstable, counted == self.samples.len()) {
            (true, _) => note.push_str(&format!(
                "; unstable: fewer than {FEWEST_ALONE} of a run, so that all count and nothing is judged"
            )),
            (false, true) => {}
            (false, false) if runs < self.runs.len() => {
                note.push_str(&format!("; the {counted} alone in {} count", counted_runs(runs)));
            }
            (false, false) => note.push_str(&format!("; the {counted} alone count")),
        }
        note
    }

    /// The interval of a row that may be judged: of several runs that had the core alone. (Records that are older than this rule have
    /// intervals of others too.)
    #[must_use]
    pub fn judged(&self) -> Option<Interval> {
        self.interval.filter(|_| !self.unstable)
    }

    /// The value as a reader sees it, written by `number`: with its interval, or that it is of a single run, and with a mark if
    /// it is not to be judged.
    #[must_use]
    pub fn written(&self, number: impl Fn(f64) -> String) -> String {
        let spread = match self.interval {
            Some(interval) => format!("{} to {}", number(interval.low), number(interval.high)),
            None if self.runs.len() < 2 => "n = 1".to_owned(),
            None => "not determined".to_owned(),
        };
        let mark = if self.unstable { UNSTABLE } else { "" };
        format!("{}{mark} ({spread})", number(self.value))
    }

    /// Takes away what rows said that are older than runs: the interval of their one run's rounds, which did not cover a repeat.
    pub(super) fn modernised(mut self) -> Self {
        if self.runs.len() < 2 {
            self.interval = None;
        }
        // What such rows said of most rounds.
        self.unstable |=
            self.note.as_ref().is_some_and(|note| note.contains("more than half of the rounds were disturbed"));
        self
    }

    /// The same with a parameter.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: impl Into<Value>) -> Self {
        self.parameters.insert(parameter.to_owned(), value.into());
        self
    }

    /// The same with more in its note.
    #[must_use]
    pub fn note(mut self, more: impl ToString) -> Self {
        let more = more.to_string();
        self.note = Some(self.note.map_or(more.clone(), |note| format!("{note}{MORE}{more}")));
        self
    }
}

fn counted_runs(runs: usize) -> String {
    if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") }
}

/// A run, given the value of some of its rounds.
fn run(
    rounds: usize,
    conditions: &[Condition],
    value: impl Fn(&[usize]) -> Option<f64>,
    stream: &mut impl Rng,
) -> Option<Run> {
    if rounds != conditions.len() {
        return None;
    }
    let letters = conditions.iter().map(|condition| condition.letter()).collect();
    let blank = Run { value: f64::NAN, variance: 0.0, conditions: letters };
    let counted: Vec<usize> = (0..rounds).zip(blank.counts()).filter(|&(_, counts)| counts).map(|(at, _)| at).collect();
    let of_some = |drawn: &[usize]| value(&drawn.iter().map(|&at| counted[at]).collect::<Vec<_>>());
    let resampled = resample(counted.len(), RESAMPLES, stream, of_some)?;
    let value = value(&counted)?;
    let variance = if value > 0.0 && resampled.iter().all(|&resampled| resampled > 0.0) {
        let logarithms: Vec<f64> = resampled.iter().map(|resampled| resampled.ln()).collect();
        Moments::of(&logarithms)?.variance_sample? * value.powi(2)
    } else {
        Moments::of(&resampled)?.variance_sample?
    };
    Some(Run { value, variance, ..blank })
}

impl Parametrised for TimingRow {
    fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

#[cfg(test)]
#[path = "timing_row/tests.rs"]
mod tests;
