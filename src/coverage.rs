//! Do published intervals cover a repeat? The timed experiments are measured twice, as two independent halves: by other processes,
//! from another seed, later. Each interval of either half is held against the value of the other.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::experiment::timed::REFERENCE;
use crate::experiment::{Environment, Record, RecordError, Source};
use crate::files;
use crate::statistics::median;
use crate::text::table::Table;

/// Of 100 intervals at least as many must cover the other half's value.
pub const LEAST_PERCENT: f64 = 90.0;

/// How many intervals of one metric cover the other half's value.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The experiment.
    pub experiment: String,
    /// The metric.
    pub metric: String,
    /// Intervals of both halves.
    pub intervals: usize,
    /// Those that hold the other half's value.
    pub covered: usize,
    /// Half of an interval's width, in percent of its value: the median of these intervals. A wide interval covers easily.
    pub half_width_percent: Option<f64>,
    /// Values without an interval: measured in one run, beside a neighbour on the core, or not determined.
    pub without_interval: usize,
    /// Values of cells in which too few rounds had the core alone, so that they have no interval.
    pub unstable: usize,
}

/// Two halves, compared.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Coverage {
    /// The command that made it.
    pub command: String,
    /// The program's source.
    pub source: Source,
    /// The machine.
    pub environment: Environment,
    /// For each metric of each experiment.
    pub lines: Vec<Line>,
}

/// Compares the rows that two records of an experiment have in common.
#[must_use]
pub fn compare(first: &Record, second: &Record) -> Vec<Line> {
    let mut lines: BTreeMap<&str, (Line, Vec<f64>)> = BTreeMap::new();
    let rows = first.timing.iter().filter(|row| row.implementation != REFERENCE);
    for row in rows {
        let Some(other) = second.timing.iter().find(|other| other.cell == row.cell && other.same(row)) else {
            continue;
        };
        let (line, half_widths) = lines.entry(&row.metric).or_insert_with(|| {
            let (experiment, metric) = (first.experiment.clone(), row.metric.clone());
            (Line { experiment, metric, ..Line::default() }, Vec::new())
        });
        for (row, other) in [(row, other), (other, row)] {
            match row.interval {
                None => line.without_interval += 1,
                Some(interval) => {
                    line.intervals += 1;
                    half_widths.push(50.0 * (interval.high - interval.low) / row.value.abs());
                    line.covered += usize::from(interval.contains(other.value));
                }
            }
            line.unstable += usize::from(row.unstable);
        }
    }
    let filled = |(line, widths): (Line, Vec<f64>)| Line { half_width_percent: median(&widths), ..line };
    lines.into_values().map(filled).collect()
}

impl Coverage {
    /// Percent of all intervals that cover the other half's value; `None` without intervals.
    #[must_use]
    pub fn percent(&self) -> Option<f64> {
        percent(self.sum(|line| line.covered), self.sum(|line| line.intervals))
    }

    /// Whether enough of them do.
    #[must_use]
    pub fn holds(&self) -> bool {
        self.percent().is_some_and(|percent| percent >= LEAST_PERCENT)
    }

    fn sum(&self, of: impl Fn(&Line) -> usize) -> usize {
        self.lines.iter().map(of).sum()
    }

    /// The lines and their sum.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new([
            "experiment",
            "metric",
            "95% intervals",
            "cover the other half's value",
            "percent",
            "half width, median",
            "values without one",
            "of these beside a neighbour",
        ]);
        let total = Line {
            experiment: "all".into(),
            intervals: self.sum(|line| line.intervals),
            covered: self.sum(|line| line.covered),
            without_interval: self.sum(|line| line.without_interval),
            unstable: self.sum(|line| line.unstable),
            ..Line::default()
        };
        for line in self.lines.iter().chain([&total]) {
            table.row([
                line.experiment.clone(),
                line.metric.clone(),
                line.intervals.to_string(),
                line.covered.to_string(),
                percent(line.covered, line.intervals).map_or("-".into(), |percent| format!("{percent:.1}")),
                line.half_width_percent.map_or("-".into(), |percent| format!("{percent:.1}%")),
                line.without_interval.to_string(),
                line.unstable.to_string(),
            ]);
        }
        table
    }

    /// The section of the README.
    #[must_use]
    pub fn section(&self) -> String {
        let found = self.percent().map_or("No interval was measured.".to_owned(), |percent| {
            let (covered, all) = (self.sum(|line| line.covered), self.sum(|line| line.intervals));
            format!("{covered} of {all} intervals ({percent:.1}%) covered the value of the other half.")
        });
        let revision = self.source.revision.get(..12).unwrap_or(&self.source.revision);
        format!(
            "`{}`, revision {revision}, on {}: {found}\n\n{}",
            self.command,
            self.environment.summary(),
            self.table().markdown()
        )
    }

    /// Reads what [`Self::write`] wrote; `None` if there is no such file.
    ///
    /// # Errors
    /// [`RecordError`], naming the file.
    pub fn read(path: &Path) -> Result<Option<Self>, RecordError> {
        let text = match fs::read_to_string(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(|source| RecordError::Io { path: path.to_owned(), source })?,
        };
        let damaged =
            |error: serde_json::Error| RecordError::Damaged { path: path.to_owned(), reason: error.to_string() };
        serde_json::from_str(&text).map(Some).map_err(damaged)
    }

    /// Writes it so that a reader finds the old file or the new one, whole.
    ///
    /// # Errors
    /// [`RecordError::Io`], naming the file.
    pub fn write(&self, path: &Path) -> Result<(), RecordError> {
        let failed = |source| RecordError::Io { path: path.to_owned(), source };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        files::replace(path, (text + "\n").as_bytes()).map_err(failed)
    }
}

fn percent(covered: usize, intervals: usize) -> Option<f64> {
    (intervals > 0).then(|| 100.0 * covered as f64 / intervals as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::TimingRow;
    use crate::measure::time::Condition;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn record(rows: &[(&str, &[f64])]) -> Record {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut of = |id: &str, value: f64| TimingRow::of(id, "x_ns", vec![value], &[Condition::Alone], &mut stream);
        let rows = rows.iter().map(|&(id, runs)| {
            TimingRow::of_runs(runs.iter().filter_map(|&value| of(id, value)).collect()).expect("runs")
        });
        let text = r#"{"schema_version": 1, "experiment": "test", "command": "", "scale": "quick", "seed": 1, "only": [],
            "workload_fingerprint": "", "data": [], "timing": [], "verdicts": []}"#;
        let mut value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        value["source"] = serde_json::to_value(Source::of_this_program()).expect("JSON");
        value["environment"] = serde_json::to_value(Environment::now()).expect("JSON");
        Record { timing: rows.collect(), ..serde_json::from_value(value).expect("a record") }
    }

    #[test]
    fn intervals_are_held_against_the_other_half() -> Result<(), RecordError> {
        // 3 runs 1 % apart: the interval reaches 3.5 % to each side.
        let first =
            record(&[("a", &[1.0, 1.01, 1.02]), ("b", &[1.0, 1.01, 1.02]), ("c", &[1.0]), (REFERENCE, &[1.0, 1.01])]);
        let second =
            record(&[("a", &[1.02, 1.03, 1.04]), ("b", &[1.2, 1.21, 1.22]), ("c", &[1.0]), (REFERENCE, &[9.0, 9.1])]);
        let lines = compare(&first, &second);
        let counts = |line: &Line| (line.intervals, line.covered, line.without_interval, line.unstable);
        assert_eq!(lines.iter().map(counts).collect::<Vec<_>>(), [(4, 2, 2, 0)]);
        let (source, environment) = (Source::of_this_program(), Environment::now());
        let coverage = Coverage { command: "make coverage".into(), source, environment, lines };
        assert_eq!((coverage.percent(), coverage.holds()), (Some(50.0), false));
        assert!(coverage.section().contains("2 of 4 intervals (50.0%)"), "{}", coverage.section());
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("coverage.json");
        assert!(Coverage::read(&path)?.is_none());
        coverage.write(&path)?;
        assert_eq!(Coverage::read(&path)?.map(|read| read.lines), Some(coverage.lines.clone()));
        let none = Coverage { lines: vec![], ..coverage };
        assert!(!none.holds() && none.section().contains("No interval"));
        Ok(())
    }
}
