//! Every verdict can fail: for each published value a record that meets it, and records that must not, no farther from the
//! published value than its own last digit. A verdict without a row here fails the test.
//!
//! The records are the committed ones with what a row is about replaced, or made from nothing; times are made up. Studies with
//! many values have their rows in a file of their own.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::LazyLock;

use clap::{Args as _, Command, FromArgMatches as _};
use consistent_hash_lab::algorithms::RingSorted64;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::experiment::{self, Outcome, Parametrised, Record, Settings, TimingRow};
use consistent_hash_lab::published;
use consistent_hash_lab::study::Study;
use serde_json::{Value, json};

mod constant_time;
mod documents;
mod dynamo_strategies;
mod jump_back;
mod maglev_table;
mod multi_probe;
mod records;
mod round_hashing;
mod token_allocation;
mod views;
mod weights;

#[path = "../../experiments"]
mod experiments {
    // Each file has a `main` of its own for its binary.
    #![allow(dead_code)]

    pub mod bucket_balance;
    pub mod cache_contention;
    pub mod constant_time;
    pub mod dynamo_strategies;
    pub mod init_time;
    pub mod jump_back;
    pub mod jump_walk;
    pub mod key_movement;
    pub mod lookup_speed;
    pub mod maglev_table;
    pub mod multi_probe;
    pub mod ring_lesson;
    pub mod ring_memory;
    pub mod round_hashing;
    pub mod token_allocation;
    pub mod views;
    pub mod vnode_skew;
    pub mod weights;
}

use experiments::{
    bucket_balance, cache_contention, init_time, jump_walk, key_movement, lookup_speed, ring_lesson, ring_memory,
    vnode_skew,
};

use records::*;

type Change = fn(&mut Record);

/// What a verdict says of one record, and of others that must fail.
struct Power {
    id: &'static str,
    /// Makes a record that meets the published value.
    met: Change,
    best: Outcome,
    /// Each, done to that record, must make it fail.
    fails: &'static [Change],
}

const fn power(id: &'static str, best: Outcome, met: Change, fails: &'static [Change]) -> Power {
    Power { id, met, best, fails }
}

/// Setups and statements about a text: nothing is compared.
const FOLLOWED: [&str; 5] =
    ["karger97.noexp", "karger97.points", "jump.machine", "round.bench.setup", "cassandra.default"];

/// Never measurable: nothing is compared.
const NOT_REPRODUCIBLE: [&str; 1] = ["dynamo.outofbalance"];

const AS_IT_IS: Change = |_| {};

/// The rows of all tables.
fn table() -> impl Iterator<Item = &'static Power> {
    const TABLES: [&[Power]; 10] = [
        constant_time::TABLE,
        documents::TABLE,
        dynamo_strategies::TABLE,
        jump_back::TABLE,
        maglev_table::TABLE,
        multi_probe::TABLE,
        round_hashing::TABLE,
        token_allocation::TABLE,
        views::TABLE,
        weights::TABLE,
    ];
    TABLES.into_iter().flatten()
}

/// Studies with their committed records, or with blank ones where none is committed yet.
fn studies() -> &'static [(Study, Record)] {
    static ALL: LazyLock<Vec<(Study, Record)>> = LazyLock::new(|| {
        let studies = [
            bucket_balance::study(),
            cache_contention::study(),
            experiments::constant_time::study(),
            experiments::dynamo_strategies::study(),
            init_time::study(),
            experiments::jump_back::study(),
            jump_walk::study(),
            key_movement::study(),
            lookup_speed::study(),
            experiments::maglev_table::study(),
            experiments::multi_probe::study(),
            ring_lesson::study(),
            ring_memory::study(),
            experiments::round_hashing::study(),
            experiments::token_allocation::study(),
            experiments::views::study(),
            vnode_skew::study(),
            experiments::weights::study(),
        ];
        studies
            .into_iter()
            .map(|study| {
                let file = format!("results/{}.json", study.experiment.name);
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
                let record = if path.exists() { Record::read(&path).expect("a record") } else { blank(&study) };
                (study, record)
            })
            .collect()
    });
    &ALL
}

/// A record of the paper's scale without rows.
fn blank(study: &Study) -> Record {
    let command = Settings::augment_args(Command::new(study.experiment.name));
    let matches = command.get_matches_from([study.experiment.name, "--scale", "paper"]);
    let settings = Settings::from_arg_matches(&matches).expect("settings");
    experiment::blank(&study.experiment, &settings).expect("a grid").1
}

fn outcome(study: &Study, record: &Record, id: &str) -> Option<(Outcome, String)> {
    let verdict = (study.verdicts)(record).into_iter().find(|verdict| verdict.id == id)?;
    Some((verdict.outcome, format!("{verdict:?}")))
}

fn of_study(id: &str) -> &'static (Study, Record) {
    let answers = |(study, record): &&(Study, Record)| outcome(study, record, id).is_some();
    studies().iter().find(answers).unwrap_or_else(|| panic!("no study answers {id}"))
}

#[test]
fn every_verdict_can_fail() {
    for Power { id, met, best, fails } in table() {
        let (study, record) = of_study(id);
        let mut good = record.clone();
        met(&mut good);
        let (found, text) = outcome(study, &good, id).expect("a verdict");
        assert_eq!(found, *best, "{text}");
        assert!(!fails.is_empty(), "{id}");
        for fail in *fails {
            let mut bad = good.clone();
            fail(&mut bad);
            let (found, text) = outcome(study, &bad, id).expect("a verdict");
            assert!(
                matches!(found, Outcome::Differs | Outcome::DiffersInTheLastDigit) && found != *best,
                "must fail: {text}"
            );
        }
    }
}

#[test]
fn every_verdict_has_its_row() {
    let ids: BTreeSet<String> =
        studies().iter().flat_map(|(study, record)| (study.verdicts)(record)).map(|verdict| verdict.id).collect();
    let rows: Vec<String> =
        table().map(|row| row.id).chain(FOLLOWED).chain(NOT_REPRODUCIBLE).map(str::to_owned).collect();
    let once: BTreeSet<String> = rows.iter().cloned().collect();
    assert_eq!(once, ids, "a verdict without a row in a table, or a row without its verdict");
    assert_eq!(once.len(), rows.len(), "a row twice");
    for id in FOLLOWED {
        let (study, record) = of_study(id);
        assert_eq!(outcome(study, record, id).map(|found| found.0), Some(Outcome::Followed), "{id}");
    }
    for id in NOT_REPRODUCIBLE {
        let (study, record) = of_study(id);
        assert_eq!(outcome(study, record, id).map(|found| found.0), Some(Outcome::NotReproducible), "{id}");
    }
}

/// Seconds of another machine are never met, however near.
#[test]
fn times_of_another_machine_are_not_judged() {
    let is_time = |unit: &str| ["seconds", "ms", "ns", "s"].iter().any(|&time| unit.split(' ').next() == Some(time));
    let mut seen = 0;
    for (study, record) in studies() {
        for verdict in (study.verdicts)(record) {
            let value = published::find(&verdict.id).expect("an id");
            if value.machine_dependent && is_time(&value.unit) {
                seen += 1;
                assert!(!matches!(verdict.outcome, Outcome::Reproduced | Outcome::ReproducedInPart), "{verdict:?}");
            }
        }
    }
    assert!(seen > 0);
    let (study, record) = of_study("jump.init.65536");
    let mut slower = record.clone();
    built(&mut slower, 1.1, 30.0);
    for row in slower.timing.iter_mut().filter(|row| row.implementation != "jump") {
        *row = time(&row.implementation, &row.metric, json!(row.parameters), row.value * 1000.0);
    }
    assert_eq!(outcome(study, &slower, "jump.init.65536").map(|found| found.0), Some(Outcome::AnotherMachine));
}

/// The knee does not move when all look-ups become slower alike, by a factor or by a time.
#[test]
fn a_uniform_slowdown_moves_no_knee() {
    let id = "jump.contention.method";
    let (study, record) = of_study(id);
    let slowdowns: [fn(f64) -> f64; 2] = [|alone| alone * 3.0, |alone| alone + 900.0];
    for slower in slowdowns {
        let mut record = record.clone();
        contended(&mut record, 1.0, 900.0, 300.0);
        let alone: Vec<TimingRow> = record.timing.iter().filter(|row| row.metric == "alone_ns").cloned().collect();
        for row in
            record.timing.iter_mut().filter(|row| row.metric == "contended_ns" && row.implementation != "jump-cpp")
        {
            let same =
                |other: &&TimingRow| other.implementation == row.implementation && other.parameters == row.parameters;
            let alone = alone.iter().find(same).expect("both").value;
            *row = time(&row.implementation, &row.metric, json!(row.parameters), slower(alone));
        }
        let (found, text) = outcome(study, &record, id).expect("a verdict");
        assert_ne!(found, Outcome::Reproduced, "{text}");
        assert!(text.contains("moves from") && text.contains("not decided"), "{text}");
    }
}

/// Without intervals no ratio is judged.
#[test]
fn a_ratio_of_one_sample_is_not_decided() {
    let (study, record) = of_study("jump.speed.le1000");
    let mut once = record.clone();
    ratios(&mut once, 3.5, 6.0);
    let mut rows = serde_json::to_value(&once.timing).expect("rows");
    for row in rows.as_array_mut().expect("rows") {
        row["samples"] = json!([row["value"]]);
        row["interval"] = Value::Null;
    }
    once.timing = serde_json::from_value(rows).expect("rows");
    let (found, text) = outcome(study, &once, "jump.speed.le1000").expect("a verdict");
    assert!(matches!(found, Outcome::NotMeasured | Outcome::NotDecided), "{text}");
}

/// A ring on which a key belongs to the nearest point in either direction takes from two sides of each point: look-ups tell.
#[test]
fn another_ring_has_more_donors() {
    let ring = |buckets| RingSorted64::new(buckets, 10, Mix::new(7)).expect("a ring");
    let nearest = |buckets| {
        let entry = catalog::find("ring-nearest").expect("in the catalogue");
        (entry.build)(Build::new(buckets, 10, 7)).expect("a ring")
    };
    let keys: Vec<u64> = (0..300_000_u64).map(|key| key.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let usual = jump_walk::donors_of_moved_keys(&ring(1000), &ring(1001), &keys);
    assert!((1..=10).contains(&usual.len()), "{}", usual.len());
    let both_sides = jump_walk::donors_of_moved_keys(&*nearest(1000), &*nearest(1001), &keys);
    assert!(both_sides.len() > 10, "{}", both_sides.len());
}

/// A key is found for the rows that jump can produce, and for no others.
#[test]
fn only_valid_rows_have_a_key() {
    let valid = [0, 0, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4];
    assert!(jump_walk::smallest_key(&valid).is_some());
    for at in 1..valid.len() {
        let mut row = valid;
        // Neither the newest bucket, nor the one before.
        row[at] = (0..at as u32).find(|&bucket| bucket != row[at - 1]).unwrap_or(7);
        assert_eq!(jump_walk::smallest_key(&row), None, "{row:?}");
    }
}
