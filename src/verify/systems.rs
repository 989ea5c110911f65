//! Does every deployed system keep what its [`Entry`] promises? Systems that are wrong on purpose must be caught here.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rayon::prelude::*;

mod checks;
mod controls;
mod nginx;
mod recorded;

pub use checks::CHECKS;
pub use controls::{CONTROLS, Control};

use super::{Finding, Inputs, Outcome, Report, failures, tabulated};
use crate::systems::{Entry, Promise, SystemError, Weights, systems};
use crate::text::table::Table;

/// One property of systems and how it is checked.
pub struct Check {
    /// A word for tables.
    pub name: &'static str,
    /// The property.
    pub promise: &'static str,
    /// The check. An error is a list of nodes that the system refused.
    pub run: fn(&Entry, Inputs) -> Result<Outcome, SystemError>,
}

impl Check {
    /// Runs the check; a system that cannot be built, or that panics, fails.
    #[must_use]
    pub fn outcome(&self, entry: &Entry, inputs: Inputs) -> Outcome {
        match catch_unwind(AssertUnwindSafe(|| (self.run)(entry, inputs))) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => Outcome::Failed(error.to_string()),
            Err(_) => Outcome::Failed("it panics".into()),
        }
    }
}

/// How to read the table of [`report`].
pub const LEGEND: &str = "What a system does not promise is measured. \"strays 4%\": when one of ten equal nodes leaves \
    (the worst of the first, the middle and the last), or comes, so many of 5,000 keys move that should not. \
    \"order-dependent 4%\": when the order of ten nodes is reversed. \"except 4%\": kept by equal nodes, broken by a list \
    that is made for it; the reason is given below.";

/// Makes all checks of all systems, in parallel.
#[must_use]
pub fn report(inputs: Inputs) -> Report {
    let found: Vec<(&str, Vec<Finding>)> = systems()
        .par_iter()
        .map(|entry| {
            let found = |check: &Check| Finding::new(check.name, &check.outcome(entry, inputs));
            (entry.id, CHECKS.par_iter().map(found).collect())
        })
        .collect();
    let rows = found.iter().map(|(id, findings)| (*id, findings.iter().collect()));
    let table = tabulated("system", CHECKS.iter().map(|check| check.name), rows);
    Report { tables: vec![table], failures: failures(&found) }
}

/// What the checks hold systems to.
#[must_use]
pub fn promises() -> Table {
    let mut table = Table::new(["check", "property"]);
    for check in CHECKS {
        table.row([check.name, check.promise]);
    }
    table
}

/// The promises that systems do not make, or make with exceptions, and why.
#[must_use]
pub fn exceptions() -> Table {
    let mut table = Table::new(["system", "property", "", "because"]);
    for Entry { id, promises, .. } in systems() {
        // Properties that fail for one reason share a row.
        let mut rows: Vec<(String, &str, &str)> = Vec::new();
        let three = [("order", promises.order), ("removal", promises.removal), ("growth", promises.growth)];
        for (property, promise) in three {
            let (what, why) = match promise {
                Promise::Kept => continue,
                Promise::Mostly { why, .. } => ("with exceptions", why),
                Promise::NotMade(why) => ("not promised", why),
            };
            match rows.iter_mut().find(|row| (row.1, row.2) == (what, why)) {
                Some(row) => row.0 += &format!(", {property}"),
                None => rows.push((property.to_owned(), what, why)),
            }
        }
        if let Weights::Ignored(why) = promises.weights {
            rows.push(("weights".into(), "ignored", why));
        }
        rows.iter().for_each(|(property, what, why)| table.row([id, property.as_str(), what, why]));
    }
    table
}

/// Whether a control fails the check that is meant for it.
#[must_use]
pub fn caught(control: &Control, inputs: Inputs) -> bool {
    CHECKS
        .iter()
        .find(|check| check.name == control.caught_by)
        .is_some_and(|check| matches!(check.outcome(&control.entry, inputs), Outcome::Failed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::systems::{Promises, equal, find};

    #[test]
    fn every_system_is_as_it_says() {
        let failures = report(Inputs::default()).failures;
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }

    #[test]
    fn every_exception_has_a_reason() {
        let table = exceptions();
        assert!(!table.is_empty());
        assert!(table.text().lines().skip(2).all(|line| !line.trim_end().ends_with("  ")));
    }

    /// A promise that is not kept, and one that is kept and said not to be.
    #[test]
    fn a_declaration_that_is_not_true_is_noticed() {
        let fails = |entry: Entry, name: &str| {
            let check = CHECKS.iter().find(|check| check.name == name).expect("a check");
            assert!(
                matches!(check.outcome(&entry, Inputs::default()), Outcome::Failed(_)),
                "{} with other promises: {name}",
                entry.id
            );
        };
        let of = |id: &str, promises| Entry { promises, ..*find(id).expect("a system") };
        for name in ["order", "removal", "growth", "weights"] {
            fails(of("nginx", Promises::CONSISTENT), name);
            fails(of("lafikl", Promises::REMAINDER), name);
        }
        let exception = Promise::Mostly { why: "", example: || equal(2) };
        fails(of("lafikl", Promises { order: exception, ..Promises::CONSISTENT }), "order");
        fails(of("nginx", Promises { weights: Weights::Ignored(""), ..Promises::REMAINDER }), "weights");
    }

    #[test]
    fn a_panic_is_a_failure() {
        let check = Check { name: "", promise: "", run: |_, _| panic!("on purpose") };
        assert_eq!(check.outcome(&systems()[0], Inputs::default()), Outcome::Failed("it panics".into()));
    }
}
