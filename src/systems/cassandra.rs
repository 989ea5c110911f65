//! Cassandra's `Murmur3Partitioner` and `SimpleStrategy`, as cassandra-driver 3.30.1 (Python) and 4.10.0 (npm) compute
//! them.
//!
//! The token of a partition key is the first half of MurmurHash3 x64 128, with the bytes of the tail signed, as an i64;
//! the smallest i64 becomes the largest, because the smallest stands for "before all tokens". A node owns the range
//! (previous token, its token]; the replicas of a key are the first distinct nodes clockwise from its token. Look-up
//! O(log V).
//!
//! Unequal nodes have unequal numbers of tokens. Tokens are configured or drawn at random, so that they are given here.
//! The server maps the empty key, which it never stores, to the smallest token; the drivers, and this file, to 0.

use super::hash::murmur::murmur3_cassandra;
use super::nodes::check_unweighted;
use super::ring::Circle;
use super::{Entry, Node, Promise, Promises, System, SystemError, boxed};

const SPACED: Promise = Promise::NotMade("evenly spaced tokens are others for another number of nodes");

/// Cassandra takes its tokens from its configuration; these are those of a ring set up by the manual.
pub(super) const ENTRY: Entry = Entry {
    id: "cassandra",
    name: "Cassandra Murmur3Partitioner, one evenly spaced token per node",
    version: "drivers 3.30.1 (Python), 4.10.0 (npm)",
    build: |nodes| Cassandra::evenly_spaced(nodes).map(boxed),
    promises: Promises {
        order: Promise::NotMade("tokens are given out by place in the list"),
        removal: SPACED,
        growth: SPACED,
        ..Promises::CONSISTENT
    },
};

/// The token of a partition key.
#[must_use]
pub fn token(key: &[u8]) -> i64 {
    normalised(murmur3_cassandra(key) as i64)
}

const fn normalised(hash: i64) -> i64 {
    if hash == i64::MIN { i64::MAX } else { hash }
}

/// The partition key of several columns: of each its length as a big-endian u16, its bytes and a zero. One column is
/// its bytes.
///
/// # Errors
/// [`SystemError::Setting`] for a column of more than 65,535 bytes.
pub fn routing_key(columns: &[&[u8]]) -> Result<Vec<u8>, SystemError> {
    if let [column] = columns {
        return Ok(column.to_vec());
    }
    let mut key = Vec::new();
    for column in columns {
        let length = u16::try_from(column.len()).map_err(|_| SystemError::Setting {
            setting: "bytes of a partition key column",
            value: column.len().to_string(),
            allowed: "at most 65535",
        })?;
        key.extend(length.to_be_bytes());
        key.extend(*column);
        key.push(0);
    }
    Ok(key)
}

/// Tokens and the nodes that own them.
#[derive(Debug, Clone)]
pub struct Cassandra {
    ring: Circle<i64>,
    nodes: usize,
}

impl Cassandra {
    /// The ring in which node i owns `tokens[i]`.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`]; [`SystemError::Setting`] for a node without a token; [`SystemError::DuplicateToken`].
    pub fn new<T: AsRef<[i64]>>(tokens: &[T]) -> Result<Self, SystemError> {
        if tokens.is_empty() {
            return Err(SystemError::NoNodes);
        }
        if let Some(node) = tokens.iter().position(|tokens| tokens.as_ref().is_empty()) {
            let value = format!("of node {node}: none");
            return Err(SystemError::Setting { setting: "tokens", value, allowed: "at least one for each node" });
        }
        let all =
            (0_u32..).zip(tokens).flat_map(|(node, tokens)| tokens.as_ref().iter().map(move |&token| (token, node)));
        let ring = Circle::new(all.collect());
        if let Some(pair) = ring.points().windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(SystemError::DuplicateToken { token: pair[0].0 });
        }
        Ok(Self { ring, nodes: tokens.len() })
    }

    /// One token for each node, evenly spaced in the order given: floor(i·2^64 / n) - 2^63, as Cassandra's manuals
    /// advise.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1.
    pub fn evenly_spaced(nodes: &[Node]) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        let spaced = |i: usize| (((i as u128) << 64) / nodes.len() as u128) as u64;
        let tokens: Vec<[i64; 1]> = (0..nodes.len()).map(|i| [spaced(i).wrapping_sub(1 << 63) as i64]).collect();
        Self::new(&tokens)
    }

    /// The tokens, ascending, each with the node that owns it.
    #[must_use]
    pub fn ring(&self) -> &[(i64, u32)] {
        self.ring.points()
    }

    /// The nodes that store a token: `factor` distinct ones clockwise from it, or all if there are fewer.
    #[must_use]
    pub fn replicas(&self, token: i64, factor: usize) -> Vec<usize> {
        // A walk that has met every node need not go on around the ring.
        let wanted = factor.min(self.nodes);
        self.ring.owners(token).take(wanted).map(|node| node as usize).collect()
    }

    /// The share of the 2^64 tokens that each node owns, without replicas; 1 in total.
    #[must_use]
    pub fn ownership(&self) -> Vec<f64> {
        let mut owned = vec![0_u128; self.nodes];
        let ring = self.ring.points();
        let mut previous = ring[ring.len() - 1].0;
        for &(token, node) in ring {
            let width = token.wrapping_sub(previous) as u64;
            // A single token is its own predecessor and owns the whole circle.
            owned[node as usize] += if ring.len() == 1 { 1 << 64 } else { u128::from(width) };
            previous = token;
        }
        owned.into_iter().map(|width| width as f64 / (1_u128 << 64) as f64).collect()
    }
}

impl System for Cassandra {
    fn node(&self, key: &[u8]) -> usize {
        self.ring.owner(token(key)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_token_becomes_the_largest() {
        assert_eq!(normalised(i64::MIN), i64::MAX);
        assert_eq!([i64::MIN + 1, -1, i64::MAX].map(normalised), [i64::MIN + 1, -1, i64::MAX]);
    }

    #[test]
    fn ranges_end_at_their_token() {
        let ring = Cassandra::new(&[[-5], [i64::MAX - 1]]).expect("valid");
        let owner = |token| ring.replicas(token, 1)[0];
        assert_eq!([i64::MIN, -5, -4, i64::MAX - 1, i64::MAX].map(owner), [0, 0, 1, 1, 0]);
    }

    #[test]
    fn replicas_are_distinct_nodes() {
        let ring = Cassandra::new(&[vec![1, 2, 3], vec![4], vec![5, 6]]).expect("valid");
        for (factor, expected) in [(0, &[][..]), (1, &[0]), (2, &[0, 1]), (3, &[0, 1, 2]), (usize::MAX, &[0, 1, 2])] {
            assert_eq!(ring.replicas(2, factor), expected);
        }
        assert_eq!(ring.replicas(6, 3), [2, 0, 1]);
    }

    #[test]
    fn ownership_is_exact() {
        assert_eq!(Cassandra::new(&[[7]]).expect("valid").ownership(), [1.0]);
        assert_eq!(Cassandra::new(&[[0], [i64::MIN]]).expect("valid").ownership(), [0.5, 0.5]);
        let quarters = Cassandra::new(&[vec![i64::MIN, 0], vec![i64::MIN / 2]]).expect("valid");
        assert_eq!(quarters.ownership(), [0.75, 0.25]);
    }

    #[test]
    fn bad_rings_are_named() {
        assert_eq!(Cassandra::new::<[i64; 0]>(&[]).unwrap_err(), SystemError::NoNodes);
        assert_eq!(Cassandra::new(&[[3], [3]]).unwrap_err(), SystemError::DuplicateToken { token: 3 });
        let error = Cassandra::new(&[vec![1], vec![]]).unwrap_err();
        assert!(matches!(error, SystemError::Setting { setting: "tokens", .. }), "{error}");
        let long = vec![b'x'; 65_536];
        assert!(routing_key(&[&long, b"y"]).is_err());
        assert_eq!(routing_key(&[&long]), Ok(long), "one column has no length");
    }
}
