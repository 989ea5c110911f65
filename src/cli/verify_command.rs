//! `chlab verify`: the checks of each implementation in a process of its own; those of systems, and the controls, in this one.

use std::process::ExitCode;
use std::time::Duration;
use std::{env, io};

use anyhow::Context as _;
use clap::Args;
use consistent_hash_lab::catalog::{self, catalog};
use consistent_hash_lab::controls::CONTROLS;
use consistent_hash_lab::experiment::{Scale, results_folder, unknown};
use consistent_hash_lab::false_alarms::{self, FalseAlarms};
use consistent_hash_lab::report;
use consistent_hash_lab::text::terminal::{complain, print};
use consistent_hash_lab::verify::{CHECKS, Inputs, apart, isolated, systems};

/// Check each implementation and each deployed system; the controls, wrong on purpose, must be caught.
///
/// Each implementation is checked in a process of its own: one that hangs, aborts or takes too much memory fails, and all
/// others' results are there.
#[derive(Args)]
pub struct Arguments {
    /// Check only these implementations, and no system.
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    only: Vec<String>,
    /// The seed of all keys, orders and hash families of the checks [default: the project's].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Make all checks under seeds 1 to N, all in this process and without limits, and count right code that fails and wrong
    /// code that escapes; the count goes to results/verify.json, and from there into the README.
    #[arg(long, value_name = "N", conflicts_with_all = ["only", "seed"])]
    seeds: Option<u64>,
    /// How long one check of an implementation may take.
    #[arg(long, value_name = "SECONDS", default_value_t = apart::Limits::default().time.as_secs())]
    most_seconds: u64,
    /// How much address space the checks of an implementation may have; kept on Linux only.
    #[arg(long, value_name = "MIB", default_value_t = apart::Limits::default().mebibytes)]
    most_memory: u64,
    /// Make these checks of this implementation and print what they find.
    #[arg(long, hide = true, num_args = 2, value_names = ["ID", "CHECK,..."])]
    make: Vec<String>,
}

/// Checks, prints, and says by the exit status whether all is right.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let inputs = arguments.seed.map_or_else(Inputs::default, Inputs::new);
    match (arguments.seeds, arguments.make.as_slice()) {
        (_, [id, checks]) => make(id, checks, inputs),
        (Some(seeds), _) => false_alarms(seeds),
        (None, _) => verify(arguments, inputs),
    }
}

/// The part of a process that checks one implementation.
fn make(id: &str, checks: &str, inputs: Inputs) -> anyhow::Result<ExitCode> {
    let implementation = catalog::find(id).with_context(|| format!("--make {id:?}: no such implementation"))?;
    let wanted: Vec<&str> = checks.split(',').collect();
    let checks = CHECKS.iter().filter(|check| wanted.contains(&check.name));
    isolated::report_to(&mut io::stdout().lock(), implementation, checks, inputs).context("standard output")?;
    Ok(ExitCode::SUCCESS)
}

fn verify(arguments: &Arguments, inputs: Inputs) -> anyhow::Result<ExitCode> {
    let only = &arguments.only;
    for id in only {
        if let Some(message) = unknown(id) {
            complain(format!("chlab: {message}"));
            return Ok(ExitCode::from(2));
        }
    }
    let wanted: Vec<_> =
        catalog().iter().filter(|entry| only.is_empty() || only.iter().any(|id| id == entry.id)).collect();
    let limits = apart::Limits { time: Duration::from_secs(arguments.most_seconds), mebibytes: arguments.most_memory };
    let program = env::current_exe().context("where this program lies")?;
    let seed = inputs.seed().to_string();
    let report = apart::report(&program, &["verify", "--seed", &seed, "--make"], &wanted, limits);
    let caught = report::caught(inputs);
    print(format!(
        "Limits of each implementation: {limits}.\n\n{}\n{}",
        report.text(),
        report::controls(&caught).text()
    ))?;
    let escaped = CONTROLS.iter().zip(&caught).filter(|(_, evidence)| evidence.is_none());
    let escaped = escaped.map(|(control, _)| uncaught(control.implementation.id, control.caught_by));
    let mut failures: Vec<String> = report.failures.into_iter().chain(escaped).collect();
    if only.is_empty() {
        let report = systems::report(inputs);
        print(format!("\n{}\n{}\n\n{}", report.text(), systems::LEGEND, systems::exceptions().text()))?;
        print(format!("\n{}", report::system_controls(inputs).text()))?;
        let escaped = systems::CONTROLS.iter().filter(|control| !systems::caught(control, inputs));
        failures.extend(report.failures);
        failures.extend(escaped.map(|control| uncaught(control.entry.id, control.caught_by)));
    }
    for failure in &failures {
        complain(format!("chlab: {failure}"));
    }
    Ok(ExitCode::from(if failures.is_empty() { 0 } else { 3 }))
}

fn false_alarms(seeds: u64) -> anyhow::Result<ExitCode> {
    let bar = indicatif::ProgressBar::new(seeds);
    let found = FalseAlarms::of_seeds(seeds, || bar.inc(1));
    bar.finish_and_clear();
    let path = results_folder(Scale::Paper).join(false_alarms::FILE);
    found.write(&path)?;
    print(format!("{}\nwrote {}\n", found.table().text(), path.display()))?;
    found.failures().for_each(|failure| complain(format!("chlab: {failure}")));
    Ok(ExitCode::from(if found.any() { 3 } else { 0 }))
}

fn uncaught(id: &str, check: &str) -> String {
    format!("{id} was not caught by {check}")
}
