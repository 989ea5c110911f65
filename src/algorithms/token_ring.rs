//! A ring of named nodes whose tokens are given: Karger et al. 1997 in the clockwise form that textbooks teach.
//!
//! The positions are whatever the caller makes of a node's name, on a circle of any size. Documents differ in one point: does
//! a key *at* a token belong to it ([`Boundary::AtOrAfter`]) or to the next one ([`Boundary::StrictlyAfter`])?
//! Look-up O(log V) by binary search.

use std::collections::BTreeSet;

use super::Error;

/// Whether a token owns the key that lies exactly on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boundary {
    /// The owner is the first token at or after the key.
    AtOrAfter,
    /// The owner is the first token after the key.
    StrictlyAfter,
}

/// Named nodes on a circle. Of tokens at one position the node whose name is smaller owns the keys.
#[derive(Debug, Clone)]
pub struct TokenRing {
    /// (token, index into `names`), ascending; names are sorted, so that the index decides ties by name.
    ring: Vec<(u64, u32)>,
    names: Vec<String>,
    boundary: Boundary,
}

impl TokenRing {
    /// A ring of nodes, each with its tokens. The order in which they are given has no influence.
    ///
    /// # Errors
    /// [`Error::NoNodes`], [`Error::DuplicateName`], [`Error::NoTokens`].
    pub fn new<N, T>(nodes: impl IntoIterator<Item = (N, T)>, boundary: Boundary) -> Result<Self, Error>
    where
        N: Into<String>,
        T: IntoIterator<Item = u64>,
    {
        let mut nodes: Vec<(String, Vec<u64>)> =
            nodes.into_iter().map(|(name, tokens)| (name.into(), tokens.into_iter().collect())).collect();
        nodes.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        if nodes.is_empty() {
            return Err(Error::NoNodes);
        }
        if let Some(pair) = nodes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::DuplicateName { name: pair[0].0.clone() });
        }
        if let Some((name, _)) = nodes.iter().find(|(_, tokens)| tokens.is_empty()) {
            return Err(Error::NoTokens { name: name.clone() });
        }
        let mut ring: Vec<(u64, u32)> = (0_u32..)
            .zip(&nodes)
            .flat_map(|(index, (_, tokens))| tokens.iter().map(move |&token| (token, index)))
            .collect();
        ring.sort_unstable();
        Ok(Self { ring, names: nodes.into_iter().map(|(name, _)| name).collect(), boundary })
    }

    /// The name of the node that owns the key at `position`.
    #[must_use]
    pub fn owner(&self, position: u64) -> &str {
        let at = self.ring.partition_point(|&(token, _)| match self.boundary {
            Boundary::AtOrAfter => token < position,
            Boundary::StrictlyAfter => token <= position,
        });
        let (_, index) = self.ring.get(at).unwrap_or(&self.ring[0]);
        &self.names[*index as usize]
    }

    /// The nodes' names, sorted.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The tokens, ascending, each with the name of its node.
    pub fn tokens(&self) -> impl Iterator<Item = (u64, &str)> {
        self.ring.iter().map(|&(token, index)| (token, self.names[index as usize].as_str()))
    }

    /// The ring without one node.
    ///
    /// # Errors
    /// [`Error::UnknownNode`]; [`Error::NoNodes`] if it was the last.
    pub fn without(&self, name: &str) -> Result<Self, Error> {
        if !self.names.iter().any(|known| known == name) {
            return Err(Error::UnknownNode { name: name.to_owned() });
        }
        let rest: BTreeSet<&str> = self.names.iter().map(String::as_str).filter(|&other| other != name).collect();
        let nodes = rest.into_iter().map(|node| {
            let tokens: Vec<u64> = self.tokens().filter(|&(_, owner)| owner == node).map(|(token, _)| token).collect();
            (node, tokens)
        });
        Self::new(nodes, self.boundary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(nodes: &[(&str, &[u64])], boundary: Boundary) -> Result<TokenRing, Error> {
        TokenRing::new(nodes.iter().map(|(name, tokens)| (*name, tokens.iter().copied())), boundary)
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(ring(&[], Boundary::AtOrAfter).unwrap_err(), Error::NoNodes);
        let twice = ring(&[("a", &[1]), ("b", &[2]), ("a", &[3])], Boundary::AtOrAfter).unwrap_err();
        assert_eq!(twice, Error::DuplicateName { name: "a".into() });
        assert_eq!(ring(&[("a", &[])], Boundary::AtOrAfter).unwrap_err(), Error::NoTokens { name: "a".into() });
    }

    #[test]
    fn ties_go_by_name_and_removal_keeps_the_other() {
        for nodes in [[("b", &[5_u64][..]), ("a", &[5])], [("a", &[5]), ("b", &[5])]] {
            let ring = ring(&nodes, Boundary::AtOrAfter).expect("two nodes");
            assert_eq!(ring.owner(5), "a");
            assert_eq!(ring.without("a").expect("one is left").owner(5), "b");
        }
    }

    #[test]
    fn boundaries() {
        let nodes: &[(&str, &[u64])] = &[("a", &[10]), ("b", &[20])];
        let at_or_after = ring(nodes, Boundary::AtOrAfter).expect("two nodes");
        let strictly = ring(nodes, Boundary::StrictlyAfter).expect("two nodes");
        assert_eq!([at_or_after.owner(10), at_or_after.owner(20), at_or_after.owner(21)], ["a", "b", "a"]);
        assert_eq!([strictly.owner(9), strictly.owner(10), strictly.owner(20)], ["a", "b", "a"]);
    }

    #[test]
    fn the_last_node_stays() {
        let one = ring(&[("a", &[10])], Boundary::AtOrAfter).expect("one node");
        assert_eq!(one.owner(u64::MAX), "a");
        assert_eq!(one.without("a").unwrap_err(), Error::NoNodes);
        assert_eq!(one.without("z").unwrap_err(), Error::UnknownNode { name: "z".into() });
    }
}
