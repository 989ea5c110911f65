//! pymemcache's `RendezvousHash`, pymemcache 4.0.0.
//!
//! The score of a node is MurmurHash3 x86 32 of "name-key", the highest owns the key. Scores have 32 bits and do
//! collide: the lexicographically larger name then wins. Python hashes characters, not bytes: of each code point only
//! the lowest 8 bits count, so that "é" is the byte 0xE9, and "й" and "9" are one key. Look-up O(n · length).

use std::cmp::Reverse;

use super::hash::murmur::murmur3_32;
use super::nodes::check_unweighted;
use super::{Entry, Node, Promises, System, SystemError, boxed};

/// The default seed.
pub(super) const ENTRY: Entry = Entry {
    id: "pymemcache-rendezvous",
    name: "pymemcache RendezvousHash",
    version: "4.0.0",
    build: |nodes| PymemcacheRendezvous::new(nodes, DEFAULT_SEED).map(boxed),
    promises: Promises::CONSISTENT,
};

/// The seed unless configured.
pub const DEFAULT_SEED: u32 = 0;

/// Names, ready to be hashed.
#[derive(Debug, Clone)]
pub struct PymemcacheRendezvous {
    /// ("name-" as Python hashes it, index of the node), the larger name first.
    nodes: Vec<(Vec<u8>, u32)>,
    seed: u32,
}

impl PymemcacheRendezvous {
    /// A rendezvous of nodes.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1.
    pub fn new(nodes: &[Node], seed: u32) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        let mut order: Vec<(&Node, u32)> = nodes.iter().zip(0..).collect();
        // Code points sort as their UTF-8 does.
        order.sort_by_key(|&(node, _)| Reverse(&node.name));
        let nodes = order.into_iter().map(|(node, index)| (characters(&format!("{}-", node.name)), index)).collect();
        Ok(Self { nodes, seed })
    }
}

/// What Python's implementation hashes of a string.
fn characters(text: &str) -> Vec<u8> {
    text.chars().map(|character| character as u32 as u8).collect()
}

impl System for PymemcacheRendezvous {
    /// A key that is not UTF-8 cannot be a Python string; its wrong bytes count as U+FFFD.
    fn node(&self, key: &[u8]) -> usize {
        let key = characters(&String::from_utf8_lossy(key));
        let mut label = Vec::new();
        let mut best: Option<(u32, u32)> = None;
        for (prefix, index) in &self.nodes {
            label.clear();
            label.extend_from_slice(prefix);
            label.extend_from_slice(&key);
            let score = murmur3_32(&label, self.seed);
            // Strictly greater: the larger name came first.
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, *index));
            }
        }
        best.map_or(0, |(_, index)| index as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn of_equal_scores_the_larger_name_wins() {
        // About 2^17 names are enough for pairs that collide with the key "k".
        let mut seen: HashMap<u32, String> = HashMap::new();
        let mut ties = 0;
        for i in 0..200_000 {
            let name = format!("n{i}");
            let Some(other) = seen.insert(murmur3_32(format!("{name}-k").as_bytes(), 0), name.clone()) else {
                continue;
            };
            for pair in [[&name, &other], [&other, &name]] {
                let nodes = pair.map(|name| Node::new(name, 1));
                let owner = PymemcacheRendezvous::new(&nodes, 0).expect("valid").node(b"k");
                assert_eq!(&nodes[owner].name, (&name).max(&other));
            }
            ties += 1;
        }
        assert!(ties > 0, "no collision to test with");
    }

    #[test]
    fn characters_count_by_their_lowest_byte() {
        assert_eq!(characters("aé日\u{1f600}"), [b'a', 0xe9, 0xe5, 0x00]);
        // murmur3_32 of pymemcache 4.0.0, run on these strings.
        for (text, expected) in
            [("é", 1_153_881_266), ("日本語日", 2_915_414_166), ("\u{1f600}abc\u{1f600}", 3_628_399_748)]
        {
            assert_eq!(murmur3_32(&characters(text), 0), expected, "{text}");
        }
    }
}
