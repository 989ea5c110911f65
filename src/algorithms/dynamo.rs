//! The three partitioning strategies of Dynamo: DeCandia et al. 2007 (SOSP), section 6.2 and Figure 7.
//!
//! 1. T random tokens a node; the partitions are what lies between tokens.
//! 2. T random tokens a node, and Q equal partitions; a partition belongs to whom a walk from its end meets.
//! 3. Q/S = T equal partitions for each of S nodes, in random order.
//!
//! A partition has N replicas, on the first N distinct nodes clockwise: of its end in strategies 1 and 2, of the
//! partition itself in strategy 3. *Load efficiency* is the mean load of a node over that of the most loaded; here the
//! load is the part of the key space of which a node holds a replica, as for keys of equal popularity. The paper weighs
//! requests of unknown popularity, and states neither T nor, for strategy 2, Q: the points of Figure 8 fit T = 2, 4,
//! ..., 1024 and Q = 1000, which is inferred. Look-up O(log V) in a table of V (2 + N) words.

use super::circle::{Circle, distinct, points_of};
use super::hash::{HashFamily, Mix};
use super::room::collected;
use super::{Error, Partitioner, checked_buckets, checked_points};

/// More partitions, tokens or table entries are not built.
const MOST_ENTRIES: u64 = 1 << 24;

/// How the key space is partitioned, and the partitions placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Strategy 1: partitions between random tokens.
    RandomTokens { tokens: u32 },
    /// Strategy 2: equal partitions, placed by random tokens.
    EqualPartitions { tokens: u32, partitions: u32 },
    /// Strategy 3: equal partitions, equally many for each node.
    EqualShares { tokens: u32 },
}

/// A table of partitions and of the nodes that hold their replicas.
#[derive(Debug, Clone)]
pub struct Dynamo<H = Mix> {
    /// The last position of each partition, ascending; what lies beyond the last belongs to the first.
    ends: Vec<u64>,
    /// The nodes of each partition, `replicas` for each.
    placement: Vec<u32>,
    nodes: u32,
    replicas: u32,
    hash: H,
}

impl<H: HashFamily> Dynamo<H> {
    /// The table of `nodes` nodes (S) and `replicas` replicas (N).
    ///
    /// # Errors
    /// [`Error::NoBuckets`]; [`Error::NoPoints`] for no tokens; [`Error::TooFewBuckets`] if N > S;
    /// [`Error::OutOfRange`] for no replicas, no partitions, or a table of more than 2^24 entries;
    /// [`Error::OutOfMemory`].
    pub fn new(strategy: Strategy, nodes: u32, replicas: u32, hash: H) -> Result<Self, Error> {
        checked_buckets(i64::from(nodes), u32::MAX)?;
        if replicas > nodes {
            return Err(Error::TooFewBuckets { asked: replicas, working: nodes });
        }
        let (Strategy::RandomTokens { tokens }
        | Strategy::EqualPartitions { tokens, .. }
        | Strategy::EqualShares { tokens }) = strategy;
        let all_tokens = checked_points(nodes, tokens)? as u64;
        let partitions = match strategy {
            Strategy::EqualPartitions { partitions, .. } => u64::from(partitions),
            _ => all_tokens,
        };
        // Zero if there are no partitions or no replicas.
        let entries = all_tokens.max(partitions).saturating_mul(u64::from(replicas)) * u64::from(partitions > 0);
        if !(1..=MOST_ENTRIES).contains(&entries) {
            let value = entries.to_string();
            return Err(Error::OutOfRange { what: "a number of table entries", value, accepted: "1..=2^24" });
        }

        let points = (0..nodes).flat_map(|node| points_of(&hash, node, tokens));
        let circle = Circle::of(all_tokens as usize, points)?;
        let points = circle.points();
        let ends: Vec<u64> = match strategy {
            Strategy::RandomTokens { .. } => collected(points.len(), points.iter().map(|point| point.0))?,
            _ => {
                let end = |i: u128| ((i << 64).div_ceil(u128::from(partitions)) - 1) as u64;
                collected(partitions as usize, (1..=u128::from(partitions)).map(end))?
            }
        };
        let few = replicas as usize;
        let placement = match strategy {
            Strategy::EqualPartitions { .. } => {
                collected(ends.len() * few, ends.iter().flat_map(|&end| circle.owners(end).take(few)))?
            }
            // Random tokens in their order are also a random order of nodes with equally many places each.
            _ => {
                let walks = (0..points.len()).flat_map(|at| distinct(circle.clockwise(at)).take(few));
                collected(points.len() * few, walks)?
            }
        };
        Ok(Self { ends, placement, nodes, replicas, hash })
    }

    /// The nodes that hold a key, its coordinator first.
    #[must_use]
    pub fn preference_list(&self, key: u64) -> &[u32] {
        let position = self.hash.key(key);
        let at = self.ends.partition_point(|&end| end < position);
        self.nodes_of(if at == self.ends.len() { 0 } else { at })
    }

    fn nodes_of(&self, partition: usize) -> &[u32] {
        let replicas = self.replicas as usize;
        &self.placement[partition * replicas..][..replicas]
    }

    /// How many positions of the key space each node holds a replica of; together N 2^64.
    #[must_use]
    pub fn loads(&self) -> Vec<u128> {
        let mut loads = vec![0; self.nodes as usize];
        let (first, last) = (self.ends[0], self.ends[self.ends.len() - 1]);
        let between = self.ends.windows(2).map(|pair| u128::from(pair[1] - pair[0]));
        let sizes = std::iter::once((1 << 64) - u128::from(last - first)).chain(between);
        for (partition, size) in sizes.enumerate() {
            for &node in self.nodes_of(partition) {
                loads[node as usize] += size;
            }
        }
        loads
    }

    /// Mean load over the load of the most loaded node: 1 is perfect.
    #[must_use]
    pub fn load_efficiency(&self) -> f64 {
        let loads = self.loads();
        let mean = loads.iter().sum::<u128>() as f64 / f64::from(self.nodes);
        loads.iter().max().map_or(1.0, |&most| mean / most as f64)
    }
}

impl<H: HashFamily> Partitioner for Dynamo<H> {
    /// The coordinator of the key.
    fn bucket(&self, key: u64) -> u32 {
        self.preference_list(key)[0]
    }

    fn bucket_count(&self) -> u32 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing::{self, Placed};
    use crate::algorithms::{Replicas, RingWeighted};

    fn table(strategy: Strategy, replicas: u32, seed: u64) -> Dynamo {
        Dynamo::new(strategy, 30, replicas, Mix::new(seed)).expect("a table")
    }

    fn all(tokens: u32) -> [Strategy; 3] {
        [
            Strategy::RandomTokens { tokens },
            Strategy::EqualPartitions { tokens, partitions: 1000 },
            Strategy::EqualShares { tokens },
        ]
    }

    #[test]
    fn figure_8() {
        // As read off the figure, to about one digit of 100, at T = 2, 8, 32, 128.
        let published = [[0.52, 0.69, 0.82, 0.91], [0.53, 0.70, 0.82, 0.88], [0.86, 0.90, 0.94, 0.97]];
        for (i, tokens) in [2, 8, 32, 128].into_iter().enumerate() {
            for (strategy, published) in all(tokens).into_iter().zip(published) {
                let values: Vec<f64> = (0..12).map(|seed| table(strategy, 3, seed).load_efficiency()).collect();
                let mean = values.iter().sum::<f64>() / 12.0;
                let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 11.0;
                let range = 0.01 + 3.0 * variance.sqrt();
                assert!((mean - published[i]).abs() < range, "{strategy:?}: {mean}, published {}", published[i]);
            }
        }
    }

    #[test]
    fn strategy_1_is_the_ring() {
        let ring = RingWeighted::new(&[1.0; 30], 16, Mix::new(4)).expect("a ring");
        let table = table(Strategy::RandomTokens { tokens: 16 }, 3, 4);
        assert!((0..5_000).all(|key| ring.replicas(key, 3).as_deref() == Ok(table.preference_list(key))));
    }

    #[test]
    fn strategy_2_walks_from_the_end_of_the_partition() {
        let placed = Placed(|bucket, _| [1 << 60, (1 << 62) - 1, (1 << 62) + 1, u64::MAX][bucket as usize % 4]);
        let strategy = Strategy::EqualPartitions { tokens: 1, partitions: 4 };
        let table = Dynamo::new(strategy, 4, 2, placed).expect("a table");
        // A token inside the first partition is passed over; one at its end counts.
        assert_eq!(table.preference_list(0), [1, 2]);
        assert_eq!(table.preference_list((1 << 62) - 1), [1, 2]);
        assert_eq!(table.preference_list(1 << 62), [3, 0]);
        assert_eq!(table.preference_list(u64::MAX), [3, 0]);
        assert_eq!(table.loads(), [3, 1, 1, 3].map(|quarters: u128| quarters << 62));
        assert_eq!(table.load_efficiency(), 2.0 / 3.0);
    }

    #[test]
    fn strategy_3_gives_every_node_as_many_partitions() {
        let table = table(Strategy::EqualShares { tokens: 8 }, 1, 2);
        let loads = table.loads();
        // 2^64/240 is no integer: a node's eight partitions differ by a position each.
        assert!(loads.iter().all(|load| load.abs_diff((1 << 64) / 30) <= 8));
        let mut firsts = vec![0; 30];
        (0..240).for_each(|partition| firsts[table.nodes_of(partition)[0] as usize] += 1);
        assert_eq!(firsts, [8; 30]);
    }

    #[test]
    fn loads_are_what_keys_find() {
        for strategy in all(5) {
            let table = table(strategy, 3, 6);
            assert_eq!(table.loads().iter().sum::<u128>(), 3 << 64);
            let mut firsts = vec![0; 30];
            for key in 0..50_000 {
                let [a, b, c] = *table.preference_list(key) else { panic!("three nodes") };
                assert!(a != b && b != c && a != c);
                firsts[a as usize] += 1;
            }
            let shares = Dynamo::new(strategy, 30, 1, Mix::new(6)).expect("a table").loads();
            let shares: Vec<f64> = shares.iter().map(|&load| load as f64 / 2_f64.powi(64)).collect();
            testing::assert_fair(&firsts, &shares);
        }
    }

    #[test]
    fn a_replica_on_every_node_is_perfect() {
        for strategy in all(3) {
            assert_eq!(table(strategy, 30, 1).load_efficiency(), 1.0);
            assert_eq!(Dynamo::new(strategy, 1, 1, Mix::new(0)).expect("a table").bucket(7), 0);
        }
    }

    #[test]
    fn bad_input_is_named() {
        let [one, two, _] = all(2);
        let new = |strategy, nodes, replicas| Dynamo::new(strategy, nodes, replicas, Mix::new(0)).unwrap_err();
        assert_eq!(new(one, 0, 0), Error::NoBuckets { asked: 0 });
        assert_eq!(new(one, 2, 3), Error::TooFewBuckets { asked: 3, working: 2 });
        assert_eq!(new(Strategy::EqualShares { tokens: 0 }, 2, 1), Error::NoPoints);
        assert!(matches!(new(two, 2, 0), Error::OutOfRange { .. }));
        assert!(matches!(new(one, u32::MAX, 1), Error::OutOfRange { .. }));
        let none = Strategy::EqualPartitions { tokens: 1, partitions: 0 };
        assert!(matches!(new(none, 2, 1), Error::OutOfRange { .. }));
        let huge = Strategy::EqualPartitions { tokens: 1, partitions: u32::MAX };
        assert!(matches!(new(huge, 2, 1), Error::OutOfRange { .. }));
    }
}
