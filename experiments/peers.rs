//! The survey of the crates that people would pick: what is measured stands in `peers/study.rs`. Needs the feature `peers`:
//! `make peers`.

use std::env;
use std::io;
use std::process::ExitCode;

use consistent_hash_lab::implementations;
use consistent_hash_lab::measure::memory::CountingAllocator;
use consistent_hash_lab::text::terminal::complain;
use consistent_hash_lab::verify::isolated;

#[path = "peers/study.rs"]
mod study;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match env::args().nth(1) {
        Some(argument) if argument == study::CHILD => child(&env::args().skip(2).collect::<Vec<_>>()),
        _ if implementations::surveyed().next().is_none() => {
            complain("peers: built without the crates; build with `--features peers`, or run `make peers`");
            ExitCode::from(2)
        }
        _ => consistent_hash_lab::study::main(&study::study()),
    }
}

/// A process that checks one implementation, started by the survey: the arguments are its id and the checks.
fn child(arguments: &[String]) -> ExitCode {
    let [id, checks] = arguments else { return usage(arguments) };
    let Some(implementation) = implementations::find(id) else { return usage(arguments) };
    let checks: Vec<&str> = checks.split(',').collect();
    match isolated::report_to(&mut io::stdout().lock(), implementation, &checks) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}

fn usage(arguments: &[String]) -> ExitCode {
    complain(format!("peers: {} takes the id of an implementation and checks, not {arguments:?}", study::CHILD));
    ExitCode::from(2)
}
