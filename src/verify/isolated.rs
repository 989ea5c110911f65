//! Checks of code that others wrote, which may hang, overflow its stack or eat all memory: each implementation in a
//! process of its own, which says what it begins and what it found, line by line.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::finding::{DIED, FAILED, Finding, SLOW};
use super::{Check, Inputs};
use crate::catalog::Implementation;

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
    /// It ended before it began with a check.
    #[error("{program} ended before its first check: {status}")]
    Silent { program: String, status: ExitStatus },
}

/// The part of the child: makes some checks of an implementation and prints what they find.
///
/// # Errors
/// The output could not be written.
pub fn report_to<'a>(
    out: &mut impl Write,
    implementation: &Implementation,
    checks: impl IntoIterator<Item = &'a Check>,
    inputs: Inputs,
) -> io::Result<()> {
    for check in checks {
        let mut say = |line: &Line| {
            serde_json::to_writer(&mut *out, line)?;
            out.write_all(b"\n")?;
            out.flush()
        };
        say(&Line::Begins(check.name.to_owned()))?;
        say(&Line::Found(Finding::new(check.name, &check.outcome_with(implementation, inputs))))?;
    }
    Ok(())
}

/// The part of the parent: starts `program` with `arguments` and the names of the checks, joined by commas; it must end in
/// [`report_to`]. A check in which the process died has failed, one that has not ended after `most` is slow, and another
/// process makes those after it. Where two instances disagree that is all that is found: the other checks compare instances, and what
/// one found would be found of another instance in another run.
///
/// # Errors
/// [`IsolatedError`].
pub fn findings(
    program: &Path,
    arguments: &[&str],
    checks: &[&str],
    most: Duration,
) -> Result<Vec<Finding>, IsolatedError> {
    let mut found: Vec<Finding> = Vec::new();
    loop {
        let open: Vec<&str> = checks.iter().copied().filter(|name| found.iter().all(|it| it.check != *name)).collect();
        if let Some(at_odds) = found.iter().find(|finding| finding.at_odds()) {
            return Ok(vec![at_odds.clone()]);
        }
        if open.is_empty() {
            return Ok(found);
        }
        let known = found.len();
        let status = run(program, arguments, &open, most, &mut found)?;
        if found.len() == known {
            return Err(IsolatedError::Silent { program: program.display().to_string(), status });
        }
    }
}

/// One such process, until it ends or is ended.
fn run(
    program: &Path,
    arguments: &[&str],
    checks: &[&str],
    most: Duration,
    found: &mut Vec<Finding>,
) -> Result<ExitStatus, IsolatedError> {
    let name = program.display().to_string();
    let failed = |source| IsolatedError::Start { program: name.clone(), source };
    let mut child = Command::new(program)
        .args(arguments)
        .arg(checks.join(","))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    let (sender, lines) = mpsc::channel();
    if let Some(output) = child.stdout.take() {
        // Ends with the child's output.
        std::thread::spawn(move || {
            BufReader::new(output).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
    }
    let (mut open, mut in_time, mut odd) = (None, true, None);
    loop {
        match lines.recv_timeout(most).map(|line| (serde_json::from_str(&line), line)) {
            Ok((Ok(Line::Begins(check)), _)) => open = Some(check),
            Ok((Ok(Line::Found(finding)), _)) => {
                open = None;
                found.push(finding);
                if found.iter().any(Finding::at_odds) {
                    break;
                }
            }
            Ok((Err(_), line)) => {
                odd = Some(line);
                break;
            }
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
    if let Some(line) = odd {
        return Err(IsolatedError::Report { program: name, line });
    }
    if let Some(check) = open {
        let (outcome, reason) = match in_time {
            true => (FAILED, format!("{DIED}: {status}")),
            false => (SLOW, format!("not ended after {} s", most.as_secs())),
        };
        found.push(Finding { check, outcome: outcome.to_owned(), reason: Some(reason) });
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::controls::CONTROLS;
    use crate::verify::CHECKS;

    fn of<'a>(names: &'a [&str]) -> impl Iterator<Item = &'static Check> + 'a {
        CHECKS.iter().filter(|check| names.contains(&check.name))
    }

    #[test]
    fn a_child_reports_what_is_asked() {
        let jump = crate::catalog::find("jump").expect("in the catalogue");
        let mut out = Vec::new();
        report_to(&mut out, jump, of(&["totality", "limits"]), Inputs::default()).expect("a vector takes it");
        let lines = String::from_utf8(out).expect("JSON");
        assert_eq!((lines.lines().count(), lines.matches("passed").count()), (4, 2), "{lines}");
    }

    #[test]
    fn instances_that_disagree_are_asked_nothing_more() {
        let control = CONTROLS.iter().find(|control| control.caught_by == "determinism").expect("a control");
        let mut out = Vec::new();
        report_to(&mut out, &control.implementation, of(&["determinism"]), Inputs::default())
            .expect("a vector takes it");
        let lines = String::from_utf8(out).expect("JSON");
        let found = lines.lines().filter_map(|line| match serde_json::from_str(line) {
            Ok(Line::Found(finding)) => Some(finding),
            _ => None,
        });
        assert!(found.collect::<Vec<Finding>>().iter().all(Finding::at_odds), "{lines}");
    }

    fn names() -> Vec<&'static str> {
        CHECKS.iter().map(|check| check.name).collect()
    }

    /// A child that says something of the first check that it is asked for, and what it does then.
    #[cfg(unix)]
    fn shell(then: &str, most: Duration) -> Result<Vec<Finding>, IsolatedError> {
        let script = format!(r#"first=${{0%%,*}}; {then}"#);
        findings(Path::new("/bin/sh"), &["-c", &script], &names(), most)
    }

    #[cfg(unix)]
    #[test]
    fn findings_deaths_and_hangs() {
        let passed = r#"echo "{\"Found\":{\"check\":\"$first\",\"outcome\":\"passed\",\"reason\":null}}""#;
        let all = shell(passed, Duration::from_secs(20)).expect("it ends");
        assert!(all.iter().map(|finding| finding.check.as_str()).eq(CHECKS.iter().map(|check| check.name)));

        let begins = r#"echo "{\"Begins\":\"$first\"}""#;
        let died = shell(&format!("{begins}; kill -9 $$"), Duration::from_secs(20)).expect("it ends");
        assert_eq!(died.len(), CHECKS.len(), "each in a process of its own");
        assert!(died.iter().all(|it| it.failed() && it.reason.as_ref().is_some_and(|why| why.contains("signal"))));

        let hung = shell(&format!("{begins}; exec sleep 60"), Duration::from_millis(300)).expect("it is ended");
        assert!(
            hung.iter()
                .all(|it| it.slow() && !it.failed() && it.reason.as_ref().is_some_and(|why| why.contains("not ended")))
        );

        let most = Duration::from_secs(20);
        assert!(matches!(shell("echo nonsense", most), Err(IsolatedError::Report { .. })));
        assert!(matches!(shell("exit 7", most), Err(IsolatedError::Silent { status, .. }) if status.code() == Some(7)));
        assert!(matches!(
            findings(Path::new("/nowhere/at-all"), &[], &names(), Duration::ZERO),
            Err(IsolatedError::Start { .. })
        ));
    }
}
