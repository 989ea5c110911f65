//! Runs the cells of an experiment and keeps its record.
//!
//! * Verify, then measure: an implementation that fails is not measured; it becomes a row with its error.
//! * Statistical cells run in parallel, each with its own random stream; then those that need most of the memory; then timed
//!   cells alone, each several times in processes of their own.
//! * The record is written after each cell. A run that was stopped goes on where it stopped, and ends with the same `data`.
//! * A record of another source, seed or choice of implementations is set aside, never mixed in; one that cannot be read
//!   is left as it is and named.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, TryLockError};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use rand::Rng;
use rayon::prelude::*;
use tempfile::NamedTempFile;

use super::Experiment;
use super::cell::{Cell, Context, Findings, Kind};
use super::environment::{CpuTime, Environment, Source};
use super::record::{Record, RecordError, Row, SCHEMA_VERSION};
use super::settings::Settings;
use super::timed_cells::{self, Keep};
use crate::measure::memory::available_bytes;
use crate::text::nearest::nearest;
use crate::text::terminal::complain;
use crate::{catalog, files, implementations, verify};

/// Why a run ended without its record.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// An id that is not in the catalogue.
    #[error("--only {id}: no such implementation{nearest}; `chlab list` shows all")]
    UnknownId { id: String, nearest: String },
    /// Ids that this experiment does not measure.
    #[error("--only {asked}: {experiment} does not measure that; it measures {measured}")]
    NothingChosen { asked: String, experiment: &'static str, measured: String },
    /// The folder for the results cannot be written to.
    #[error("--out {}: cannot be written to; nothing was measured", folder.display())]
    Unwritable { folder: PathBuf, source: std::io::Error },
    /// Another run writes the same record.
    #[error("{}: another run of {experiment} is writing there; wait for its end or choose another --out", folder.display())]
    Busy { folder: PathBuf, experiment: &'static str },
    /// A record that is there cannot be continued, or the new one not be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Times of a debug build mean nothing.
    #[error("{experiment} has timed cells and this is a debug build, whose times mean nothing: build with --release")]
    DebugBuild { experiment: &'static str },
    /// The thread pool could not be started.
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: String },
}

impl RunError {
    /// The exit status: 2 if the command line was wrong, else 1.
    #[must_use]
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::UnknownId { .. } | Self::NothingChosen { .. } => 2,
            _ => 1,
        }
    }
}

/// Runs an experiment and returns its record and the record's path. Verdicts are not yet in it.
///
/// # Errors
/// [`RunError`], before the first measurement where that is possible.
pub fn run(experiment: &Experiment, settings: &Settings) -> Result<(Record, PathBuf), RunError> {
    let (cells, excluded) = plan(experiment, settings)?;
    if cfg!(debug_assertions) && cells.iter().any(|cell| cell.kind == Kind::Timed) {
        return Err(RunError::DebugBuild { experiment: experiment.name });
    }
    let folder = settings.folder();
    probe(&folder)?;
    let path = folder.join(format!("{}.json", experiment.name));
    // Held until the run ends, however it ends.
    let _lock = lock(&folder, experiment.name)?;
    let blank = blank_record(experiment, settings, &cells);
    let measurement = measurement(&blank);
    let mut record = continued(&path, blank, settings.fresh, settings.quiet)?;

    let order: BTreeMap<&str, usize> = cells.iter().enumerate().map(|(at, cell)| (cell.key.as_str(), at)).collect();
    // What an earlier run could not measure is tried again: a compiler may have been installed, memory freed.
    let again: BTreeSet<String> =
        record.data.iter().filter(|row| row.metric == "error").map(|row| row.cell.clone()).collect();
    record.data.retain(|row| order.contains_key(row.cell.as_str()) && !again.contains(&row.cell));
    record.timing.retain(|row| !again.contains(&row.cell));
    let left_out = excluded.iter().map(|row| row.implementation.clone()).collect();
    let settings = &Settings { excluded: left_out, ..settings.clone() };
    record.data.splice(0..0, excluded);
    let done: BTreeSet<String> =
        record.data.iter().map(|row| &row.cell).chain(record.timing.iter().map(|row| &row.cell)).cloned().collect();
    let open = || cells.iter().filter(|cell| !done.contains(&cell.key));

    let bar = progress(open().map(|cell| cell.runs).sum(), settings.quiet);
    let before = CpuTime::now();
    let keeper = Keeper { record: Mutex::new(record), path: &path, order: &order };
    let threads =
        settings.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| RunError::Threads { threads, reason: error.to_string() })?;

    // As many threads may each hold a small cell at once; a larger one has the memory for itself.
    let small = available_bytes().map_or(u64::MAX, |bytes| bytes / threads as u64);
    let (timed, statistical): (Vec<&Cell>, Vec<&Cell>) = open().partition(|cell| cell.kind == Kind::Timed);
    let (side_by_side, alone): (Vec<&Cell>, Vec<&Cell>) = statistical.into_iter().partition(|cell| cell.bytes <= small);
    let context = |cell: &Cell| Context::new(settings.scale, settings.seed, experiment.name, &cell.key);
    let keep = |cell: &Cell, findings| {
        bar.inc(1);
        keeper.keep(cell, findings)
    };
    pool.install(|| {
        side_by_side.par_iter().try_for_each(|cell| keep(cell, cell.measured(&context(cell))))?;
        alone.iter().try_for_each(|cell| keep(cell, cell.measured(&context(cell))))
    })?;
    let journal = folder.join(format!(".{}.runs", experiment.name));
    let keep = Keep { step: &|| bar.inc(1), cell: &|cell, findings| keeper.keep(cell, findings) };
    if settings.fresh {
        // There need not be one.
        let _ = fs::remove_file(&journal);
    }
    timed_cells::measure(experiment, settings, &timed, &journal, &measurement, &keep)?;
    bar.finish_and_clear();

    let mut record = keeper.record.into_inner().unwrap_or_else(PoisonError::into_inner);
    record.environment.finish(before);
    record.write(&path)?;
    Ok((record, path))
}

/// The cells that are to be measured, and a row for each implementation that is left out with its reason.
///
/// # Errors
/// [`RunError::UnknownId`], [`RunError::NothingChosen`].
fn plan(experiment: &Experiment, settings: &Settings) -> Result<(Vec<Cell>, Vec<Row>), RunError> {
    known_ids(settings)?;
    let mut excluded = Vec::new();
    for id in measured_ids(experiment, settings) {
        let implementation = implementations::find(id).expect("a grid names what there is");
        // A crate may hang, or end the process: it is checked by its own cell, in a process of its own.
        if matches!(implementation.source, catalog::Source::Crate { .. }) {
            continue;
        }
        if let Err(reason) = verify::conforms(implementation) {
            excluded.push(Row { cell: "verification".into(), ..Row::missing(id, "conformance", reason) });
        }
    }
    let mut settings = settings.clone();
    settings.excluded = excluded.iter().map(|row| row.implementation.clone()).collect();
    // A cell that names no implementation (a formula, a drawing) belongs to full runs only.
    let wanted = |cell: &Cell| match cell.implementations.as_slice() {
        [] => settings.only.is_empty(),
        ids => ids.iter().any(|id| settings.chosen(id)),
    };
    let cells: Vec<Cell> = (experiment.grid)(&settings).into_iter().filter(wanted).collect();
    if cells.is_empty() && excluded.is_empty() {
        let all = measured_ids(experiment, &Settings { only: Vec::new(), ..settings.clone() });
        let measured = match Vec::from_iter(all).join(", ") {
            none if none.is_empty() => "no implementation of the catalogue".to_owned(),
            some => some,
        };
        return Err(RunError::NothingChosen { asked: settings.only.join(","), experiment: experiment.name, measured });
    }
    Ok((cells, excluded))
}

/// The cells of a run and a record of it in which nothing was measured yet.
///
/// # Errors
/// As [`run`], for the command line.
pub fn blank(experiment: &Experiment, settings: &Settings) -> Result<(Vec<Cell>, Record), RunError> {
    let (cells, _) = plan(experiment, settings)?;
    let record = blank_record(experiment, settings, &cells);
    Ok((cells, record))
}

/// The implementations that a run would measure.
///
/// # Errors
/// As [`run`], for the command line.
pub fn implementations(
    experiment: &Experiment,
    settings: &Settings,
) -> Result<Vec<&'static catalog::Implementation>, RunError> {
    known_ids(settings)?;
    let ids = measured_ids(experiment, settings);
    Ok(implementations::all().filter(|entry| ids.contains(entry.id)).collect())
}

/// The error for an id that is not in the catalogue; none for one that is.
#[must_use]
pub fn unknown(id: &str) -> Option<RunError> {
    let known = || implementations::all().map(|known| known.id);
    (!known().any(|known| known == id))
        .then(|| RunError::UnknownId { id: id.to_owned(), nearest: nearest(id, known()) })
}

fn known_ids(settings: &Settings) -> Result<(), RunError> {
    settings.only.iter().find_map(|id| unknown(id)).map_or(Ok(()), Err)
}

/// The chosen ids among those that the grid names.
fn measured_ids(experiment: &Experiment, settings: &Settings) -> BTreeSet<&'static str> {
    let cells = (experiment.grid)(settings);
    cells.iter().flat_map(|cell| cell.implementations.iter().copied()).filter(|id| settings.chosen(id)).collect()
}

fn probe(folder: &Path) -> Result<(), RunError> {
    let failed = |source| RunError::Unwritable { folder: folder.to_owned(), source };
    fs::create_dir_all(folder).map_err(failed)?;
    // Of a name of its own: other experiments may look at the same folder now.
    files::temporary(folder).and_then(NamedTempFile::close).map_err(failed)
}

/// Keeps a second run from writing the same record.
fn lock(folder: &Path, experiment: &'static str) -> Result<File, RunError> {
    let path = folder.join(format!(".{experiment}.lock"));
    let file = File::create(path).map_err(|source| RunError::Unwritable { folder: folder.to_owned(), source })?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::Busy { folder: folder.to_owned(), experiment }),
        Err(TryLockError::Error(source)) => Err(RunError::Unwritable { folder: folder.to_owned(), source }),
    }
}

fn blank_record(experiment: &Experiment, settings: &Settings, cells: &[Cell]) -> Record {
    let work = cells.iter().fold(settings.seed, |state, cell| {
        let context = Context::new(settings.scale, state, experiment.name, &cell.key);
        context.stream().next_u64()
    });
    Record {
        schema_version: SCHEMA_VERSION,
        experiment: experiment.name.to_owned(),
        command: format!("{} {}", experiment.name, settings.as_arguments()),
        scale: settings.scale.to_string(),
        seed: settings.seed,
        only: settings.ids().into_iter().map(str::to_owned).collect(),
        workload_fingerprint: format!("{work:016x}"),
        source: Source::of_this_program(),
        environment: Environment::now(),
        data: Vec::new(),
        timing: Vec::new(),
        verdicts: Vec::new(),
    }
}

/// The record to go on with: the one that is there if it is of the same run, else the blank one.
fn continued(path: &Path, blank: Record, fresh: bool, quiet: bool) -> Result<Record, RunError> {
    if !path.exists() {
        return Ok(blank);
    }
    if fresh {
        set_aside(path, "begun anew", quiet)?;
        return Ok(blank);
    }
    let found = Record::read_of(&blank.experiment, path)?;
    if measurement(&found) == measurement(&blank) {
        return Ok(found);
    }
    set_aside(path, "of another source, seed, choice or machine than this run", quiet)?;
    Ok(blank)
}

/// Equal for two runs whose parts can be put together, in one line.
fn measurement(record: &Record) -> String {
    let Record { source, command, workload_fingerprint, environment, .. } = record;
    format!("{source:?} {command} {workload_fingerprint} {} {:?}", environment.profile, environment.cpu)
}

/// Renames a record that is not continued, and says so: nothing is lost, however often that happens.
fn set_aside(path: &Path, why: &str, quiet: bool) -> Result<(), RunError> {
    let numbered = |n: u32| path.with_extension(format!("json.kept-{n}"));
    let target = (1..).map(numbered).find(|path| !path.exists()).unwrap_or_default();
    fs::rename(path, &target).map_err(|source| RecordError::Io { path: target.clone(), source })?;
    if !quiet {
        complain(format!("{}: {why}; kept as {}", path.display(), target.display()));
    }
    Ok(())
}

/// Puts what the cells found into the record, in the order of the grid, and the record on disk.
struct Keeper<'a> {
    record: Mutex<Record>,
    path: &'a Path,
    order: &'a BTreeMap<&'a str, usize>,
}

impl Keeper<'_> {
    fn keep(&self, cell: &Cell, findings: Findings) -> Result<(), RunError> {
        let mut record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.data.extend(findings.data.into_iter().map(|row| Row { cell: cell.key.clone(), ..row }));
        for mut row in findings.timing {
            row.cell.clone_from(&cell.key);
            record.timing.push(row);
        }
        // Stable, so that rows of a cell stay in their order; rows of no cell (verification) come first.
        record.data.sort_by_key(|row| self.order.get(row.cell.as_str()).map(|at| at + 1));
        record.timing.sort_by_key(|row| self.order.get(row.cell.as_str()).map(|at| at + 1));
        record.write(self.path)?;
        Ok(())
    }
}

fn progress(cells: u64, quiet: bool) -> ProgressBar {
    if quiet || !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {pos}/{len} cells, {eta} left");
    let bar = ProgressBar::new(cells).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}
