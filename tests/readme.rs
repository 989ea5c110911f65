//! The README says what the committed records say: its generated sections are current, and its example of a new algorithm
//! compiles (it is this file's).

use std::collections::BTreeMap;
use std::path::Path;

use consistent_hash_lab::algorithms::hash::{HashFamily, Mix};
use consistent_hash_lab::algorithms::{Error, Partitioner, Remove, Weighted, checked_buckets};
use consistent_hash_lab::can;
use consistent_hash_lab::catalog::{
    Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source, proportional,
};
use consistent_hash_lab::published;
use consistent_hash_lab::verify::{CHECKS, Outcome};

// begin example
/// The bucket whose weighted score for the key is highest.
#[derive(Clone)]
pub struct Highest {
    working: BTreeMap<u32, f64>,
    /// Those that were removed, with the weights that they come back with.
    gone: BTreeMap<u32, f64>,
    hash: Mix,
}

impl Highest {
    /// A partitioner in which bucket i has weight `weights[i]`.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::Weight`].
    pub fn new(weights: &[f64], hash: Mix) -> Result<Self, Error> {
        checked_buckets(weights.len() as i64, u32::MAX)?;
        let working = (0..).zip(weights).map(|(bucket, &weight)| Ok((bucket, checked_weight(bucket, weight)?)));
        Ok(Self { working: working.collect::<Result<_, Error>>()?, gone: BTreeMap::new(), hash })
    }

    /// -w / ln u, with u one of the middles of 2^52 equal cells of (0, 1).
    fn score(&self, key: u64, bucket: u32, weight: f64) -> f64 {
        let cell = (self.hash.score(key, bucket) >> 12) as f64;
        -weight / ((cell + 0.5) / (1_u64 << 52) as f64).ln()
    }
}

fn checked_weight(bucket: u32, weight: f64) -> Result<f64, Error> {
    let accepted = "a weight in 1e-100..=1e100";
    if (1e-100..=1e100).contains(&weight) {
        Ok(weight)
    } else {
        Err(Error::Weight { bucket, weight: weight.to_string(), accepted })
    }
}

impl Partitioner for Highest {
    fn bucket(&self, key: u64) -> u32 {
        let scores = self.working.iter().map(|(&bucket, &weight)| (self.score(key, bucket, weight), bucket));
        // Of equal scores the last is taken: backwards, so that the lower bucket wins.
        scores.rev().max_by(|one, other| one.0.total_cmp(&other.0)).expect("one bucket is always working").1
    }

    fn bucket_count(&self) -> u32 {
        self.working.len() as u32
    }
}

impl Remove for Highest {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let weight = self.weight(bucket)?;
        if self.working.len() == 1 {
            return Err(Error::LastBucket { bucket });
        }
        self.working.remove(&bucket);
        self.gone.insert(bucket, weight);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        let choices = "a bucket that was removed";
        let weight = self.gone.remove(&bucket).ok_or(Error::UnknownBucket { bucket, choices })?;
        self.working.insert(bucket, weight);
        Ok(())
    }
}

impl Weighted for Highest {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        let choices = "a bucket that is working";
        self.working.get(&bucket).copied().ok_or(Error::UnknownBucket { bucket, choices })
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weight(bucket)?;
        self.working.insert(bucket, checked_weight(bucket, weight)?);
        Ok(())
    }
}
// end example

// begin entry
pub(crate) const HIGHEST: Implementation = Implementation {
    id: "highest",
    name: "rendezvous, weighted, in a tree",
    algorithm: Algorithm::RendezvousWeighted,
    source: Source::Ours,
    paper: "Schindelhauer & Schomaker 2005",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    // A number and a weight in the nodes of a tree, which are half full at worst.
    costs: Costs::new("O(n)", 64),
    shares: Shares::EQUAL,
    can: can!(b => Highest::new(&vec![1.0; b.buckets as usize], Mix::new(b.seed)), remove, failover)
        .with_weighted_shares(|weights, b| Ok(Box::new(Highest::new(weights, Mix::new(b.seed))?)), proportional),
    shown: Shown::on_request(3),
};
// end entry

/// Those that it cannot keep are named, so that none is left out by accident.
#[test]
fn the_example_passes_the_checks() {
    for check in CHECKS {
        let outcome = check.outcome(&HIGHEST);
        let promised = !["shrinking", "state", "names", "collisions"].contains(&check.name);
        match outcome {
            Outcome::Passed => assert!(promised, "{}", check.name),
            Outcome::NotPromised(_) => assert!(!promised, "{}: {outcome:?}", check.name),
            other => panic!("{}: {other:?}", check.name),
        }
    }
}

fn text(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).expect("a text")
}

fn readme() -> String {
    text("README.md")
}

#[test]
fn the_readme_can_be_read_in_one_go() {
    assert!(readme().lines().count() <= 250, "long tables go to pages beside the records");
}

#[test]
fn the_documented_example_is_this_one() {
    let source = include_str!("readme.rs");
    for part in ["example", "entry"] {
        let (_, rest) = source.split_once(&format!("// begin {part}\n")).expect("begins");
        let (code, _) = rest.split_once(&format!("// end {part}")).expect("ends");
        let page = "docs/adding-an-algorithm.md";
        assert!(text(page).contains(code.trim_end()), "{page} does not show the {part} of tests/readme.rs");
    }
}

/// No value is left out, and none has two answers.
#[test]
fn the_report_has_each_published_value_once() {
    let report = text("results/REPORT.md");
    for value in published::published() {
        let row = format!("| {} |", value.id);
        assert_eq!(report.lines().filter(|line| line.ends_with(&row)).count(), 1, "{}", value.id);
    }
}

/// The committed records are those from which the README's table and the pages were made.
#[test]
fn the_generated_sections_are_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().expect("a folder");
    let records =
        std::fs::read_dir(root.join("results")).expect("results/").map(|entry| entry.expect("an entry").path());
    for record in records.filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let copy = folder.path().join(record.file_name().unwrap_or_default());
        std::fs::copy(&record, copy).expect("a copy");
    }
    let copy = folder.path().join("README.md");
    std::fs::write(&copy, readme()).expect("a copy");
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_chlab"))
        .args(["report", "--results", ".", "--readme", "README.md"])
        .current_dir(folder.path())
        .assert()
        .success();
    let current = std::fs::read_to_string(&copy).expect("README.md");
    // What `chlab verify` says depends on whether this machine has a C++ compiler; what the records say does not.
    for section in ["verdicts", "machine"] {
        let of = |text: &str| text.split(&format!("<!-- begin {section} -->")).nth(1).map(str::to_owned);
        let of = |text: &str| of(text).and_then(|rest| rest.split("<!-- end").next().map(str::to_owned));
        assert!(of(&current).is_some());
        assert_eq!(of(&readme()), of(&current), "README.md is not current: run `make report`");
    }
    for page in ["REPORT.md", "CRATES.md"] {
        let of = |folder: &Path| std::fs::read_to_string(folder.join(page)).expect("a page");
        assert_eq!(of(&root.join("results")), of(folder.path()), "results/{page} is not current: run `make report`");
    }
}
