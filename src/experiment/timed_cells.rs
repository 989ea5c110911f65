//! The runs of timed cells, one after the other: the first of every cell, then the second of every cell, and so on. So the runs
//! of a cell lie as far apart as the measurement allows, and what changes slowly on the machine differs between them.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use super::Experiment;
use super::cell::{Cell, Context, Findings};
use super::child;
use super::journal::{Entry, Journal};
use super::record::RecordError;
use super::runner::RunError;
use super::settings::{Scale, Settings};
use super::timing_row::TimingRow;
use crate::measure::time::alone_ratio;

/// For how long the machine is watched before the first run, to know what its kernels take with the core alone.
const CALIBRATION: Duration = Duration::from_millis(500);

/// What the runner does for timed cells.
pub(super) struct Keep<'a> {
    /// Called after each run.
    pub step: &'a dyn Fn(),
    /// Keeps what all runs of a cell found.
    pub cell: &'a dyn Fn(&Cell, Findings) -> Result<(), RunError>,
}

/// Measures all runs of some cells, and more of those that had a neighbour on the core. Those that the journal at `path` has are not
/// measured again.
///
/// # Errors
/// The journal or the record could not be written.
pub(super) fn measure(
    experiment: &Experiment,
    settings: &Settings,
    cells: &[&Cell],
    path: &Path,
    measurement: &str,
    keep: &Keep,
) -> Result<(), RunError> {
    if cells.is_empty() {
        return Ok(());
    }
    let failed = |source| RecordError::Io { path: path.to_owned(), source };
    let mut journal = Journal::open(path, measurement).map_err(failed)?;
    let alone_ratio = alone_ratio(CALIBRATION);
    let mut impossible = BTreeSet::new();
    let mut open: Vec<&Cell> = cells.to_vec();
    let mut run = 0;
    while !open.is_empty() {
        let mut next = Vec::new();
        for cell in open {
            // What would end the first run would end the others.
            if !impossible.contains(&cell.key) && journal.of(&cell.key).all(|entry| entry.run != run) {
                let found = one(experiment, settings, cell, run, alone_ratio);
                if run == 0 && found.is_err() {
                    impossible.insert(&cell.key);
                }
                journal.add(Entry { cell: cell.key.clone(), run, found }).map_err(failed)?;
            }
            if run < cell.runs {
                (keep.step)();
            }
            let alone = journal.of(&cell.key).filter(|entry| had_the_core_alone(entry)).count() as u64;
            if wants_another(settings.scale, cell.runs, run + 1, alone) {
                next.push(cell);
            } else {
                (keep.cell)(cell, together(cell, journal.of(&cell.key)))?;
            }
        }
        open = next;
        run += 1;
    }
    Ok(journal.finish().map_err(failed)?)
}

/// Of the rows of a run as many must have had the core alone.
const MOST_ROWS: f64 = 0.75;

/// Whether a run was one with the core alone, by most of its rows.
fn had_the_core_alone(entry: &Entry) -> bool {
    entry.found.as_ref().is_ok_and(|found| {
        let stable = found.timing.iter().filter(|row| !row.unstable).count();
        stable as f64 >= MOST_ROWS * found.timing.len() as f64
    })
}

/// Whether a cell is measured once more, after so many runs, of which some had the core alone: until as many had as are wanted, or a
/// few runs were added: one where runs are few because they are dear. What is measured once has no interval whatever happens, and smoke
/// runs show only that it works.
fn wants_another(scale: Scale, wanted: u64, done: u64, alone: u64) -> bool {
    let added = match wanted {
        0..=1 => 0,
        dear if dear < scale.runs() => 1,
        _ => scale.pick(0, 2, 3),
    };
    done < wanted || alone < wanted && done < wanted + added
}

fn one(
    experiment: &Experiment,
    settings: &Settings,
    cell: &Cell,
    run: u64,
    alone_ratio: f64,
) -> Result<Findings, String> {
    match &settings.program {
        Some(program) => child::ask(program, settings, cell, run, alone_ratio),
        None => {
            let context = Context::new(settings.scale, settings.seed, experiment.name, &cell.key);
            Ok(cell.measured(&Context { alone_ratio, ..context.of_run(run) }))
        }
    }
}

/// The findings of all runs of a cell as one: data of the first, timing rows joined.
fn together<'a>(cell: &Cell, runs: impl Iterator<Item = &'a Entry>) -> Findings {
    let mut runs = runs.map(|entry| &entry.found);
    let first = match runs.next() {
        Some(Ok(first)) => first.clone(),
        Some(Err(why)) => return cell.failed(why),
        None => return cell.failed("it has no runs"),
    };
    let mut rows: Vec<Vec<TimingRow>> = first.timing.into_iter().map(|row| vec![row]).collect();
    let mut deaths = Vec::new();
    for run in runs {
        match run {
            Err(why) => deaths.push(why),
            Ok(found) => {
                for row in &found.timing {
                    if let Some(same) = rows.iter_mut().find(|rows| rows[0].same(row)) {
                        same.push(row.clone());
                    }
                }
            }
        }
    }
    let died = |row: TimingRow| match deaths.as_slice() {
        [] => row,
        [why, ..] => row.note(format!("{} of the runs failed: {why}", deaths.len())),
    };
    Findings { data: first.data, timing: rows.into_iter().filter_map(TimingRow::of_runs).map(died).collect() }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::experiment::Row;
    use crate::measure::time::Condition;

    fn found(run: u64, value: f64) -> Entry {
        let row = |id: &&str| {
            let mut stream = Xoshiro256PlusPlus::seed_from_u64(run);
            TimingRow::of(id, "x_ns", vec![value; 3], &[Condition::Alone; 3], &mut stream)
        };
        let rows: Vec<TimingRow> = ["jump", "ring"].iter().filter_map(row).collect();
        let data = vec![Row::new("jump", "run", run)];
        Entry { cell: "c".into(), run, found: Ok(Findings { data, timing: rows }) }
    }

    #[test]
    fn a_run_beside_a_neighbour_is_made_up_for() {
        let wants = |wanted, done, alone| wants_another(Scale::Quick, wanted, done, alone);
        assert!(wants(3, 2, 2) && !wants(3, 3, 3));
        assert!(wants(3, 3, 2) && wants(3, 4, 0) && !wants(3, 5, 0));
        assert!(wants(2, 2, 0) && !wants(2, 3, 0), "dear");
        assert!(!wants(1, 1, 0) && !wants_another(Scale::Smoke, 2, 2, 0));
        let entry = found(0, 2.0);
        assert!(had_the_core_alone(&entry));
        let disturbed = |rows: usize| {
            let mut entry = entry.clone();
            let found = entry.found.as_mut().expect("rows");
            found.timing.iter_mut().take(rows).for_each(|row| row.unstable = true);
            entry
        };
        assert!(!had_the_core_alone(&disturbed(1)) && !had_the_core_alone(&disturbed(2)));
        assert!(!had_the_core_alone(&Entry { found: Err("signal 6".into()), ..entry.clone() }));
    }

    #[test]
    fn runs_are_joined_and_deaths_are_rows() {
        let cell = Cell::timed("c", ["jump", "ring"], |_| Ok(Findings::default()));
        let died = |run| Entry { cell: "c".into(), run, found: Err("signal 6".into()) };
        let joined = together(&cell, [found(0, 2.0), found(1, 2.2), died(2)].iter());
        assert_eq!(joined.data, [Row::new("jump", "run", 0)], "data of the first run");
        assert_eq!(joined.timing.len(), 2);
        for row in &joined.timing {
            assert_eq!((row.runs.len(), row.samples.len()), (2, 6));
            assert!(row.note.as_ref().is_some_and(|note| note.contains("1 of the runs failed: signal 6")));
        }
        let none = together(&cell, [died(0)].iter());
        assert!(none.timing.is_empty() && none.data.len() == 2);
        assert!(none.data.iter().all(|row| row.metric == "error" && row.note.as_deref() == Some("signal 6")));
    }
}
