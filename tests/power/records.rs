//! The changes that the power table makes to records.

use consistent_hash_lab::experiment::{Parametrised, Record, Row, TimingRow};
use consistent_hash_lab::published;
use consistent_hash_lab::statistics::Interval;
use serde_json::{Value, json};

pub const THOUSAND: [(&str, f64); 1] = [("buckets", 1000.0)];
pub const TEN_TO_TWELVE: [(&str, f64); 2] = [("from", 10.0), ("to", 12.0)];

pub fn row<'a>(record: &'a mut Record, who: &str, metric: &str, at: &[(&str, f64)]) -> &'a mut Row {
    let row = record.data.iter_mut().find(|row| row.implementation == who && row.metric == metric && row.is_at(at));
    row.unwrap_or_else(|| panic!("no {metric} of {who} at {at:?}"))
}

pub fn set(record: &mut Record, who: &str, metric: &str, at: &[(&str, f64)], value: Value, range: Option<(f64, f64)>) {
    let row = row(record, who, metric, at);
    row.value = value;
    if let Some((low, high)) = range {
        row.interval = Some(Interval { low, high, level: 0.99 });
    }
}

pub fn add(record: &mut Record, who: &str, metric: &str, at: &[(&str, f64)], more: f64) {
    let row = row(record, who, metric, at);
    row.value = json!(row.number().expect("a number") + more);
}

/// Adds a row with a value and, where it has one, a 99% range: for records that are made from nothing.
pub fn put(record: &mut Record, who: &str, metric: &str, at: Value, value: Value, range: Option<(f64, f64)>) {
    let Value::Object(parameters) = at else { panic!("parameters are an object") };
    let mut row = Row::new(who, metric, value);
    row.parameters = parameters.into_iter().collect();
    row.interval = range.map(|(low, high)| Interval { low, high, level: 0.99 });
    record.data.push(row);
}

/// A narrow range so many units of the last printed digit beside a published number.
pub fn beside(record: &mut Record, who: &str, metric: &str, at: &[(&str, f64)], printed: f64, units: f64) {
    let (low, high) = published::rounding(printed);
    let unit = high - low;
    let value = printed + units * unit;
    set(record, who, metric, at, json!(value), Some((value - 0.4 * unit, value + 0.4 * unit)));
}

pub fn cv(record: &mut Record, points: u32, units: f64) {
    let printed = published::number(&format!("jump.balance.ring.v{points}.stderr")).expect("a number");
    beside(record, "ring-sorted64", "cv", &[("points", points.into())], printed, units);
}

pub fn ends(record: &mut Record, points: u32, low: f64, high: f64) {
    let printed = published::ends(&format!("jump.balance.ring.v{points}.ci99")).expect("two ends");
    beside(record, "ring-sorted64", "q005", &[("points", points.into())], printed.0, low);
    beside(record, "ring-sorted64", "q995", &[("points", points.into())], printed.1, high);
}

pub fn noise(record: &mut Record, units: f64) {
    beside(record, "2^64 ideal hash values", "cv", &THOUSAND, 7.64e-9, units);
}

pub fn outside(record: &mut Record, fraction: f64) {
    let range = Some((fraction - 0.004, fraction + 0.004));
    set(record, "ring-sorted64", "outside_8_percent", &[("points", 1000.0)], json!(fraction), range);
    set(record, "theory", "outside_8_percent", &[("points", 1000.0)], json!(fraction), None);
}

pub fn spread(record: &mut Record, cv: f64) {
    set(record, "ring-sorted64", "cv", &[("points", 1000.0)], json!(cv), Some((cv - 0.0004, cv + 0.0004)));
}

pub fn mebibytes(record: &mut Record, who: &str, mebibytes: f64) {
    let at = [("buckets", 1000.0), ("points", 1000.0)];
    set(record, who, "heap_live_bytes", &at, json!(mebibytes * 1_048_576.0), None);
}

pub fn set_mean(record: &mut Record, buckets: f64, mean: f64) {
    let row = row(record, "jump", "iterations", &[("buckets", buckets)]);
    let half = row.interval.map_or(0.0, |interval| (interval.high - interval.low) / 2.0);
    row.interval = Some(Interval { low: mean - half, high: mean + half, level: 0.99 });
    row.value = json!(mean);
}

pub fn donors(record: &mut Record, most: u32) {
    record.data.retain(|row| row.metric != "most_donors_of_moved_keys");
    record.data.push(Row::new("ring-sorted64", "most_donors_of_moved_keys", most).with("repetitions", 200));
}

/// The mean of one pair of views is another.
pub fn views(record: &mut Record, more: f64) {
    let row = row(record, "rendezvous", "unchanged_fraction", &[]);
    row.value = json!(row.number().expect("a number") + more);
    row.interval = row.interval.map(|i| Interval { low: i.low + more, high: i.high + more, ..i });
}

/// One node has a key more.
pub fn lesson(record: &mut Record, change: &str) {
    let is_it = |row: &&mut Row| row.metric == "keys" && row.parameters.get("change").is_some_and(|is| is == change);
    let row = record.data.iter_mut().find(is_it).expect("keys of a node");
    row.value = json!(row.value.as_u64().expect("a count") + 1);
}

/// A row of times with an interval of 2 %.
pub fn time(who: &str, metric: &str, parameters: Value, value: f64) -> TimingRow {
    let interval = Interval { low: value * 0.99, high: value * 1.01, level: 0.95 };
    serde_json::from_value(json!({
        "cell": "", "implementation": who, "parameters": parameters, "metric": metric, "value": value,
        "interval": interval, "minimum": value, "samples": [value, value],
    }))
    .expect("a row")
}

pub const RINGS: [&str; 2] = ["ring-map-cpp", "ring-sorted-cpp"];
pub const SIZES: [u32; 11] = [1, 3, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000, 100_000];

pub fn ratios(record: &mut Record, to_1000: f64, beyond: f64) {
    record.timing = SIZES
        .iter()
        .flat_map(|&buckets| RINGS.map(|ring| (ring, buckets, if buckets <= 1000 { to_1000 } else { beyond })))
        .map(|(ring, buckets, ratio)| {
            time(ring, "lookup_ratio", json!({ "to": "jump-cpp", "points": 1000, "buckets": buckets }), ratio)
        })
        .collect();
}

/// All rings of 10 points take longer than jump, one as given.
pub fn small_rings(record: &mut Record, one: f64) {
    let at = |buckets: u32| json!({ "to": "jump-cpp", "points": 10, "buckets": buckets });
    let ratio = |buckets: u32| if buckets == 30 { one } else { 1.5 };
    record.timing = SIZES
        .iter()
        .flat_map(|&buckets| RINGS.map(|ring| time(ring, "lookup_ratio", at(buckets), ratio(buckets))))
        .collect();
}

/// Jump's time as a function of n, and rings whose doublings cost so many times as much beyond the cache.
pub fn curves(record: &mut Record, jump: fn(f64) -> f64, steeper: f64) {
    let cache = record.environment.last_level_cache_bytes().unwrap_or(32 << 20) as f64;
    let ring = |bytes: f64| {
        let doublings = (bytes / cache).log2();
        500.0 + 10.0 * doublings * if doublings > 0.0 { steeper } else { 1.0 }
    };
    let rows = SIZES.iter().flat_map(|&buckets| {
        let n = f64::from(buckets);
        let at = |points: u32| json!({ "points": points, "buckets": buckets });
        [
            time("jump-cpp", "lookup_ns", at(10), 5.0 + 6.0 * jump(n)),
            time(RINGS[0], "lookup_ns", at(1000), ring(n * 1000.0 * 64.0)),
            time(RINGS[1], "lookup_ns", at(1000), ring(n * 1000.0 * 8.0)),
        ]
    });
    record.timing = rows.collect();
}

/// Rings rise from 100 to 1000 ns around 1000 buckets; with the reads jump takes so many times as long, and the rings so
/// much more, their rise being at so many buckets.
pub fn contended(record: &mut Record, jump: f64, added: f64, knee: f64) {
    let rise = |n: f64, knee: f64| 100.0 + 900.0 / (1.0 + (knee / n).powi(2));
    let rows = SIZES[..9].iter().flat_map(|&buckets| {
        let n = f64::from(buckets);
        let at = || json!({ "points": 1000, "buckets": buckets });
        let jump_alone = 10.0 + 6.0 * n.ln();
        let mut rows = vec![
            time("jump-cpp", "alone_ns", at(), jump_alone),
            time("jump-cpp", "contended_ns", at(), jump_alone * jump),
        ];
        for ring in RINGS {
            rows.push(time(ring, "alone_ns", at(), rise(n, 1000.0)));
            // What is added at 1000 buckets, where the rise is judged.
            let here = rise(n, knee) - rise(1000.0, knee) + rise(1000.0, 1000.0) + added;
            rows.push(time(ring, "contended_ns", at(), here));
        }
        rows
    });
    record.timing = rows.collect();
}

/// Rings whose time grows with n to a power, and jump that takes some ns.
pub fn built(record: &mut Record, power: f64, jump_ns: f64) {
    let rows = [1_u32, 16, 256, 4_096, 65_536].into_iter().flat_map(|buckets| {
        let at = || json!({ "points": 1000, "buckets": buckets });
        let ring = 1e5 * f64::from(buckets).powf(power);
        [
            time(RINGS[0], "build_ns", at(), ring),
            time(RINGS[1], "build_ns", at(), ring),
            time("jump", "build_ns", at(), jump_ns),
        ]
    });
    record.timing = rows.collect();
}
