//! A study: an experiment with the published values that it answers and the charts of its record. Each file in
//! `experiments/` defines one, and its `main` is [`main`].

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, FromArgMatches};

use crate::chart::{self, Chart};
use crate::experiment::{self, Experiment, LEGEND, Outcome, Record, Settings, Verdict};
use crate::published::{self, Published};
use crate::text::table::Table;
use crate::text::terminal::{self, complain, print};
use crate::verify;

/// What a study has to say of its own, as Markdown made of its record.
pub struct Section {
    /// The name of its section in the README.
    pub name: &'static str,
    /// What stands there: a few lines.
    pub short: fn(&Record) -> String,
    /// A page beside the records: its file's name, and all that there is to say.
    pub page: (&'static str, fn(&Record) -> String),
}

/// An experiment, its verdicts and its charts.
pub struct Study {
    /// What is measured.
    pub experiment: Experiment,
    /// Its published values, held against a record. Every id that belongs to the study has a verdict in any record.
    pub verdicts: fn(&Record) -> Vec<Verdict>,
    /// Charts of a record.
    pub charts: fn(&Record) -> Vec<Chart>,
    /// The main figures of a record, for the terminal and the report.
    pub summary: fn(&Record) -> Table,
    /// What it has to say besides.
    pub section: Option<Section>,
}

impl Study {
    /// Measures, judges, draws; prints the summary and the names of the files.
    ///
    /// # Errors
    /// What kept the record, a chart or the summary from being written.
    pub fn run(&self, settings: &Settings) -> anyhow::Result<()> {
        let (mut record, path) = experiment::run(&self.experiment, settings)?;
        record.verdicts = (self.verdicts)(&record);
        record.write(&path)?;
        let mut files = vec![path];
        files.extend(self.draw(&record, &settings.folder())?);
        if settings.quiet {
            return Ok(());
        }
        let mut out = format!("{}\n\n{}\n", self.experiment.title, (self.summary)(&record).text());
        if !record.timing.is_empty() {
            let _ = writeln!(out, "{LEGEND}\n");
        }
        let _ = writeln!(out, "{}", verdict_table(&record.verdicts).text());
        for file in files {
            let _ = writeln!(out, "wrote {}", file.display());
        }
        print(out)
    }

    /// Draws the charts of a record into a folder and returns the files.
    ///
    /// # Errors
    /// The chart that could not be written.
    pub fn draw(&self, record: &Record, folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for chart in (self.charts)(record) {
            files.extend(chart::render(&chart, folder)?);
        }
        Ok(files)
    }
}

/// Published values beside ours.
#[must_use]
pub fn verdict_table(verdicts: &[Verdict]) -> Table {
    let mut table = Table::new(["what was published", "published", "ours", "verdict", "id"]);
    for verdict in verdicts {
        let published = published::find(&verdict.id);
        table.row([
            published.map_or_else(String::new, |published| published.what.clone()),
            published.map_or_else(|| verdict.published.clone(), Published::with_unit),
            verdict.measured.clone(),
            word(verdict.outcome).into(),
            verdict.id.clone(),
        ]);
    }
    table
}

/// An outcome as a reader would say it.
#[must_use]
pub fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Reproduced => "reproduced",
        Outcome::ReproducedInPart => "reproduced in part",
        Outcome::ConsistentWith => "consistent with",
        Outcome::ByDefinition => "by definition",
        Outcome::DiffersInTheLastDigit => "differs in the last digit",
        Outcome::Differs => "differs",
        Outcome::AnotherMachine => "another machine",
        Outcome::NotDecided => "not decided",
        Outcome::Formula => "formula",
        Outcome::Followed => "followed",
        Outcome::NotMeasured => "not measured",
        Outcome::NotReproducible => "not reproducible",
    }
}

/// The `main` of an experiment's binary. Exit status: 0 fine, 1 run error, 2 usage, 3 verification failed.
#[must_use]
pub fn main(study: &Study) -> ExitCode {
    let experiment = &study.experiment;
    let about = format!("{}\n\n{}.", experiment.title, experiment.paper);
    let command = Command::new(experiment.name)
        .version(env!("CARGO_PKG_VERSION"))
        .about(about.clone())
        .long_about(format!("{about}\n\n{}", experiment.method));
    let matches = Settings::augment_args(command).try_get_matches();
    let settings = match matches.and_then(|matches| Settings::from_arg_matches(&matches)) {
        Ok(settings) => Settings { program: std::env::current_exe().ok(), ..settings },
        Err(error) => return terminal::usage(&error),
    };
    let done = if let Some(key) = &settings.request.measure_cell {
        experiment::serve(experiment, &settings, key).map(|()| ExitCode::SUCCESS)
    } else if settings.list {
        list(study, &settings)
    } else if settings.verify {
        check(experiment, &settings)
    } else {
        study.run(&settings).map(|()| ExitCode::SUCCESS)
    };
    match done {
        Ok(status) => status,
        Err(error) => {
            complain(format!("{}: {error:#}", experiment.name));
            let status = error.downcast_ref::<experiment::RunError>().map_or(1, experiment::RunError::exit_status);
            ExitCode::from(status)
        }
    }
}

/// `--list`: the cells, and the published values that they answer.
fn list(study: &Study, settings: &Settings) -> anyhow::Result<ExitCode> {
    let (cells, blank) = experiment::blank(&study.experiment, settings)?;
    let mut out = String::new();
    for cell in cells {
        let _ = writeln!(out, "{}\t{}", cell.key, cell.implementations.join(","));
    }
    for verdict in (study.verdicts)(&blank) {
        let _ = writeln!(out, "answers {}\t{}", verdict.id, verdict.published);
    }
    print(out).map(|()| ExitCode::SUCCESS)
}

/// `--verify`: the checks of the implementations that would be measured.
fn check(experiment: &Experiment, settings: &Settings) -> anyhow::Result<ExitCode> {
    let report = verify::report(&experiment::implementations(experiment, settings)?, verify::Inputs::default());
    for failure in &report.failures {
        complain(format!("{}: {failure}", experiment.name));
    }
    if !settings.quiet {
        print(format!("{}\n", report.text()))?;
    }
    Ok(ExitCode::from(if report.failures.is_empty() { 0 } else { 3 }))
}
