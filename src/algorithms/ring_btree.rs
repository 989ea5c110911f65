//! The ring of Karger et al. 1997 in clockwise form, over a balanced tree.
//!
//! Every bucket has `points` points on the circle of 2^64 positions; a key belongs to the first point at or after its own
//! position, past the last point to the first. Look-up O(log V) for V points; a change of membership O(points log V).
//! This is the paper's implementation A with Rust's B-tree in place of the red-black tree of the C++ library.

use std::collections::BTreeSet;

use super::circle::points_of;
use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::room::check;
use super::{Error, Partitioner, Remove, Resize, checked_points};

/// A ring over a B-tree of (position, bucket).
///
/// The bucket is part of what is ordered: of points at one position the lowest bucket owns the keys, whatever the order of
/// insertion, and all of them stay, so that removing one bucket never removes another's point.
#[derive(Debug, Clone)]
pub struct RingBTree<H = Mix> {
    ring: BTreeSet<(u64, u32)>,
    members: Members,
    points: u32,
    hash: H,
}

impl<H: HashFamily> RingBTree<H> {
    /// A ring of `buckets` buckets with `points` points each.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`] for zero of either; [`Error::OutOfMemory`].
    pub fn new(buckets: u32, points: u32, hash: H) -> Result<Self, Error> {
        // Before anything is allocated for so many buckets.
        check::<(u64, u32)>(checked_points(buckets, points)?)?;
        let members = Members::new(buckets)?;
        let mut ring = Self { ring: BTreeSet::new(), members, points, hash };
        for bucket in 0..buckets {
            ring.insert(bucket);
        }
        Ok(ring)
    }

    fn reserve(&mut self) -> Result<(), Error> {
        check::<(u64, u32)>(self.points as usize)
    }

    fn insert(&mut self, bucket: u32) {
        self.ring.extend(points_of(&self.hash, bucket, self.points));
    }

    fn withdraw(&mut self, bucket: u32) {
        for point in points_of(&self.hash, bucket, self.points) {
            self.ring.remove(&point);
        }
    }
}

impl<H: HashFamily> Partitioner for RingBTree<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let position = self.hash.key(key);
        let next = self.ring.range((position, 0)..).next().or_else(|| self.ring.first());
        next.expect("every working bucket has a point, and one is always working").1
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

by_members!(impl<H: HashFamily> Resize + Remove for RingBTree<H>);
