//! Checks of code that others wrote, which may hang, overflow its stack or eat all memory: each implementation in a
//! process of its own, which says what it begins and what it found, line by line.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::{CHECKS, Outcome};
use crate::catalog::Implementation;

/// What a check found, as it is written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// The check's name.
    pub check: String,
    /// What came of it, in a word.
    pub outcome: String,
    /// An input, the answer and the right answer; or why nothing was found.
    pub reason: Option<String>,
}

impl Finding {
    fn new(check: &str, outcome: &Outcome) -> Self {
        Self {
            check: check.to_owned(),
            outcome: outcome.word().to_owned(),
            reason: outcome.reason().map(str::to_owned),
        }
    }

    /// Whether a promise was broken.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.outcome == FAILED
    }
}

const FAILED: &str = "FAILED";
/// The check after whose failure no other says anything.
pub const DETERMINISM: &str = "determinism";

/// A line of the report of such a process.
#[derive(Serialize, Deserialize)]
enum Line {
    Begins(String),
    Found(Finding),
}

/// Why no process could be asked.
#[derive(Debug, thiserror::Error)]
pub enum IsolatedError {
    /// It could not be started.
    #[error("cannot start {program}")]
    Start { program: String, source: io::Error },
    /// It printed something that is no finding.
    #[error("{program} printed {line:?}, which is no finding of a check")]
    Report { program: String, line: String },
}

/// The part of the child: makes the checks of an implementation and prints what they find; all, or as far as that two
/// instances disagree.
///
/// # Errors
/// The output could not be written.
pub fn report_to(out: &mut impl Write, implementation: &Implementation) -> io::Result<()> {
    for check in CHECKS {
        let mut say = |line: &Line| {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")?;
            out.flush()
        };
        say(&Line::Begins(check.name.to_owned()))?;
        let outcome = check.outcome(implementation);
        say(&Line::Found(Finding::new(check.name, &outcome)))?;
        // The other checks compare instances with each other.
        if check.name == DETERMINISM && matches!(outcome, Outcome::Failed(_)) {
            break;
        }
    }
    Ok(())
}

/// The part of the parent: runs `program` with `arguments`, which must end in [`report_to`], and returns its findings. If
/// it does not end by itself after `most`, it is killed; the check that it was at has failed then, as has one in which
/// the process died, and the checks after it were not made.
///
/// # Errors
/// [`IsolatedError`].
pub fn findings(program: &Path, arguments: &[&str], most: Duration) -> Result<Vec<Finding>, IsolatedError> {
    let name = program.display().to_string();
    let failed = |source| IsolatedError::Start { program: name.clone(), source };
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        // Ends with the child's output.
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|l| sender.send(l))
        });
    }
    let deadline = Instant::now() + most;
    let (mut found, mut open, mut in_time) = (Vec::new(), None, true);
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => match serde_json::from_str(&line) {
                Ok(Line::Begins(check)) => open = Some(check),
                Ok(Line::Found(finding)) => {
                    open = None;
                    found.push(finding);
                }
                Err(_) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(IsolatedError::Report { program: name, line });
                }
            },
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => {
                in_time = false;
                break;
            }
        }
    }
    // A process that has ended cannot be killed; either way its status is taken.
    let _ = child.kill();
    let status = child.wait().map_err(failed)?;
    if let Some(check) = open {
        let reason = match in_time {
            true => format!("the process died: {status}"),
            false => format!("no answer within {} s", most.as_secs()),
        };
        found.push(Finding { check, outcome: FAILED.to_owned(), reason: Some(reason) });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_a_check_of_determinism() {
        assert!(CHECKS.iter().any(|check| check.name == DETERMINISM));
    }

    #[cfg(unix)]
    fn shell(script: &str, most: Duration) -> Result<Vec<Finding>, IsolatedError> {
        findings(Path::new("/bin/sh"), &["-c", script], most)
    }

    #[test]
    fn a_child_reports_all_checks() {
        let jump = crate::catalog::find("jump").expect("in the catalogue");
        let mut out = Vec::new();
        report_to(&mut out, jump).expect("a vector takes it");
        let lines = String::from_utf8(out).expect("JSON");
        assert_eq!(lines.lines().count(), 2 * CHECKS.len());
        assert!(!lines.contains(FAILED));
    }

    #[cfg(unix)]
    #[test]
    fn findings_deaths_and_hangs() {
        let found = r#"echo '{"Found":{"check":"a","outcome":"passed","reason":null}}'; "#;
        let passed = Finding { check: "a".into(), outcome: "passed".into(), reason: None };
        assert_eq!(shell(found, Duration::from_secs(20)).expect("it ends"), [passed]);

        let died = shell(&format!("{found} echo '{{\"Begins\":\"b\"}}'; kill -9 $$"), Duration::from_secs(20));
        let died = died.expect("it ends");
        assert_eq!((died.len(), died[1].check.as_str()), (2, "b"));
        assert!(
            died[1].failed() && died[1].reason.as_ref().is_some_and(|reason| reason.contains("signal")),
            "{died:?}"
        );

        let hung = shell(&format!("{found} echo '{{\"Begins\":\"b\"}}'; exec sleep 60"), Duration::from_millis(300));
        let hung = hung.expect("it is ended");
        assert!(
            hung[1].failed() && hung[1].reason.as_ref().is_some_and(|reason| reason.contains("within")),
            "{hung:?}"
        );

        assert!(matches!(shell("echo nonsense", Duration::from_secs(20)), Err(IsolatedError::Report { .. })));
        assert!(matches!(
            findings(Path::new("/nowhere/at-all"), &[], Duration::ZERO),
            Err(IsolatedError::Start { .. })
        ));
    }
}
