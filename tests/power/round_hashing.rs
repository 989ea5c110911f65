//! What `round_hashing` answers; its setup is in `FOLLOWED`.

use consistent_hash_lab::experiment::{Outcome, Record};
use serde_json::json;

use super::{Power, time};

fn ratio(record: &mut Record, ratio: f64) {
    let at = |n: u32| json!({ "buckets": n, "to": "round, S = 8" });
    record.timing =
        vec![time("jump", "lookup_ratio", at(10), ratio / 4.0), time("jump", "lookup_ratio", at(1_000_000_000), ratio)];
}

pub const TABLE: &[Power] = &[Power {
    id: "round.abstract",
    met: |record| ratio(record, 10.2),
    best: Outcome::ConsistentWith,
    fails: &[|record| ratio(record, 9.8)],
}];
