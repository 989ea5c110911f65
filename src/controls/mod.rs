//! Wrong on purpose: partitioners with mistakes that were published or shipped. Each must fail the check that is meant for
//! it, or the checks are worth nothing.

mod index;
mod points;
mod scores;
mod slots;
mod tables;
#[cfg(test)]
mod tests;

pub(crate) use points::{LostPoint, Strict};

use crate::algorithms::hash::Mix;
use crate::algorithms::{self, Error, JUMP_MAX_BUCKETS};
use crate::can;
use crate::catalog::{
    Algorithm, Capabilities, Costs, Implementation, Limits, Promises, Shares, Shown, Source, ring64_shares,
};

/// A wrong implementation and the check that must catch it.
pub struct Control {
    /// What it pretends to be.
    pub implementation: Implementation,
    /// What is wrong with it.
    pub mistake: &'static str,
    /// The name of the check.
    pub caught_by: &'static str,
}

/// What the controls have in common: they promise all that can be promised, and equal shares, in no memory.
const fn control(id: &'static str, name: &'static str, can: Capabilities) -> Implementation {
    Implementation {
        id,
        name,
        algorithm: Algorithm::Other(name),
        source: Source::Control,
        paper: "none: wrong on purpose",
        limits: Limits::NONE,
        promises: Promises::MONOTONE,
        costs: Costs::new("O(1)", 0),
        shares: Shares::EQUAL,
        can,
        shown: Shown::on_request(0),
    }
}

/// One that pretends to be a ring with 64-bit positions.
const fn ring(of: Implementation) -> Implementation {
    Implementation {
        algorithm: Algorithm::Ring { position_bits: 64 },
        limits: Limits::NONE.with_points(),
        costs: Costs::new("O(log nv)", 0),
        shares: Shares::Exact(ring64_shares),
        ..of
    }
}

/// Checks the number of buckets of a control that has no limit of its own.
fn checked(buckets: u32) -> Result<u32, Error> {
    algorithms::checked_buckets(buckets.into(), JUMP_MAX_BUCKETS)
}

/// All controls, in the order of the checks.
pub static CONTROLS: [Control; 31] = [
    Control {
        implementation: ring(control(
            "control-no-wrap",
            "ring that forgets to wrap",
            can!(b => points::NoWrap::new(b.buckets, b.points, b.seed)),
        )),
        mistake: "a ring is searched past its last point",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            promises: Promises::MONOTONE.of_hashed_keys(),
            ..control("control-absolute", "abs(i32::MIN)", can!(b => index::Absolute::new(b.buckets)))
        },
        mistake: "the absolute value of the least 32-bit hash is negative, and so is the index",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            promises: Promises::NOT_MONOTONE,
            costs: Costs::new("O(1)", 256),
            ..control(
                "control-integer-average",
                "bounded loads with an integer average",
                can!(b => tables::IntegerAverage::new(b.buckets, b.seed)),
            )
        },
        mistake: "the average load is an integer division: partitions find every bucket full",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            promises: Promises::NOT_MONOTONE.of_hashed_keys(),
            costs: Costs::new("O(1)", 4),
            ..control("control-scaled", "a hash scaled in floating point", can!(b => tables::Scaled::new(b.buckets)))
        },
        mistake: "the highest hash is scaled to the length of the table, one beyond its end",
        caught_by: "totality",
    },
    Control {
        implementation: control(
            "control-own-seed",
            "a seed for each instance",
            can!(b => scores::OwnSeed::new(b.buckets)),
        ),
        mistake: "each instance draws a seed of its own",
        caught_by: "determinism",
    },
    Control {
        implementation: Implementation {
            algorithm: Algorithm::Jump,
            promises: Promises::MONOTONE.of_hashed_keys(),
            ..control("control-jump-overflow", "jump with an overflow", can!(b => index::JumpOverflow::new(b.buckets)))
        },
        mistake: "the draw 2^31 - 1 plus 1 is computed in 32 bits and becomes negative",
        caught_by: "reference",
    },
    Control {
        implementation: Implementation {
            algorithm: Algorithm::Maglev,
            promises: Promises::NOT_MONOTONE,
            costs: Costs::new("O(1)", 4096).with_table(300_000),
            shares: Shares::Unknown("of a wrong table"),
            ..control(
                "control-long-step",
                "Maglev, a step too long in its small table",
                can!(b => tables::long_step(b, 65_537)),
            )
        },
        mistake: "Maglev's step is wrong in the table of 65,537 slots and in no other",
        caught_by: "reference",
    },
    Control {
        implementation: Implementation {
            algorithm: Algorithm::Maglev,
            promises: Promises::NOT_MONOTONE,
            costs: Costs::new("O(1)", 4096).with_table(300_000),
            shares: Shares::Unknown("of a wrong table"),
            ..control(
                "control-long-step-large",
                "Maglev, a step too long in its large table",
                can!(b => tables::long_step(b, 655_373)),
            )
        },
        mistake: "Maglev's step is wrong in the table of 655,373 slots and in no other",
        caught_by: "reference",
    },
    Control {
        implementation: Implementation {
            algorithm: Algorithm::Anchor,
            promises: Promises::MONOTONE.but_history_dependent(),
            costs: Costs::new("O(1)", 32),
            ..control(
                "control-forgotten-place",
                "AnchorHash, a place forgotten",
                can!(b => slots::ForgottenPlace::new(b), remove),
            )
        },
        mistake: "a restored bucket does not get its place back: the next removal gives away another one",
        caught_by: "reference",
    },
    Control {
        implementation: ring(control(
            "control-strict",
            "ring that passes over a point",
            can!(b => points::Strict::new(b.buckets, b.points, Mix::new(b.seed)), remove),
        )),
        mistake: "a key exactly on a point goes to the next one",
        caught_by: "collisions",
    },
    Control {
        implementation: ring(control(
            "control-lost-point",
            "ring that keeps one point a position",
            can!(b => points::LostPoint::new(b.buckets, b.points, Mix::new(b.seed)), remove),
        )),
        mistake: "of two points at one position the last one replaces the first, which is lost for good",
        caught_by: "collisions",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(1)", 1),
            ..control("control-last-slot", "the last slot is refused", can!(b => slots::LastSlot::new(b)))
        },
        mistake: "the check of the capacity skips the last slot",
        caught_by: "limits",
    },
    Control {
        implementation: control(
            "control-one-bucket",
            "one bucket gets everything",
            can!(b => index::OneBucket::new(b.buckets)),
        ),
        mistake: "one bucket gets everything",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(1)", 16),
            ..control("control-anchor-array", "AnchorHash, wrong initial array", can!(b => slots::AnchorArray::new(b)))
        },
        mistake: "AnchorHash's array A holds the wrong number for slots that were never used",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            promises: Promises::NOT_MONOTONE,
            costs: Costs::new("O(1)", 1024),
            shares: Shares::Exact(tables::maglev_shares),
            ..control("control-maglev32", "Maglev in 32 bits", can!(b => tables::Maglev32::new(b.buckets, b.seed)))
        },
        mistake: "Maglev's permutation is computed in 32 bits; what nobody claims stays with bucket 0",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(n)", 0),
            ..control(
                "control-unfinished",
                "rendezvous without a finaliser",
                can!(b => scores::Unfinished::new(b.buckets, b.seed)),
            )
        },
        mistake: "the score is key ^ node without a finaliser",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(1)", 48),
            shares: Shares::Exact(points::two_probe_shares),
            ..control(
                "control-distance",
                "multi-probe without the modulus",
                can!(b => points::Distance::new(b.buckets, b.seed)),
            )
        },
        mistake: "multi-probe's distances are not taken modulo the circle",
        caught_by: "balance",
    },
    Control {
        implementation: control("control-few-bits", "draws of 11 bits", can!(b => index::FewBits::new(b.buckets))),
        mistake: "a draw of 11 bits is scaled to the buckets: of 1000 some have two values, others three",
        caught_by: "balance",
    },
    Control {
        implementation: control(
            "control-low-bits",
            "a hash of the low 32 bits",
            can!(b => index::LowBits::new(b.buckets)),
        ),
        mistake: "the hash sees the lower 32 bits of a key only",
        caught_by: "shapes",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(n)", 0),
            ..control(
                "control-reshuffle",
                "moves keys between old buckets",
                can!(b => scores::Reshuffle::new(b.buckets)),
            )
        },
        mistake: "growth moves keys between buckets that stay",
        caught_by: "growth",
    },
    Control {
        implementation: control(
            "control-no-growth",
            "growth that is forgotten",
            can!(b => index::NoGrowth::new(b.buckets, b.seed), resize),
        ),
        mistake: "look-ups go on with the buckets that there were: a test of monotonicity in which nothing changes passes",
        caught_by: "growth",
    },
    Control {
        implementation: Implementation {
            algorithm: Algorithm::Dx,
            costs: Costs::new("O(1)", 1),
            ..control(
                "control-slot-order",
                "slots used again in the wrong order",
                can!(b => slots::SlotOrder::new(b), resize),
            )
        },
        mistake: "of the slots that shrinking empties the first one emptied is the first to be used again",
        caught_by: "shrinking",
    },
    Control {
        implementation: Implementation {
            limits: Limits::NONE.with_points(),
            costs: Costs::new("O(1)", 48),
            shares: Shares::Unknown("of points that collide some are lost"),
            ..control(
                "control-collision",
                "ring that drops a colliding point",
                can!(b => points::Collision::new(b.buckets, b.points, b.seed), remove),
            )
        },
        mistake: "of points that collide one is dropped, and a removal takes another bucket's",
        caught_by: "removal",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(n)", 0),
            ..control(
                "control-no-removal",
                "removal that does nothing",
                can!(b => slots::NoRemoval::new(b.buckets, b.seed), remove),
            )
        },
        mistake: "a removal counts, and look-ups do not see it",
        caught_by: "removal",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(n)", 0),
            ..control(
                "control-unknown-member",
                "restores what never existed",
                can!(b => slots::UnknownMember::new(b.buckets, b.seed), remove),
            )
        },
        mistake: "a bucket that never existed can be restored",
        caught_by: "members",
    },
    Control {
        implementation: Implementation {
            promises: Promises::NOT_MONOTONE,
            costs: Costs::new("O(1)", 1024),
            ..control(
                "control-insertion-order",
                "Maglev in the order of insertion",
                can!(b => tables::InsertionOrder::new(b), remove),
            )
        },
        mistake: "a table depends on the order in which its buckets came",
        caught_by: "history",
    },
    Control {
        implementation: Implementation {
            promises: Promises::MONOTONE.but_history_dependent(),
            costs: Costs::new("O(1)", 16),
            ..control(
                "control-forgetful-state",
                "state without the order of removals",
                can!(b => slots::anchor(b), remove).reloading(slots::forgetful),
            )
        },
        mistake: "the saved state is the set of removed buckets, not their order",
        caught_by: "state",
    },
    Control {
        implementation: Implementation {
            limits: Limits::NONE.with_points(),
            costs: Costs::new("O(1)", 28),
            shares: Shares::RandomRing { points: |b| b.points },
            ..control(
                "control-large-ids",
                "labels that overflow",
                can!(b => points::Labels::new(b.buckets, b.points, b.seed, |bucket| bucket)).named(&[(
                    "ids that are multiples of 2^28",
                    |b| {
                        Ok(Box::new(points::Labels::new(b.buckets, b.points, b.seed, |bucket| bucket.rotate_right(4))?))
                    },
                )]),
            )
        },
        mistake: "labels id · 4096 + replica overflow 32 bits: all points of 16 ids coincide",
        caught_by: "names",
    },
    Control {
        implementation: Implementation {
            limits: Limits::NONE.with_points(),
            costs: Costs::new("O(1)", 48),
            ..control(
                "control-no-points",
                "weights that round to no point",
                can!(b => points::Rounded::new(&vec![1.0; b.buckets as usize], b.points, b.seed)).with_weighted_shares(
                    |weights, b| Ok(Box::new(points::Rounded::new(weights, b.points, b.seed)?)),
                    crate::catalog::ring_of_weights,
                ),
            )
        },
        mistake: "a small weight rounds to no point at all",
        caught_by: "weights",
    },
    Control {
        implementation: Implementation {
            costs: Costs::new("O(n)", 0),
            ..control(
                "control-keyless-score",
                "a weighted score without the key",
                can!(b => scores::Keyless::new(&vec![1.0; b.buckets as usize], b.seed)).with_weighted_shares(
                    |weights, b| Ok(Box::new(scores::Keyless::new(weights, b.seed)?)),
                    crate::catalog::proportional,
                ),
            )
        },
        mistake: "the weighted score is of the node, not of key and node",
        caught_by: "weights",
    },
    Control {
        implementation: ring(control(
            "control-twice",
            "replicas by points",
            can!(b => points::Twice::new(b.buckets, b.points, b.seed), replicas),
        )),
        mistake: "replicas are the next points, of whatever buckets: a bucket holds two",
        caught_by: "replicas",
    },
];
