//! Jump against the answers of the C++ of Figure 1 that `tests/vectors/jump.json` holds: all of them, read as data.

use consistent_hash_lab::algorithms::{Jump, Partitioner};
use consistent_hash_lab::peers::cpp::{self, CppError};
use consistent_hash_lab::verify::model;
use serde::Deserialize;

/// The file. A field that is not known here fails the test: nothing in it is passed over in silence.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code)]
struct Vectors {
    system: String,
    version: String,
    how_obtained: String,
    exact_rule: String,
    notes: String,
    cases: Vec<Case>,
}

/// Parallel lists: (`keys[i]`, `n[i]`) has the answer `result[i]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    desc: String,
    keys: Vec<u64>,
    n: Vec<u32>,
    result: Vec<u32>,
    /// Answers of Guava's variant, which this version does not implement: only held against `guava_differs` below.
    guava_result: Vec<u32>,
    guava_differs: usize,
}

fn vectors() -> Vec<Case> {
    let vectors: Vectors =
        serde_json::from_str(include_str!("vectors/jump.json")).expect("every field is known and every key is a u64");
    assert!(!vectors.cases.is_empty());
    vectors.cases
}

/// Asks about every pair of the file; `answer` gives the bucket of (key, n).
fn assert_answers(answer: impl Fn(u64, u32) -> u32) {
    for case in vectors() {
        let pairs = case.keys.len();
        assert!(pairs > 0, "{}: no pairs", case.desc);
        assert_eq!([case.n.len(), case.result.len()], [pairs; 2], "{}: lists of different lengths", case.desc);
        for ((key, n), result) in case.keys.into_iter().zip(case.n).zip(case.result) {
            assert_eq!(answer(key, n), result, "{}: key {key}, {n} buckets", case.desc);
        }
    }
}

#[test]
fn jump() {
    assert_answers(|key, n| Jump::new(n).expect("a count from the file").bucket(key));
}

#[test]
fn jump_in_batches() {
    assert_answers(|key, n| {
        let mut out = [u32::MAX];
        Jump::new(n).expect("a count from the file").buckets(&[key], &mut out);
        out[0]
    });
}

#[test]
fn the_integer_model() {
    assert_answers(model::jump);
}

#[test]
fn the_cpp_of_figure_1() {
    if cpp::COMPILER.is_none() {
        assert_eq!(cpp::figure_1(0, 1), Err(CppError::NoCompiler));
        return;
    }
    assert_answers(|key, n| {
        let n = i32::try_from(n).expect("Figure 1 takes an int32_t");
        cpp::figure_1(key, n).expect("compiled").try_into().expect("a bucket")
    });
}

#[test]
fn guava_is_counted() {
    for case in vectors() {
        assert_eq!(case.guava_result.len(), case.result.len(), "{}", case.desc);
        let differ = case.guava_result.iter().zip(&case.result).filter(|(guava, result)| guava != result).count();
        assert_eq!(differ, case.guava_differs, "{}", case.desc);
    }
}
