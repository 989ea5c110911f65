//! Rows of the power table for `views`.

use super::*;

/// Spread and load are t ln C for all sizes, but so many times as much at one.
fn bound(record: &mut Record, times: f64) {
    record.data.clear();
    for metric in ["most_spread", "most_load"] {
        for buckets in [30_u32, 100, 300] {
            for part in [2_u32, 4, 8] {
                let times = if (buckets, part) == (300, 8) { times } else { 1.0 };
                let value = json!(times * f64::from(part) * f64::from(buckets).ln());
                let at = json!({ "buckets": buckets, "part": part, "views": buckets });
                put(record, "ring-nearest", metric, at, value, None);
            }
        }
    }
}

pub const TABLE: &[Power] =
    &[power("karger97.thm41", Outcome::ConsistentWith, |r| bound(r, 1.0), &[|r| bound(r, 2.1), |r| bound(r, 0.4)])];
