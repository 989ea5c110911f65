//! The checks find what is known to be wrong, and nothing in what is right.

use super::*;
use crate::catalog::Implementation;
use crate::peers::peers;
use crate::verify::Outcome;

fn outcome(id: &str, check: &str) -> Outcome {
    let peer: &Implementation = peers().find(|peer| peer.id == id).expect("a peer");
    CHECKS.iter().find(|it| it.name == check).expect("a check").outcome(peer)
}

#[test]
fn known_faults_are_found() {
    let faults = [
        ("power-consistent-hash", "huge", "does not exist"),
        ("maglev/crate", "default", "keys move"),
        ("consistent-hashing-rs", "bounded loads", "find a node"),
        ("chash/hasher", "lengths", "whether it is empty"),
        ("consistent-rs", "look-alikes", "in the opposite order"),
        ("rsbalancer", "look-alikes", "in the opposite order"),
        ("ringhash", "look-alikes", "keys"),
    ];
    for (id, check, words) in faults {
        match outcome(id, check) {
            Outcome::Failed(reason) => assert!(reason.contains(words), "{id}, {check}: {reason}"),
            other => panic!("{id}, {check}: {other:?}"),
        }
    }
}

#[test]
fn what_is_right_passes() {
    let right = [
        ("jumpch", "huge"),
        ("jumpch", "many nodes"),
        ("jumpch", "default"),
        ("fliphash", "huge"),
        ("ring-rs", "bounded loads"),
        ("hrw/hasher", "lengths"),
        ("hrw/hasher", "look-alikes"),
        ("rustyhash", "look-alikes"),
        ("hash-rings/consistent", "twice"),
    ];
    for (id, check) in right {
        let outcome = outcome(id, check);
        assert_eq!(outcome, Outcome::Passed, "{id}, {check}");
    }
}
