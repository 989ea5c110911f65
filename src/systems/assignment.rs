//! Which node owns each of some keys, and what lies between two such assignments.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{Entry, Node, SystemError};

/// The owners of keys. Keys are known by their places in the list that was asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    nodes: Vec<Node>,
    /// By key, the index of its node.
    owners: Vec<usize>,
}

impl Assignment {
    /// Asks a system, with its default options, for the owner of each key.
    ///
    /// # Errors
    /// [`SystemError`], as the system is built.
    pub fn new<K: AsRef<[u8]> + Sync>(entry: &Entry, nodes: &[Node], keys: &[K]) -> Result<Self, SystemError> {
        let system = (entry.build)(nodes)?;
        let owners = keys.par_iter().map(|key| system.node(key.as_ref())).collect();
        Ok(Self { nodes: nodes.to_vec(), owners })
    }

    /// The nodes, in the order given.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The name of the owner of each key.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.owners.iter().map(|&owner| self.nodes[owner].name.as_str())
    }

    /// How many keys each node owns, by name; nodes without a key included.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<&str, u64> {
        let mut counts: BTreeMap<&str, u64> = self.nodes.iter().map(|node| (node.name.as_str(), 0)).collect();
        for name in self.names() {
            *counts.entry(name).or_default() += 1;
        }
        counts
    }
}

/// A key whose owner changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Move<'a> {
    /// The key, by its place in the list.
    pub key: usize,
    /// The name of the node that owned it.
    pub from: &'a str,
    /// The name of the node that owns it now.
    pub to: &'a str,
}

/// The keys that have another owner after a change. Nodes are the same if their names are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Movement<'a> {
    /// The keys that move, in the order of the list.
    pub moves: Vec<Move<'a>>,
    /// The fewest moves that lead from the one number of keys on each node to the other: what the nodes that have
    /// fewer keys afterwards give away, Σ max(0, before - after).
    pub least: u64,
}

impl<'a> Movement<'a> {
    /// What moves between two assignments of the same keys.
    #[must_use]
    pub fn between(before: &'a Assignment, after: &'a Assignment) -> Self {
        let owners = before.names().zip(after.names()).enumerate();
        let moves =
            owners.filter(|(_, (from, to))| from != to).map(|(key, (from, to))| Move { key, from, to }).collect();
        let kept = after.counts();
        let given = |(name, count): (&&str, &u64)| count.saturating_sub(kept.get(name).copied().unwrap_or(0));
        Self { moves, least: before.counts().iter().map(given).sum() }
    }

    /// Moves beyond the least possible.
    #[must_use]
    pub fn excess(&self) -> u64 {
        // Each node gives away at least what it has fewer afterwards.
        (self.moves.len() as u64).saturating_sub(self.least)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn assignment(nodes: &[&str], owners: &[usize]) -> Assignment {
        Assignment { nodes: nodes.iter().map(|&name| Node::new(name, 1)).collect(), owners: owners.to_vec() }
    }

    #[test]
    fn nodes_are_matched_by_name() {
        let before = assignment(&["a", "b"], &[0, 0, 1]);
        let renumbered = assignment(&["b", "a"], &[1, 1, 0]);
        assert_eq!(Movement::between(&before, &renumbered), Movement { moves: Vec::new(), least: 0 });
    }

    #[test]
    fn a_swap_is_all_excess() {
        let (before, after) = (assignment(&["a", "b"], &[0, 1, 0]), assignment(&["a", "b"], &[1, 0, 0]));
        let movement = Movement::between(&before, &after);
        let moves = vec![Move { key: 0, from: "a", to: "b" }, Move { key: 1, from: "b", to: "a" }];
        assert_eq!((movement.excess(), movement), (2, Movement { moves, least: 0 }));
    }

    #[test]
    fn what_a_node_that_left_owned_must_move() {
        let (before, after) = (assignment(&["a", "b"], &[0, 1, 1]), assignment(&["a", "c"], &[0, 0, 1]));
        let movement = Movement::between(&before, &after);
        assert_eq!((movement.moves.len(), movement.least, movement.excess()), (2, 2, 0));
        assert_eq!(before.counts(), BTreeMap::from([("a", 1), ("b", 2)]));
    }

    proptest! {
        /// No assignment with those counts is reached with fewer moves, and one is reached with as many.
        #[test]
        fn least_is_the_least(pairs in proptest::collection::vec((0..4_usize, 0..4_usize), 0..40)) {
            let nodes = ["a", "b", "c", "d"];
            let (from, to): (Vec<usize>, Vec<usize>) = pairs.into_iter().unzip();
            let (before, after) = (assignment(&nodes, &from), assignment(&nodes, &to));
            let movement = Movement::between(&before, &after);
            prop_assert!(movement.least <= movement.moves.len() as u64);
            // Greedily: a key stays while its node has room for it.
            let mut room = nodes.map(|name| after.counts()[name]);
            let stay = from.iter().filter(|&&node| {
                let free = room[node] > 0;
                room[node] -= u64::from(free);
                free
            });
            let stay = stay.count();
            prop_assert_eq!(movement.least, (from.len() - stay) as u64);
        }
    }
}
