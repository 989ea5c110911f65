//! Which keys move when the set of buckets changes, from where to where, and how many would have to.
//!
//! A *monotone* algorithm (Karger et al. 1997, section 4) moves a key only off a bucket that went or onto one that
//! came. If it is balanced too, a key keeps its bucket with probability |V1 ∩ V2| / |V1 ∪ V2| between the sets V1 and
//! V2 (theorem 4.4), and moves with the rest: from n buckets to m at the end |m - n| / max(n, m).

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

/// Two assignments that cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Assignments of different lengths.
    #[error("{before} keys before and {after} after: compare the same keys in the same order")]
    Lengths { before: usize, after: usize },
    /// Empty assignments.
    #[error("no keys: no fraction of them can move")]
    NoKeys,
    /// An assignment to a bucket outside its set.
    #[error("key number {index} belongs to bucket {bucket} {when} the change, which was not among the buckets then")]
    UnknownBucket { index: usize, bucket: u32, when: &'static str },
}

/// The moves of a set of keys in one change of membership.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Movement {
    /// Keys compared, at least 1.
    pub keys: u64,
    /// Keys whose bucket changed.
    pub moved: u64,
    /// Keys that any balanced monotone scheme moves, in expectation: a sample of them is binomial around it.
    pub least: f64,
    /// Keys that each bucket lost. Buckets that lost none are left out.
    pub donors: BTreeMap<u32, u64>,
    /// Keys that each bucket gained. Buckets that gained none are left out.
    pub receivers: BTreeMap<u32, u64>,
    /// Moves between buckets that were there before and after: zero for a monotone algorithm.
    pub stray: u64,
}

impl Movement {
    /// Compares the buckets of the same keys, in the same order, under two sets of working buckets.
    ///
    /// # Errors
    /// [`Error`], each variant.
    pub fn between(
        before: &[u32],
        after: &[u32],
        buckets_before: &BTreeSet<u32>,
        buckets_after: &BTreeSet<u32>,
    ) -> Result<Self, Error> {
        let least = 1.0 - overlap(buckets_before, buckets_after);
        compare(before, after, |b| buckets_before.contains(&b), |b| buckets_after.contains(&b), least)
    }

    /// The same for a change of size at the end, from `count_before` buckets to `count_after`.
    ///
    /// # Errors
    /// [`Error`], each variant.
    pub fn resized(before: &[u32], after: &[u32], count_before: u32, count_after: u32) -> Result<Self, Error> {
        let least = f64::from(count_before.abs_diff(count_after)) / f64::from(count_before.max(count_after));
        compare(before, after, |b| b < count_before, |b| b < count_after, least)
    }

    /// Keys that must move whatever the scheme, since a bucket cannot have more keys afterwards without being given them:
    /// the least for these very loads, which need not be even. Never more than moved.
    #[must_use]
    pub fn least_for_loads(&self) -> u64 {
        let given = |bucket| self.donors.get(bucket).copied().unwrap_or(0);
        self.receivers.iter().map(|(bucket, &received)| received.saturating_sub(given(bucket))).sum()
    }

    /// Moved keys as a fraction of all.
    #[must_use]
    pub fn moved_fraction(&self) -> f64 {
        self.moved as f64 / self.keys as f64
    }

    /// Keys moved beyond the least, as a fraction of all keys. For a scheme that moves no key too many it is sampling
    /// noise around zero, so that it can be negative; so it can for one that is out of balance.
    #[must_use]
    pub fn excess(&self) -> f64 {
        (self.moved as f64 - self.least) / self.keys as f64
    }
}

/// |V1 ∩ V2| / |V1 ∪ V2|: the fraction of keys that keep their bucket in expectation; 1 for two empty sets.
#[must_use]
pub fn overlap(first: &BTreeSet<u32>, second: &BTreeSet<u32>) -> f64 {
    let common = first.intersection(second).count();
    let union = first.len() + second.len() - common;
    if union == 0 { 1.0 } else { common as f64 / union as f64 }
}

/// What h mod n moves, exactly: one period of h, lcm(`from`, `to`) values, takes the place of keys. For small counts.
///
/// # Errors
/// [`Error::NoKeys`] for zero buckets.
pub fn modulo_moves(from: u32, to: u32) -> Result<Movement, Error> {
    let period = (1..=to).map(|times| times * from).find(|period| period % to == 0).unwrap_or(0);
    let of = |n: u32| (0..period).map(|h| h % n).collect::<Vec<u32>>();
    Movement::resized(&of(from), &of(to), from, to)
}

fn compare(
    before: &[u32],
    after: &[u32],
    was: impl Fn(u32) -> bool,
    is: impl Fn(u32) -> bool,
    least: f64,
) -> Result<Movement, Error> {
    if before.len() != after.len() {
        return Err(Error::Lengths { before: before.len(), after: after.len() });
    }
    if before.is_empty() {
        return Err(Error::NoKeys);
    }
    let keys = before.len() as u64;
    let (donors, receivers) = (BTreeMap::new(), BTreeMap::new());
    let mut movement = Movement { keys, moved: 0, least: keys as f64 * least, donors, receivers, stray: 0 };
    for (index, (&from, &to)) in before.iter().zip(after).enumerate() {
        for (bucket, known, when) in [(from, was(from), "before"), (to, is(to), "after")] {
            if !known {
                return Err(Error::UnknownBucket { index, bucket, when });
            }
        }
        if from != to {
            movement.moved += 1;
            *movement.donors.entry(from).or_default() += 1;
            *movement.receivers.entry(to).or_default() += 1;
            movement.stray += u64::from(is(from) && was(to));
        }
    }
    Ok(movement)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Jump, Partitioner};
    use crate::statistics::binomial_interval;

    const KEYS: u64 = 100_000;

    fn jump(buckets: u32) -> Vec<u32> {
        let jump = Jump::new(buckets).expect("a count");
        (0..KEYS).map(|key| jump.bucket(key.wrapping_mul(0x9e37_79b9_7f4a_7c15))).collect()
    }

    #[test]
    fn by_hand() {
        // Bucket 1 goes and 3 comes: key 1 must move, key 2 may, and key 3 moves between two that stay.
        let (before, after) = ([0, 1, 2, 0], [0, 2, 3, 2]);
        let movement = Movement::between(&before, &after, &[0, 1, 2].into(), &[0, 2, 3].into()).expect("same keys");
        assert_eq!((movement.keys, movement.moved, movement.stray), (4, 3, 1));
        // From two keys, one and one to one, none, two and one: bucket 2 and bucket 3 have one more each.
        assert_eq!(movement.least_for_loads(), 2);
        assert_eq!(movement.donors, [(0, 1), (1, 1), (2, 1)].into());
        assert_eq!(movement.receivers, [(2, 2), (3, 1)].into());
        // Two of the four buckets are in both sets.
        assert_eq!((movement.least, movement.moved_fraction(), movement.excess()), (2.0, 0.75, 0.25));
    }

    #[test]
    fn modulo_moves_nearly_all() {
        let movement = modulo_moves(10, 12).expect("buckets");
        // Residues 0..10 of 60 = lcm(10, 12) stay; of the others ten, those of 10 and 11 modulo 12, go to a new bucket.
        assert_eq!((movement.keys, movement.moved, movement.stray), (60, 50, 40));
        assert_eq!(movement.least, 10.0);
        assert_eq!((movement.receivers[&10], movement.receivers[&11]), (5, 5));
        assert_eq!((modulo_moves(0, 3).unwrap_err(), modulo_moves(3, 0).unwrap_err()), (Error::NoKeys, Error::NoKeys));
    }

    #[test]
    fn jump_moves_the_least() {
        let movement = Movement::resized(&jump(10), &jump(11), 10, 11).expect("same keys");
        assert_eq!(movement.stray, 0);
        assert!(movement.receivers.keys().eq([&10]));
        assert_eq!(movement.donors.len(), 10);
        let interval = binomial_interval(movement.moved, KEYS, 0.9999).expect("a proportion");
        assert!(interval.contains(movement.least / KEYS as f64));
        let back = Movement::resized(&jump(11), &jump(10), 11, 10).expect("same keys");
        assert_eq!((back.moved, back.stray, back.least), (movement.moved, 0, movement.least));
        assert_eq!((back.donors, back.receivers), (movement.receivers, movement.donors));
    }

    #[test]
    fn a_tampered_mover_strays() {
        let (before, mut after) = (jump(10), jump(11));
        let honest = Movement::resized(&before, &after, 10, 11).expect("same keys");
        let kept = after.iter().position(|&bucket| bucket < 9).expect("a key off the last buckets");
        after[kept] += 1;
        let tampered = Movement::resized(&before, &after, 10, 11).expect("same keys");
        assert_eq!(tampered.stray, honest.stray + 1);
    }

    #[test]
    fn both_forms_agree() {
        let (before, after) = (jump(10), jump(7));
        let resized = Movement::resized(&before, &after, 10, 7).expect("same keys");
        let between = Movement::between(&before, &after, &(0..10).collect(), &(0..7).collect()).expect("same keys");
        assert!((resized.least - between.least).abs() < 1e-9 * KEYS as f64);
        assert_eq!(Movement { least: resized.least, ..between }, resized);
    }

    #[test]
    fn bad_input_is_named() {
        assert_eq!(Movement::resized(&[0], &[0, 1], 2, 2).unwrap_err(), Error::Lengths { before: 1, after: 2 });
        assert_eq!(Movement::resized(&[], &[], 2, 3).unwrap_err(), Error::NoKeys);
        let unknown = Error::UnknownBucket { index: 1, bucket: 2, when: "before" };
        assert_eq!(Movement::resized(&[0, 2], &[0, 2], 2, 3).unwrap_err(), unknown);
    }
}
