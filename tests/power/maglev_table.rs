//! Rows of the power table for `maglev_table`.

use super::*;

const SIZES: [u32; 2] = [65_537, 655_373];

fn example(record: &mut Record, first_slot: u32) {
    record.data.clear();
    let mut value = published::find("maglev.table1").expect("an id").value.clone();
    value["before"][0] = json!(first_slot);
    put(record, "maglev", "table_1", json!({}), value, None);
}

/// Shares of 655 backends in the small table, which has 100 slots for each and 37 more.
fn shares(record: &mut Record, most: u32) {
    record.data.clear();
    let at = || json!({ "backends": 655, "table": 65_537 });
    put(record, "maglev", "least_slots", at(), json!(100), None);
    put(record, "maglev", "most_slots", at(), json!(most), None);
}

fn probes(record: &mut Record, factor: f64) {
    record.data.clear();
    for size in SIZES {
        put(record, "sum of M/n", "mean_probes", json!({ "table": size }), json!(1e6), None);
        let mean = 1e6 * factor;
        put(record, "maglev", "mean_probes", json!({ "table": size }), json!(mean), Some((mean * 0.98, mean * 1.02)));
    }
}

/// Slots changed by failures: of the larger table so many times those of the smaller.
fn changed(record: &mut Record, times: f64, last: f64) {
    record.data.clear();
    for (size, times) in SIZES.into_iter().zip([1.0, times]) {
        for (failed, percent) in [5, 10, 20, 50, 100].into_iter().zip([1.0, 2.0, 3.0, 4.0, last]) {
            let value = json!(percent * times);
            put(record, "maglev", "changed_percent", json!({ "table": size, "failed": failed }), value, None);
        }
    }
}

fn overload(record: &mut Record, who: &str, id: &str, size: u32, units: f64) {
    record.data.clear();
    put(record, who, "overload_percent", json!({ "table": size }), json!(0), None);
    beside(record, who, "overload_percent", &[("table", size.into())], published::number(id).expect("a number"), units);
}

fn times(record: &mut Record, ratio: f64) {
    record.timing = vec![time("655373 slots", "build_ratio", json!({ "to": "65537 slots" }), ratio)];
}

fn slots(record: &mut Record, of_two: u32) {
    record.data.clear();
    put(record, "envoy-maglev", "slots", json!({ "weight": 1 }), json!(21_846), None);
    put(record, "envoy-maglev", "slots", json!({ "weight": 2 }), json!(of_two), None);
}

fn sizes(record: &mut Record, least: u32) {
    record.data.clear();
    put(record, "envoy-ring-hash", "least_ring_size", json!({}), json!(least), None);
    put(record, "envoy-ring-hash", "largest_ring_size", json!({}), json!(8_388_608), None);
}

fn moved(record: &mut Record, table: f64) {
    record.data.clear();
    for (who, mean) in [("envoy-maglev", table), ("envoy-ring-hash", 0.002)] {
        put(record, who, "mean_moved_fraction", json!({}), json!(mean), Some((mean * 0.99, mean * 1.01)));
    }
}

fn envoy(record: &mut Record, metric: &str, ratio: f64) {
    record.timing = vec![time("envoy-ring-hash", metric, json!({ "to": "envoy-maglev" }), ratio)];
}

const KARGER: &str = "Karger with views (assumed)";
const RENDEZVOUS: &str = "rendezvous in a table";

macro_rules! overload {
    ($who:expr, $id:literal, $size:literal) => {
        power(
            $id,
            Outcome::Reproduced,
            |r| overload(r, $who, $id, $size, 0.0),
            &[|r| overload(r, $who, $id, $size, 1.0), |r| overload(r, $who, $id, $size, -1.0)],
        )
    };
}

pub const TABLE: &[Power] = {
    use Outcome::{AnotherMachine, ByDefinition, ConsistentWith, Reproduced};
    &[
        power("maglev.table1", Reproduced, |r| example(r, 1), &[|r| example(r, 0)]),
        power("maglev.balance", Reproduced, |r| shares(r, 101), &[|r| shares(r, 102)]),
        power("maglev.m100n", Reproduced, |r| shares(r, 101), &[|r| shares(r, 102)]),
        power("maglev.complexity", ConsistentWith, |r| probes(r, 1.0), &[|r| probes(r, 1.05), |r| probes(r, 0.95)]),
        power(
            "maglev.resilience.method",
            Reproduced,
            |r| changed(r, 0.5, 5.0),
            &[|r| changed(r, 1.0, 5.0), |r| changed(r, 0.5, 3.9)],
        ),
        overload!(KARGER, "maglev.overprov.karger.65537", 65_537),
        overload!(KARGER, "maglev.overprov.karger.655373", 655_373),
        overload!(RENDEZVOUS, "maglev.overprov.rendezvous.65537", 65_537),
        overload!(RENDEZVOUS, "maglev.overprov.rendezvous.655373", 655_373),
        power("maglev.gentime.65537", AnotherMachine, |r| times(r, 12.7), &[|r| times(r, 9.0)]),
        power("maglev.gentime.655373", AnotherMachine, |r| times(r, 12.7), &[|r| times(r, 9.0)]),
        power("envoy.maglev.weights", Reproduced, |r| slots(r, 43_691), &[|r| slots(r, 43_690)]),
        power("envoy.ring.sizes", ByDefinition, |r| sizes(r, 1024), &[|r| sizes(r, 1025)]),
        power("envoy.maglev.moves", Reproduced, |r| moved(r, 0.004), &[|r| moved(r, 0.006), |r| moved(r, 0.002)]),
        power(
            "envoy.maglev.vs.ring.build",
            Reproduced,
            |r| envoy(r, "build_ratio", 10.0),
            &[|r| envoy(r, "build_ratio", 20.0), |r| envoy(r, "build_ratio", 9.0)],
        ),
        power(
            "envoy.maglev.vs.ring.select",
            Reproduced,
            |r| envoy(r, "lookup_ratio", 5.0),
            &[|r| envoy(r, "lookup_ratio", 6.0), |r| envoy(r, "lookup_ratio", 4.0)],
        ),
    ]
};
