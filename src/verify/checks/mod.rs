//! The checks, one file for each kind of promise.
//!
//! A check returns an error for a broken promise, which names an input, the answer and the right answer; also if the
//! implementation could not be built.

mod balance;
mod collisions;
mod determinism;
mod fit;
mod growth;
mod history;
mod inputs;
mod limits;
mod members;
mod moves;
mod nearly_all;
mod reference;
mod removal;
mod replicas;
mod shapes;
mod state;
mod totality;
mod weights;

use super::{Check, Scope};
pub(super) use determinism::ANOTHER_INSTANCE;
pub use fit::FAMILY_WISE_ERROR;
pub(super) use fit::threshold;
pub use inputs::Inputs;

/// All checks, in the order of the tables' columns.
pub const CHECKS: &[Check] = &[
    Check {
        name: "totality",
        promise: "every key has a bucket in 0..n, at every size; a batch answers as single look-ups do",
        scope: Scope::All,
        cheap: true,
        run: totality::totality,
    },
    Check {
        name: "determinism",
        promise: "two instances, and one asked twice or in another order, answer alike",
        scope: Scope::All,
        cheap: true,
        run: determinism::determinism,
    },
    Check {
        name: "reference",
        promise: "answers equal those of a slow model computed another way, rare keys included, also after removals",
        scope: Scope::All,
        cheap: true,
        run: reference::reference,
    },
    Check {
        name: "collisions",
        promise: "where points coincide, keys lie on points and scores are equal, under a coarse hash, answers equal those of \
                  the model, also after removals and restorations",
        scope: Scope::Capable,
        cheap: true,
        run: collisions::collisions,
    },
    Check {
        name: "limits",
        promise: "zero of anything and more than the algorithm allows are typed errors; as many buckets as slots are not",
        scope: Scope::All,
        cheap: true,
        run: limits::limits,
    },
    Check {
        name: "balance",
        promise: "counts of random keys fit the exact shares, those of the model, or the law of a random ring: neither too \
                  uneven nor too even for chance; exact tails, Šidák-corrected",
        scope: Scope::All,
        cheap: false,
        run: balance::balance,
    },
    Check {
        name: "large",
        promise: "totality at 65,536 and 10^6 buckets, and up to 2^32 - 1 of what stores nothing, if it can be afforded",
        scope: Scope::All,
        cheap: false,
        run: totality::large,
    },
    Check {
        name: "shapes",
        promise: "sequential keys, multiples of 2^k, keys with equal low or high bits and of few bits are spread no less \
                  evenly than random ones",
        scope: Scope::All,
        cheap: false,
        run: shapes::shapes,
    },
    Check {
        name: "growth",
        promise: "keys move to new buckets only, of one or of many; growing equals building anew",
        scope: Scope::All,
        cheap: false,
        run: growth::growth,
    },
    Check {
        name: "shrinking",
        promise: "only the keys of the last buckets move; shrinking equals building anew; the last one stays",
        scope: Scope::Capable,
        cheap: false,
        run: growth::shrinking,
    },
    Check {
        name: "removal",
        promise: "only keys of a removed bucket move, to working ones, down to the last bucket; restoring undoes it",
        scope: Scope::Capable,
        cheap: false,
        run: removal::removal,
    },
    Check {
        name: "nearly all",
        promise: "with more than 99.95 % of 10,000 buckets removed every key has a working one, and kept its own if it could",
        scope: Scope::Capable,
        cheap: false,
        run: nearly_all::nearly_all,
    },
    Check {
        name: "members",
        promise: "removing the last bucket or one that does not work, restoring one that works, never existed or is not \
                  next: typed errors that change nothing",
        scope: Scope::Capable,
        cheap: false,
        run: members::members,
    },
    Check {
        name: "history",
        promise: "the same working buckets own the same keys, whatever the order of the changes; where not, a key proves it",
        scope: Scope::Capable,
        cheap: false,
        run: history::history,
    },
    Check {
        name: "state",
        promise: "what was saved and loaded answers alike, after no, one, half and nearly all removals",
        scope: Scope::Capable,
        cheap: false,
        run: state::state,
    },
    Check {
        name: "names",
        promise: "the balance holds for other names of the buckets",
        scope: Scope::Capable,
        cheap: false,
        run: balance::names,
    },
    Check {
        name: "weights",
        promise: "counts fit the exact shares of the weights (binomial tails); a changed weight moves keys to or from its \
                  bucket only; invalid ones are typed errors",
        scope: Scope::Capable,
        cheap: false,
        run: weights::weights,
    },
    Check {
        name: "replicas",
        promise: "the key's bucket first, all distinct and working, fewer are the beginning of more; the second takes over \
                  from the first",
        scope: Scope::Capable,
        cheap: false,
        run: replicas::replicas,
    },
];
