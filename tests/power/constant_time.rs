//! What `constant_time` answers.

use consistent_hash_lab::experiment::{Outcome, Record};
use consistent_hash_lab::published;
use serde_json::json;

use super::{Power, put, time};

/// Jump takes so many times the published ratio as long as FlipHash.
fn ratio(record: &mut Record, n: u32, factor: f64) {
    let value = &published::find(&format!("fliphash.time.{n}")).expect("a value").value;
    let of = |name| value.get(name).and_then(serde_json::Value::as_f64).expect("a time");
    let ratio = of("JumpHash") / of("FlipHash") * factor;
    record.timing = vec![time("jump", "lookup_ratio", json!({ "buckets": n, "to": "flip" }), ratio)];
}

/// Steps at both sizes whose difference is the growth.
fn steps(record: &mut Record, power: f64, jump: f64) {
    record.data.clear();
    for (id, more) in [("power", power), ("jump-draws", jump)] {
        for (n, mean) in [((1 << 16) + 1, 12.0), ((1 << 30) + 1, 12.0 + more)] {
            put(record, id, "steps_mean", json!({ "buckets": n }), json!(mean), Some((mean - 0.002, mean + 0.002)));
        }
    }
}

macro_rules! flip {
    ($n:literal) => {
        Power {
            id: concat!("fliphash.time.", $n),
            met: |record| ratio(record, $n, 1.0),
            best: Outcome::AnotherMachine,
            fails: &[|record| ratio(record, $n, 1.1), |record| ratio(record, $n, 0.9)],
        }
    };
}

pub const TABLE: &[Power] = &[
    flip!(10),
    flip!(1000),
    flip!(1000000),
    flip!(1000000000),
    Power {
        id: "power.o1",
        met: |record| steps(record, 0.0, 9.7),
        best: Outcome::Reproduced,
        // A thousandth of a step for each doubling; a test that would not see jump grow.
        fails: &[|record| steps(record, 0.014, 9.7), |record| steps(record, 0.0, 0.0)],
    },
];
