//! Wrong on purpose: partitioners with mistakes that were published or shipped. Each must fail the check that is meant for
//! it, or the checks are worth nothing.

mod index;
mod points;
mod scores;
mod slots;
mod tables;

use crate::algorithms::{self, Error, JUMP_MAX_BUCKETS};
use crate::catalog::{Algorithm, Implementation, Shares, Source, ring, uniform_shares};
use crate::ours;

/// A wrong implementation and the check that must catch it.
pub struct Control {
    /// What it pretends to be.
    pub implementation: Implementation,
    /// What is wrong with it.
    pub mistake: &'static str,
    /// The name of the check.
    pub caught_by: &'static str,
}

/// What the controls have in common.
const fn control(of: Implementation) -> Implementation {
    Implementation { source: Source::Control, paper: "none: wrong on purpose", ..of }
}

/// Checks the number of buckets of a control that has no limit of its own.
fn checked(buckets: u32) -> Result<u32, Error> {
    algorithms::checked_buckets(buckets.into(), JUMP_MAX_BUCKETS)
}

/// All controls, in the order of the checks.
pub static CONTROLS: [Control; 24] = [
    Control {
        implementation: Implementation {
            id: "control-no-wrap",
            name: "ring that forgets to wrap",
            ..control(ring(64, ours!(b => points::NoWrap::new(b.buckets, b.points, b.seed))))
        },
        mistake: "a ring is searched past its last point",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            id: "control-absolute",
            name: "abs(i32::MIN)",
            hashes_keys: false,
            ..control(ours!(b => index::Absolute::new(b.buckets)))
        },
        mistake: "the absolute value of the least 32-bit hash is negative, and so is the index",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            id: "control-integer-average",
            name: "bounded loads with an integer average",
            monotone: false,
            build_bytes: 256,
            ..control(ours!(b => tables::IntegerAverage::new(b.buckets, b.seed)))
        },
        mistake: "the average load is an integer division: partitions find every bucket full",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            id: "control-scaled",
            name: "a hash scaled in floating point",
            hashes_keys: false,
            monotone: false,
            build_bytes: 4,
            ..control(ours!(b => tables::Scaled::new(b.buckets)))
        },
        mistake: "the highest hash is scaled to the length of the table, one beyond its end",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            id: "control-own-seed",
            name: "a seed for each instance",
            ..control(ours!(b => scores::OwnSeed::new(b.buckets)))
        },
        mistake: "each instance draws a seed of its own",
        caught_by: "determinism",
    },
    Control {
        implementation: Implementation {
            id: "control-jump-overflow",
            name: "jump with an overflow",
            algorithm: Algorithm::Jump,
            hashes_keys: false,
            ..control(ours!(b => index::JumpOverflow::new(b.buckets)))
        },
        mistake: "the draw 2^31 - 1 plus 1 is computed in 32 bits and becomes negative",
        caught_by: "reference",
    },
    Control {
        implementation: Implementation {
            id: "control-last-slot",
            name: "the last slot is refused",
            build_bytes: 1,
            ..control(ours!(b => slots::LastSlot::new(b)))
        },
        mistake: "the check of the capacity skips the last slot",
        caught_by: "limits",
    },
    Control {
        implementation: Implementation {
            id: "control-one-bucket",
            name: "one bucket gets everything",
            ..control(ours!(b => index::OneBucket::new(b.buckets)))
        },
        mistake: "one bucket gets everything",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-anchor-array",
            name: "AnchorHash, wrong initial array",
            build_bytes: 16,
            ..control(ours!(b => slots::AnchorArray::new(b)))
        },
        mistake: "AnchorHash's array A holds the wrong number for slots that were never used",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-maglev32",
            name: "Maglev in 32 bits",
            monotone: false,
            build_bytes: 1024,
            shares: Shares::Exact(tables::maglev_shares),
            ..control(ours!(b => tables::Maglev32::new(b.buckets, b.seed)))
        },
        mistake: "Maglev's permutation is computed in 32 bits; what nobody claims stays with bucket 0",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-unfinished",
            name: "rendezvous without a finaliser",
            cost: "O(n)",
            ..control(ours!(b => scores::Unfinished::new(b.buckets, b.seed)))
        },
        mistake: "the score is key ^ node without a finaliser",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-distance",
            name: "multi-probe without the modulus",
            build_bytes: 48,
            shares: Shares::Exact(points::two_probe_shares),
            ..control(ours!(b => points::Distance::new(b.buckets, b.seed)))
        },
        mistake: "multi-probe's distances are not taken modulo the circle",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-low-bits",
            name: "a hash of the low 32 bits",
            ..control(ours!(b => index::LowBits::new(b.buckets)))
        },
        mistake: "the hash sees the lower 32 bits of a key only",
        caught_by: "shapes",
    },
    Control {
        implementation: Implementation {
            id: "control-reshuffle",
            name: "moves keys between old buckets",
            cost: "O(n)",
            ..control(ours!(b => scores::Reshuffle::new(b.buckets)))
        },
        mistake: "growth moves keys between buckets that stay",
        caught_by: "growth",
    },
    Control {
        implementation: Implementation {
            id: "control-no-growth",
            name: "growth that is forgotten",
            ..control(ours!(b => index::NoGrowth::new(b.buckets, b.seed), resize))
        },
        mistake: "look-ups go on with the buckets that there were: a test of monotonicity in which nothing changes passes",
        caught_by: "growth",
    },
    Control {
        implementation: Implementation {
            id: "control-collision",
            name: "ring that drops a colliding point",
            build_bytes: 48,
            uses_points: true,
            shares: Shares::Unknown("of points that collide some are lost"),
            ..control(ours!(b => points::Collision::new(b.buckets, b.points, b.seed), remove))
        },
        mistake: "of points that collide one is dropped, and a removal takes another bucket's",
        caught_by: "removal",
    },
    Control {
        implementation: Implementation {
            id: "control-no-removal",
            name: "removal that does nothing",
            cost: "O(n)",
            ..control(ours!(b => slots::NoRemoval::new(b.buckets, b.seed), remove))
        },
        mistake: "a removal counts, and look-ups do not see it",
        caught_by: "removal",
    },
    Control {
        implementation: Implementation {
            id: "control-unknown-member",
            name: "restores what never existed",
            cost: "O(n)",
            ..control(ours!(b => slots::UnknownMember::new(b.buckets, b.seed), remove))
        },
        mistake: "a bucket that never existed can be restored",
        caught_by: "members",
    },
    Control {
        implementation: Implementation {
            id: "control-insertion-order",
            name: "Maglev in the order of insertion",
            monotone: false,
            build_bytes: 1024,
            ..control(ours!(b => tables::InsertionOrder::new(b), remove))
        },
        mistake: "a table depends on the order in which its buckets came",
        caught_by: "history",
    },
    Control {
        implementation: Implementation {
            id: "control-forgetful-state",
            name: "state without the order of removals",
            build_bytes: 16,
            history_dependent: true,
            reload: Some(slots::forgetful),
            ..control(ours!(b => slots::anchor(b), remove))
        },
        mistake: "the saved state is the set of removed buckets, not their order",
        caught_by: "state",
    },
    Control {
        implementation: Implementation {
            id: "control-large-ids",
            name: "labels that overflow",
            build_bytes: 28,
            uses_points: true,
            shares: Shares::RandomRing { points: |b| b.points },
            names: &[("ids that are multiples of 2^28", |b| {
                Ok(Box::new(points::Labels::new(b.buckets, b.points, b.seed, |bucket| bucket.rotate_right(4))?))
            })],
            ..control(ours!(b => points::Labels::new(b.buckets, b.points, b.seed, |bucket| bucket)))
        },
        mistake: "labels id · 4096 + replica overflow 32 bits: all points of 16 ids coincide",
        caught_by: "names",
    },
    Control {
        implementation: Implementation {
            id: "control-no-points",
            name: "weights that round to no point",
            build_bytes: 48,
            uses_points: true,
            shares: Shares::Exact(uniform_shares),
            weigh: Some(|weights, b| Ok(Box::new(points::Rounded::new(weights, b.points, b.seed)?))),
            weighted_shares: Some(crate::catalog::ring_of_weights),
            ..control(ours!(b => points::Rounded::new(&vec![1.0; b.buckets as usize], b.points, b.seed)))
        },
        mistake: "a small weight rounds to no point at all",
        caught_by: "weights",
    },
    Control {
        implementation: Implementation {
            id: "control-keyless-score",
            name: "a weighted score without the key",
            cost: "O(n)",
            weigh: Some(|weights, b| Ok(Box::new(scores::Keyless::new(weights, b.seed)?))),
            weighted_shares: Some(crate::catalog::proportional),
            ..control(ours!(b => scores::Keyless::new(&vec![1.0; b.buckets as usize], b.seed)))
        },
        mistake: "the weighted score is of the node, not of key and node",
        caught_by: "weights",
    },
    Control {
        implementation: Implementation {
            id: "control-twice",
            name: "replicas by points",
            ..control(ring(64, ours!(b => points::Twice::new(b.buckets, b.points, b.seed), replicas)))
        },
        mistake: "replicas are the next points, of whatever buckets: a bucket holds two",
        caught_by: "replicas",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::{self, Inputs};

    /// Each is caught, and for its mistake: what the check says has these words.
    const EVIDENCE: [(&str, &str); 24] = [
        ("control-no-wrap", "has bucket 4294967295, which does not exist"),
        ("control-absolute", "key 9223372036854775808 has bucket 42949672"),
        ("control-integer-average", "has bucket 4294967295, which does not exist"),
        ("control-scaled", "panic: index out of bounds"),
        ("control-own-seed", "another instance: key"),
        ("control-jump-overflow", "right is"),
        ("control-last-slot", "n = 11 in 11 slots: 11 buckets: this algorithm is defined for at most 10"),
        ("control-one-bucket", "too uneven, p < 1e-307; bucket 0 has 100000"),
        ("control-anchor-array", "n = 2: too uneven"),
        ("control-maglev32", "bucket 0 has"),
        ("control-unfinished", "too uneven"),
        ("control-distance", "bucket"),
        ("control-low-bits", "multiples of 2^32: too uneven"),
        ("control-reshuffle", "an old one"),
        ("control-no-growth", "in place against built anew: key"),
        ("control-collision", "which still works, to"),
        ("control-no-removal", "which does not work"),
        ("control-unknown-member", "restoring bucket 11, which never existed: accepted"),
        ("control-insertion-order", "others too for a while: key"),
        ("control-forgetful-state", "5 of 10 buckets removed, saved and loaded: key"),
        ("control-large-ids", "ids that are multiples of 2^28: bucket 0 has 100000 of 100000 keys"),
        ("control-no-points", "bucket 0 has 100000 of 100000 keys"),
        ("control-keyless-score", "has 0 of 100000 keys"),
        ("control-twice", "names a bucket twice"),
    ];

    #[test]
    fn no_control_escapes() {
        for (control, (id, words)) in CONTROLS.iter().zip(EVIDENCE) {
            assert_eq!(control.implementation.id, id);
            let evidence = verify::evidence(control, Inputs::default())
                .unwrap_or_else(|| panic!("{id} escapes {}", control.caught_by));
            assert!(evidence.contains(words), "{id}: {evidence}");
        }
    }

    /// What a control does right passes: it is its mistake that is caught.
    #[test]
    fn the_rest_passes() {
        let passed = |id: &str, name: &str| {
            let control = CONTROLS.iter().find(|control| control.implementation.id == id).expect("a control");
            let check = verify::CHECKS.iter().find(|check| check.name == name).expect("a check");
            assert_eq!(check.outcome(&control.implementation), verify::Outcome::Passed, "{id}: {name}");
        };
        passed("control-large-ids", "balance");
        passed("control-large-ids", "shapes");
        passed("control-distance", "totality");
        passed("control-forgetful-state", "removal");
        passed("control-unknown-member", "removal");
        passed("control-collision", "totality");
        passed("control-low-bits", "balance");
        passed("control-twice", "balance");
        passed("control-no-growth", "balance");
    }
}
