//! The README says what the committed records say: its generated sections are current, and its example of a new algorithm
//! compiles (it is this file's).

use std::path::Path;

use consistent_hash_lab::algorithms::hash::{HashFamily, Mix};
use consistent_hash_lab::algorithms::{Error, Partitioner, checked_buckets};
use consistent_hash_lab::can;
use consistent_hash_lab::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use consistent_hash_lab::verify::{CHECKS, Outcome};

// begin example
/// Multiply-shift: the hash, scaled to 0..n. Balanced, O(1), and not consistent.
struct Scaled {
    buckets: u32,
    hash: Mix,
}

impl Scaled {
    fn new(buckets: u32, hash: Mix) -> Result<Self, Error> {
        Ok(Self { buckets: checked_buckets(buckets.into(), u32::MAX)?, hash })
    }
}

impl Partitioner for Scaled {
    fn bucket(&self, key: u64) -> u32 {
        ((u128::from(self.hash.key(key)) * u128::from(self.buckets)) >> 64) as u32
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}
// end example

// begin entry
const SCALED: Implementation = Implementation {
    id: "scaled",
    name: "scaled hash",
    algorithm: Algorithm::Other("multiply-shift"),
    source: Source::Ours,
    paper: "folklore",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Scaled::new(b.buckets, Mix::new(b.seed))),
    shown: Shown::in_figures(8),
};
// end entry

#[test]
fn the_example_passes_the_checks() {
    for check in CHECKS {
        let outcome = check.outcome(&SCALED);
        assert!(
            matches!(outcome, Outcome::Passed | Outcome::Noted(_) | Outcome::NotPromised(_)),
            "{}: {outcome:?}",
            check.name
        );
    }
}

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    std::fs::read_to_string(path).expect("README.md")
}

#[test]
fn the_example_in_the_readme_is_this_one() {
    let source = include_str!("readme.rs");
    for part in ["example", "entry"] {
        let (_, rest) = source.split_once(&format!("// begin {part}\n")).expect("begins");
        let (code, _) = rest.split_once(&format!("// end {part}")).expect("ends");
        assert!(readme().contains(code.trim_end()), "README.md does not show the {part} of tests/readme.rs");
    }
}

/// The committed records are those from which the README's table and the report were made.
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
    let report = |folder: &Path| std::fs::read_to_string(folder.join("REPORT.md")).expect("REPORT.md");
    assert_eq!(
        report(&root.join("results")),
        report(folder.path()),
        "results/REPORT.md is not current: run `make report`"
    );
}
