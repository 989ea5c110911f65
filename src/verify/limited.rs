//! A process with a limit of time.

use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

/// How a process ended, and what it printed on its standard output.
#[derive(Debug)]
pub struct Ended {
    /// How it ended.
    pub status: ExitStatus,
    /// What it printed.
    pub stdout: String,
}

/// Runs a process to its end; nothing if that does not come within `most`, and then it is ended. Its output must not be
/// inherited by a process that outlives it.
///
/// # Errors
/// It could not be started or awaited.
pub fn run(command: &mut Command, most: Duration) -> io::Result<Option<Ended>> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let (sender, printed) = mpsc::channel();
    if let Some(mut output) = child.stdout.take() {
        // Ends with the child's output.
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = sender.send(output.read_to_end(&mut bytes).map(|_| bytes));
        });
    }
    let printed = printed.recv_timeout(most);
    // A process that has ended cannot be killed; either way its status is taken.
    if printed.is_err() {
        let _ = child.kill();
    }
    let status = child.wait()?;
    match printed {
        Ok(bytes) => Ok(Some(Ended { status, stdout: String::from_utf8_lossy(&bytes?).into_owned() })),
        Err(_) => Ok(None),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, most: Duration) -> Option<Ended> {
        run(Command::new("/bin/sh").args(["-c", script]), most).expect("a shell")
    }

    #[test]
    fn what_ends_and_what_does_not() {
        let ended = shell("echo found; exit 3", Duration::from_secs(60)).expect("it ends");
        assert_eq!((ended.status.code(), ended.stdout.as_str()), (Some(3), "found\n"));
        assert!(shell("exec sleep 60", Duration::from_millis(200)).is_none());
        assert!(run(&mut Command::new("/nowhere/at-all"), Duration::ZERO).is_err());
    }
}
