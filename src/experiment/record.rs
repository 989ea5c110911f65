//! The record: everything that one run of an experiment found, and what it was run on. Charts, verdicts and reports are
//! pure functions of records.
//!
//! `data` holds what the seed determines and is byte-identical for any number of threads; `timing` holds what a clock
//! measured, with its raw samples. Rows are in long format. Units are base units and stand in the metric's name (`_ns`,
//! `_bytes`, `_ratio`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::environment::{Environment, Source};
use super::timing_row::TimingRow;
use crate::files;
use crate::statistics::{Interval, binomial_interval, median, range_of_repetitions};

/// Version of the format. A record of another version is never read as this one nor overwritten.
pub const SCHEMA_VERSION: u32 = 1;

/// What one run of an experiment found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// [`SCHEMA_VERSION`] of the program that wrote it.
    pub schema_version: u32,
    /// Name of the experiment, which is that of its binary.
    pub experiment: String,
    /// The command that made it.
    pub command: String,
    /// `smoke`, `quick` or `paper`.
    pub scale: String,
    /// Seed of all random streams.
    pub seed: u64,
    /// The implementations that were asked for; empty for all.
    pub only: Vec<String>,
    /// Equal in two runs that did the same work: taken over the cells and the first draws of their streams.
    pub workload_fingerprint: String,
    /// The program's source.
    pub source: Source,
    /// The machine.
    pub environment: Environment,
    /// What the seed determines.
    pub data: Vec<Row>,
    /// What a clock measured.
    pub timing: Vec<TimingRow>,
    /// Published values beside ours.
    pub verdicts: Vec<Verdict>,
}

/// Parameters of a row, by name.
pub type Parameters = BTreeMap<String, Value>;

/// One value that the seed determines.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The cell of the grid that it belongs to.
    pub cell: String,
    /// Catalogue id, or the name of a formula.
    pub implementation: String,
    /// What it was measured at.
    pub parameters: Parameters,
    /// What was measured, with its unit.
    pub metric: String,
    /// The value; null if there is none, and then `note` says why.
    pub value: Value,
    /// An interval around the value.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub interval: Option<Interval>,
    /// Whatever a reader must know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub note: Option<String>,
}

/// How a published value is compared (`ARCHITECTURE.md`, Verdicts).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// Equal, to the digits printed.
    Exact,
    /// The published value against the 99 % range of our repetitions, or against tests of ours.
    Statistical,
    /// The measured ratio and its interval against the published band.
    Ratio,
    /// A stated predicate on the curve holds.
    Shape,
    /// Computed, because it cannot be measured.
    Formula,
    /// A description of a setup or a definition: followed, not compared.
    Setup,
    /// Cannot be reproduced.
    NotReproducible,
}

/// What came of the comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The published value was met, by a comparison that the next value of as many digits would have failed.
    Reproduced,
    /// What was measured meets it; the explanation names what could not be measured or decided.
    ReproducedInPart,
    /// It does not contradict ours, but other values than the published one would not either.
    ConsistentWith,
    /// A closed form, or a number of our own: it holds, and could not be otherwise on any machine.
    ByDefinition,
    /// It is one unit of its last digit away from ours: a slip of rounding in print.
    DiffersInTheLastDigit,
    /// It was not met; the explanation gives a cause that was tested, or says that none is known.
    Differs,
    /// Seconds of a machine that is not ours: shown beside ours and not judged; how they grow is.
    AnotherMachine,
    /// Measured, but the interval is too wide to tell, or there is none.
    NotDecided,
    /// The formula behind the value was computed, and gives what was printed.
    Formula,
    /// A definition or a setup that was followed.
    Followed,
    /// Not measured in this run; the explanation says why.
    NotMeasured,
    /// Never measurable; the explanation says why.
    NotReproducible,
}

impl Outcome {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Self; 12] = [
        Self::Reproduced,
        Self::ReproducedInPart,
        Self::ConsistentWith,
        Self::ByDefinition,
        Self::Formula,
        Self::Followed,
        Self::AnotherMachine,
        Self::DiffersInTheLastDigit,
        Self::Differs,
        Self::NotDecided,
        Self::NotMeasured,
        Self::NotReproducible,
    ];
}

/// One published value beside ours.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Its id in `published.json`.
    pub id: String,
    /// How the two were compared.
    pub rule: Rule,
    /// What came of it.
    pub outcome: Outcome,
    /// What was published, as a reader would write it.
    pub published: String,
    /// What we found, as a reader would write it.
    pub measured: String,
    /// What a reader must know to believe it.
    pub explanation: String,
}

impl Row {
    /// A row without parameters; the runner fills in the cell.
    pub fn new(implementation: &str, metric: &str, value: impl Into<Value>) -> Self {
        Self {
            cell: String::new(),
            implementation: implementation.to_owned(),
            parameters: Parameters::new(),
            metric: metric.to_owned(),
            value: value.into(),
            interval: None,
            note: None,
        }
    }

    /// A count as a fraction of a sample, `sample`, with its exact binomial 99 % interval.
    #[must_use]
    pub fn fraction(implementation: &str, metric: &str, count: u64, sample: u64) -> Self {
        let row = Self::new(implementation, metric, count as f64 / sample as f64).with("sample", sample);
        Self { interval: binomial_interval(count, sample, 0.99), ..row }
    }

    /// A row without a value, which says why.
    pub fn missing(implementation: &str, metric: &str, why: impl ToString) -> Self {
        Self::new(implementation, metric, Value::Null).note(why)
    }

    /// The row of a measurement that was repeated: median and 99 % range of the repetitions. `None` without any.
    #[must_use]
    pub fn of_repetitions(implementation: &str, metric: &str, values: &[f64]) -> Option<Self> {
        let row = Self::new(implementation, metric, median(values)?)
            .with("repetitions", values.len())
            .interval(range_of_repetitions(values, 0.99)?);
        // From 201 on, one repetition or more lies beyond each end.
        let few = values.len() < 201;
        Some(if few { row.note("few repetitions: the 99% range is nearly their minimum to maximum") } else { row })
    }

    /// The value and its interval.
    #[must_use]
    pub fn range(&self) -> Option<(f64, Interval)> {
        self.number().zip(self.interval)
    }

    /// The same with a parameter.
    #[must_use]
    pub fn with(mut self, parameter: &str, value: impl Into<Value>) -> Self {
        self.parameters.insert(parameter.to_owned(), value.into());
        self
    }

    /// The same with an interval.
    #[must_use]
    pub fn interval(mut self, interval: Interval) -> Self {
        self.interval = Some(interval);
        self
    }

    /// The same with a note.
    #[must_use]
    pub fn note(mut self, note: impl ToString) -> Self {
        self.note = Some(note.to_string());
        self
    }

    /// The value as a number.
    #[must_use]
    pub fn number(&self) -> Option<f64> {
        self.value.as_f64()
    }
}

/// A row's parameter as a number.
pub trait Parametrised {
    /// All parameters.
    fn parameters(&self) -> &Parameters;

    /// One of them, if it is there and a number.
    fn parameter(&self, name: &str) -> Option<f64> {
        self.parameters().get(name).and_then(Value::as_f64)
    }

    /// Whether all of these have these values.
    fn is_at(&self, wanted: &[(&str, f64)]) -> bool {
        wanted.iter().all(|&(name, value)| self.parameter(name) == Some(value))
    }
}

impl Parametrised for Row {
    fn parameters(&self) -> &Parameters {
        &self.parameters
    }
}

impl Record {
    /// The first data row of this implementation and metric at these parameters.
    #[must_use]
    pub fn row<'a>(&'a self, implementation: &'a str, metric: &'a str, at: &[(&str, f64)]) -> Option<&'a Row> {
        self.rows(implementation, metric).find(|row| row.is_at(at))
    }

    /// The number in that row.
    #[must_use]
    pub fn number(&self, implementation: &str, metric: &str, at: &[(&str, f64)]) -> Option<f64> {
        self.row(implementation, metric, at).and_then(Row::number)
    }

    /// All data rows of this implementation and metric, in the order of the grid.
    pub fn rows<'a>(&'a self, implementation: &'a str, metric: &'a str) -> impl Iterator<Item = &'a Row> {
        self.data.iter().filter(move |row| row.implementation == implementation && row.metric == metric)
    }

    /// All timing rows of this implementation and metric, in the order of the grid.
    pub fn timings<'a>(&'a self, implementation: &'a str, metric: &'a str) -> impl Iterator<Item = &'a TimingRow> {
        self.timing.iter().filter(move |row| row.implementation == implementation && row.metric == metric)
    }

    /// The first timing row of this implementation and metric at these parameters.
    #[must_use]
    pub fn time<'a>(&'a self, implementation: &'a str, metric: &'a str, at: &[(&str, f64)]) -> Option<&'a TimingRow> {
        self.timings(implementation, metric).find(|row| row.is_at(at))
    }

    /// Why an implementation was not measured at all, if it was not.
    #[must_use]
    pub fn left_out<'a>(&'a self, implementation: &'a str) -> Option<&'a str> {
        self.row(implementation, "conformance", &[])?.note.as_deref()
    }

    /// The implementations that have rows of this metric, in order of appearance.
    #[must_use]
    pub fn implementations(&self, metric: &str) -> Vec<&str> {
        let data = self.data.iter().filter(|row| row.metric == metric).map(|row| row.implementation.as_str());
        let timing = self.timing.iter().filter(|row| row.metric == metric).map(|row| row.implementation.as_str());
        let mut seen: Vec<&str> = Vec::new();
        for implementation in data.chain(timing) {
            if !seen.contains(&implementation) {
                seen.push(implementation);
            }
        }
        seen
    }
}

/// Why a record could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file could not be read or written.
    #[error("{}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// Not JSON, or not a record.
    #[error("{}: damaged record ({reason}); it was left as it is. Use --fresh to set it aside and measure anew", path.display())]
    Damaged { path: PathBuf, reason: String },
    /// Written by a program with another format.
    #[error("{}: record of schema version {found}, this program writes {SCHEMA_VERSION}; it was left as it is. Use --fresh to set it aside and measure anew", path.display())]
    Schema { path: PathBuf, found: u64 },
    /// It was copied or renamed: no figure of one experiment may stand under the name of another.
    #[error("{}: record of the experiment {found:?}, not of {expected:?}; it was left as it is. Give it back its name, {found}.json, or use --fresh to set it aside", path.display())]
    OtherExperiment { path: PathBuf, found: String, expected: String },
}

impl Record {
    /// Reads a record.
    ///
    /// # Errors
    /// [`RecordError`], naming the file; the file is never changed.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let bytes = fs::read(path).map_err(|source| RecordError::Io { path: path.to_owned(), source })?;
        let damaged =
            |reason: serde_json::Error| RecordError::Damaged { path: path.to_owned(), reason: reason.to_string() };
        // The version first: a record of another version need not have the fields of this one.
        let value: Value = serde_json::from_slice(&bytes).map_err(damaged)?;
        match value.get("schema_version").and_then(Value::as_u64) {
            None => {
                let reason = "no schema_version".to_owned();
                Err(RecordError::Damaged { path: path.to_owned(), reason })
            }
            Some(found) if found != u64::from(SCHEMA_VERSION) => {
                Err(RecordError::Schema { path: path.to_owned(), found })
            }
            Some(_) => {
                let mut record: Self = serde_json::from_value(value).map_err(damaged)?;
                record.timing = record.timing.into_iter().map(TimingRow::modernised).collect();
                Ok(record)
            }
        }
    }

    /// Reads the record of an experiment.
    ///
    /// # Errors
    /// As [`read`](Self::read); [`RecordError::OtherExperiment`] if it is another's.
    pub fn read_of(experiment: &str, path: &Path) -> Result<Self, RecordError> {
        let record = Self::read(path)?;
        if record.experiment != experiment {
            let (found, expected) = (record.experiment, experiment.to_owned());
            return Err(RecordError::OtherExperiment { path: path.to_owned(), found, expected });
        }
        Ok(record)
    }

    /// Writes the record so that a reader, or a run that is killed now, finds the old one or the new one, whole.
    ///
    /// # Errors
    /// [`RecordError::Io`], naming the file.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let failed = |source| RecordError::Io { path: path.to_owned(), source };
        let text = self.to_json().map_err(|error| failed(error.into()))?;
        files::replace(path, text.as_bytes()).map_err(failed)
    }

    /// JSON with one row a line: a change of one value is a change of one line.
    fn to_json(&self) -> serde_json::Result<String> {
        let Value::Object(fields) = serde_json::to_value(self)? else { unreachable!("a struct is an object") };
        let mut lines = Vec::with_capacity(fields.len());
        // In the order of the struct, which serde_json's sorted map has lost.
        for name in FIELDS {
            let value = &fields[*name];
            let text = match value {
                Value::Array(rows) if rows.iter().any(Value::is_object) => {
                    let rows: Vec<String> = rows.iter().map(|row| format!("  {row}")).collect();
                    format!("[\n{}\n ]", rows.join(",\n"))
                }
                other => other.to_string(),
            };
            lines.push(format!(" {}: {text}", Value::from(*name)));
        }
        Ok(format!("{{\n{}\n}}\n", lines.join(",\n")))
    }
}

const FIELDS: &[&str] = &[
    "schema_version",
    "experiment",
    "command",
    "scale",
    "seed",
    "only",
    "workload_fingerprint",
    "source",
    "environment",
    "data",
    "timing",
    "verdicts",
];

#[cfg(test)]
mod tests;
