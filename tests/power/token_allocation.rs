//! Rows of the power table for `token_allocation`.

use super::*;

/// Both definitions of the spread so many units of the last printed digit beside a published percentage, in narrow ranges.
fn spread(record: &mut Record, id: &str, replicas: u32, tokens: u32, units: f64) {
    record.data.clear();
    let printed = published::number(id).expect("a number");
    let (low, high) = published::rounding(printed);
    let percent = printed + units * (high - low);
    for metric in ["cv", "above_mean"] {
        let at = json!({ "tokens": tokens, "replicas": replicas });
        let range = Some((0.01 * percent - 1e-6, 0.01 * percent + 1e-6));
        put(record, "allocated tokens", metric, at, json!(0.01 * percent), range);
    }
}

/// All units within the bound but for those of one number of tokens.
fn largest(record: &mut Record, more: f64) {
    record.data.clear();
    for tokens in [1_u32, 4, 16, 64] {
        let bound = 1.0 + 4.0 / f64::from(tokens);
        let value = if tokens == 16 { bound + more } else { bound };
        put(record, "allocated tokens", "largest_of_250", json!({ "tokens": tokens }), json!(value), None);
    }
}

macro_rules! table {
    ($($replicas:literal: [$($tokens:literal)*])*) => {
        &[
            power(
                "cassandra.tests.bound",
                Outcome::ReproducedInPart,
                |r| largest(r, 0.0),
                &[|r| largest(r, 0.01)],
            ),
            $($(power(
                concat!("cassandra.alloc.rf", $replicas, ".v", $tokens),
                Outcome::ConsistentWith,
                |r| spread(r, concat!("cassandra.alloc.rf", $replicas, ".v", $tokens), $replicas, $tokens, 0.0),
                &[|r| spread(r, concat!("cassandra.alloc.rf", $replicas, ".v", $tokens), $replicas, $tokens, 1.0)],
            ),)*)*
        ]
    };
}

pub const TABLE: &[Power] = table! {
    2: [4 8 64 128]
    3: [4 8 64 128]
    5: [4 8 64 128]
};
