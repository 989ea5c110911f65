//! Is it right? What each implementation promises, checked before anything is measured; the controls must fail here.

use rayon::prelude::*;

mod checks;
pub mod model;
mod reference;

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
            Outcome::Passed | Outcome::NotPromised(_) => {}
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
    let outcomes: Vec<Vec<Outcome>> = implementations
        .par_iter()
        .map(|implementation| CHECKS.par_iter().map(|check| check.outcome(implementation)).collect())
        .collect();
    let mut table = Table::new(std::iter::once("implementation").chain(CHECKS.iter().map(|check| check.name)));
    let mut failures = Vec::new();
    for (implementation, outcomes) in implementations.iter().zip(outcomes) {
        table.row(std::iter::once(implementation.id).chain(outcomes.iter().map(|outcome| match outcome {
            Outcome::Passed => "passed",
            Outcome::Failed(_) => "FAILED",
            Outcome::Unavailable(_) => "not available",
            Outcome::NotPromised(_) => "-",
        })));
        failures.extend(CHECKS.iter().zip(&outcomes).filter_map(|(check, outcome)| match outcome {
            Outcome::Failed(reason) => Some(format!("{} failed {}: {reason}", implementation.id, check.name)),
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
