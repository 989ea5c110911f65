//! How often do the checks find fault with right code, and does code that is wrong on purpose ever escape? All checks, under
//! many seeds.

use std::fs;
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::catalog::catalog;
use crate::controls::CONTROLS;
use crate::experiment::Source;
use crate::files;
use crate::text::table::Table;
use crate::verify::{FAMILY_WISE_ERROR, Inputs, evidence, report, systems};

/// Where they are written, in the folder of the records.
pub const FILE: &str = "verify.json";

/// Why what an earlier run found could not be read, or what this one found not be written.
#[derive(Debug, thiserror::Error)]
pub enum FalseAlarmsError {
    /// The file could not be read or written.
    #[error("{}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// It is something else.
    #[error("{}: not what `chlab verify --seeds` writes: run that again", path.display())]
    Damaged { path: PathBuf, source: serde_json::Error },
}

/// What all checks found under seeds `1..=seeds`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FalseAlarms {
    /// How many seeds there were.
    pub seeds: u64,
    /// How many implementations and systems were checked under each.
    pub subjects: usize,
    /// How many controls had to be caught under each.
    pub controls: usize,
    /// Failures of right code.
    pub alarms: Vec<Found>,
    /// Controls that were not caught by the check that is meant for them.
    pub escapes: Vec<Found>,
    /// What was checked.
    pub source: Source,
}

/// Something that should not have happened, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Found {
    /// The seed.
    pub seed: u64,
    /// The implementation or system, the check and the reason; or the control.
    pub what: String,
}

impl FalseAlarms {
    /// Makes all checks under each seed, in parallel; `done` is told after each.
    #[must_use]
    pub fn of_seeds(seeds: u64, done: impl Fn() + Sync) -> Self {
        let found: Vec<(Vec<Found>, Vec<Found>)> = (1..=seeds)
            .into_par_iter()
            .map(|seed| {
                let found = of_seed(seed);
                done();
                found
            })
            .collect();
        let (alarms, escapes): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        Self {
            seeds,
            subjects: catalog().len() + crate::systems::systems().len(),
            controls: CONTROLS.len() + systems::CONTROLS.len(),
            alarms: alarms.concat(),
            escapes: escapes.concat(),
            source: Source::of_this_program(),
        }
    }

    /// Whether right code failed, or wrong code escaped.
    #[must_use]
    pub fn any(&self) -> bool {
        !self.alarms.is_empty() || !self.escapes.is_empty()
    }

    /// How often what should not happen did, and how often it may.
    #[must_use]
    pub fn table(&self) -> Table {
        let mut table = Table::new(["what should not happen", "seeds", "at most expected", "found", "under seeds"]);
        let rows = [
            (
                format!("one of {} implementations and systems fails a check", self.subjects),
                &self.alarms,
                FAMILY_WISE_ERROR,
            ),
            (format!("one of {} controls escapes", self.controls), &self.escapes, 0.0),
        ];
        for (what, found, error) in rows {
            let mut seeds: Vec<u64> = found.iter().map(|found| found.seed).collect();
            seeds.dedup();
            let listed: Vec<String> = seeds.iter().map(u64::to_string).collect();
            let expected = format!("{}", error * self.seeds as f64);
            table.row([&what, &self.seeds.to_string(), &expected, &seeds.len().to_string(), &listed.join(", ")]);
        }
        table
    }

    /// What should not have happened, each with its seed.
    pub fn failures(&self) -> impl Iterator<Item = String> {
        self.alarms.iter().chain(&self.escapes).map(|Found { seed, what }| format!("seed {seed}: {what}"))
    }

    /// Writes them, whole or not at all.
    ///
    /// # Errors
    /// [`FalseAlarmsError::Io`].
    pub fn write(&self, path: &Path) -> Result<(), FalseAlarmsError> {
        let failed = |source| FalseAlarmsError::Io { path: path.to_owned(), source };
        let text = serde_json::to_string_pretty(self).map_err(|error| failed(error.into()))?;
        files::replace(path, (text + "\n").as_bytes()).map_err(failed)
    }

    /// What an earlier run wrote; nothing if there is none.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn read(path: &Path) -> Result<Option<Self>, FalseAlarmsError> {
        match fs::read(path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(source) => Err(FalseAlarmsError::Io { path: path.to_owned(), source }),
            Ok(text) => match serde_json::from_slice(&text) {
                Ok(read) => Ok(Some(read)),
                Err(source) => Err(FalseAlarmsError::Damaged { path: path.to_owned(), source }),
            },
        }
    }
}

fn of_seed(seed: u64) -> (Vec<Found>, Vec<Found>) {
    let inputs = Inputs::new(seed);
    let found = |what| Found { seed, what };
    let right = report(&catalog().iter().collect::<Vec<_>>(), inputs).failures;
    let alarms = right.into_iter().chain(systems::report(inputs).failures).map(found).collect();
    let escaped = CONTROLS.par_iter().filter(|control| evidence(control, inputs).is_none());
    let mut escapes: Vec<String> =
        escaped.map(|control| format!("{} escapes {}", control.implementation.id, control.caught_by)).collect();
    let escaped = systems::CONTROLS.iter().filter(|control| !systems::caught(control, inputs));
    escapes.extend(escaped.map(|control| format!("{} escapes {}", control.entry.id, control.caught_by)));
    (alarms, escapes.into_iter().map(found).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_counted_by_seed() {
        let found = |seed, what: &str| Found { seed, what: what.into() };
        let mut alarms = FalseAlarms {
            seeds: 100,
            subjects: 2,
            controls: 3,
            alarms: Vec::new(),
            escapes: Vec::new(),
            source: Source::of_this_program(),
        };
        assert!(!alarms.any());
        alarms.alarms = vec![found(3, "a failed balance"), found(3, "b failed balance"), found(9, "a failed balance")];
        let text = alarms.table().text();
        assert!(alarms.any() && text.contains("3, 9") && text.contains("0.01"), "{text}");
        assert_eq!(alarms.failures().next().as_deref(), Some("seed 3: a failed balance"));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("verify.json");
        assert_eq!(FalseAlarms::read(&path).expect("nothing is no error"), None);
        alarms.write(&path).expect("written");
        assert_eq!(FalseAlarms::read(&path).expect("what was written"), Some(alarms));
        fs::write(&path, "{").expect("written");
        assert!(FalseAlarms::read(&path).is_err());
    }
}
