//! The survey of the crates that people would pick: what is measured stands in `peers/study.rs`. Needs the feature `peers`:
//! `make peers`.

use std::env;
use std::io;
use std::process::ExitCode;

use consistent_hash_lab::implementations;
use consistent_hash_lab::measure::memory::CountingAllocator;
use consistent_hash_lab::text::terminal::complain;
use consistent_hash_lab::verify::{Inputs, isolated};

#[path = "peers/study.rs"]
mod study;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    let rest = || env::args().skip(2).collect::<Vec<_>>();
    match env::args().nth(1).as_deref() {
        Some(study::CHECK) => check(&rest()),
        Some(study::REPRODUCE) => reproduce(&rest()),
        _ if implementations::surveyed().next().is_none() => {
            complain("peers: built without the crates; build with `--features peers`, or run `make peers`");
            ExitCode::from(2)
        }
        _ => consistent_hash_lab::study::main(&study::study()),
    }
}

/// A process that checks one implementation, started by the survey: the arguments are its id and the checks.
fn check(arguments: &[String]) -> ExitCode {
    let [id, wanted] = arguments else { return usage(study::CHECK, arguments) };
    let Some(implementation) = implementations::find(id) else { return usage(study::CHECK, arguments) };
    let wanted: Vec<&str> = wanted.split(',').collect();
    let checks = study::checks().filter(|check| wanted.contains(&check.name));
    match isolated::report_to(&mut io::stdout().lock(), implementation, checks, Inputs::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}

/// A process that runs the program of one finding, started by the survey.
fn reproduce(arguments: &[String]) -> ExitCode {
    match arguments {
        [name] => match consistent_hash_lab::peers::programs::find(name) {
            Some(program) => {
                (program.main)();
                ExitCode::SUCCESS
            }
            None => usage(study::REPRODUCE, arguments),
        },
        _ => usage(study::REPRODUCE, arguments),
    }
}

fn usage(flag: &str, arguments: &[String]) -> ExitCode {
    complain(format!("peers: {flag} is for the survey itself and does not know {arguments:?}"));
    ExitCode::from(2)
}
