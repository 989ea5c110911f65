//! What a program says: answers on the standard output, messages on the standard error.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints to the standard output. A reader that closed the pipe has seen enough: that is no error.
///
/// # Errors
/// Why it cannot be written to, for example because a disk is full.
pub fn print(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("standard output"))
        }
        _ => Ok(()),
    }
}

/// Prints a message to the standard error, in which nothing that a user gave can steer the terminal. Where nobody reads
/// it, nothing is to be done about that.
pub fn complain(message: impl Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&message.to_string()));
}

/// Ends a program whose command line was not accepted, or that was asked for help: prints what it says, and returns the
/// exit status.
#[must_use]
pub fn usage(error: &clap::Error) -> ExitCode {
    if error.use_stderr() {
        complain(error.render().to_string().trim_end());
        return ExitCode::from(error.exit_code() as u8);
    }
    match error.print() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(format!("standard output: {error}"));
            ExitCode::from(1)
        }
        _ => ExitCode::SUCCESS,
    }
}

/// The text with escapes for control characters other than the ends of lines: what a user gave must not steer a terminal.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    let steers = |character: char| character.is_control() && character != '\n';
    if !text.contains(steers) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        let _ = match steers(character) {
            true => write!(escaped, "{}", character.escape_default()),
            false => escaped.write_char(character),
        };
    }
    escaped.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_nothing_else() {
        assert_eq!(printable("a\u{1b}[31mred\r\u{9b}\u{7f}\0\té\n"), "a\\u{1b}[31mred\\r\\u{9b}\\u{7f}\\u{0}\\té\n");
        assert!(matches!(printable("σ/μ: \"x\\y\"\n"), Cow::Borrowed(_)));
    }
}
