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

const TABLE: &[Power] = {
    use Outcome::{AnotherMachine, ByDefinition, ConsistentWith, DiffersInTheLastDigit, Formula, Reproduced};
    &[
        power("jump.balance.ring.v1.stderr", Reproduced, |r| cv(r, 1, 0.0), &[|r| cv(r, 1, 1.0), |r| cv(r, 1, -1.0)]),
        power("jump.balance.ring.v10.stderr", Reproduced, |r| cv(r, 10, 0.0), &[|r| cv(r, 10, 1.0)]),
        power("jump.balance.ring.v100.stderr", Reproduced, |r| cv(r, 100, 0.0), &[|r| cv(r, 100, 1.0)]),
        power(
            "jump.balance.ring.v1000.stderr",
            Reproduced,
            |r| cv(r, 1000, 0.0),
            &[|r| cv(r, 1000, 1.0), |r| set(r, "theory", "cv", &[("points", 1000.0)], json!(0.0330), None)],
        ),
        power("jump.balance.ring.v1.ci99", Reproduced, |r| ends(r, 1, 0.0, 0.0), &[|r| ends(r, 1, 1.0, 0.0)]),
        power("jump.balance.ring.v10.ci99", Reproduced, |r| ends(r, 10, 0.0, 0.0), &[|r| ends(r, 10, 0.0, 1.0)]),
        power("jump.balance.ring.v100.ci99", Reproduced, |r| ends(r, 100, 0.0, 0.0), &[|r| ends(r, 100, 1.0, 0.0)]),
        power("jump.balance.ring.v1000.ci99", Reproduced, |r| ends(r, 1000, 0.0, 0.0), &[|r| ends(r, 1000, 0.0, -1.0)]),
        power("jump.balance.jump.stderr", Reproduced, |r| noise(r, 0.0), &[|r| noise(r, 1.0)]),
        power(
            "jump.balance.jump.ci99",
            Formula,
            AS_IT_IS,
            &[|r| {
                set(r, "2^64 ideal hash values", "q995_deviation", &THOUSAND, json!(3e-8), None);
            }],
        ),
        power("derived.jump.exact_share", ByDefinition, AS_IT_IS, &[|r| add(r, "jump", "cv", &THOUSAND, 2e-16)]),
        power(
            "jump.balance.text.1pct",
            Reproduced,
            |r| outside(r, 0.010),
            &[|r| outside(r, 0.020), |r| outside(r, 0.0)],
        ),
        power("karger.1000pts", Reproduced, |r| spread(r, 0.032), &[|r| spread(r, 0.031), |r| spread(r, 0.033)]),
        power(
            "jump.memory.A.bytes",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                add(r, "ring-map-cpp", "live_bytes_per_point", &[("buckets", 1000.0), ("points", 10.0)], 1.0);
            }],
        ),
        power(
            "jump.memory.B.bytes",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                add(r, "ring-sorted-cpp", "live_bytes_per_point", &[("buckets", 1000.0), ("points", 10.0)], 1.0);
            }],
        ),
        power("jump.memory.A.1000", Reproduced, AS_IT_IS, &[|r| mebibytes(r, "ring-map-cpp", 47.0)]),
        power(
            "jump.memory.B.1000",
            Reproduced,
            AS_IT_IS,
            &[|r| mebibytes(r, "ring-sorted-cpp", 7.7), |r| mebibytes(r, "ring-sorted32", 7.5)],
        ),
        power(
            "jump.init.65536",
            AnotherMachine,
            |r| built(r, 1.1, 30.0),
            &[|r| built(r, 0.8, 30.0), |r| built(r, 1.1, 2_000.0)],
        ),
        power(
            "jump.speed.le1000",
            Reproduced,
            |r| ratios(r, 3.5, 6.0),
            &[|r| ratios(r, 4.5, 6.0), |r| ratios(r, 2.5, 6.0)],
        ),
        power(
            "jump.speed.le100000",
            Reproduced,
            |r| ratios(r, 3.5, 6.0),
            &[|r| ratios(r, 3.5, 8.5), |r| ratios(r, 3.5, 4.5)],
        ),
        power("jump.speed.k10", Reproduced, |r| small_rings(r, 1.1), &[|r| small_rings(r, 0.9)]),
        power(
            "jump.speed.shape",
            Reproduced,
            |r| curves(r, f64::ln, 3.0),
            &[|r| curves(r, |n| n, 3.0), |r| curves(r, f64::ln, 1.0)],
        ),
        power(
            "jump.contention.method",
            Reproduced,
            |r| contended(r, 1.0, 900.0, 300.0),
            &[
                // Jump takes half as long again; the reads add nothing to the ring; the knee moves to more buckets.
                |r| contended(r, 1.5, 900.0, 300.0),
                |r| contended(r, 1.0, -50.0, 300.0),
                |r| contended(r, 1.0, 900.0, 3_000.0),
            ],
        ),
        power(
            "jump.iterations.bound",
            Reproduced,
            AS_IT_IS,
            &[
                // ln n + γ is what H_n becomes for large n; ln n + 1 is the bound.
                |r| set_mean(r, 10.0, 10_f64.ln() + 0.577_215_664_9),
                |r| set_mean(r, 1000.0, 1000_f64.ln() + 1.0),
            ],
        ),
        power(
            "jump.k123",
            ConsistentWith,
            AS_IT_IS,
            &[|r| {
                let row = r.data.iter_mut().find(|row| row.metric == "smallest_key");
                row.expect("a key").value = Value::Null;
            }],
        ),
        power(
            "jump.rebalance.newbucket",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                let row =
                    r.data.iter_mut().find(|row| row.parameters.get("which").is_some_and(|which| which == "most"));
                row.expect("a fraction").value = json!(0.0016);
            }],
        ),
        power(
            "jump.rebalance.ring10",
            Reproduced,
            |r| donors(r, 10),
            &[
                |r| donors(r, 11),
                |r| {
                    // As many rings with one donor less.
                    donors(r, 10);
                    for row in r.data.iter_mut().filter(|row| row.metric == "rings") {
                        let donors = row.parameter("donors").expect("a number");
                        row.parameters.insert("donors".into(), json!(donors - 1.0));
                    }
                },
            ],
        ),
        power("jump.vectors", Reproduced, AS_IT_IS, &[|r| add(r, "jump", "published_pairs_equal", &[], -1.0)]),
        power(
            "jumparticle.port_agreement",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "jump-cpp", "equal_answers", &[], -1.0)],
        ),
        power(
            "jumparticle.nonpositive",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                add(r, "jump-cpp", "answer", &[("buckets", 0.0)], 1.0);
            }],
        ),
        power(
            "jump.move.10to12",
            Reproduced,
            AS_IT_IS,
            &[
                |r| add(r, "jump", "exact_moved_fraction", &TEN_TO_TWELVE, 1e-8),
                |r| set(r, "jump", "moved_fraction", &TEN_TO_TWELVE, json!(0.17), Some((0.1697, 0.1703))),
            ],
        ),
        power(
            "article.movement.mod",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "article, hash mod n", "moved_keys", &[], 1.0)],
        ),
        power(
            "article.movement.ring",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "article, ring", "moved_keys", &[], 1.0), |r| add(r, "article, ring", "stray_keys", &[], 1.0)],
        ),
        power(
            "jumparticle.mod_10_to_12",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                add(r, "modulo", "moved_residues", &TEN_TO_TWELVE, 1.0);
            }],
        ),
        power(
            "jumparticle.servers_array",
            Reproduced,
            AS_IT_IS,
            &[
                |r| set(r, "jump", "changed_server_fraction", &[], json!(0.49), Some((0.489, 0.491))),
                |r| set(r, "jump", "changed_index_fraction", &[], json!(0.21), Some((0.209, 0.211))),
            ],
        ),
        power("karger97.thm44", Reproduced, AS_IT_IS, &[|r| views(r, 0.01)]),
        // One key more on one node.
        power("article.skew.v1", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 1.0)], 1.0)]),
        power("article.skew.v10", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 10.0)], 1.0)]),
        power(
            "article.skew.v100",
            DiffersInTheLastDigit,
            AS_IT_IS,
            &[|r| {
                add(r, "article", "keys", &[("points", 100.0)], 1.0);
            }],
        ),
        power("article.skew.v1000", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 1000.0)], 1.0)]),
        power("lesson.join", Reproduced, AS_IT_IS, &[|r| lesson(r, "join")]),
        power("lesson.leave", Reproduced, AS_IT_IS, &[|r| lesson(r, "leave")]),
        power("lesson.virtual_nodes", Reproduced, AS_IT_IS, &[|r| lesson(r, "virtual nodes")]),
        power(
            "lesson.modulo",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                set(r, "position mod n", "kept_keys", &[], json!(["K2"]), None);
            }],
        ),
        power(
            "lesson.boundaries",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                let row = r.data.iter_mut().find(|row| row.metric == "answer");
                row.expect("an answer").value = json!("N2");
            }],
        ),
    ]
};

/// The rows of all tables.
fn table() -> impl Iterator<Item = &'static Power> {
    const TABLES: [&[Power]; 10] = [
        TABLE,
        constant_time::TABLE,
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
