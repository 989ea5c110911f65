//! What a system promises those who use it, as data: `chlab verify` holds each system against its own.

use super::Node;

/// Whether a system makes a promise.
#[derive(Debug, Clone, Copy)]
pub enum Promise {
    /// It is kept on every list of nodes. Hashes of 64 bits and more count as different where no two equal ones are
    /// known.
    Kept,
    /// It is kept on lists of nodes of equal weight such as people have, but not on every list.
    Mostly {
        /// What breaks it.
        why: &'static str,
        /// A list that does: in another order, or when its last node comes or goes.
        example: fn() -> Vec<Node>,
    },
    /// It is broken on such lists; why.
    NotMade(&'static str),
}

/// What becomes of weights.
#[derive(Debug, Clone, Copy)]
pub enum Weights {
    /// Every weight but 1 is an error.
    Refused,
    /// All are accepted and none matters; why.
    Ignored(&'static str),
    /// A table or a remainder gives each node keys in proportion to its weight, apart from what the hash does.
    Exact,
    /// Points on a ring do so, which lie at random: this many, or more, for a node of average weight among up to 100.
    Points(u32),
}

/// The promises of a system with its default options.
#[derive(Debug, Clone, Copy)]
pub struct Promises {
    /// The same nodes in another order own the same keys.
    pub order: Promise,
    /// When any one node leaves the list, only its keys move.
    pub removal: Promise,
    /// When a node is added at the end of the list, keys move to it only.
    pub growth: Promise,
    /// A node of twice the weight owns twice the keys.
    pub weights: Weights,
}

impl Promises {
    /// A consistent hash of nodes without weights.
    pub(crate) const CONSISTENT: Self =
        Self { order: Promise::Kept, removal: Promise::Kept, growth: Promise::Kept, weights: Weights::Refused };

    /// A remainder, counted through the list of nodes.
    pub(crate) const REMAINDER: Self = {
        let moves = Promise::NotMade("the remainder of most hashes is another for another number of nodes");
        Self {
            order: Promise::NotMade("the remainder is a place in the list"),
            removal: moves,
            growth: moves,
            weights: Weights::Exact,
        }
    };

    /// A Maglev table whose nodes take turns in the order of their names.
    pub(super) const MAGLEV: Self = {
        let moves = Promise::NotMade("Maglev: in other turns a few slots go from one node to another that stays");
        Self { removal: moves, growth: moves, ..Self::CONSISTENT }
    };
}

/// A list of nodes of weight 1.
pub(super) fn named(names: &[&str]) -> Vec<Node> {
    names.iter().map(|&name| Node::new(name, 1)).collect()
}

/// As many nodes of weight 1, named as people name them.
pub(crate) fn equal(count: usize) -> Vec<Node> {
    (0..count).map(|i| Node::new(format!("10.0.{}.{}:80", i / 250, i % 250), 1)).collect()
}

/// Nodes of these weights, named as those of [`equal`].
pub(crate) fn weighted(weights: &[u32]) -> Vec<Node> {
    equal(weights.len()).into_iter().zip(weights).map(|(node, &weight)| Node { weight, ..node }).collect()
}
