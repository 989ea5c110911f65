//! What `multi_probe` answers.

use consistent_hash_lab::experiment::{Outcome, Record};
use serde_json::json;

use super::{Power, put};

/// Peaks that are the limits, but for one, at which it is that of so many probes.
fn peaks(record: &mut Record, wrong: u32, probes: f64) {
    record.data.clear();
    for k in [2_u32, 3, 5, 11, 21] {
        let of = if k == wrong { probes } else { f64::from(k) };
        let peak = of / (of - 1.0);
        let at = json!({ "probes": k });
        put(record, "multi-probe", "peak_to_average", at, json!(peak), Some((peak - 0.001, peak + 0.001)));
    }
}

fn at_21(record: &mut Record, peak: f64) {
    record.data.clear();
    let range = Some((peak - 0.004, peak + 0.004));
    put(record, "multi-probe", "peak_to_average", json!({ "probes": 21 }), json!(peak), range);
}

fn factor(record: &mut Record, factor: f64) {
    record.data.clear();
    put(record, "ring, theory", "points_over_ln_n", json!({ "assumed_buckets": 1000 }), json!(factor), None);
}

pub const TABLE: &[Power] = &[
    Power {
        id: "mpch.abstract",
        met: |record| peaks(record, 0, 0.0),
        best: Outcome::Reproduced,
        fails: &[|record| peaks(record, 2, 3.0), |record| peaks(record, 21, 20.0), |record| peaks(record, 21, 22.0)],
    },
    Power {
        id: "mpch.k21",
        met: |record| at_21(record, 1.05),
        best: Outcome::Reproduced,
        fails: &[|record| at_21(record, 1.06), |record| at_21(record, 1.04)],
    },
    Power {
        id: "mpch.ring.equiv",
        met: |record| factor(record, 700.0),
        best: Outcome::ConsistentWith,
        fails: &[|record| factor(record, 600.0), |record| factor(record, 800.0)],
    },
];
