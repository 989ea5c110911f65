//! Rows of the power table for `dynamo_strategies`.

use super::*;

/// A narrow range so many hundredths beside the value that was read from the figure, whose own precision is one hundredth.
fn efficiency(record: &mut Record, id: &str, strategy: u32, entries: u32, hundredths: f64) {
    record.data.clear();
    let value = published::number(id).expect("a number") + 0.01 * hundredths;
    let range = Some((value - 0.004, value + 0.004));
    let at = json!({ "metadata_entries": entries });
    put(record, &format!("strategy {strategy}"), "load_efficiency", at, json!(value), range);
}

macro_rules! figure {
    ($($strategy:literal: [$($entries:literal)*])*) => {
        &[$($(power(
            concat!("dynamo.fig8.s", $strategy, ".meta", $entries),
            Outcome::ConsistentWith,
            |r| efficiency(r, concat!("dynamo.fig8.s", $strategy, ".meta", $entries), $strategy, $entries, 0.0),
            &[
                |r| efficiency(r, concat!("dynamo.fig8.s", $strategy, ".meta", $entries), $strategy, $entries, 2.0),
                |r| efficiency(r, concat!("dynamo.fig8.s", $strategy, ".meta", $entries), $strategy, $entries, -2.0),
            ],
        ),)*)*]
    };
}

pub const TABLE: &[Power] = figure! {
    1: [60 120 240 480 960 1920 3840 7680 15360 30720]
    2: [60 120 240 480 960 1920 3840 7680 15360 30720]
    3: [60 120 240 480 960 1920 3840 7680 15360 30720]
};
