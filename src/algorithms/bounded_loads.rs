//! Consistent hashing with bounded loads: Mirrokni, Thorup & Zadimoghaddam 2016, arXiv 1608.01350 (SODA 2018).
//!
//! m keys lie on n buckets, none of which holds more than its capacity ⌈c m/n⌉, c = 1 + ε ≥ 1 times the average: a key
//! goes to the first bucket clockwise that is not full. As keys and buckets come and go, keys must move: whoever was
//! turned away by a full bucket returns to it once it has room, and whoever is above a lower capacity goes on.
//!
//! To be independent of history, keys have a fixed order of precedence: the smaller key first. Every assignment is then
//! the one in which keys 1, 2, ... of that order each take the first bucket with room; as the unique stable matching of
//! keys and buckets it is kept up to date by deferred acceptance (Gale & Shapley 1962) with no look at keys that are
//! unconcerned. All capacities are equal here: where c m/n passes an integer, one arrival or departure changes all n of
//! them, and moves many keys. The paper bounds expected moves by O(1/ε²), which is therefore not claimed for each
//! change.
//!
//! The state is the memory of all keys: O(1) for each, and as much again for every full bucket that it passed.

use std::collections::{BTreeMap, BTreeSet};

use super::circle::{Circle, points_of};
use super::hash::{HashFamily, Mix};
use super::members::Members;
use super::room::check;
use super::{Error, checked_points};

/// What a bucket knows of keys.
#[derive(Debug, Clone, Default)]
struct Bucket {
    held: BTreeSet<u64>,
    /// Keys that prefer this bucket to the one that they have: it was full of keys that take precedence.
    passed: BTreeSet<u64>,
}

impl Bucket {
    /// The key of least precedence leaves a bucket that holds any.
    fn evict(&mut self) -> u64 {
        let key = self.held.pop_last().expect("only a full bucket makes a key leave");
        self.passed.insert(key);
        key
    }
}

/// What an arrival, a departure or a change of buckets did to the keys that were there before and stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Change {
    /// Keys that moved from a removed bucket, or to a new one.
    pub necessary: u64,
    /// Keys that moved between other buckets, because one became full or has room again.
    pub cascaded: u64,
}

/// A stream of keys on a ring of buckets of bounded load.
#[derive(Debug, Clone)]
pub struct BoundedLoads<H = Mix> {
    circle: Circle,
    members: Members,
    points: u32,
    load: f64,
    hash: H,
    owners: BTreeMap<u64, u32>,
    buckets: BTreeMap<u32, Bucket>,
    capacity: u64,
    /// Where each key that an operation moved was before it.
    moved: BTreeMap<u64, u32>,
}

impl<H: HashFamily> BoundedLoads<H> {
    /// A ring of `buckets` buckets with `points` points each, and no keys. The load is c, at least 1.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`]; [`Error::OutOfRange`] for a load that is not in 1..=10^6;
    /// [`Error::OutOfMemory`].
    pub fn new(buckets: u32, points: u32, load: f64, hash: H) -> Result<Self, Error> {
        if !(1.0..=1e6).contains(&load) {
            return Err(Error::OutOfRange { what: "a load", value: load.to_string(), accepted: "1..=1e6" });
        }
        // Before anything is allocated for so many buckets.
        let total = checked_points(buckets, points)?;
        let members = Members::new(buckets)?;
        check::<(u32, Bucket)>(buckets as usize)?;
        let circle = Circle::of(total, (0..buckets).flat_map(|bucket| points_of(&hash, bucket, points)))?;
        let (owners, moved) = Default::default();
        let buckets = (0..buckets).map(|bucket| (bucket, Bucket::default())).collect();
        Ok(Self { circle, members, points, load, hash, owners, buckets, capacity: 0, moved })
    }

    /// The bucket of a key that is there.
    #[must_use]
    pub fn bucket(&self, key: u64) -> Option<u32> {
        self.owners.get(&key).copied()
    }

    /// All keys, ascending, with their buckets.
    pub fn owners(&self) -> impl Iterator<Item = (u64, u32)> {
        self.owners.iter().map(|(&key, &bucket)| (key, bucket))
    }

    /// How many buckets are working.
    #[must_use]
    pub fn bucket_count(&self) -> u32 {
        self.members.count()
    }

    /// ⌈c m/n⌉, the most keys that a bucket may hold now.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The working buckets, ascending, with their number of keys.
    pub fn loads(&self) -> impl Iterator<Item = (u32, u64)> {
        self.buckets.iter().map(|(&bucket, state)| (bucket, state.held.len() as u64))
    }

    /// Adds a key. One that is there already stays.
    pub fn arrive(&mut self, key: u64) -> Change {
        if self.owners.contains_key(&key) {
            return Change::default();
        }
        let capacity = self.capacity_for(self.owners.len() as u64 + 1);
        if capacity > self.capacity {
            self.capacity = capacity;
            self.fill(self.members.iter().collect());
        }
        self.seat(key, None);
        self.change(None)
    }

    /// Adds many keys, with the result of [`arrive`](Self::arrive) for each in any order, but by one pass over all
    /// keys.
    pub fn arrive_all(&mut self, keys: impl IntoIterator<Item = u64>) {
        let mut all: BTreeSet<u64> = self.owners.keys().copied().collect();
        all.extend(keys);
        self.assign_anew(&all);
    }

    /// Takes a key away. One that is not there changes nothing.
    pub fn depart(&mut self, key: u64) -> Change {
        let Some(bucket) = self.owners.remove(&key) else {
            return Change::default();
        };
        self.state(bucket).held.remove(&key);
        for passed in self.preference(key).take_while(|&other| other != bucket).collect::<Vec<_>>() {
            self.state(passed).passed.remove(&key);
        }
        self.fill(vec![bucket]);
        let capacity = self.capacity_for(self.owners.len() as u64);
        if capacity < self.capacity {
            self.capacity = capacity;
            self.trim();
        }
        self.change(None)
    }

    /// Adds a bucket after the highest, and returns its number.
    ///
    /// # Errors
    /// [`Error::TooManyBuckets`], [`Error::OutOfMemory`]; unchanged.
    pub fn add(&mut self) -> Result<(u32, Change), Error> {
        self.circle.reserve(self.points as usize)?;
        let new = self.members.grow()?;
        self.circle.insert(points_of(&self.hash, new, self.points));
        Ok((new, self.rebuild(new)))
    }

    /// Takes a working bucket out.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`], [`Error::LastBucket`]; unchanged.
    pub fn remove(&mut self, bucket: u32) -> Result<Change, Error> {
        self.members.remove(bucket)?;
        self.circle.withdraw(bucket);
        Ok(self.rebuild(bucket))
    }

    /// Brings a removed bucket back.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it was not removed, [`Error::OutOfMemory`]; unchanged.
    pub fn restore(&mut self, bucket: u32) -> Result<Change, Error> {
        self.circle.reserve(self.points as usize)?;
        self.members.restore(bucket)?;
        self.circle.insert(points_of(&self.hash, bucket, self.points));
        Ok(self.rebuild(bucket))
    }

    /// The real average counts, not its integer part; and no rounding of it leaves keys without room.
    fn capacity_for(&self, keys: u64) -> u64 {
        let buckets = u64::from(self.members.count());
        let bounded = (self.load * keys as f64 / buckets as f64).ceil() as u64;
        bounded.max(keys.div_ceil(buckets))
    }

    fn preference(&self, key: u64) -> impl Iterator<Item = u32> {
        self.circle.owners(self.hash.key(key))
    }

    fn state(&mut self, bucket: u32) -> &mut Bucket {
        self.buckets.entry(bucket).or_default()
    }

    fn assign(&mut self, key: u64, bucket: u32) {
        self.state(bucket).held.insert(key);
        if let Some(old) = self.owners.insert(key, bucket) {
            self.moved.entry(key).or_insert(old);
        }
    }

    /// Seats a key in the first bucket, of those after `from` in its preference, that has room or holds a key which
    /// gives way; that key then goes on. It ends, because capacities sum to at least the number of keys.
    fn seat(&mut self, mut key: u64, mut from: Option<u32>) {
        while let Some((bucket, full)) = self.first_that_accepts(key, from) {
            self.assign(key, bucket);
            if !full {
                return;
            }
            key = self.state(bucket).evict();
            from = Some(bucket);
        }
    }

    /// The first bucket after `from` that takes the key, and whether it is full. Those before it note that it passed.
    fn first_that_accepts(&mut self, key: u64, from: Option<u32>) -> Option<(u32, bool)> {
        let mut walk = self.circle.owners(self.hash.key(key));
        if let Some(from) = from {
            walk.by_ref().find(|&bucket| bucket == from);
        }
        for bucket in walk {
            let state = self.buckets.entry(bucket).or_default();
            let full = state.held.len() as u64 >= self.capacity;
            if !full || state.held.last().is_some_and(|&last| key < last) {
                return Some((bucket, full));
            }
            state.passed.insert(key);
        }
        None
    }

    /// Makes keys leave the buckets that are above a capacity which has become lower.
    fn trim(&mut self) {
        for bucket in self.members.iter().collect::<Vec<_>>() {
            while self.state(bucket).held.len() as u64 > self.capacity {
                let key = self.state(bucket).evict();
                self.seat(key, Some(bucket));
            }
        }
    }

    /// Lets buckets with room take back the keys that passed them; the buckets that these leave have room in turn.
    fn fill(&mut self, mut open: Vec<u32>) {
        while let Some(bucket) = open.pop() {
            while (self.state(bucket).held.len() as u64) < self.capacity {
                let Some(key) = self.state(bucket).passed.pop_first() else { break };
                let old = self.owners[&key];
                self.state(old).held.remove(&key);
                let between = self.preference(key).skip_while(|&other| other != bucket).skip(1);
                for passed in between.take_while(|&other| other != old).collect::<Vec<_>>() {
                    self.state(passed).passed.remove(&key);
                }
                self.assign(key, bucket);
                open.push(old);
            }
        }
    }

    /// Everything anew after a change of `bucket`, because whoever passes it walks another way.
    fn rebuild(&mut self, bucket: u32) -> Change {
        let before = std::mem::take(&mut self.owners);
        self.assign_anew(&before.keys().copied().collect());
        self.moved = before;
        self.change(Some(bucket))
    }

    fn assign_anew(&mut self, keys: &BTreeSet<u64>) {
        self.owners.clear();
        self.buckets = self.members.iter().map(|bucket| (bucket, Bucket::default())).collect();
        self.capacity = self.capacity_for(keys.len() as u64);
        // In order of precedence nobody is made to give way.
        for &key in keys {
            self.seat(key, None);
        }
    }

    /// Counts the keys whose bucket is another one than before.
    fn change(&mut self, changed: Option<u32>) -> Change {
        let moves = std::mem::take(&mut self.moved).into_iter().map(|(key, old)| (old, self.owners[&key]));
        moves.filter(|(old, new)| old != new).fold(Change::default(), |mut change, (old, new)| {
            let necessary = changed.is_some_and(|bucket| bucket == old || bucket == new);
            *(if necessary { &mut change.necessary } else { &mut change.cascaded }) += 1;
            change
        })
    }
}

#[cfg(test)]
mod tests;
