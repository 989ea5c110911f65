//! Round-hashing: Grossi & Versari 2018, arXiv 1805.03158, "Round-Hashing for Data Storage: Distributed Servers and
//! External-Memory Tables".
//!
//! The circle of 2^60 hash values is cut into n arcs, one a server, by arithmetic alone. The arcs come in G = 2^p
//! groups, p the largest with n >= S 2^p, each of c or c + 1 arcs: as servers are added one group after the other is
//! cut into one arc more, until all are; twice as many arcs in a group as at the beginning, S, and the groups are
//! split. Of the n arcs those of a group of c + 1 have the share 1/((c + 1) G), the others 1/(cG): max/min = (c + 1)/c
//! exactly, at most 1 + 1/S. Look-up O(1), memory none.
//!
//! One server more recuts one group: 1/(2G) of all keys move, among c + 1 servers. **Not monotone** for S > 1: keys
//! also move between servers that were there before.

use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Resize};

const HASH_BITS: u32 = 60;

/// Arcs in groups, one group recut at a time.
#[derive(Debug, Clone)]
pub struct Round<H = Mix> {
    buckets: u32,
    split: u32,
    cut: Cut,
    hash: H,
}

/// How the circle is cut for a number of buckets.
#[derive(Debug, Clone, Copy)]
struct Cut {
    /// G.
    groups: u32,
    /// c, the arcs of a group not yet recut.
    arcs: u32,
    /// k, how many groups are recut.
    recut: u32,
}

impl Cut {
    /// `split` is a power of two. Fewer buckets than it are one group of equal arcs.
    fn new(buckets: u32, split: u32) -> Self {
        let groups = (buckets / split).checked_ilog2().map_or(1, |bits| 1 << bits);
        Self { groups, arcs: buckets / groups, recut: buckets % groups }
    }

    /// The arcs in recut groups, which come first on the circle.
    fn recut_arcs(self) -> u64 {
        u64::from(self.recut) * (u64::from(self.arcs) + 1)
    }

    /// The number of the arc in which a 60-bit hash lies, and how many arcs its group has.
    #[inline]
    fn arc(self, hash: u64) -> (u32, u32) {
        let arc = |count: u64| ((u128::from(hash) * u128::from(count)) >> HASH_BITS) as u64;
        let (groups, arcs) = (u64::from(self.groups), u64::from(self.arcs));
        match arc((arcs + 1) * groups) {
            recut if recut < self.recut_arcs() => (recut as u32, self.arcs + 1),
            _ => ((arc(arcs * groups) + u64::from(self.recut)) as u32, self.arcs),
        }
    }
}

impl<H: HashFamily> Round<H> {
    /// A partitioner of `buckets` buckets whose groups have `split` to 2 `split` arcs: the S of the paper.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero, [`Error::OutOfRange`] for a `split` that is not a power of two.
    pub fn new(buckets: u32, split: u32, hash: H) -> Result<Self, Error> {
        let buckets = super::checked_buckets(i64::from(buckets), u32::MAX)?;
        if !split.is_power_of_two() {
            let accepted = "a power of two: 1, 2, 4, ..., 2^31";
            return Err(Error::OutOfRange { what: "a split", value: split.to_string(), accepted });
        }
        Ok(Self { buckets, split, cut: Cut::new(buckets, split), hash })
    }

    /// The largest share over the smallest, exactly, as a fraction: (c + 1)/c, or 1/1 if all groups are alike.
    #[must_use]
    pub fn peak_to_least(&self) -> (u32, u32) {
        if self.cut.recut > 0 { (self.cut.arcs + 1, self.cut.arcs) } else { (1, 1) }
    }

    /// The share of each bucket, exact but for one rounding.
    #[must_use]
    pub fn shares(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.buckets as usize];
        for arc in 0..self.buckets {
            let size = if u64::from(arc) < self.cut.recut_arcs() { self.cut.arcs + 1 } else { self.cut.arcs };
            shares[self.owner(arc, size) as usize] = 1.0 / (f64::from(size) * f64::from(self.cut.groups));
        }
        shares
    }

    /// The bucket that owns a 60-bit hash.
    #[inline]
    fn at(&self, hash: u64) -> u32 {
        let (arc, size) = self.cut.arc(hash);
        self.owner(arc, size)
    }

    /// The bucket that owns an arc whose group has `size` arcs.
    #[inline]
    fn owner(&self, arc: u32, size: u32) -> u32 {
        let (arc, split) = (u64::from(arc), u64::from(self.split));
        if arc < split {
            return arc as u32;
        }
        let (mut groups, size) = (u64::from(self.cut.groups), u64::from(size));
        // Arcs behind the recut groups are counted as if those had no more than the others.
        let arc = if size > u64::from(self.cut.arcs) { arc } else { arc - u64::from(self.cut.recut) };
        let (mut group, mut place) = (arc / size, arc % size);
        if size > split {
            // The second half of a large group is the group that it will be split into.
            groups *= 2;
            group = 2 * group + place / split;
            place %= split;
        }
        // An odd group is the youngest; the servers of group 0 were returned above.
        (((split + place) * groups + group) >> (group.trailing_zeros() + 1)) as u32
    }
}

impl<H: HashFamily> Partitioner for Round<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.at(self.hash.key(key) >> (u64::BITS - HASH_BITS))
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

impl<H: HashFamily> Resize for Round<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        let new = super::grow_count(&mut self.buckets, u32::MAX)?;
        self.cut = Cut::new(self.buckets, self.split);
        Ok(new)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let gone = super::shrink_count(&mut self.buckets)?;
        self.cut = Cut::new(self.buckets, self.split);
        Ok(gone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::{Draws, SplitMix64};
    use crate::algorithms::testing;

    fn build(buckets: u32, split: u32) -> Round {
        Round::new(buckets, split, Mix::new(1)).expect("valid")
    }

    #[test]
    fn total() {
        for split in [1, 2, 64, 1 << 31] {
            testing::total(&testing::SIZES, |n| Round::new(n, split, Mix::new(1)));
            testing::total(&[u32::MAX], |n| Round::new(n, split, Mix::new(1)));
        }
        for split in [0, 3, u32::MAX] {
            let error = Round::new(5, split, Mix::new(1)).unwrap_err();
            assert!(matches!(error, Error::OutOfRange { what: "a split", .. }), "{error}");
        }
    }

    #[test]
    fn shares() {
        for split in [1, 2, 4, 16] {
            for n in (1..200).chain([1023, 1024, 1025]) {
                let shares = build(n, split).shares();
                // No share is 0: each arc has an owner of its own.
                let (least, most) =
                    shares.iter().fold((1.0_f64, 0.0_f64), |(a, b), &share| (a.min(share), b.max(share)));
                let (peak, base) = build(n, split).peak_to_least();
                assert!(least > 0.0, "n = {n}, S = {split}: a bucket without keys");
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12, "n = {n}, S = {split}");
                assert!((most / least - f64::from(peak) / f64::from(base)).abs() < 1e-12, "n = {n}, S = {split}");
                assert!(n < split || peak * split <= base * (split + 1), "n = {n}, S = {split}: {peak}/{base}");
            }
        }
        for (n, split) in [(7, 1), (100, 1), (100, 8), (23, 4)] {
            let (subject, mut random) = (build(n, split), SplitMix64::new(5));
            let mut counts = vec![0_u32; n as usize];
            (0..100_000).for_each(|_| counts[subject.bucket(random.draw()) as usize] += 1);
            testing::assert_fair(&counts, &subject.shares());
        }
    }

    /// (old bucket, new bucket) of the middle of every stretch that neither number of buckets cuts.
    fn growth(n: u32, split: u32) -> Vec<(u32, u32)> {
        let (before, after) = (build(n, split), build(n + 1, split));
        let Cut { groups, arcs, .. } = before.cut;
        let pieces = u128::from(2 * groups) * u128::from(arcs * (arcs + 1) * (arcs + 2));
        let middle = |piece: u128| (((2 * piece + 1) << HASH_BITS) / (2 * pieces)) as u64;
        (0..pieces).map(middle).map(|hash| (before.at(hash), after.at(hash))).collect()
    }

    #[test]
    fn one_bucket_more_recuts_one_group() {
        for split in [1, 2, 4, 8] {
            for n in split..100 {
                let Cut { groups, arcs, .. } = build(n, split).cut;
                let growth = growth(n, split);
                let moved: Vec<_> = growth.iter().filter(|(old, new)| old != new).collect();
                assert_eq!(moved.len() * 2 * groups as usize, growth.len(), "n = {n}, S = {split}: 1/(2G) of the keys");
                let mut touched: Vec<u32> = moved.iter().flat_map(|&&(old, new)| [old, new]).collect();
                touched.sort_unstable();
                touched.dedup();
                assert_eq!(touched.len(), arcs as usize + 1, "n = {n}, S = {split}: c + 1 servers");
                assert!(touched.contains(&n));
            }
        }
    }

    #[test]
    fn not_monotone_for_s_above_1() {
        let strays = |n, split| growth(n, split).iter().any(|&(old, new)| old != new && new != n);
        assert!((1..100).all(|n| !strays(n, 1)), "with S = 1 it is monotone");
        assert!((2..100).all(|n| strays(n, 2)));
        assert!((8..100).all(|n| strays(n, 8)));
        testing::monotone(|n| Round::new(n, 1, Mix::new(1)));
    }
}
