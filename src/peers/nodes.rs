//! What the adapters of crates with nodes share: which nodes there are, their weights, and the traits.
//!
//! A crate's structure implements [`Placing`] and what else its functions can do: [`Changing`], [`Listing`],
//! [`Weighing`]. [`Nodes`] and [`Weights`] make the traits of the algorithms of that. They add numbers and nothing else:
//! what a crate accepts is accepted, what it answers is answered. They keep nothing on the heap beside a structure as it
//! was built, so that its bytes are the crate's.

use std::collections::BTreeSet;

use crate::algorithms::{Error, Partitioner, Remove, Replicas, Resize, Weighted};

/// A structure, as a crate offers it, in numbers.
pub(super) trait Placing: Send + Sync {
    /// The number of the node to which the crate sends this key; [`NOBODY`](super::NOBODY) if to none.
    fn owner(&self, key: u64) -> u32;

    /// How many nodes there are by the crate's own word, or by the list that it wants; where neither is asked, those are
    /// counted that it did not refuse.
    fn count(&self) -> Option<u32> {
        None
    }
}

/// Nodes come and go.
pub(super) trait Changing: Placing {
    /// Adds a node. An error is the crate's; many crates have none.
    fn add(&mut self, bucket: u32) -> Result<(), Error>;

    /// Removes a node. An error is the crate's; many crates have none.
    fn remove(&mut self, bucket: u32) -> Result<(), Error>;
}

/// Names several nodes for a key.
pub(super) trait Listing: Placing {
    /// What the crate answers when it is asked for so many; nothing if it refuses.
    fn first(&self, key: u64, count: u32) -> Vec<u32>;
}

/// Nodes have weights.
pub(super) trait Weighing: Placing {
    /// Gives a node a weight: one that is there, or a new one.
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error>;

    /// Gives another weight to a node that is there, as the crate's documentation says to.
    fn weigh_again(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weigh(bucket, weight)
    }
}

/// A crate's structure with the numbers of the nodes that are in it.
pub(super) struct Nodes<S> {
    structure: S,
    /// Those below this were there at the beginning.
    built: u32,
    /// Of those, the ones that left.
    left: BTreeSet<u32>,
    /// Those that came.
    came: BTreeSet<u32>,
}

impl<S> Nodes<S> {
    /// A structure in which these nodes are already.
    pub(super) fn within(structure: S, buckets: u32) -> Self {
        Self { structure, built: buckets, left: BTreeSet::new(), came: BTreeSet::new() }
    }

    fn last(&self) -> Option<u32> {
        self.came.last().copied().or_else(|| (0..self.built).rev().find(|bucket| !self.left.contains(bucket)))
    }
}

impl<S: Changing> Nodes<S> {
    /// Adds nodes to an empty structure, one by one.
    pub(super) fn added(mut structure: S, buckets: u32) -> Result<Self, Error> {
        (0..buckets).try_for_each(|bucket| structure.add(bucket))?;
        Ok(Self::within(structure, buckets))
    }
}

impl<S: Placing> Partitioner for Nodes<S> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.structure.owner(key)
    }

    fn bucket_count(&self) -> u32 {
        let ours = || self.built - self.left.len() as u32 + self.came.len() as u32;
        self.structure.count().unwrap_or_else(ours)
    }
}

impl<S: Changing> Resize for Nodes<S> {
    fn grow(&mut self) -> Result<u32, Error> {
        let new = self.last().map_or(0, |last| last + 1);
        self.restore(new)?;
        Ok(new)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.last().ok_or(Error::NoNodes)?;
        Remove::remove(self, last)?;
        Ok(last)
    }
}

impl<S: Changing> Remove for Nodes<S> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.structure.remove(bucket)?;
        if !self.came.remove(&bucket) && bucket < self.built {
            self.left.insert(bucket);
        }
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.structure.add(bucket)?;
        if !self.left.remove(&bucket) && bucket >= self.built {
            self.came.insert(bucket);
        }
        Ok(())
    }
}

impl<S: Listing> Replicas for Nodes<S> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.structure.first(key, self.bucket_count()).into_iter())
    }

    /// A list that is shorter than a request for more nodes than there are is the crate's way to say so. Any other is
    /// passed on as it is, one that names a node twice or too few of many too: that is a fault, and must show.
    fn replicas(&self, key: u64, count: u32) -> Result<Vec<u32>, Error> {
        let found = self.structure.first(key, count);
        let working = self.bucket_count();
        let distinct = || found.iter().collect::<BTreeSet<_>>().len() == found.len();
        if count > working && found.len() <= working as usize && distinct() {
            return Err(Error::TooFewBuckets { asked: count, working });
        }
        Ok(found)
    }
}

/// A crate's structure with the weights of its nodes.
pub(super) struct Weights<S> {
    structure: S,
    weights: Vec<f64>,
}

impl<S: Weighing> Weights<S> {
    /// A structure in which nodes of these weights are already.
    pub(super) fn within(structure: S, weights: &[f64]) -> Self {
        Self { structure, weights: weights.to_vec() }
    }

    /// Gives each node its weight in an empty structure, one by one.
    pub(super) fn given(mut structure: S, weights: &[f64]) -> Result<Self, Error> {
        (0..).zip(weights).try_for_each(|(bucket, &weight)| structure.weigh(bucket, weight))?;
        Ok(Self::within(structure, weights))
    }
}

impl<S: Placing> Partitioner for Weights<S> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.structure.owner(key)
    }

    fn bucket_count(&self) -> u32 {
        self.weights.len() as u32
    }
}

impl<S: Weighing> Weighted for Weights<S> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.weights.get(bucket as usize).copied().ok_or(absent(bucket))
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let old = self.weights.get_mut(bucket as usize).ok_or(absent(bucket))?;
        self.structure.weigh_again(bucket, weight)?;
        *old = weight;
        Ok(())
    }
}

/// A crate's word that it does not have a node.
pub(super) fn absent(bucket: u32) -> Error {
    Error::UnknownBucket { bucket, choices: "a node that the crate has" }
}

/// A crate's word that it has a node already.
pub(super) fn present(bucket: u32) -> Error {
    Error::UnknownBucket { bucket, choices: "a node that the crate does not have" }
}

/// A weight for a crate whose weights are whole numbers of this type.
pub(super) fn whole<T: TryFrom<u64>>(bucket: u32, weight: f64) -> Result<T, Error> {
    in_type(weight).ok_or_else(|| refused(bucket, weight, "a whole number; this crate knows no others"))
}

/// [`whole`] for each of some weights.
pub(super) fn wholes(weights: &[f64]) -> Result<Vec<u32>, Error> {
    (0..).zip(weights).map(|(bucket, &weight)| whole(bucket, weight)).collect()
}

/// The points of a weight, for a crate in which a node may have any number of points.
pub(super) fn points(bucket: u32, weight: f64, points: u32) -> Result<u32, Error> {
    let scaled = (weight * f64::from(points)).round();
    in_type(scaled).ok_or_else(|| refused(bucket, weight, "one whose points a number of 32 bits can count"))
}

/// A whole number as another type. NaN is none.
fn in_type<T: TryFrom<u64>>(value: f64) -> Option<T> {
    let whole = value as u64;
    if whole as f64 == value && whole < u64::MAX { T::try_from(whole).ok() } else { None }
}

/// A weight that a crate's type cannot hold.
pub(super) fn refused(bucket: u32, weight: f64, accepted: &'static str) -> Error {
    Error::Weight { bucket, weight: weight.to_string(), accepted }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::NOBODY;

    #[test]
    fn weights_that_a_crate_can_hold() {
        assert_eq!((whole(0, 3.0), points(0, 0.5, 5), points(0, 0.0, 5)), (Ok(3_u32), Ok(3), Ok(0)));
        for weight in [-1.0, 0.5, f64::NAN, f64::INFINITY, 1e10] {
            assert!(matches!(whole::<u32>(7, weight), Err(Error::Weight { bucket: 7, .. })), "{weight}");
        }
        for weight in [-1.0, f64::NAN, f64::INFINITY, 1e10] {
            assert!(matches!(points(7, weight, 5), Err(Error::Weight { bucket: 7, .. })), "{weight}");
        }
    }

    /// Sends all keys to the node that was added last, and names those before it next.
    #[derive(Default)]
    struct Stack(Vec<u32>);

    impl Placing for Stack {
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
            let at = self.0.iter().position(|&there| there == bucket).ok_or(absent(bucket))?;
            self.0.remove(at);
            Ok(())
        }
    }

    impl Listing for Stack {
        fn first(&self, _: u64, count: u32) -> Vec<u32> {
            self.0.iter().rev().copied().take(count as usize).collect()
        }
    }

    /// Answers with one list, whatever it is asked for.
    struct Says(&'static [u32]);

    impl Placing for Says {
        fn owner(&self, _: u64) -> u32 {
            self.0[0]
        }
    }

    impl Listing for Says {
        fn first(&self, _: u64, _: u32) -> Vec<u32> {
            self.0.to_vec()
        }
    }

    #[test]
    fn only_a_short_list_where_there_are_no_more_is_an_error() {
        let says = |list, count| Nodes::within(Says(list), 3).replicas(7, count);
        let too_few = |asked| Err(Error::TooFewBuckets { asked, working: 3 });
        assert_eq!((says(&[2, 0, 1], 4), says(&[], u32::MAX)), (too_few(4), too_few(u32::MAX)));
        // Faults: a node twice, one that is not there, fewer than there are.
        for (list, count) in [(&[2, 0, 2][..], 4), (&[2, 0, 1, 2], 4), (&[2, 0, 1, 9], 4), (&[2, 0], 3), (&[2, 2], 2)] {
            assert_eq!(says(list, count), Ok(list.to_vec()), "asked for {count}");
        }
    }

    #[test]
    fn nodes_hand_over_what_the_ring_says() {
        let mut nodes = Nodes::added(Stack::default(), 3).expect("a stack has no errors");
        assert_eq!((nodes.bucket(7), nodes.replicas(7, 2)), (2, Ok(vec![2, 1])));
        assert_eq!(nodes.replicas(7, 9), Err(Error::TooFewBuckets { asked: 9, working: 3 }));
        assert_eq!((nodes.grow(), nodes.bucket(7)), (Ok(3), 3));
        assert_eq!((nodes.remove(1), nodes.remove(1)), (Ok(()), Err(absent(1))));
        assert_eq!((nodes.shrink(), nodes.restore(1), nodes.bucket(7)), (Ok(3), Ok(()), 1));
        assert_eq!((nodes.bucket_count(), nodes.preference(7).collect::<Vec<_>>()), (3, vec![1, 2, 0]));
        for bucket in 0..3 {
            assert_eq!(nodes.remove(bucket), Ok(()), "the ring accepts that the last one leaves");
        }
        assert_eq!((nodes.bucket(7), nodes.shrink()), (NOBODY, Err(Error::NoNodes)));
    }
}
