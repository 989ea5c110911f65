//! The ring in clockwise form, over sorted 64-bit positions: 12 bytes a point.
//!
//! The positions lie in one vector and the owners in another, so that a binary search touches nothing but positions.
//! Look-up O(log V), a change of membership O(V). With 64 bits positions practically never collide; if they do, all stay
//! and the lowest bucket owns the keys.

use super::circle::points_of;
use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::room::{check, reserve, room};
use super::{Error, Partitioner, Remove, Resize, checked_points};

/// A ring over a sorted vector of positions and a parallel one of owners.
#[derive(Debug, Clone)]
pub struct RingSorted64<H = Mix> {
    positions: Vec<u64>,
    owners: Vec<u32>,
    members: Members,
    points: u32,
    hash: H,
}

impl<H: HashFamily> RingSorted64<H> {
    /// A ring of `buckets` buckets with `points` points each.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`] for zero of either; [`Error::OutOfMemory`].
    pub fn new(buckets: u32, points: u32, hash: H) -> Result<Self, Error> {
        // Before anything is allocated for so many buckets.
        let total = checked_points(buckets, points)?;
        let members = Members::new(buckets)?;
        let mut ring = room(total)?;
        for bucket in 0..buckets {
            ring.extend(points_of(&hash, bucket, points));
        }
        let (mut positions, mut owners) = (room(total)?, room(total)?);
        split(ring, &mut positions, &mut owners);
        Ok(Self { positions, owners, members, points, hash })
    }

    /// The points, ascending: (position, bucket).
    pub fn ring(&self) -> impl Iterator<Item = (u64, u32)> {
        self.positions.iter().copied().zip(self.owners.iter().copied())
    }

    fn reserve(&mut self) -> Result<(), Error> {
        let more = self.points as usize;
        reserve(&mut self.positions, more)?;
        reserve(&mut self.owners, more)?;
        // The points in pairs, which are sorted.
        check::<(u64, u32)>(self.owners.len() + more)
    }

    fn insert(&mut self, bucket: u32) {
        let all = self.ring().chain(points_of(&self.hash, bucket, self.points)).collect();
        split(all, &mut self.positions, &mut self.owners);
    }

    fn withdraw(&mut self, bucket: u32) {
        let mut owners = self.owners.iter();
        self.positions.retain(|_| owners.next() != Some(&bucket));
        self.owners.retain(|&owner| owner != bucket);
    }
}

/// Sorts the points and puts them in place of those that are there.
fn split(mut ring: Vec<(u64, u32)>, positions: &mut Vec<u64>, owners: &mut Vec<u32>) {
    ring.sort_unstable();
    positions.clear();
    owners.clear();
    positions.extend(ring.iter().map(|point| point.0));
    owners.extend(ring.iter().map(|point| point.1));
}

impl<H: HashFamily> Partitioner for RingSorted64<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let position = self.hash.key(key);
        let at = self.positions.partition_point(|&point| point < position);
        // Past the last point the circle begins again.
        *self.owners.get(at).unwrap_or(&self.owners[0])
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

by_members!(impl<H: HashFamily> Resize + Remove for RingSorted64<H>);
