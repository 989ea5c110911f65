//! `chlab`: what there is, whether it is right, and what was found.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use consistent_hash_lab::coverage::Coverage;
use consistent_hash_lab::experiment::{Scale, results_folder};
use consistent_hash_lab::report;
use consistent_hash_lab::study::Study;
use consistent_hash_lab::text::terminal::{self, complain};

/// The experiments' own files: `chlab report` draws and judges exactly as they do.
#[path = "../experiments"]
mod experiments {
    // Each file has a `main` of its own for its binary.
    #![allow(dead_code)]

    pub mod bucket_balance;
    pub mod cache_contention;
    pub mod constant_time;
    pub mod dynamo_strategies;
    pub mod hash_quality;
    pub mod hot_keys;
    pub mod init_time;
    pub mod jump_back;
    pub mod jump_walk;
    pub mod key_movement;
    pub mod lookup_speed;
    pub mod maglev_table;
    pub mod multi_probe;
    #[path = "peers/study.rs"]
    pub mod peers;
    pub mod ring_lesson;
    pub mod ring_memory;
    pub mod round_hashing;
    pub mod token_allocation;
    pub mod views;
    pub mod vnode_skew;
    pub mod weights;
}

mod cli;

/// All studies, in the order of the report.
fn studies() -> Vec<Study> {
    vec![
        experiments::bucket_balance::study(),
        experiments::ring_memory::study(),
        experiments::init_time::study(),
        experiments::lookup_speed::study(),
        experiments::cache_contention::study(),
        experiments::jump_walk::study(),
        experiments::jump_back::study(),
        experiments::constant_time::study(),
        experiments::multi_probe::study(),
        experiments::round_hashing::study(),
        experiments::key_movement::study(),
        experiments::views::study(),
        experiments::vnode_skew::study(),
        experiments::dynamo_strategies::study(),
        experiments::ring_lesson::study(),
        experiments::maglev_table::study(),
        experiments::token_allocation::study(),
        experiments::weights::study(),
        experiments::hash_quality::study(),
        experiments::hot_keys::study(),
        experiments::peers::study(),
    ]
}

/// A laboratory for consistent hashing.
///
/// Exit status: 0 fine, 1 run error, 2 usage, 3 verification or coverage failed.
#[derive(Parser)]
#[command(version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Show everything that can be measured.
    List,
    Verify(cli::verify_command::Arguments),
    Where(cli::where_command::Arguments),
    Coverage(cli::coverage_command::Arguments),
    /// Show what was found in a surveyed crate, with a program for each finding; without a name, list the crates.
    Peers {
        /// The crate's name in the registry.
        name: Option<String>,
    },
    /// Redraw charts and tables from records, without measuring.
    Report {
        /// The scale whose records to read.
        #[arg(long, value_enum, default_value_t = Scale::Paper)]
        scale: Scale,
        /// Folder of the records [default: that of the scale].
        #[arg(long, value_name = "DIR")]
        results: Option<PathBuf>,
        /// Bring the generated sections of this README up to date, and the pages beside the records that it links to.
        #[arg(long, value_name = "FILE")]
        readme: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    let command = match Cli::try_parse() {
        Ok(cli) => cli.command,
        Err(error) => return terminal::usage(&error),
    };
    let done = match command {
        Command::List => list(),
        Command::Verify(arguments) => cli::verify_command::run(&arguments),
        Command::Where(arguments) => cli::where_command::run(&arguments),
        Command::Coverage(arguments) => cli::coverage_command::run(&arguments),
        Command::Peers { name } => peers(name.as_deref()),
        Command::Report { scale, results, readme } => report(scale, results, readme),
    };
    done.unwrap_or_else(|error| {
        complain(format!("chlab: {error:#}"));
        ExitCode::from(1)
    })
}

#[cfg(feature = "peers")]
fn peers(name: Option<&str>) -> anyhow::Result<ExitCode> {
    use consistent_hash_lab::peers::explain;
    match name.map(explain::explain) {
        None => print(explain::list()),
        Some(Ok(text)) => print(text),
        Some(Err(error)) => {
            complain(format!("chlab: {error}"));
            Ok(ExitCode::from(2))
        }
    }
}

#[cfg(not(feature = "peers"))]
fn peers(name: Option<&str>) -> anyhow::Result<ExitCode> {
    let name = name.map_or(String::new(), |name| format!(" {name}"));
    complain(format!(
        "chlab: built without the crates of the survey; \
         run `cargo run --release --features peers --bin chlab -- peers{name}`"
    ));
    Ok(ExitCode::from(2))
}

fn list() -> anyhow::Result<ExitCode> {
    print(report::catalogue().text())
}

fn report(scale: Scale, results: Option<PathBuf>, readme: Option<PathBuf>) -> anyhow::Result<ExitCode> {
    let folder = results.unwrap_or_else(|| results_folder(scale));
    let studies = studies();
    let chapters = report::read(&studies, &folder)?;
    anyhow::ensure!(
        chapters.iter().any(|chapter| chapter.record.is_some()),
        "{}: no record of any experiment; run `make reproduce` (quick) or `make paper` first",
        folder.display()
    );
    let mut files = report::write(&chapters, &folder)?;
    if let Some(readme) = readme {
        files.extend(report::write_pages(&chapters, &folder)?);
        let coverage = Coverage::read(&folder.join("coverage.json"))?;
        report::update_readme(&readme, &chapters, coverage.as_ref())?;
    }
    let charts = files.iter().filter(|path| path.extension().is_none_or(|extension| extension != "md")).count();
    let pages: Vec<String> = files.iter().skip(charts).map(|path| path.display().to_string()).collect();
    let last = format!("wrote {charts} charts and {}\n", pages.join(", "));
    print(format!("{}\n{}\n{last}", report::verdicts(&chapters).text(), report::count(&chapters)))
}

/// Prints the answer to what was asked.
fn print(text: impl AsRef<[u8]>) -> anyhow::Result<ExitCode> {
    terminal::print(text).map(|()| ExitCode::SUCCESS)
}
