//! The command line that every experiment has.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use xxhash_rust::xxh64::xxh64;

use super::child::Request;
use crate::catalog::{Implementation, catalog};

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub enum Scale {
    /// Every part once, in seconds: does it work?
    Smoke,
    /// Minutes: are the published values met?
    Quick,
    /// The paper's own sizes and repetitions.
    Paper,
}

impl Scale {
    /// How many independent runs a timed cell has. Two show that it works.
    #[must_use]
    pub fn runs(self) -> u64 {
        self.pick(2, 3, 5)
    }

    /// The value of this scale among three.
    pub fn pick<T>(self, smoke: T, quick: T, paper: T) -> T {
        match self {
            Self::Smoke => smoke,
            Self::Quick => quick,
            Self::Paper => paper,
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.pick("smoke", "quick", "paper"))
    }
}

/// The options of an experiment.
#[derive(Debug, Clone, Args)]
pub struct Settings {
    /// How much to measure.
    ///
    /// smoke takes seconds and shows that everything works; quick takes minutes for all experiments together; paper uses
    /// the sizes and the repetitions of the paper.
    #[arg(long, value_enum, default_value_t = Scale::Quick)]
    pub scale: Scale,

    /// Measure only these implementations (ids of `chlab list`).
    ///
    /// Such a run keeps its record apart from that of a full run, in a folder `only/` of its own. Order and repetition of
    /// the ids have no influence.
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    pub only: Vec<String>,

    /// Seed of all random streams.
    ///
    /// The data part of a record is byte-identical for the same seed, whatever the number of threads.
    #[arg(long, default_value_t = 2014)]
    pub seed: u64,

    /// Threads for the cells that are not timed [default: all cores].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,

    /// Folder for the record and the charts [default: results/ at paper scale, else results/SCALE/].
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,

    /// List the cells of the grid and the published values that they answer; measure nothing.
    #[arg(long)]
    pub list: bool,

    /// Check the implementations that would be measured; measure nothing. Exit status 3 if one fails.
    #[arg(long)]
    pub verify: bool,

    /// Begin anew: a record that is there is set aside, not continued.
    #[arg(long)]
    pub fresh: bool,

    /// Print nothing but errors.
    #[arg(long, short)]
    pub quiet: bool,

    /// Implementations that did not pass verification.
    #[arg(skip)]
    pub excluded: Vec<String>,

    /// What the program asks of itself.
    #[command(flatten)]
    pub request: Request,

    /// The program that measures runs of timed cells in processes of their own; without one they are measured in this.
    #[arg(skip)]
    pub program: Option<PathBuf>,
}

/// Longer names of folders are not accepted everywhere; ids that make one have a folder with a short name.
const LONGEST_NAME: usize = 120;

impl Settings {
    /// The ids of `--only`, each once and sorted, so that the same choice is the same run however it was written.
    #[must_use]
    pub fn ids(&self) -> BTreeSet<&str> {
        self.only.iter().map(String::as_str).collect()
    }

    fn joined_ids(&self, separator: &str) -> String {
        Vec::from_iter(self.ids()).join(separator)
    }

    /// Where the record and the charts go.
    #[must_use]
    pub fn folder(&self) -> PathBuf {
        let folder = self.out.clone().unwrap_or_else(|| results_folder(self.scale));
        if self.only.is_empty() {
            return folder;
        }
        let name = self.joined_ids("+");
        let short = || format!("{}-ids-{:016x}", self.ids().len(), xxh64(name.as_bytes(), 0));
        folder.join("only").join(if name.len() > LONGEST_NAME { short() } else { name })
    }

    /// Whether an implementation is to be measured: it was asked for, and was not found wrong.
    #[must_use]
    pub fn chosen(&self, id: &str) -> bool {
        (self.only.is_empty() || self.only.iter().any(|only| only == id)) && !self.excluded.iter().any(|bad| bad == id)
    }

    /// Those of some implementations that are to be measured.
    pub fn choose(&self, ids: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
        ids.into_iter().filter(|id| self.chosen(id)).collect()
    }

    /// Those of the catalogue that are to be measured: all that the figures compare, or any that were asked for.
    pub fn implementations(&self) -> impl Iterator<Item = &'static Implementation> + Clone {
        let named = !self.only.is_empty();
        catalog().iter().filter(move |entry| (named || entry.shown.in_figures) && self.chosen(entry.id))
    }

    /// The options that change what is measured, as a command line.
    #[must_use]
    pub fn as_arguments(&self) -> String {
        let mut arguments = format!("--scale {} --seed {}", self.scale, self.seed);
        if !self.only.is_empty() {
            arguments.push_str(" --only ");
            arguments.push_str(&self.joined_ids(","));
        }
        arguments
    }
}

/// The folder of full runs of a scale. Only those of the paper's scale are kept under version control.
#[must_use]
pub fn results_folder(scale: Scale) -> PathBuf {
    match scale {
        Scale::Paper => PathBuf::from("results"),
        scale => PathBuf::from("results").join(scale.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    fn only(ids: &str) -> Settings {
        let matches = Settings::augment_args(Command::new("test")).get_matches_from(["test", "--only", ids]);
        Settings::from_arg_matches(&matches).expect("settings")
    }

    #[test]
    fn the_same_choice_is_the_same_run() {
        for written in ["modulo,jump", "jump,modulo,jump", "jump,modulo"] {
            let settings = only(written);
            assert_eq!(settings.folder(), PathBuf::from("results/quick/only/jump+modulo"), "{written}");
            assert!(settings.as_arguments().ends_with("--only jump,modulo"), "{written}");
        }
    }

    #[test]
    fn many_ids_have_a_short_folder_of_their_own() {
        let ids: Vec<&str> = catalog().iter().map(|entry| entry.id).take(30).collect();
        let folder = |ids: &[&str]| only(&ids.join(",")).folder();
        let (all, fewer) = (folder(&ids), folder(&ids[1..]));
        assert_ne!(all, fewer);
        for folder in [&all, &fewer] {
            let name = folder.file_name().expect("a name").to_string_lossy().into_owned();
            assert!(name.len() < 64 && name.contains("-ids-"), "{name}");
        }
        let backwards: Vec<&str> = ids.iter().rev().copied().collect();
        assert_eq!(folder(&backwards), all);
    }
}
