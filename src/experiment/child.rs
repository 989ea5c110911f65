//! A run of a cell in a process of its own.
//!
//! A fresh process builds at other addresses, on other pages, from another seed: what differs between runs shows only so. And
//! whatever ends it (a limit of the address space, an allocation that aborts, a signal) ends that run alone, which is then a
//! row with its reason, and the cells after it are measured.

use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};

use anyhow::Context as _;
use clap::Args;

use super::Experiment;
use super::cell::{Cell, Context, Findings};
use super::settings::Settings;

/// What a program asks of itself in another process.
#[derive(Debug, Clone, Args)]
pub struct Request {
    /// Measure one run of this cell and print what it found.
    #[arg(long, hide = true, value_name = "KEY")]
    pub measure_cell: Option<String>,
    /// Number of the run.
    #[arg(long, hide = true, default_value_t = 0)]
    pub run: u64,
    /// As far as the first process knows it: see [`Context`].
    #[arg(long, hide = true, default_value_t = f64::INFINITY)]
    pub alone_ratio: f64,
    /// Implementations that the first process found wrong.
    #[arg(long, hide = true, value_delimiter = ',')]
    pub leave_out: Vec<String>,
}

/// The part of the child: measures the run of the cell that [`Request`] names, and prints its findings as JSON.
///
/// # Errors
/// There is no such cell, or the output could not be written.
pub fn serve(experiment: &Experiment, settings: &Settings, key: &str) -> anyhow::Result<()> {
    let mut settings = settings.clone();
    settings.excluded.clone_from(&settings.request.leave_out);
    let cell = (experiment.grid)(&settings).into_iter().find(|cell| cell.key == key);
    let cell = cell.with_context(|| format!("--measure-cell {key:?}: no such cell; `--list` shows all"))?;
    let context = Context::new(settings.scale, settings.seed, experiment.name, key);
    let context = Context { alone_ratio: settings.request.alone_ratio, ..context.of_run(settings.request.run) };
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, &cell.measured(&context))?;
    out.write_all(b"\n").and_then(|()| out.flush()).context("standard output")
}

/// The part of the parent: one run of a cell, by `program`, whose `main` ends in [`serve`].
///
/// # Errors
/// Why there are no findings, for the cell's row.
pub fn ask(program: &Path, settings: &Settings, cell: &Cell, run: u64, alone_ratio: f64) -> Result<Findings, String> {
    let mut command = Command::new(program);
    command.args(settings.as_arguments().split(' '));
    command.arg("--measure-cell").arg(&cell.key).args(["--run", &run.to_string()]);
    command.args(["--alone-ratio", &alone_ratio.to_string()]);
    if !settings.excluded.is_empty() {
        command.args(["--leave-out", &settings.excluded.join(",")]);
    }
    let output =
        command.stdin(Stdio::null()).output().map_err(|error| format!("no process could be started: {error}"))?;
    if output.status.success() {
        serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("what the process found cannot be read: {error}"))
    } else {
        Err(death(&output))
    }
}

/// How a process ended, with the last that it said.
fn death(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr);
    let last = said.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let said = last.map_or(String::new(), |line| format!("; it said: {line}"));
    format!("the process that measured it ended with {}{said}", output.status)
}

#[cfg(all(test, unix))]
mod tests {
    use std::path::PathBuf;

    use clap::FromArgMatches;

    use super::*;

    fn settings() -> Settings {
        let matches = Settings::augment_args(clap::Command::new("test")).get_matches_from(["test"]);
        Settings::from_arg_matches(&matches).expect("settings")
    }

    /// A program that does what the script says, whatever it is asked.
    fn told(script: &str) -> Result<Findings, String> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("program");
        std::fs::write(&program, format!("#!/bin/sh\n{script}\n")).expect("written");
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("executable");
        ask(&program, &settings(), &Cell::timed("a cell", [], |_| Ok(Findings::default())), 3, 0.375)
    }

    #[test]
    fn findings_and_deaths() {
        assert!(told(r#"echo '{"data": [], "timing": []}'"#).is_ok());
        let asked = told(r#"echo "$*" >&2; exit 7"#).expect_err("it failed");
        assert!(asked.contains("--measure-cell a cell --run 3 --alone-ratio 0.375"), "{asked}");
        assert!(asked.contains("exit status: 7"), "{asked}");
        let aborted = told("echo 'memory allocation of 8 bytes failed' >&2; kill -6 $$").expect_err("it died");
        assert!(aborted.contains("signal: 6") && aborted.ends_with("memory allocation of 8 bytes failed"), "{aborted}");
        assert!(told("echo nonsense").is_err_and(|why| why.contains("cannot be read")));
        let nowhere = PathBuf::from("/nowhere/at-all");
        let cell = Cell::timed("a cell", [], |_| Ok(Findings::default()));
        assert!(ask(&nowhere, &settings(), &cell, 0, 1.0).is_err_and(|why| why.contains("could be started")));
    }
}
