//! The ring in clockwise form, over a sorted vector of (32-bit position, 32-bit bucket): 8 bytes a point.
//!
//! The implementation B of Lamping & Veach 2014, "Space Requirements": positions are hash values truncated to their upper
//! 32 bits. Look-up O(log V) by binary search; a change of membership O(V). Positions do collide at this width (at 10^6
//! points about a hundred pairs): colliding points all stay, and the lowest bucket owns the keys.

use super::circle::points_of;
use super::hash::{HashFamily, Mix};
use super::members::{Members, by_members};
use super::room::{reserve, room};
use super::{Error, Partitioner, Remove, Resize, checked_points};

/// A ring over a sorted vector of 8-byte points.
#[derive(Debug, Clone)]
pub struct RingSorted32<H = Mix> {
    /// Position in the upper half, bucket in the lower: ordered as the pair would be, ties to the lower bucket.
    ring: Vec<u64>,
    members: Members,
    points: u32,
    hash: H,
}

/// The position of a hash value, where the points hold theirs.
const fn position(hash: u64) -> u64 {
    hash & !0xffff_ffff
}

fn point((hash, bucket): (u64, u32)) -> u64 {
    position(hash) | u64::from(bucket)
}

impl<H: HashFamily> RingSorted32<H> {
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
            ring.extend(points_of(&hash, bucket, points).map(point));
        }
        ring.sort_unstable();
        Ok(Self { ring, members, points, hash })
    }

    /// The points, ascending: (position, bucket).
    pub fn ring(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ring.iter().map(|&point| ((point >> 32) as u32, point as u32))
    }

    fn reserve(&mut self) -> Result<(), Error> {
        reserve(&mut self.ring, self.points as usize)
    }

    fn insert(&mut self, bucket: u32) {
        self.ring.extend(points_of(&self.hash, bucket, self.points).map(point));
        self.ring.sort_unstable();
    }

    fn withdraw(&mut self, bucket: u32) {
        self.ring.retain(|&point| point as u32 != bucket);
    }
}

impl<H: HashFamily> Partitioner for RingSorted32<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let position = position(self.hash.key(key));
        let at = self.ring.partition_point(|&point| point < position);
        // Past the last point the circle begins again.
        *self.ring.get(at).unwrap_or(&self.ring[0]) as u32
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

by_members!(impl<H: HashFamily> Resize + Remove for RingSorted32<H>);
