//! What the adapters of rings of named nodes share: which nodes are in the ring, their weights, and the traits.
//!
//! A crate's ring implements [`Ring`] and what else its functions can do: [`Changing`], [`Walking`], [`Weighing`].
//! [`Nodes`] and [`Weights`] make the traits of the algorithms of that. They add numbers and nothing else: what a crate
//! accepts is accepted, what it answers is answered.

use std::collections::BTreeSet;

use crate::algorithms::{Error, Partitioner, Remove, Replicas, Resize, Weighted};
use crate::catalog::{Algorithm, Build, Implementation, Shares, Source};

/// A ring, as a crate offers it, in numbers.
pub(super) trait Ring: Send + Sync {
    /// The number of the node to which the crate sends this key; [`NOBODY`](super::NOBODY) if to none.
    fn owner(&self, key: u64) -> u32;
}

/// Nodes come and go.
pub(super) trait Changing: Ring {
    /// Adds a node. An error is the crate's; many crates have none.
    fn add(&mut self, bucket: u32) -> Result<(), Error>;

    /// Removes a node. An error is the crate's; many crates have none.
    fn remove(&mut self, bucket: u32) -> Result<(), Error>;
}

/// Names several nodes for a key.
pub(super) trait Walking: Ring {
    /// What the crate answers when it is asked for so many. Fewer is how crates say that there are not so many.
    fn first(&self, key: u64, count: u32) -> Vec<u32>;
}

/// Nodes have weights.
pub(super) trait Weighing: Ring {
    /// Gives a node a weight: one that is there, or a new one.
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error>;
}

/// A ring with the numbers of the nodes that are in it.
pub(super) struct Nodes<R> {
    ring: R,
    working: BTreeSet<u32>,
}

impl<R> Nodes<R> {
    /// A ring in which these nodes are already.
    pub(super) fn within(ring: R, buckets: u32) -> Self {
        Self { ring, working: (0..buckets).collect() }
    }
}

impl<R: Changing> Nodes<R> {
    /// Adds nodes to an empty ring, one by one.
    pub(super) fn added(mut ring: R, buckets: u32) -> Result<Self, Error> {
        (0..buckets).try_for_each(|bucket| ring.add(bucket))?;
        Ok(Self::within(ring, buckets))
    }
}

impl<R: Ring> Partitioner for Nodes<R> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.ring.owner(key)
    }

    fn bucket_count(&self) -> u32 {
        self.working.len() as u32
    }
}

impl<R: Changing> Resize for Nodes<R> {
    fn grow(&mut self) -> Result<u32, Error> {
        let new = self.working.last().map_or(0, |last| last + 1);
        self.restore(new)?;
        Ok(new)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = *self.working.last().ok_or(Error::NoNodes)?;
        Remove::remove(self, last)?;
        Ok(last)
    }
}

impl<R: Changing> Remove for Nodes<R> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.remove(bucket)?;
        self.working.remove(&bucket);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.ring.add(bucket)?;
        self.working.insert(bucket);
        Ok(())
    }
}

impl<R: Walking> Replicas for Nodes<R> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.ring.first(key, self.bucket_count()).into_iter())
    }

    fn replicas(&self, key: u64, count: u32) -> Result<Vec<u32>, Error> {
        let found = self.ring.first(key, count);
        match found.len() as u32 {
            working if working < count => Err(Error::TooFewBuckets { asked: count, working }),
            _ => Ok(found),
        }
    }
}

/// A ring with the weights of its nodes.
pub(super) struct Weights<R> {
    ring: R,
    weights: Vec<f64>,
}

impl<R: Weighing> Weights<R> {
    /// A ring in which nodes of these weights are already.
    pub(super) fn within(ring: R, weights: &[f64]) -> Self {
        Self { ring, weights: weights.to_vec() }
    }

    /// Gives each node its weight in a ring, one by one.
    pub(super) fn given(mut ring: R, weights: &[f64]) -> Result<Self, Error> {
        (0..).zip(weights).try_for_each(|(bucket, &weight)| ring.weigh(bucket, weight))?;
        Ok(Self::within(ring, weights))
    }
}

impl<R: Ring> Partitioner for Weights<R> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.ring.owner(key)
    }

    fn bucket_count(&self) -> u32 {
        self.weights.len() as u32
    }
}

impl<R: Weighing> Weighted for Weights<R> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.weights.get(bucket as usize).copied().ok_or(unknown(bucket))
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let old = self.weights.get_mut(bucket as usize).ok_or(unknown(bucket))?;
        self.ring.weigh(bucket, weight)?;
        *old = weight;
        Ok(())
    }
}

/// A crate's word that a node is not there, or is there already.
pub(super) fn unknown(bucket: u32) -> Error {
    Error::UnknownBucket { bucket, choices: "one that the crate accepts here" }
}

/// A weight for a crate whose weights are whole numbers.
pub(super) fn whole(bucket: u32, weight: f64) -> Result<u32, Error> {
    let accepted = "a whole number; this crate knows no others";
    if weight.fract() == 0.0 {
        in_u32(bucket, weight, weight, accepted)
    } else {
        Err(refused(bucket, weight, accepted))
    }
}

/// [`whole`] for each of some weights.
pub(super) fn wholes(weights: &[f64]) -> Result<Vec<u32>, Error> {
    (0..).zip(weights).map(|(bucket, &weight)| whole(bucket, weight)).collect()
}

/// The points of a weight, for a crate in which a node may have any number of points.
pub(super) fn points(bucket: u32, weight: f64, points: u32) -> Result<u32, Error> {
    let scaled = (weight * f64::from(points)).round();
    in_u32(bucket, weight, scaled, "one whose points a number of 32 bits can count")
}

fn in_u32(bucket: u32, weight: f64, value: f64, accepted: &'static str) -> Result<u32, Error> {
    if (0.0..=f64::from(u32::MAX)).contains(&value) { Ok(value as u32) } else { Err(refused(bucket, weight, accepted)) }
}

/// A weight that a crate's type cannot hold. NaN is one.
fn refused(bucket: u32, weight: f64, accepted: &'static str) -> Error {
    Error::Weight { bucket, weight: weight.to_string(), accepted }
}

/// An entry of a crate's ring with positions of so many bits and as many points a node as are asked for.
pub(super) const fn ring(version: &'static str, position_bits: u32, of: Implementation) -> Implementation {
    Implementation {
        algorithm: Algorithm::Ring { position_bits },
        source: Source::Crate { version },
        paper: "Karger et al. 1997",
        cost: "O(log nv)",
        uses_points: true,
        own_hash: true,
        in_figures: false,
        shares: Shares::RandomRing { points: asked },
        ..of
    }
}

fn asked(build: Build) -> u32 {
    build.points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::crates::NOBODY;

    #[test]
    fn weights_that_a_crate_can_hold() {
        assert_eq!((whole(0, 3.0), points(0, 0.5, 5), points(0, 0.0, 5)), (Ok(3), Ok(3), Ok(0)));
        for weight in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e10] {
            assert!(matches!(whole(7, weight), Err(Error::Weight { bucket: 7, .. })), "{weight}");
        }
        for weight in [-1.0, f64::NAN, f64::INFINITY, 1e10] {
            assert!(matches!(points(7, weight, 5), Err(Error::Weight { bucket: 7, .. })), "{weight}");
        }
    }

    /// Sends all keys to the node that was added last, and names those before it next.
    #[derive(Default)]
    struct Stack(Vec<u32>);

    impl Ring for Stack {
        fn owner(&self, _: u64) -> u32 {
            self.0.last().copied().unwrap_or(NOBODY)
        }
    }

    impl Changing for Stack {
        fn add(&mut self, bucket: u32) -> Result<(), Error> {
            self.0.push(bucket);
            Ok(())
        }

        fn remove(&mut self, bucket: u32) -> Result<(), Error> {
            let at = self.0.iter().position(|&there| there == bucket).ok_or(unknown(bucket))?;
            self.0.remove(at);
            Ok(())
        }
    }

    impl Walking for Stack {
        fn first(&self, _: u64, count: u32) -> Vec<u32> {
            self.0.iter().rev().copied().take(count as usize).collect()
        }
    }

    #[test]
    fn nodes_hand_over_what_the_ring_says() {
        let mut nodes = Nodes::added(Stack::default(), 3).expect("a stack has no errors");
        assert_eq!((nodes.bucket(7), nodes.replicas(7, 2)), (2, Ok(vec![2, 1])));
        assert_eq!(nodes.replicas(7, 9), Err(Error::TooFewBuckets { asked: 9, working: 3 }));
        assert_eq!((nodes.grow(), nodes.bucket(7)), (Ok(3), 3));
        assert_eq!((nodes.remove(1), nodes.remove(1)), (Ok(()), Err(unknown(1))));
        assert_eq!((nodes.shrink(), nodes.restore(1), nodes.bucket(7)), (Ok(3), Ok(()), 1));
        assert_eq!((nodes.bucket_count(), nodes.preference(7).collect::<Vec<_>>()), (3, vec![1, 2, 0]));
        for bucket in 0..3 {
            assert_eq!(nodes.remove(bucket), Ok(()), "the ring accepts that the last one leaves");
        }
        assert_eq!((nodes.bucket(7), nodes.shrink()), (NOBODY, Err(Error::NoNodes)));
    }
}
