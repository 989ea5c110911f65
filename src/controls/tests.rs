//! Each control is caught by the check that is named for it, in the words of its mistake, and does the rest right.

use super::*;
use crate::verify::{self, Inputs};

/// Each is caught, and for its mistake: what the check says has these words.
const EVIDENCE: [(&str, &str); 31] = [
    ("control-no-wrap", "has bucket 4294967295, which does not exist"),
    ("control-absolute", "key 9223372036854775808 has bucket 42949672"),
    ("control-integer-average", "has bucket 4294967295, which does not exist"),
    ("control-scaled", "panic: index out of bounds"),
    ("control-own-seed", "another instance: key"),
    ("control-jump-overflow", "right is"),
    ("control-long-step", "in 65537 slots, key"),
    ("control-long-step-large", "in 655373 slots, key"),
    ("control-forgotten-place", "removals and restorations, key"),
    ("control-strict", "positions of 7 bits: key"),
    ("control-lost-point", "positions of 7 bits"),
    ("control-last-slot", "n = 11 in 11 slots: 11 buckets: this algorithm is defined for at most 10"),
    ("control-one-bucket", "too uneven, p < 1e-307; bucket 0 has 100000"),
    ("control-anchor-array", "n = 2: too uneven"),
    ("control-maglev32", "bucket 0 has"),
    ("control-unfinished", "too uneven"),
    ("control-distance", "bucket"),
    ("control-few-bits", "n = 1000: too uneven"),
    ("control-low-bits", "multiples of 2^32: too uneven"),
    ("control-reshuffle", "an old one"),
    ("control-no-growth", "in place against built anew: key"),
    ("control-slot-order", "grown again: growth adds bucket"),
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
    passed("control-strict", "balance");
    passed("control-strict", "removal");
    passed("control-lost-point", "removal");
    passed("control-forgotten-place", "balance");
    passed("control-slot-order", "growth");
    passed("control-twice", "balance");
    passed("control-no-growth", "balance");
}
