//! `chlab coverage`: the timed experiments twice, and how many intervals cover the other half's value.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::Context as _;
use clap::Args;
use consistent_hash_lab::coverage::{Coverage, LEAST_PERCENT, compare};
use consistent_hash_lab::experiment::{Environment, Record, Scale, Source};
use consistent_hash_lab::text::terminal::{complain, print};

/// Whose intervals are tested.
const TIMED: [&str; 3] = ["lookup_speed", "init_time", "cache_contention"];

/// Measure the timed experiments twice, as independent halves, and count the intervals that cover the other half's value.
///
/// Each half has processes, keys and hash functions of its own; each of its intervals is held against the value of the other.
/// A half that was stopped goes on where it stopped. Exit status: 3 if fewer than 90% of the intervals cover.
#[derive(Args)]
pub struct Arguments {
    /// The scale at which both halves are measured.
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    scale: Scale,
    /// Folder of the two halves' records.
    #[arg(long, value_name = "DIR", default_value = "results/quick/coverage")]
    out: PathBuf,
    /// The file that is written.
    #[arg(long, value_name = "FILE", default_value = "results/coverage.json")]
    result: PathBuf,
    /// Seed of the first half; the second has the next one.
    #[arg(long, default_value_t = 2014)]
    seed: u64,
    /// Begin anew: records that are there are set aside, not continued.
    #[arg(long)]
    fresh: bool,
}

/// Measures, compares, writes, prints.
pub fn run(arguments: &Arguments) -> anyhow::Result<ExitCode> {
    let environment = Environment::now();
    for (half, seed) in halves(arguments) {
        for experiment in TIMED {
            measure(arguments, experiment, &half, seed)?;
        }
    }
    let mut lines = Vec::new();
    for experiment in TIMED {
        let records =
            halves(arguments).map(|(half, _)| Record::read_of(experiment, &half.join(format!("{experiment}.json"))));
        let [first, second] = records;
        lines.extend(compare(&first?, &second?));
    }
    let command = format!("chlab coverage --scale {} --seed {}", arguments.scale, arguments.seed);
    let coverage = Coverage { command, source: Source::of_this_program(), environment, lines };
    coverage.write(&arguments.result)?;
    print(format!("{}\nwrote {}\n", coverage.table().text(), arguments.result.display()))?;
    if coverage.holds() {
        return Ok(ExitCode::SUCCESS);
    }
    complain(format!("chlab: fewer than {LEAST_PERCENT}% of the intervals cover the other half's value"));
    Ok(ExitCode::from(3))
}

fn halves(arguments: &Arguments) -> [(PathBuf, u64); 2] {
    [("first", 0), ("second", 1)].map(|(name, more)| (arguments.out.join(name), arguments.seed.wrapping_add(more)))
}

/// Runs an experiment's own program, which lies beside this one.
fn measure(arguments: &Arguments, experiment: &str, folder: &Path, seed: u64) -> anyhow::Result<()> {
    let this = std::env::current_exe().context("where this program lies")?;
    let program = this.with_file_name(format!("{experiment}{}", std::env::consts::EXE_SUFFIX));
    let mut command = Command::new(&program);
    command.args(["--scale", &arguments.scale.to_string(), "--seed", &seed.to_string(), "--out"]).arg(folder);
    if arguments.fresh {
        command.arg("--fresh");
    }
    // Its progress is seen; its tables are those of a part.
    let status = command.stdout(Stdio::null()).status();
    let status = status.with_context(|| format!("{}: build it first (`make build`)", program.display()))?;
    anyhow::ensure!(status.success(), "{experiment} failed ({status}): its message is above; run again to go on there");
    Ok(())
}
