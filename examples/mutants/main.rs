//! Mutation testing: does a small change of the code go unnoticed?
//!
//! Mutants of the algorithms, systems, measures and statistics are drawn with a seed and tried one after the other; a run
//! that was stopped goes on where it was. `cargo run --release --example mutants -- --help`.

mod operators;
mod score;
mod trial;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Parser;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_xoshiro::Xoshiro256PlusPlus;

use operators::{Mutant, mutants};
use score::Tried;
use trial::Bench;

/// Try mutants of the source and print which are caught, and by what.
#[derive(Parser)]
struct Arguments {
    /// How many to try, with those that were tried before.
    #[arg(long, default_value_t = 60, value_name = "N")]
    count: usize,
    /// The seed of the sample.
    #[arg(long, default_value_t = 7, value_name = "N")]
    seed: u64,
    /// Only those of files whose path contains this.
    #[arg(long, default_value = "", value_name = "TEXT")]
    only: String,
    /// Print the sample and try nothing.
    #[arg(long)]
    list: bool,
    /// Bring the section of this README up to date.
    #[arg(long, value_name = "FILE")]
    readme: Option<PathBuf>,
    /// Where each result is appended.
    #[arg(long, default_value = "results/mutants.jsonl", value_name = "FILE")]
    record: PathBuf,
}

/// What is mutated.
const FOLDERS: [&str; 4] = ["src/algorithms", "src/systems", "src/measure", "src/statistics"];

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let root = std::env::current_dir()?;
    let all = sample(&root, arguments.seed, &arguments.only)?;
    let wanted = &all[..arguments.count.min(all.len())];
    println!("seed {}: {} of {} mutants", arguments.seed, wanted.len(), all.len());
    if arguments.list {
        wanted.iter().for_each(|mutant| println!("{}", score::line(mutant)));
        return Ok(());
    }
    let mut tried = score::read(&arguments.record)?;
    // What was tried before the source changed says nothing of it now.
    tried.retain(|tried| all.contains(&tried.mutant));
    let open: Vec<&Mutant> = wanted.iter().filter(|one| tried.iter().all(|tried| tried.mutant != **one)).collect();
    if !open.is_empty() {
        let bench = Bench::new(&root)?;
        for mutant in open {
            let one = Tried { mutant: mutant.clone(), fate: bench.fate(mutant)? };
            append(&arguments.record, &one)?;
            println!("{:?}: {}", one.fate, score::line(mutant));
            tried.push(one);
        }
    }
    let text = score::markdown(&tried, arguments.seed, &score::equivalents(&root)?);
    print!("{text}");
    if let Some(readme) = arguments.readme {
        consistent_hash_lab::report::update_section(&readme, "mutants", &text)?;
    }
    Ok(())
}

/// All mutants, in the order in which they are tried.
fn sample(root: &Path, seed: u64, only: &str) -> anyhow::Result<Vec<Mutant>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        let folder = root.join(folder);
        if folder.is_dir() {
            sources(&folder, &mut files)?;
        }
        files.extend(Some(folder.with_extension("rs")).filter(|file| file.is_file()));
    }
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).with_context(|| file.display().to_string())?;
        let name = file.strip_prefix(root)?.display().to_string();
        all.extend(mutants(&name, &source));
    }
    all.retain(|mutant| mutant.file.contains(only));
    all.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    Ok(all)
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests" || stem == "testing");
        if path.is_dir() {
            sources(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
            files.push(path);
        }
    }
    Ok(())
}

fn append(path: &Path, one: &Tried) -> anyhow::Result<()> {
    let mut file =
        OpenOptions::new().create(true).append(true).open(path).with_context(|| path.display().to_string())?;
    writeln!(file, "{}", serde_json::to_string(one)?).with_context(|| path.display().to_string())
}
