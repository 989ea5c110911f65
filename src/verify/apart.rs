//! All checks of each implementation in a process of its own, under limits: what hangs, aborts or asks for more memory than
//! there is fails alone, and what was found of all others is reported.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rayon::prelude::*;

use super::finding::{FAILED, Finding};
use super::{CHECKS, Report, isolated, reported};
use crate::catalog::Implementation;

/// What a check may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// How long one check may take.
    pub time: Duration,
    /// How much address space its process may have, in MiB; kept on Linux only.
    pub mebibytes: u64,
}

/// Room for slow machines: right code keeps a tenth of this time and a quarter of this memory.
impl Default for Limits {
    fn default() -> Self {
        Self { time: Duration::from_secs(120), mebibytes: 1024 }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let memory = match KEPT {
            true => format!("{} MiB of address space", self.mebibytes),
            false => "no limit of memory on this system".to_owned(),
        };
        write!(f, "{} s for each check, {memory}", self.time.as_secs_f64())
    }
}

/// Whether a shell here can limit the address space of what it starts.
const KEPT: bool = cfg!(target_os = "linux");

/// Makes all checks of these implementations, one process for each, as many at a time as there are threads. `program` is
/// called with `arguments`, the id and the names of checks, joined by commas, and must end in [`isolated::report_to`].
#[must_use]
pub fn report(program: &Path, arguments: &[&str], implementations: &[&Implementation], limits: Limits) -> Report {
    let found: Vec<(&str, Vec<Finding>)> = implementations
        .par_iter()
        .with_max_len(1)
        .map(|implementation| (implementation.id, of_one(program, arguments, implementation.id, limits)))
        .collect();
    reported(&found)
}

/// A finding of each check, in their order, whatever becomes of the process.
fn of_one(program: &Path, arguments: &[&str], id: &str, limits: Limits) -> Vec<Finding> {
    let (program, under_limit) = limited(program, limits.mebibytes);
    let arguments: Vec<&str> =
        under_limit.iter().map(String::as_str).chain(arguments.iter().copied()).chain([id]).collect();
    let names: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    let found = isolated::findings(&program, &arguments, &names, limits.time);
    let of = |name: &str| match &found {
        Err(error) => finding(name, FAILED, format!("{error} ({limits})")),
        Ok(found) => match found.iter().find(|finding| finding.check == name) {
            Some(one) if one.slow() => {
                finding(name, FAILED, format!("no answer within {} s", limits.time.as_secs_f64()))
            }
            Some(one) if one.died() => {
                finding(name, FAILED, format!("{} ({limits})", one.reason.as_deref().unwrap_or_default()))
            }
            Some(one) => one.clone(),
            None => finding(name, "not made", "two instances that were built alike disagree".into()),
        },
    };
    names.into_iter().map(of).collect()
}

fn finding(check: &str, outcome: &str, reason: String) -> Finding {
    Finding { check: check.to_owned(), outcome: outcome.to_owned(), reason: Some(reason) }
}

/// A program and the first of its arguments that start `program` with so much address space. A lower limit that is in force
/// stays.
fn limited(program: &Path, mebibytes: u64) -> (PathBuf, Vec<String>) {
    if !KEPT {
        return (program.to_owned(), Vec::new());
    }
    let script = format!("ulimit -v {} 2>/dev/null; exec \"$0\" \"$@\"", mebibytes.saturating_mul(1024));
    ("/bin/sh".into(), vec!["-c".into(), script, program.display().to_string()])
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::catalog::find;

    /// A child that passes what it is asked for, but hangs or aborts in one check of `jump`.
    fn told(then: &str, limits: Limits) -> Report {
        let script = format!(
            r#"id=$0; IFS=,; for check in $1; do
                 echo "{{\"Begins\":\"$check\"}}"
                 if [ "$id" = jump ] && [ "$check" = balance ]; then {then}; fi
                 echo "{{\"Found\":{{\"check\":\"$check\",\"outcome\":\"passed\",\"reason\":null}}}}"
               done"#
        );
        let both = ["jump", "power"].map(|id| find(id).expect("in the catalogue"));
        report(Path::new("/bin/sh"), &["-c", &script], &both, limits)
    }

    fn only_balance_of_jump_fails(report: &Report, words: &str) {
        let [failure] = report.failures.as_slice() else { panic!("{:?}", report.failures) };
        assert!(failure.starts_with("jump failed balance: ") && failure.contains(words), "{failure}");
        // Fourteen or so checks of one, and all of the other.
        assert_eq!(report.text().matches("passed").count(), 2 * CHECKS.len() - 1, "{}", report.text());
        assert_eq!(report.text().matches("FAILED").count(), 1, "{}", report.text());
    }

    #[test]
    fn what_hangs_or_aborts_is_one_row() {
        let hung = told("exec sleep 60", Limits { time: Duration::from_millis(500), ..Limits::default() });
        only_balance_of_jump_fails(&hung, "no answer within 0.5 s");
        let aborted = told("kill -6 $$", Limits::default());
        only_balance_of_jump_fails(&aborted, "the process died: signal: 6");
    }

    #[test]
    fn the_limit_of_memory_is_in_force() {
        let said = told("[ $(ulimit -v) = 204800 ] && kill -6 $$", Limits { mebibytes: 200, ..Limits::default() });
        only_balance_of_jump_fails(&said, "120 s for each check, 200 MiB of address space");
    }

    #[test]
    fn what_cannot_be_started_fails_each_check() {
        let none = report(Path::new("/nowhere/at-all"), &[], &[find("jump").expect("there")], Limits::default());
        assert_eq!(none.failures.len(), CHECKS.len(), "{:?}", none.failures);
    }
}
