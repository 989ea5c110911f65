//! What every experiment has: command line, grid, runner, record, environment.
//!
//! An experiment states its grid for each scale and how one cell is measured; all else is here.

mod cell;
mod child;
mod environment;
mod fit;
mod journal;
mod record;
mod runner;
mod settings;
pub mod timed;
mod timed_cells;
mod timing_row;

pub use cell::{Cell, Context, Findings, Kind};
pub use child::{Request, serve};
pub use environment::{Environment, Source};
pub use fit::fit_rows;
pub use record::{Outcome, Parameters, Parametrised, Record, RecordError, Row, Rule, SCHEMA_VERSION, Verdict};
pub use runner::{RunError, blank, implementations, run, unknown};
pub use settings::{Scale, Settings, results_folder};
pub use timing_row::{LEGEND, Run, TimingRow, UNSTABLE, Variance};

/// An experiment: one figure or table of a paper.
pub struct Experiment {
    /// The binary's name, and that of its record.
    pub name: &'static str,
    /// What it is, in a line.
    pub title: &'static str,
    /// The paper and the figure.
    pub paper: &'static str,
    /// What it must show and how, for `--help`.
    pub method: &'static str,
    /// The cells, for these settings.
    pub grid: fn(&Settings) -> Vec<Cell>,
}
