//! Rows of the power table for the jump paper, what it cites, and the worked documents.

use super::*;

pub const TABLE: &[Power] = {
    use Outcome::{AnotherMachine, ByDefinition, ConsistentWith, DiffersInTheLastDigit, Formula, Reproduced};
    &[
        power("jump.balance.ring.v1.stderr", Reproduced, |r| cv(r, 1, 0.0), &[|r| cv(r, 1, 1.0), |r| cv(r, 1, -1.0)]),
        power("jump.balance.ring.v10.stderr", Reproduced, |r| cv(r, 10, 0.0), &[|r| cv(r, 10, 1.0)]),
        power("jump.balance.ring.v100.stderr", Reproduced, |r| cv(r, 100, 0.0), &[|r| cv(r, 100, 1.0)]),
        power(
            "jump.balance.ring.v1000.stderr",
            Reproduced,
            |r| cv(r, 1000, 0.0),
            &[|r| cv(r, 1000, 1.0), |r| set(r, "theory", "cv", &[("points", 1000.0)], json!(0.0330), None)],
        ),
        power("jump.balance.ring.v1.ci99", Reproduced, |r| ends(r, 1, 0.0, 0.0), &[|r| ends(r, 1, 1.0, 0.0)]),
        power("jump.balance.ring.v10.ci99", Reproduced, |r| ends(r, 10, 0.0, 0.0), &[|r| ends(r, 10, 0.0, 1.0)]),
        power("jump.balance.ring.v100.ci99", Reproduced, |r| ends(r, 100, 0.0, 0.0), &[|r| ends(r, 100, 1.0, 0.0)]),
        power("jump.balance.ring.v1000.ci99", Reproduced, |r| ends(r, 1000, 0.0, 0.0), &[|r| ends(r, 1000, 0.0, -1.0)]),
        power("jump.balance.jump.stderr", Reproduced, |r| noise(r, 0.0), &[|r| noise(r, 1.0)]),
        power(
            "jump.balance.jump.ci99",
            Formula,
            AS_IT_IS,
            &[|r| {
                set(r, "2^64 ideal hash values", "q995_deviation", &THOUSAND, json!(3e-8), None);
            }],
        ),
        power("derived.jump.exact_share", ByDefinition, AS_IT_IS, &[|r| add(r, "jump", "cv", &THOUSAND, 2e-16)]),
        power(
            "jump.balance.text.1pct",
            Reproduced,
            |r| outside(r, 0.010),
            &[|r| outside(r, 0.020), |r| outside(r, 0.0)],
        ),
        power("karger.1000pts", Reproduced, |r| spread(r, 0.032), &[|r| spread(r, 0.031), |r| spread(r, 0.033)]),
        power(
            "jump.memory.A.bytes",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                add(r, "ring-map-cpp", "live_bytes_per_point", &[("buckets", 1000.0), ("points", 10.0)], 1.0);
            }],
        ),
        power(
            "jump.memory.B.bytes",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                add(r, "ring-sorted-cpp", "live_bytes_per_point", &[("buckets", 1000.0), ("points", 10.0)], 1.0);
            }],
        ),
        power("jump.memory.A.1000", Reproduced, AS_IT_IS, &[|r| mebibytes(r, "ring-map-cpp", 47.0)]),
        power(
            "jump.memory.B.1000",
            Reproduced,
            AS_IT_IS,
            &[|r| mebibytes(r, "ring-sorted-cpp", 7.7), |r| mebibytes(r, "ring-sorted32", 7.5)],
        ),
        power(
            "jump.init.65536",
            AnotherMachine,
            |r| built(r, 1.1, 30.0),
            &[|r| built(r, 0.8, 30.0), |r| built(r, 1.1, 2_000.0)],
        ),
        power(
            "jump.speed.le1000",
            Reproduced,
            |r| ratios(r, 3.5, 6.0),
            &[|r| ratios(r, 4.5, 6.0), |r| ratios(r, 2.5, 6.0)],
        ),
        power(
            "jump.speed.le100000",
            Reproduced,
            |r| ratios(r, 3.5, 6.0),
            &[|r| ratios(r, 3.5, 8.5), |r| ratios(r, 3.5, 4.5)],
        ),
        power("jump.speed.k10", Reproduced, |r| small_rings(r, 1.1), &[|r| small_rings(r, 0.9)]),
        power(
            "jump.speed.shape",
            Reproduced,
            |r| curves(r, f64::ln, 3.0),
            &[|r| curves(r, |n| n, 3.0), |r| curves(r, f64::ln, 1.0)],
        ),
        power(
            "jump.contention.method",
            Reproduced,
            |r| contended(r, 1.0, 900.0, 300.0),
            &[
                // Jump takes half as long again; the reads add nothing to the ring; the knee moves to more buckets.
                |r| contended(r, 1.5, 900.0, 300.0),
                |r| contended(r, 1.0, -50.0, 300.0),
                |r| contended(r, 1.0, 900.0, 3_000.0),
            ],
        ),
        power(
            "jump.iterations.bound",
            Reproduced,
            AS_IT_IS,
            &[
                // ln n + γ is what H_n becomes for large n; ln n + 1 is the bound.
                |r| set_mean(r, 10.0, 10_f64.ln() + 0.577_215_664_9),
                |r| set_mean(r, 1000.0, 1000_f64.ln() + 1.0),
            ],
        ),
        power(
            "jump.k123",
            ConsistentWith,
            AS_IT_IS,
            &[|r| {
                let row = r.data.iter_mut().find(|row| row.metric == "smallest_key");
                row.expect("a key").value = Value::Null;
            }],
        ),
        power(
            "jump.rebalance.newbucket",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                let row =
                    r.data.iter_mut().find(|row| row.parameters.get("which").is_some_and(|which| which == "most"));
                row.expect("a fraction").value = json!(0.0016);
            }],
        ),
        power(
            "jump.rebalance.ring10",
            Reproduced,
            |r| donors(r, 10),
            &[
                |r| donors(r, 11),
                |r| {
                    // As many rings with one donor less.
                    donors(r, 10);
                    for row in r.data.iter_mut().filter(|row| row.metric == "rings") {
                        let donors = row.parameter("donors").expect("a number");
                        row.parameters.insert("donors".into(), json!(donors - 1.0));
                    }
                },
            ],
        ),
        power("jump.vectors", Reproduced, AS_IT_IS, &[|r| add(r, "jump", "published_pairs_equal", &[], -1.0)]),
        power(
            "jumparticle.port_agreement",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "jump-cpp", "equal_answers", &[], -1.0)],
        ),
        power(
            "jumparticle.nonpositive",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                add(r, "jump-cpp", "answer", &[("buckets", 0.0)], 1.0);
            }],
        ),
        power(
            "jump.move.10to12",
            Reproduced,
            AS_IT_IS,
            &[
                |r| add(r, "jump", "exact_moved_fraction", &TEN_TO_TWELVE, 1e-8),
                |r| set(r, "jump", "moved_fraction", &TEN_TO_TWELVE, json!(0.17), Some((0.1697, 0.1703))),
            ],
        ),
        power(
            "article.movement.mod",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "article, hash mod n", "moved_keys", &[], 1.0)],
        ),
        power(
            "article.movement.ring",
            Reproduced,
            AS_IT_IS,
            &[|r| add(r, "article, ring", "moved_keys", &[], 1.0), |r| add(r, "article, ring", "stray_keys", &[], 1.0)],
        ),
        power(
            "jumparticle.mod_10_to_12",
            ByDefinition,
            AS_IT_IS,
            &[|r| {
                add(r, "modulo", "moved_residues", &TEN_TO_TWELVE, 1.0);
            }],
        ),
        power(
            "jumparticle.servers_array",
            Reproduced,
            AS_IT_IS,
            &[
                |r| set(r, "jump", "changed_server_fraction", &[], json!(0.49), Some((0.489, 0.491))),
                |r| set(r, "jump", "changed_index_fraction", &[], json!(0.21), Some((0.209, 0.211))),
            ],
        ),
        power("karger97.thm44", Reproduced, AS_IT_IS, &[|r| views(r, 0.01)]),
        // One key more on one node.
        power("article.skew.v1", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 1.0)], 1.0)]),
        power("article.skew.v10", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 10.0)], 1.0)]),
        power(
            "article.skew.v100",
            DiffersInTheLastDigit,
            AS_IT_IS,
            &[|r| {
                add(r, "article", "keys", &[("points", 100.0)], 1.0);
            }],
        ),
        power("article.skew.v1000", Reproduced, AS_IT_IS, &[|r| add(r, "article", "keys", &[("points", 1000.0)], 1.0)]),
        power("lesson.join", Reproduced, AS_IT_IS, &[|r| lesson(r, "join")]),
        power("lesson.leave", Reproduced, AS_IT_IS, &[|r| lesson(r, "leave")]),
        power("lesson.virtual_nodes", Reproduced, AS_IT_IS, &[|r| lesson(r, "virtual nodes")]),
        power(
            "lesson.modulo",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                set(r, "position mod n", "kept_keys", &[], json!(["K2"]), None);
            }],
        ),
        power(
            "lesson.boundaries",
            Reproduced,
            AS_IT_IS,
            &[|r| {
                let row = r.data.iter_mut().find(|row| row.metric == "answer");
                row.expect("an answer").value = json!("N2");
            }],
        ),
    ]
};
