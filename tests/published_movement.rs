//! The published values of movement, met to the key; and what the verdicts say of records in which something is wrong or
//! missing.

use std::path::Path;

use assert_cmd::Command;
use consistent_hash_lab::experiment::{Outcome, Record};
use consistent_hash_lab::published;
use consistent_hash_lab::study::Study;
use consistent_hash_lab::workload::lesson::{JOINED, KEYS, LEFT, Nodes, ONE_TOKEN, POSITIONS, START, THREE_TOKENS};
use serde_json::{Map, Value, json};

#[path = "../experiments"]
mod experiments {
    // Each file has a `main` of its own for its binary.
    #![allow(dead_code)]

    pub mod key_movement;
    pub mod ring_lesson;
}

fn studies() -> [(Study, &'static str); 2] {
    [
        (experiments::key_movement::study(), env!("CARGO_BIN_EXE_key_movement")),
        (experiments::ring_lesson::study(), env!("CARGO_BIN_EXE_ring_lesson")),
    ]
}

fn measured(study: &Study, binary: &str, folder: &Path) -> Record {
    let arguments = ["--scale", "smoke", "--quiet", "--out"];
    Command::new(binary).args(arguments).arg(folder).current_dir(folder).assert().success();
    Record::read(&folder.join(format!("{}.json", study.experiment.name))).expect("a record")
}

#[test]
fn all_values_are_met_and_every_verdict_can_fail() {
    for (study, binary) in studies() {
        let folder = tempfile::tempdir().expect("a folder");
        let record = measured(&study, binary, folder.path());
        assert_eq!(record.verdicts, (study.verdicts)(&record));
        assert!(!record.verdicts.is_empty());
        for verdict in &record.verdicts {
            assert!(published::find(&verdict.id).is_some(), "{}", verdict.id);
            // The few keys of this scale leave one value open in part; one is arithmetic.
            let wanted = match verdict.id.as_str() {
                "jump.move.10to12" => Outcome::ReproducedInPart,
                "jumparticle.mod_10_to_12" => Outcome::ByDefinition,
                _ => Outcome::Reproduced,
            };
            assert_eq!(verdict.outcome, wanted, "{verdict:?}");
        }

        let nothing = Record { data: Vec::new(), ..record.clone() };
        for verdict in (study.verdicts)(&nothing) {
            assert_eq!(verdict.outcome, Outcome::NotMeasured, "{verdict:?}");
        }
        (study.charts)(&nothing);

        // Every value is another one than was found.
        let mut wrong = record.clone();
        for row in &mut wrong.data {
            row.value = match &row.value {
                Value::Number(number) if number.is_u64() => json!(77),
                Value::Number(_) => json!(0.4),
                Value::Array(_) => json!(["K99"]),
                _ => json!("N99"),
            };
            if let Some(interval) = &mut row.interval {
                (interval.low, interval.high) = (0.39, 0.41);
            }
            if row.metric.ends_with("_p") {
                row.value = json!(1e-9);
            }
        }
        for verdict in (study.verdicts)(&wrong) {
            assert_eq!(verdict.outcome, Outcome::Differs, "{verdict:?}");
        }
    }
}

#[test]
fn one_key_makes_the_difference() {
    let [(movement, binary), _] = studies();
    let folder = tempfile::tempdir().expect("a folder");
    let record = measured(&movement, binary, folder.path());
    let outcome = |record: &Record, id: &str| {
        (movement.verdicts)(record).into_iter().find(|verdict| verdict.id == id).map(|verdict| verdict.outcome)
    };
    for (who, id) in [("article, hash mod n", "article.movement.mod"), ("article, ring", "article.movement.ring")] {
        let mut changed = record.clone();
        let row = changed.data.iter_mut().find(|row| row.implementation == who && row.metric == "moved_keys");
        let row = row.expect("the article's keys");
        row.value = json!(row.value.as_u64().expect("a count") + 1);
        assert_eq!(outcome(&changed, id), Some(Outcome::Differs));
        assert_eq!(outcome(&record, id), Some(Outcome::Reproduced));
    }
}

fn nodes(nodes: Nodes) -> Value {
    nodes.iter().map(|&(name, tokens)| (name.to_owned(), json!(tokens))).collect::<Map<String, Value>>().into()
}

#[test]
fn the_lesson_is_set_up_as_published() {
    let parameter = |id: &str, name: &str| published::find(id).expect("an id").parameters[name].clone();
    assert_eq!(parameter("lesson.join", "positions"), json!(POSITIONS));
    assert_eq!(parameter("lesson.join", "keys"), json!(KEYS));
    assert_eq!(parameter("lesson.join", "tokens"), nodes(START));
    let mut joined = parameter("lesson.join", "tokens");
    let new = parameter("lesson.join", "join");
    joined.as_object_mut().expect("nodes").extend(new.as_object().expect("nodes").clone());
    assert_eq!(joined, nodes(JOINED));
    assert_eq!(parameter("lesson.leave", "tokens"), nodes(JOINED));
    joined.as_object_mut().expect("nodes").remove(parameter("lesson.leave", "leave").as_str().expect("a name"));
    assert_eq!(joined, nodes(LEFT));
    assert_eq!(parameter("lesson.virtual_nodes", "before"), nodes(ONE_TOKEN));
    assert_eq!(parameter("lesson.virtual_nodes", "after"), nodes(THREE_TOKENS));
}
