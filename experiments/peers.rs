//! The survey of the crates that people would pick: what is measured stands in `peers/study.rs`. Needs the feature `peers`:
//! `make peers`.

use std::env;
use std::io;
use std::process::ExitCode;

use consistent_hash_lab::measure::memory::CountingAllocator;
use consistent_hash_lab::peers;
use consistent_hash_lab::verify::isolated;

#[path = "peers/study.rs"]
mod study;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator;

fn main() -> ExitCode {
    match env::args().nth(1) {
        Some(argument) if argument == study::CHILD => child(env::args().nth(2).as_deref()),
        _ if peers::surveyed().next().is_none() => {
            eprintln!("peers: built without the crates; build with `--features peers`, or run `make peers`");
            ExitCode::from(2)
        }
        _ => consistent_hash_lab::study::main(&study::study()),
    }
}

/// A process that checks one implementation, started by the survey.
fn child(id: Option<&str>) -> ExitCode {
    let Some(implementation) = id.and_then(peers::find) else {
        eprintln!("peers: {} takes the id of an implementation, not {id:?}", study::CHILD);
        return ExitCode::from(2);
    };
    match isolated::report_to(&mut io::stdout().lock(), implementation) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}
