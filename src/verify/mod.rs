//! Is it right? What each implementation promises, checked before anything is measured; the controls must fail here.

use rayon::prelude::*;

mod checks;
pub mod isolated;
pub mod model;
pub mod systems;

use crate::catalog::{BuildError, Implementation};
use crate::controls::Control;
use crate::peers::cpp::CppError;
use crate::table::Table;

pub use checks::CHECKS;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The promise was kept.
    Passed,
    /// It was not: an input, the answer and the right answer.
    Failed(String),
    /// The implementation is not in this program; why.
    Unavailable(String),
    /// The implementation does not make this promise; why.
    NotPromised(&'static str),
    /// It is not promised, or not on every input: what was measured of it.
    Measured(String),
}

impl Outcome {
    /// In a word, for tables.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Passed => "passed",
            Self::Failed(_) => "FAILED",
            Self::Unavailable(_) => "not available",
            Self::NotPromised(_) => "-",
            Self::Measured(what) => what,
        }
    }

    /// What was found, or why nothing was.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Passed => None,
            Self::Failed(reason) | Self::Unavailable(reason) | Self::Measured(reason) => Some(reason),
            Self::NotPromised(reason) => Some(reason),
        }
    }
}

/// One promise and how it is checked.
pub struct Check {
    /// A word for tables.
    pub name: &'static str,
    /// The promise.
    pub promise: &'static str,
    /// Whether it is cheap enough to be made before each run of an experiment.
    pub cheap: bool,
    /// The check. An error is a failure to build.
    pub run: fn(&Implementation) -> anyhow::Result<Outcome>,
}

impl Check {
    /// Runs the check; an implementation that cannot be built fails with the reason.
    #[must_use]
    pub fn outcome(&self, implementation: &Implementation) -> Outcome {
        (self.run)(implementation).unwrap_or_else(|error| match error.downcast_ref::<BuildError>() {
            Some(BuildError::Cpp(CppError::NoCompiler)) => Outcome::Unavailable(error.to_string()),
            _ => Outcome::Failed(format!("{error:#}")),
        })
    }
}

/// Makes the cheap checks: those without which a measurement would be of something else.
///
/// # Errors
/// The first failure, with the check's name.
pub fn conforms(implementation: &Implementation) -> Result<(), String> {
    for check in CHECKS.iter().filter(|check| check.cheap) {
        match check.outcome(implementation) {
            Outcome::Failed(reason) => return Err(format!("{}: {reason}", check.name)),
            Outcome::Unavailable(reason) => return Err(reason),
            Outcome::Passed | Outcome::NotPromised(_) | Outcome::Measured(_) => {}
        }
    }
    Ok(())
}

/// What all checks found about some implementations.
pub struct Report {
    /// Implementation by check.
    pub table: Table,
    /// The failures, each with implementation, check and reason.
    pub failures: Vec<String>,
}

/// Makes all checks of these implementations, in parallel.
#[must_use]
pub fn report(implementations: &[&Implementation]) -> Report {
    let outcomes = implementations
        .par_iter()
        .map(|implementation| {
            (implementation.id, CHECKS.par_iter().map(|check| check.outcome(implementation)).collect())
        })
        .collect();
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    tabulated("implementation", &names, outcomes)
}

/// The outcomes of these checks, by the id of what was checked, as a report.
fn tabulated(heading: &str, checks: &[&str], outcomes: Vec<(&str, Vec<Outcome>)>) -> Report {
    let mut table = Table::new(std::iter::once(heading).chain(checks.iter().copied()));
    let mut failures = Vec::new();
    for (id, outcomes) in outcomes {
        table.row(std::iter::once(id).chain(outcomes.iter().map(Outcome::word)));
        failures.extend(checks.iter().zip(&outcomes).filter_map(|(check, outcome)| match outcome {
            Outcome::Failed(reason) => Some(format!("{id} failed {check}: {reason}")),
            _ => None,
        }));
    }
    Report { table, failures }
}

/// Whether a control fails the check that is meant for it.
#[must_use]
pub fn caught(control: &Control) -> bool {
    CHECKS
        .iter()
        .find(|check| check.name == control.caught_by)
        .is_some_and(|check| matches!(check.outcome(&control.implementation), Outcome::Failed(_)))
}
