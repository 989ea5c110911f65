//! Rows of the power table for `weights`.

use super::*;

fn fit(record: &mut Record, p: f64) {
    record.data.clear();
    put(record, "rendezvous-weighted", "fit_p", json!({}), json!(p), None);
}

fn points(record: &mut Record, who: &str, weights: &[u32], first: u32, each: u32) {
    record.data.clear();
    for &weight in weights {
        let count = if weight == 1 { first } else { each * weight };
        put(record, who, "points", json!({ "weight": weight }), json!(count), None);
    }
}

pub const TABLE: &[Power] = {
    use Outcome::Reproduced;
    &[
        power("whrw", Reproduced, |r| fit(r, 0.5), &[|r| fit(r, 1e-4)]),
        power(
            "ketama.points",
            Reproduced,
            |r| points(r, "libketama", &[1], 160, 0),
            &[|r| points(r, "libketama", &[1], 161, 0), |r| points(r, "libketama", &[1], 156, 0)],
        ),
        power(
            "haproxy.points",
            Reproduced,
            |r| points(r, "haproxy-consistent", &[1, 2, 16, 256], 16, 16),
            &[|r| points(r, "haproxy-consistent", &[1, 2, 16, 256], 17, 16)],
        ),
    ]
};
