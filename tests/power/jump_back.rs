//! What `jump_back` answers: eighteen samples of draws and fifteen rows of times, alike.

use consistent_hash_lab::experiment::{Outcome, Record};
use consistent_hash_lab::published;
use serde_json::json;

use super::{Power, put, time};

const SAMPLES: [(&str, &str); 3] =
    [("jump-draws", "JumpHash"), ("jump-back", "JumpBackHash64"), ("jump-back32", "JumpBackHash32")];

fn column(id: &str, name: &str) -> f64 {
    published::find(id).and_then(|value| value.value.get(name)?.as_f64()).expect("a column")
}

/// A sample of as many keys that has the published moments, but for one of them, which is so many standard errors off: the
/// paper's own precision.
fn draws(record: &mut Record, n: u32, wrong: &str, errors: f64) {
    record.data.clear();
    let id = format!("jumpback.consumption.n{n}");
    for (who, name) in SAMPLES {
        let (mean, variance) = (column(&id, &format!("mean{name}")), column(&id, &format!("var{name}")));
        let at = || json!({ "buckets": n, "keys": 10_000_000 });
        let of = |what: &str| if format!("{what}{name}") == wrong { errors } else { 0.0 };
        // Without spread, or with that of a fair coin, what is off is the last digit.
        let error = (variance / 1e7).sqrt().max(1e-7);
        put(record, who, "draws_mean", at(), json!(mean + of("mean") * error), None);
        // Twice the standard error for a normal distribution: the tails of jump's are lighter, of the others' heavier.
        let error = (8.0 * (variance * variance).max(variance / 4.0) / 1e7).sqrt().max(1e-7);
        put(record, who, "draws_variance", at(), json!(variance + of("var") * error), None);
    }
}

/// Jump takes so many times the published factor, at the middle of the two variants', as long as JumpBackHash, which
/// takes so many times as long as at the size before.
fn times(record: &mut Record, n: u32, factor: f64, above: f64) {
    record.timing.clear();
    let id = format!("jumpback.time.n{n}");
    let net = |name| column(&id, name) - column(&id, "DummyOperation");
    let published = |name| net("JumpHash") / net(name);
    let middle = (published("JumpBackHash") * published("JumpBackHashUseSeedAsFirstRandomValue")).sqrt();
    let at = |n: u32| json!({ "buckets": n });
    let ratio = if n == 1 { 4.0 } else { middle } * factor;
    record.timing = vec![
        time("jump-back", "lookup_ns", at(n.saturating_sub(1).max(1)), 5.0),
        time("jump-back", "lookup_ns", at(n), 5.0 * above),
        time("jump-draws", "lookup_ns", at(n), 5.0 * above * ratio),
        time("jump-draws", "lookup_ratio", json!({ "buckets": n, "to": "jump-back" }), ratio),
    ];
    if n == 1 {
        record.timing.remove(0);
    }
}

macro_rules! consumption {
    ($n:literal) => {
        Power {
            id: concat!("jumpback.consumption.n", $n),
            met: |record| draws(record, $n, "", 0.0),
            best: Outcome::Reproduced,
            fails: &[
                |record| draws(record, $n, "meanJumpHash", 8.0),
                |record| draws(record, $n, "varJumpHash", 8.0),
                |record| draws(record, $n, "meanJumpBackHash64", -8.0),
                |record| draws(record, $n, "varJumpBackHash64", 8.0),
                |record| draws(record, $n, "meanJumpBackHash32", 8.0),
                |record| draws(record, $n, "varJumpBackHash32", -8.0),
            ],
        }
    };
}

macro_rules! time_at {
    ($n:literal) => {
        Power {
            id: concat!("jumpback.time.n", $n),
            met: |record| times(record, $n, 1.0, 2.0),
            best: Outcome::AnotherMachine,
            // Far off, and not slower at all.
            fails: &[|record| times(record, $n, 0.2, 2.0)],
        }
    };
    ($n:literal, one above) => {
        Power {
            fails: &[
                |record| times(record, $n, 0.2, 2.0),
                |record| times(record, $n, 2.0, 2.0),
                |record| times(record, $n, 1.0, 0.9),
            ],
            ..time_at!($n)
        }
    };
}

pub const TABLE: &[Power] = &[
    consumption!(2),
    consumption!(3),
    consumption!(5),
    consumption!(10),
    consumption!(16),
    consumption!(17),
    consumption!(33),
    consumption!(64),
    consumption!(65),
    consumption!(100),
    consumption!(128),
    consumption!(129),
    consumption!(257),
    consumption!(513),
    consumption!(1000),
    consumption!(1024),
    consumption!(4097),
    consumption!(1000000),
    time_at!(1),
    time_at!(2),
    time_at!(10),
    time_at!(16),
    time_at!(17, one above),
    time_at!(64),
    time_at!(65, one above),
    time_at!(128),
    time_at!(256),
    time_at!(1024),
    time_at!(1025, one above),
    time_at!(8192),
    time_at!(65536),
    time_at!(65537, one above),
    time_at!(1048576),
];
