//! The generated sections of the README, each between two markers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Chapter, count};
use crate::coverage::Coverage;
use crate::experiment::Record;
use crate::false_alarms::{self, FalseAlarms, FalseAlarmsError};
use crate::files;
use crate::published::find;
use crate::study::word;
use crate::text::table::Table;

/// The published values that the README shows: what people come for, one for each question.
const FOREMOST: [&str; 10] = [
    "jump.balance.ring.v1000.stderr",
    "jump.memory.A.1000",
    "jump.init.65536",
    "jump.speed.le1000",
    "jump.speed.le100000",
    "maglev.overprov.rendezvous.65537",
    "envoy.maglev.moves",
    "mpch.k21",
    "fliphash.time.1000000",
    "memento.scenarios",
];

/// Why the README could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum ReadmeError {
    /// The file could not be read or written.
    #[error("{}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// What the checks found under many seeds could not be read.
    #[error(transparent)]
    FalseAlarms(#[from] FalseAlarmsError),
    /// A section's markers are not there.
    #[error("{}: the line `<!-- begin {section} -->` or its end is missing", path.display())]
    Marker { path: PathBuf, section: &'static str },
}

/// In place of a section of which there is no record.
const NOT_YET: &str = "No record of this is kept yet.\n";

/// The README with its generated sections replaced.
///
/// # Errors
/// [`ReadmeError::Marker`] if a section's markers are not there.
pub fn readme(
    text: &str,
    path: &Path,
    chapters: &[Chapter],
    coverage: Option<&Coverage>,
) -> Result<String, ReadmeError> {
    let alarms = path.parent().map(|folder| FalseAlarms::read(&folder.join("results").join(false_alarms::FILE)));
    let alarms = alarms.transpose()?.flatten().map_or_else(|| NOT_YET.to_owned(), |alarms| alarms.table().markdown());
    let sections = [
        ("verdicts", format!("{}\n\n{}", count(chapters), foremost(chapters).markdown())),
        ("machine", machines(chapters)),
        ("coverage", coverage.map_or_else(|| NOT_YET.to_owned(), Coverage::section)),
        ("false-alarms", alarms),
    ];
    let of_studies = chapters.iter().filter_map(|Chapter { study, record, .. }| {
        let section = study.section.as_ref()?;
        Some((section.name, (section.short)(record.as_ref()?)))
    });
    let all = sections.into_iter().chain(of_studies);
    all.into_iter().try_fold(text.to_owned(), |text, (section, content)| replaced(&text, path, section, &content))
}

/// The foremost values beside ours.
fn foremost(chapters: &[Chapter]) -> Table {
    let mut table = Table::new(["what was published", "published", "ours", "verdict", "experiment"]);
    for published in FOREMOST.into_iter().filter_map(find) {
        let answers = |chapter: &Chapter| {
            let verdict = chapter.verdicts.iter().find(|verdict| verdict.id == published.id)?;
            Some((verdict.measured.clone(), word(verdict.outcome), chapter.study.experiment.name))
        };
        let found = chapters.iter().find_map(answers);
        let (measured, outcome, experiment) = found.unwrap_or((String::new(), "not measured", "-"));
        table.row([&published.what, &published.with_unit(), &measured, outcome, &format!("`{experiment}`")]);
    }
    table
}

/// What the records were made by and on: those of one revision and one machine together.
fn machines(chapters: &[Chapter]) -> String {
    let mut together: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for record in chapters.iter().filter_map(|chapter| chapter.record.as_ref()) {
        together.entry(origin(record)).or_default().push(&record.experiment);
    }
    let line = |(origin, experiments): (&String, &Vec<&str>)| format!("* {origin}: `{}`.\n", experiments.join("`, `"));
    together.iter().map(line).collect()
}

fn origin(record: &Record) -> String {
    format!("{}; {}", super::revision(record), record.environment.summary())
}

/// A README with one of its sections replaced.
fn replaced(text: &str, path: &Path, section: &'static str, content: &str) -> Result<String, ReadmeError> {
    let (begin, end) = (format!("<!-- begin {section} -->\n"), format!("<!-- end {section} -->"));
    let missing = || ReadmeError::Marker { path: path.to_owned(), section };
    let (before, rest) = text.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}{content}{end}{after}"))
}

/// Brings one generated section of a README up to date.
///
/// # Errors
/// [`ReadmeError`], naming the file.
pub fn update_section(path: &Path, section: &'static str, content: &str) -> Result<(), ReadmeError> {
    let failed = |source| ReadmeError::Io { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(failed)?;
    files::replace(path, replaced(&text, path, section, content)?.as_bytes()).map_err(failed)
}

/// Reads a README, replaces its generated sections and writes it.
///
/// # Errors
/// [`ReadmeError`], naming the file.
pub fn update_readme(path: &Path, chapters: &[Chapter], coverage: Option<&Coverage>) -> Result<(), ReadmeError> {
    let failed = |source| ReadmeError::Io { path: path.to_owned(), source };
    let text = fs::read_to_string(path).map_err(failed)?;
    files::replace(path, readme(&text, path, chapters, coverage)?.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_foremost_values_are_on_file() {
        assert_eq!(FOREMOST.into_iter().filter_map(find).count(), FOREMOST.len());
    }
}
