//! Is it right? What each implementation promises, checked before anything is measured; the controls must fail here.

use rayon::prelude::*;

pub mod apart;
mod checks;
mod finding;
pub mod isolated;
pub mod limited;
pub mod model;
mod panics;
pub mod systems;

use crate::catalog::{Build, BuildError, Implementation};
use crate::controls::Control;
use crate::references::CppError;
use crate::text::table::Table;

pub use checks::{CHECKS, FAMILY_WISE_ERROR, Inputs};
pub use finding::Finding;
#[cfg(feature = "peers")]
pub(crate) use panics::caught as panic_caught;

/// What a check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The promise was kept.
    Passed,
    /// It is declared not to keep the promise, or not on every input, and that was proven: what was found, in a word.
    Noted(String),
    /// It was not: an input, the answer and the right answer; or the message of a panic.
    Failed(String),
    /// The implementation is not in this program; why.
    Unavailable(String),
    /// The implementation does not make this promise; why.
    NotPromised(&'static str),
}

impl Outcome {
    /// For a table.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::Passed => "passed",
            Self::Noted(note) => note,
            Self::Failed(_) => finding::FAILED,
            Self::Unavailable(_) => "not available",
            Self::NotPromised(_) => "-",
        }
    }

    /// What was found, or why nothing was.
    #[must_use]
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Passed => None,
            Self::Failed(reason) | Self::Unavailable(reason) | Self::Noted(reason) => Some(reason),
            Self::NotPromised(reason) => Some(reason),
        }
    }
}

/// Of whom a promise is expected: decides the table in which the check stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Of all.
    All,
    /// Of those that can do something more than look-ups.
    Capable,
}

/// One promise and how it is checked.
pub struct Check {
    /// A word for tables.
    pub name: &'static str,
    /// The promise.
    pub promise: &'static str,
    /// Of whom it is expected.
    pub scope: Scope,
    /// Whether it is cheap enough to be made before each run of an experiment.
    pub cheap: bool,
    /// The check. An error is a broken promise, or a failure to build.
    pub run: fn(&Implementation, Inputs) -> anyhow::Result<Outcome>,
}

impl Check {
    /// Runs the check with the inputs of a run that names no seed.
    #[must_use]
    pub fn outcome(&self, implementation: &Implementation) -> Outcome {
        self.outcome_with(implementation, Inputs::default())
    }

    /// Runs the check; an implementation that cannot be built, or panics, fails with the reason.
    #[must_use]
    pub fn outcome_with(&self, implementation: &Implementation, inputs: Inputs) -> Outcome {
        match panics::caught(|| (self.run)(implementation, inputs)) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => match error.downcast_ref::<BuildError>() {
                Some(BuildError::Cpp(CppError::NoCompiler)) => Outcome::Unavailable(error.to_string()),
                _ => Outcome::Failed(format!("{error:#}")),
            },
            Err(message) => Outcome::Failed(format!("panic: {message}")),
        }
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
            Outcome::Passed | Outcome::Noted(_) | Outcome::NotPromised(_) => {}
        }
    }
    Ok(())
}

/// What all checks found.
pub struct Report {
    /// What was checked, by check.
    pub tables: Vec<Table>,
    /// The failures, each with what was checked, the check and the reason.
    pub failures: Vec<String>,
}

impl Report {
    /// The tables, for a terminal.
    #[must_use]
    pub fn text(&self) -> String {
        self.tables.iter().map(Table::text).collect::<Vec<_>>().join("\n")
    }

    /// The tables, for a page.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.tables.iter().map(Table::markdown).collect::<Vec<_>>().join("\n")
    }
}

/// Makes all checks of these implementations, in parallel and in this process: what hangs or aborts ends it.
/// [`apart::report`] makes them in processes of their own.
#[must_use]
pub fn report(implementations: &[&Implementation], inputs: Inputs) -> Report {
    let found: Vec<(&str, Vec<Finding>)> = implementations
        .par_iter()
        .map(|implementation| {
            let found = |check: &Check| Finding::new(check.name, &check.outcome_with(implementation, inputs));
            (implementation.id, CHECKS.par_iter().map(found).collect())
        })
        .collect();
    reported(&found)
}

/// What [`CHECKS`] found, in their order: a table of what concerns all, and one of what only some can, from which those are
/// left out that can none of it.
fn reported(found: &[(&str, Vec<Finding>)]) -> Report {
    let table = |scope: Scope| {
        let columns: Vec<usize> = (0..CHECKS.len()).filter(|&at| CHECKS[at].scope == scope).collect();
        let rows = found.iter().map(|(id, all)| (*id, columns.iter().map(|&at| &all[at]).collect::<Vec<_>>()));
        let shown = rows.filter(|(_, cells)| scope == Scope::All || !cells.iter().all(|cell| cell.not_promised()));
        tabulated("implementation", columns.iter().map(|&at| CHECKS[at].name), shown)
    };
    Report { tables: [Scope::All, Scope::Capable].map(table).into(), failures: failures(found) }
}

/// Findings by what was checked and by check.
fn tabulated<'a>(
    heading: &'a str,
    checks: impl Iterator<Item = &'a str>,
    rows: impl Iterator<Item = (&'a str, Vec<&'a Finding>)>,
) -> Table {
    let mut table = Table::new(std::iter::once(heading).chain(checks));
    for (id, findings) in rows {
        table.row(std::iter::once(id).chain(findings.into_iter().map(|finding| finding.outcome.as_str())));
    }
    table
}

/// The failures among findings, in words.
fn failures(found: &[(&str, Vec<Finding>)]) -> Vec<String> {
    let each = found.iter().flat_map(|(id, findings)| findings.iter().map(move |finding| (id, finding)));
    each.filter(|(_, finding)| finding.failed())
        .map(|(id, finding)| {
            format!("{id} failed {}: {}", finding.check, finding.reason.as_deref().unwrap_or("no reason"))
        })
        .collect()
}

/// How a control was caught: what the check that is meant for it says. `None` if it escaped, or if it could not be built at
/// all, which would prove nothing.
#[must_use]
pub fn evidence(control: &Control, inputs: Inputs) -> Option<String> {
    (control.implementation.build)(Build::new(10, 5, 1)).ok()?;
    let check = CHECKS.iter().find(|check| check.name == control.caught_by)?;
    match check.outcome_with(&control.implementation, inputs) {
        Outcome::Failed(reason) => Some(reason),
        _ => None,
    }
}

/// Whether a control fails the check that is meant for it.
#[must_use]
pub fn caught(control: &Control, inputs: Inputs) -> bool {
    evidence(control, inputs).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::Mix;
    use crate::algorithms::{Dx, Error, JumpBack, Memento, RingSorted64};
    use crate::can;
    use crate::catalog::{Algorithm, Capabilities, Costs, Limits, Promises, Shares, Shown, Source};

    /// One without a model that promises all.
    fn subject(can: Capabilities) -> Implementation {
        Implementation {
            id: "subject",
            name: "subject",
            algorithm: Algorithm::Other("subject"),
            source: Source::Ours,
            paper: "none",
            limits: Limits::NONE,
            promises: Promises::MONOTONE,
            costs: Costs::new("O(1)", 0),
            shares: Shares::EQUAL,
            can,
            shown: Shown::on_request(0),
        }
    }

    fn outcome(name: &str, implementation: &Implementation) -> Outcome {
        CHECKS.iter().find(|check| check.name == name).expect("a check").outcome(implementation)
    }

    fn failed(name: &str, implementation: &Implementation, words: &str) {
        match outcome(name, implementation) {
            Outcome::Failed(reason) => assert!(reason.contains(words), "{name}: {reason}"),
            other => panic!("{name}: {other:?}"),
        }
    }

    #[test]
    fn what_is_not_promised_is_proven() {
        let history = subject(can!(b => Memento::new(b.buckets, Mix::new(b.seed)), remove));
        failed("history", &history, "in the opposite order: key");
        let promises = Promises::MONOTONE.but_history_dependent();
        assert!(matches!(outcome("history", &Implementation { promises, ..history }), Outcome::Noted(_)));
        let none = subject(can!(b => Dx::new(b.buckets, b.slots_or(b.buckets), Mix::new(b.seed)), remove));
        failed("history", &Implementation { promises, ..none }, "changes no owner");
        let monotone = subject(can!(b => JumpBack::new(b.buckets, Mix::new(b.seed)), resize));
        for (check, promises) in [
            ("growth", Promises { monotone_growth: false, ..Promises::MONOTONE }),
            ("shrinking", Promises { monotone_removal: false, ..Promises::MONOTONE }),
        ] {
            let less = Implementation { promises, ..monotone };
            failed(check, &less, "none did");
            let other = if check == "growth" { "shrinking" } else { "growth" };
            assert_eq!(outcome(other, &less), Outcome::Passed, "{check} is one promise, {other} another");
        }
    }

    #[test]
    fn shares_of_random_rings() {
        let ring = subject(can!(b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed))));
        let of = |shares| Implementation { shares, ..ring };
        assert_eq!(outcome("balance", &of(Shares::RandomRing { points: |b| b.points })), Outcome::Passed);
        failed("balance", &of(Shares::RandomRing { points: |_| 1000 }), "50000 on average");
        assert_eq!(outcome("balance", &of(Shares::Unknown("a reason"))), Outcome::NotPromised("a reason"));
    }

    #[test]
    fn what_cannot_be_built_fails_and_is_no_evidence() {
        let none = subject(can!(b => match b.buckets {
            0..=5 => JumpBack::new(b.buckets, Mix::new(b.seed)),
            _ => Err(Error::NoPoints),
        }));
        failed("totality", &none, "0 points per bucket");
        let control = Control { implementation: none, mistake: "none", caught_by: "totality" };
        assert_eq!((evidence(&control, Inputs::default()), caught(&control, Inputs::default())), (None, false));
    }

    #[test]
    fn the_tables_split_by_capability() {
        let plain = Implementation { id: "plain", ..subject(can!(b => JumpBack::new(b.buckets, Mix::new(b.seed)))) };
        let wrong = Implementation {
            id: "wrong",
            promises: Promises::MONOTONE.but_history_dependent(),
            ..subject(can!(b => Dx::new(b.buckets, 99, Mix::new(1)), remove))
        };
        let report = report(&[&plain, &wrong], Inputs::default());
        assert!(report.tables[0].text().contains("plain") && !report.tables[1].text().contains("plain"));
        assert!(report.markdown().contains("| wrong |") && report.markdown().contains("FAILED"));
        assert!(report.failures.iter().any(|failure| failure.starts_with("wrong failed history: ")));
    }
}
