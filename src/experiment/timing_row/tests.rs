//! Rows of one run and of several.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use Condition::{Alone, Shared, Slowed};

fn stream() -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(1)
}

fn row(samples: &[f64], conditions: &[Condition]) -> TimingRow {
    TimingRow::of("jump", "lookup_ns", samples.to_vec(), conditions, &mut stream()).expect("samples")
}

fn alone(samples: &[f64]) -> TimingRow {
    row(samples, &vec![Alone; samples.len()])
}

#[test]
fn one_run_has_a_value_and_no_interval() {
    let one = alone(&[3.0, 1.0, 2.0]);
    assert_eq!((one.interval, one.judged(), one.minimum, one.unstable), (None, None, 1.0, false));
    assert_eq!(one.written(|value| format!("{value:.1} ns")), "2.0 ns (n = 1)");
    assert!(one.variance.is_some_and(|variance| variance.between_runs.is_none() && variance.within_runs > 0.0));
    let rows = [alone(&[2.0]), alone(&[2.2]), alone(&[2.1])];
    let three = TimingRow::of_runs(rows.to_vec()).expect("rows");
    let interval = three.judged().expect("three runs");
    assert!(interval.low < 1.9 && interval.high > 2.3 && interval.contains(three.value), "{interval:?}");
    assert_eq!((three.samples.as_slice(), three.runs.len(), three.minimum), (&[2.0, 2.2, 2.1][..], 3, 2.0));
    assert!(three.variance.and_then(|variance| variance.between_runs).is_some_and(|between| between > 0.0));
    assert!(three.note.as_ref().is_some_and(|note| note == "3 samples in 3 runs: 3 with the core alone"), "{three:?}");
    assert_eq!(TimingRow::of_runs(vec![]), None);
}

#[test]
fn runs_that_differ_wildly_determine_nothing() {
    // Two runs, a factor of 10 apart: Student's quantile is 12.7, and the interval would span 25 decades.
    let wild = TimingRow::of_runs(vec![alone(&[1.0]), alone(&[10.0])]).expect("rows");
    assert_eq!((wild.interval, wild.written(|value| format!("{value:.1}")).as_str()), (None, "3.2 (not determined)"));
    // A round that took a hundred times as long: its noise is of the size of its logarithm, not a hundred times that.
    let noisy = alone(&[1.0, 1.0, 100.0]);
    assert!(noisy.runs[0].variance < 4.7 * 4.7, "{noisy:?}");
}

#[test]
fn what_a_neighbour_slowed_does_not_count() {
    let mixed = row(&[2.0, 4.0, 2.0, 1.0, 2.0], &[Alone, Shared, Alone, Slowed, Alone]);
    assert_eq!((mixed.value, mixed.minimum, mixed.runs[0].conditions.as_str()), (2.0, 2.0, "asaca"));
    let note = mixed.note.clone().expect("a note");
    assert!(note.contains("3 with the core alone, 1 beside") && note.ends_with("the 3 alone count"), "{note}");
    assert_eq!(mixed.samples.len(), 5, "nothing is lost");

    // Two of five are not enough: all count, and the row says so.
    let crowded = row(&[2.0, 4.0, 4.0, 4.0, 2.0], &[Alone, Shared, Shared, Shared, Alone]);
    assert_eq!((crowded.value, crowded.unstable), (4.0, true));
    assert_eq!(crowded.written(|value| value.to_string()), "4† (n = 1)");
    // Such a run is left out where two others are left, and not where one is.
    let joined = |rows: &[&TimingRow]| TimingRow::of_runs(rows.iter().map(|&row| row.clone()).collect()).expect("rows");
    let without = joined(&[&mixed, &crowded, &mixed]);
    assert!((without.value - 2.0).abs() < 1e-12 && !without.unstable && without.judged().is_some());
    assert!(without.note.as_ref().is_some_and(|note| note.contains("in 2 runs count")), "{without:?}");
    let with = joined(&[&mixed, &crowded]);
    assert!(with.unstable && with.value > 2.1 && with.judged().is_none());
}

#[test]
fn a_ratio_is_of_rounds_in_which_both_were_alone() {
    let (a, b) = ([6.0, 6.0, 9.0, 6.0], [2.0, 2.0, 2.0, 1.0]);
    let ratio = |a_is: &[Condition], b_is: &[Condition]| {
        TimingRow::ratio("a", "lookup_ratio", (&a, a_is), (&b, b_is), &mut stream())
    };
    let row = ratio(&[Alone, Alone, Shared, Alone], &[Alone, Alone, Alone, Shared]).expect("rounds");
    assert_eq!(row.runs[0].conditions, "aass");
    assert!(row.unstable, "two rounds are too few");
    let row = ratio(&[Alone; 4], &[Alone, Alone, Alone, Shared]).expect("rounds");
    assert_eq!((row.value, row.unstable), (3.0, false));
    assert!(TimingRow::ratio("a", "r", (&a, &[Alone; 4]), (&[0.0; 4], &[Alone; 4]), &mut stream()).is_none());
    assert!(TimingRow::ratio("a", "r", (&a, &[Alone; 4]), (&b[..3], &[Alone; 3]), &mut stream()).is_none());
}

/// One is always twice the other, whatever the round: only unpaired resampling would find an uncertainty.
#[test]
fn whole_rounds_are_drawn() {
    let b: Vec<f64> = (1..=20).map(f64::from).collect();
    let a: Vec<f64> = b.iter().map(|x| 2.0 * x).collect();
    let row = TimingRow::ratio("a", "r", (&a, &[Alone; 20]), (&b, &[Alone; 20]), &mut stream()).expect("rounds");
    assert_eq!((row.value, row.runs[0].variance), (2.0, 0.0));
}

#[test]
fn rows_from_before_there_were_runs() {
    let old = r#"{"cell": "c", "implementation": "jump", "parameters": {"buckets": 10}, "metric": "lookup_ns", "value": 2.0,
        "interval": {"low": 1.9, "high": 2.1, "level": 0.95}, "minimum": 1.8, "samples": [1.8, 2.0, 2.2],
        "note": "3 rounds, 0 dropped; unstable: more than half of the rounds were disturbed"}"#;
    let row: TimingRow = serde_json::from_str(old).expect("an old row");
    let row = row.modernised();
    assert_eq!((row.value, row.interval, row.unstable), (2.0, None, true));
    assert_eq!(row.written(|value| value.to_string()), "2† (n = 1)");
}
