//! Checks for crates only: what a user of a crate may do that no check of an algorithm asks for.

mod bounded;
mod default;
mod huge;
mod labelled;
mod labels;
mod many;
#[cfg(test)]
mod tests;
mod twice;

use crate::algorithms::Partitioner;
use crate::algorithms::hash::{Draws, SplitMix64};
use crate::verify::{Check, Scope};

/// All of them.
pub static CHECKS: &[Check] = &[
    Check {
        name: "many nodes",
        promise: "of 65,537 and 65,600 nodes those beyond 65,536 own their part of the keys, and where so many can be \
                  asked for, no more are without one than chance leaves",
        scope: Scope::All,
        cheap: false,
        run: many::many,
    },
    Check {
        name: "huge",
        promise: "with more than 2^31 buckets every key has one of them, and those beyond 2^31 have their part",
        scope: Scope::All,
        cheap: false,
        run: huge::huge,
    },
    Check {
        name: "default",
        promise: "built anew with one node more and its own defaults it moves little more than that node's part",
        scope: Scope::All,
        cheap: false,
        run: default::default,
    },
    Check {
        name: "twice",
        promise: "a node that was added twice and removed once is there, as before, or is not there at all",
        scope: Scope::Capable,
        cheap: false,
        run: twice::twice,
    },
    Check {
        name: "bounded loads",
        promise: "of n nodes with bounded loads all of 6n keys that are assigned one by one find a node",
        scope: Scope::Capable,
        cheap: false,
        run: bounded::bounded,
    },
    Check {
        name: "lengths",
        promise: "its length and whether it is empty agree with the nodes that are in it",
        scope: Scope::Capable,
        cheap: false,
        run: labels::lengths,
    },
    Check {
        name: "look-alikes",
        promise: "nodes whose names begin alike (a, a-1, n1, n11) are told apart: their order does not matter",
        scope: Scope::Capable,
        cheap: false,
        run: labels::look_alikes,
    },
];

/// Random keys.
fn keys(seed: u64) -> impl Iterator<Item = u64> {
    let mut draws = SplitMix64::new(seed);
    std::iter::from_fn(move || Some(draws.draw()))
}

/// The buckets of the first `count` random keys.
fn owners(subject: &dyn Partitioner, seed: u64, count: usize) -> Vec<u32> {
    keys(seed).take(count).map(|key| subject.bucket(key)).collect()
}
