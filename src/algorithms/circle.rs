//! Sorted points on a circle: what rings have in common when the number of points of a bucket varies.
//!
//! Positions are numbers of any type; with 64 bits a point takes 16 bytes. A search is O(log V), a change O(V). Points
//! may collide: all stay, and the lowest owner comes first.

use std::collections::BTreeSet;

use super::Error;
use super::hash::HashFamily;
use super::room::{check, collected, reserve};

/// Points (position, owner), ascending.
#[derive(Debug, Clone, Default)]
pub(crate) struct Circle<P = u64> {
    points: Vec<(P, u32)>,
}

/// Whose point stays where several lie at one position.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Keep {
    LowestOwner,
    HighestOwner,
}

impl<P: Copy + Ord> Circle<P> {
    /// The circle of these points, in any order.
    pub(crate) fn new(mut points: Vec<(P, u32)>) -> Self {
        points.sort_unstable();
        Self { points }
    }

    /// The circle of `count` points.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn of(count: usize, points: impl IntoIterator<Item = (P, u32)>) -> Result<Self, Error> {
        Ok(Self::new(collected(count, points)?))
    }

    /// Makes room for the insertion of `more` points.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn reserve(&mut self, more: usize) -> Result<(), Error> {
        reserve(&mut self.points, more)?;
        // The sort of an insertion takes half as much besides.
        check::<(P, u32)>((self.points.len() + more) / 2)
    }

    /// The same circle with one point at each position.
    pub(crate) fn one_per_position(mut self, keep: Keep) -> Self {
        self.points.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same && matches!(keep, Keep::HighestOwner) {
                kept.1 = next.1;
            }
            same
        });
        self
    }

    pub(crate) fn points(&self) -> &[(P, u32)] {
        &self.points
    }

    pub(crate) fn insert(&mut self, points: impl IntoIterator<Item = (P, u32)>) {
        self.points.extend(points);
        // The stable sort takes advantage of the long run that is sorted already.
        self.points.sort();
    }

    /// Takes away all points of an owner, and no other's.
    pub(crate) fn withdraw(&mut self, owner: u32) {
        self.points.retain(|&(_, other)| other != owner);
    }

    /// The index of the first point at or after a position; past the last the circle begins again.
    #[inline]
    pub(crate) fn at_or_after(&self, position: P) -> usize {
        self.wrapped(self.points.partition_point(|&(point, _)| point < position))
    }

    /// The index of the first point after a position; past the last the circle begins again.
    #[inline]
    pub(crate) fn after(&self, position: P) -> usize {
        self.wrapped(self.points.partition_point(|&(point, _)| point <= position))
    }

    fn wrapped(&self, index: usize) -> usize {
        if index < self.points.len() { index } else { 0 }
    }

    /// The index before another one, around the circle.
    pub(crate) fn previous(&self, index: usize) -> usize {
        index.checked_sub(1).unwrap_or(self.points.len() - 1)
    }

    /// The owner of the first point at or after a position, on a circle that has points.
    #[inline]
    pub(crate) fn owner(&self, position: P) -> u32 {
        self.points[self.at_or_after(position)].1
    }

    /// The owners of all points in clockwise order, once around, from the point of an index.
    pub(crate) fn clockwise(&self, from: usize) -> impl Iterator<Item = u32> {
        let (before, after) = self.points.split_at(from);
        after.iter().chain(before).map(|&(_, owner)| owner)
    }

    /// The owners in the order in which a clockwise walk from `position` first meets them.
    pub(crate) fn owners(&self, position: P) -> impl Iterator<Item = u32> {
        distinct(self.clockwise(self.at_or_after(position)))
    }
}

/// The first `count` points of a bucket.
pub(crate) fn points_of<H: HashFamily>(hash: &H, bucket: u32, count: u32) -> impl Iterator<Item = (u64, u32)> {
    (0..count).map(move |replica| (hash.point(bucket, replica), bucket))
}

/// Each owner of a walk where it is met for the first time.
pub(crate) fn distinct(walk: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    let mut met = BTreeSet::new();
    walk.filter(move |&owner| met.insert(owner))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_slot_is_found() {
        let circle = Circle::new(vec![(30_u32, 2), (10, 0), (20, 1)]);
        let positions = [0, 9, 10, 11, 20, 29, 30, 31, u32::MAX];
        assert_eq!(positions.map(|position| circle.owner(position)), [0, 0, 0, 1, 1, 2, 2, 0, 0]);
        assert_eq!(positions.map(|position| circle.after(position)), [0, 0, 1, 1, 2, 2, 0, 0, 0]);
        assert_eq!([circle.previous(0), circle.previous(2)], [2, 1]);
        assert!(circle.clockwise(1).eq([1, 2, 0]));
    }

    #[test]
    fn points_at_the_ends() {
        let circle = Circle::new(vec![(u32::MAX, 1), (0, 0)]);
        assert_eq!([0, 1, u32::MAX].map(|position| circle.owner(position)), [0, 1, 1]);
        assert_eq!([0, u32::MAX].map(|position| circle.after(position)), [1, 0]);
    }

    #[test]
    fn points_that_collide() {
        let circle = Circle::new(vec![(5_i64, 2), (9, 7), (5, 0), (5, 1), (9, 7)]);
        assert_eq!(circle.points(), [(5, 0), (5, 1), (5, 2), (9, 7), (9, 7)]);
        assert!(circle.owners(6).eq([7, 0, 1, 2]));
        assert_eq!(circle.clone().one_per_position(Keep::LowestOwner).points(), [(5, 0), (9, 7)]);
        assert_eq!(circle.clone().one_per_position(Keep::HighestOwner).points(), [(5, 2), (9, 7)]);
        let mut rest = circle;
        rest.withdraw(0);
        assert_eq!(rest.points(), [(5, 1), (5, 2), (9, 7), (9, 7)]);
    }
}
