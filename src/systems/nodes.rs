//! Lists of nodes: what systems ask of them, and how they count through them.

use std::collections::HashSet;
use std::hash::Hash;
use std::ops::RangeInclusive;

use super::SystemError;
use super::ring::check_points;

/// A named server with its weight.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// As it stands in the system's configuration: often `host:port`.
    pub name: String,
    /// In the unit of the system; servers that say nothing have 1.
    pub weight: u32,
}

impl Node {
    /// A node of this name and weight.
    #[must_use]
    pub fn new(name: impl Into<String>, weight: u32) -> Self {
        Self { name: name.into(), weight }
    }
}

/// Checks that there are nodes, few enough for a `u32`, and that no two share what the system knows them by.
pub(crate) fn check_names<K: Hash + Eq>(nodes: &[Node], known_by: impl Fn(&Node) -> K) -> Result<(), SystemError> {
    if nodes.is_empty() {
        return Err(SystemError::NoNodes);
    }
    check_points(nodes.len() as u64)?;
    let mut seen = HashSet::with_capacity(nodes.len());
    match nodes.iter().find(|&node| !seen.insert(known_by(node))) {
        Some(node) => Err(SystemError::DuplicateName { name: node.name.clone() }),
        None => Ok(()),
    }
}

/// Checks that every node has a weight that the system accepts; `allowed` says the same in words.
pub(super) fn check_weights(
    nodes: &[Node],
    accepted: RangeInclusive<u32>,
    allowed: &'static str,
) -> Result<(), SystemError> {
    match nodes.iter().find(|node| !accepted.contains(&node.weight)) {
        Some(Node { name, weight }) => Err(SystemError::Weight { name: name.clone(), weight: *weight, allowed }),
        None => Ok(()),
    }
}

/// Checks the names of nodes that the system knows by them, and that none asks for a weight which it does not have.
pub(super) fn check_unweighted(nodes: &[Node]) -> Result<(), SystemError> {
    check_names(nodes, |node| node.name.clone())?;
    check_weights(nodes, 1..=1, "1: this system has no weights")
}

/// The sum of the weights: at most 2^24 nodes, so that it fits.
pub(super) fn total_weight(nodes: &[Node]) -> u64 {
    nodes.iter().map(|node| u64::from(node.weight)).sum()
}

/// For each node the sum of the weights up to and with its own.
pub(super) fn cumulative_weights(nodes: &[Node]) -> Vec<u64> {
    let sums = nodes.iter().scan(0, |sum, node| {
        *sum += u64::from(node.weight);
        Some(*sum)
    });
    sums.collect()
}

/// The node that stands at `hash` modulo the sum of the weights, when each is counted as often as its weight.
pub(super) fn weighted_modulo(cumulative: &[u64], hash: u32) -> usize {
    let place = cumulative.last().map_or(0, |total| u64::from(hash) % total);
    cumulative.partition_point(|&sum| sum <= place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modulo_by_weight() {
        let cumulative = cumulative_weights(&[Node::new("a", 1), Node::new("b", 2), Node::new("c", 1)]);
        assert_eq!([0, 1, 2, 3, 4, 7].map(|hash| weighted_modulo(&cumulative, hash)), [0, 1, 1, 2, 0, 2]);
    }
}
