//! Tokens for a new unit (a node with its virtual nodes) that even out what units own: Apache Cassandra's allocator,
//! CASSANDRA-7032 for more than one replica and CASSANDRA-15600 for one; beside it random tokens, as before them.
//!
//! A token owns the keys after the previous token up to itself. A unit holds replicas of those ranges whose first R
//! distinct units clockwise it is among, each through one of its tokens. A new unit of v tokens joins, while the tokens
//! of others stay, as follows.
//!
//! * The first R units, and one of more tokens than there are: v times the largest range is split, its lower part of
//!   1 - 1/√5 to 0.075 more being the new token's, which leaves ranges of many sizes.
//! * R = 1: the most loaded units are taken, one after the other, until one is not above the average of those taken and
//!   the new unit, which is the target. They share out the v tokens. Each gives the same slice of as many of its
//!   largest ranges, so that it comes down to the target: (load - target) / sum of these, within 0.1..=0.9.
//! * R > 1: v times, of the middles of all ranges that is chosen which most reduces the squared deviations of tokens
//!   and units from their fair parts, R/V for each token. All are looked at anew for every token, where Cassandra
//!   stops at the first that keeps its rank; the placement is therefore not Cassandra's to the bit.
//!
//! One unit costs O((V + v) log V) with R = 1 and O(v V R³) otherwise, look-up O(log V), memory 16 bytes a token.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::circle::{Circle, points_of};
use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Replicas, checked_buckets};

/// The largest ring that is built.
const MOST_TOKENS: u32 = 1 << 20;

/// The least and the largest slice of a range that is given away.
const SLICE: (f64, f64) = (0.1, 0.9);
const CIRCUMFERENCE: f64 = (1_u128 << 64) as f64;

/// Units and their tokens; units only join.
#[derive(Debug, Clone)]
pub struct TokenAllocator<H = Mix> {
    circle: Circle,
    units: u32,
    replicas: u32,
    hash: H,
}

impl<H: HashFamily> TokenAllocator<H> {
    /// A ring of `units` units with `tokens` allocated tokens each, for `replicas` replicas (R).
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::NoPoints`]; [`Error::RingTooLarge`] above 2^20 tokens; [`Error::OutOfRange`] for
    /// no replicas.
    pub fn new(units: u32, tokens: u32, replicas: u32, hash: H) -> Result<Self, Error> {
        Self::build(units, replicas, hash, |ring| ring.add(tokens))
    }

    /// The same with random tokens.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn random(units: u32, tokens: u32, replicas: u32, hash: H) -> Result<Self, Error> {
        Self::build(units, replicas, hash, |ring| ring.add_random(tokens))
    }

    fn build(units: u32, replicas: u32, hash: H, add: impl Fn(&mut Self) -> Result<u32, Error>) -> Result<Self, Error> {
        checked_buckets(i64::from(units), u32::MAX)?;
        if replicas == 0 {
            return Err(Error::OutOfRange { what: "a number of replicas", value: "0".into(), accepted: "at least 1" });
        }
        let mut ring = Self { circle: Circle::default(), units: 0, replicas, hash };
        while ring.units < units {
            add(&mut ring)?;
        }
        Ok(ring)
    }

    /// Adds a unit with random tokens, and returns its number.
    ///
    /// # Errors
    /// [`Error::NoPoints`], [`Error::RingTooLarge`], [`Error::OutOfMemory`]; unchanged.
    pub fn add_random(&mut self, tokens: u32) -> Result<u32, Error> {
        let unit = self.checked_unit(tokens)?;
        self.circle.insert(points_of(&self.hash, unit, tokens));
        self.units += 1;
        Ok(unit)
    }

    /// Adds a unit with tokens that even out ownership, and returns its number.
    ///
    /// # Errors
    /// [`Error::NoPoints`], [`Error::RingTooLarge`], [`Error::OutOfMemory`]; unchanged.
    pub fn add(&mut self, tokens: u32) -> Result<u32, Error> {
        let unit = self.checked_unit(tokens)?;
        let too_few = self.units < self.replicas || (tokens as usize) > self.circle.points().len();
        match self.replicas {
            _ if too_few => self.split_the_largest(unit, tokens),
            1 => self.split_the_most_loaded(unit, tokens),
            _ => (0..tokens).for_each(|placed| self.place_greedily(unit, placed, tokens)),
        }
        self.units += 1;
        Ok(unit)
    }

    /// The tokens, ascending: (token, unit).
    pub fn ring(&self) -> impl Iterator<Item = (u64, u32)> {
        self.circle.points().iter().copied()
    }

    /// The part of the key space of which each unit holds a replica; together R, or the number of units if it is less.
    #[must_use]
    pub fn ownership(&self) -> Vec<f64> {
        let mut owned = vec![0.0; self.units as usize];
        for (span, (_, unit)) in self.spans().into_iter().zip(self.ring()) {
            owned[unit as usize] += span;
        }
        owned
    }

    fn checked_unit(&mut self, tokens: u32) -> Result<u32, Error> {
        match self.circle.points().len() as u64 + u64::from(tokens) {
            _ if tokens == 0 => Err(Error::NoPoints),
            points if points > u64::from(MOST_TOKENS) => Err(Error::RingTooLarge { points, most: MOST_TOKENS }),
            _ => self.circle.reserve(tokens as usize).map(|()| self.units),
        }
    }

    /// How many positions token number `at` owns.
    fn range(&self, at: usize) -> u128 {
        let points = self.circle.points();
        let token = points[at].0;
        match at.checked_sub(1) {
            Some(previous) => u128::from(token - points[previous].0),
            None => (1 << 64) - u128::from(points[points.len() - 1].0 - token),
        }
    }

    /// The tokens through which units hold the range of token number `at`, in clockwise order.
    fn holders(&self, at: usize) -> Vec<usize> {
        let points = self.circle.points();
        let wanted = self.replicas.min(self.units) as usize;
        let mut holders: Vec<usize> = Vec::with_capacity(wanted);
        for token in (at..points.len()).chain(0..at) {
            if holders.len() == wanted {
                break;
            }
            if holders.iter().all(|&holder| points[holder].1 != points[token].1) {
                holders.push(token);
            }
        }
        holders
    }

    /// What part of the key space is held through each token.
    fn spans(&self) -> Vec<f64> {
        let mut spans = vec![0.0; self.circle.points().len()];
        for at in 0..spans.len() {
            let range = self.range(at) as f64 / CIRCUMFERENCE;
            self.holders(at).into_iter().for_each(|token| spans[token] += range);
        }
        spans
    }

    fn split_the_largest(&mut self, unit: u32, tokens: u32) {
        let points = self.circle.points();
        let mut ranges: BinaryHeap<(u128, u64)> =
            points.iter().enumerate().map(|(at, &(token, _))| (self.range(at), token)).collect();
        let new: Vec<_> = (0..tokens)
            .map(|token| {
                let draw = self.hash.point(unit, token);
                let Some((range, end)) = ranges.pop() else {
                    ranges.push((1 << 64, draw));
                    return (draw, unit);
                };
                let (lower, token) = split(range, end, 1.0 - 0.2_f64.sqrt() + 0.075 * (draw as f64 / CIRCUMFERENCE));
                ranges.extend([(lower, token), (range - lower, end)]);
                (token, unit)
            })
            .collect();
        self.circle.insert(new);
    }

    fn split_the_most_loaded(&mut self, unit: u32, tokens: u32) {
        let mut units = vec![(0_u128, Vec::new()); self.units as usize];
        for (at, &(token, owner)) in self.circle.points().iter().enumerate() {
            let (load, ranges) = &mut units[owner as usize];
            *load += self.range(at);
            ranges.push((self.range(at), token));
        }
        units.sort_by_key(|&(load, _)| Reverse(load));

        let (mut donors, mut sum, mut target) = (0, 0.0, 0.0);
        for (load, _) in units.iter().take(tokens as usize) {
            sum += *load as f64;
            let average = sum / (donors + 2) as f64;
            if *load as f64 <= average {
                break;
            }
            (donors, target) = (donors + 1, average);
        }

        let mut new = Vec::with_capacity(tokens as usize);
        for (i, (load, mut ranges)) in units.into_iter().take(donors).enumerate() {
            let share = tokens as usize / donors + usize::from(i < tokens as usize % donors);
            ranges.sort_unstable_by_key(|&range| Reverse(range));
            ranges.truncate(share);
            let work = ranges.iter().map(|&(range, _)| range as f64).sum::<f64>();
            let slice = ((load as f64 - target) / work).clamp(SLICE.0, SLICE.1);
            new.extend(ranges.into_iter().map(|(range, end)| (split(range, end, slice).1, unit)));
        }
        let missing = tokens - new.len() as u32;
        self.circle.insert(new);
        // A donor may have had fewer tokens than it was to give.
        self.split_the_largest(unit, missing);
    }

    /// Places one more token of a unit that has `placed` of `tokens`.
    fn place_greedily(&mut self, unit: u32, placed: u32, tokens: u32) {
        let points = self.circle.points();
        let fair = f64::from(self.replicas) / (points.len() as f64 + f64::from(tokens - placed));
        let spans = self.spans();
        let mut surplus = vec![0.0; unit as usize + 1];
        for (span, &(_, owner)) in spans.iter().zip(points) {
            surplus[owner as usize] += span - fair;
        }
        let harm = |at: usize| {
            let (gain, losses) = self.effect(at, unit);
            let mut units = vec![(unit, gain - fair)];
            let mut squares = (gain - fair).powi(2);
            for (token, loss) in losses {
                squares += (spans[token] - loss - fair).powi(2) - (spans[token] - fair).powi(2);
                let owner = points[token].1;
                match units.iter_mut().find(|(other, _)| *other == owner) {
                    Some((_, change)) => *change -= loss,
                    None => units.push((owner, -loss)),
                }
            }
            let of_unit = |(other, change): (u32, f64)| {
                let before = surplus[other as usize];
                (before + change).powi(2) - before.powi(2)
            };
            squares + units.into_iter().map(of_unit).sum::<f64>()
        };
        let harms = (0..points.len()).map(|at| (harm(at), at));
        let (_, best) = harms.min_by(|a, b| a.0.total_cmp(&b.0)).expect("the first units have tokens");
        let (_, token) = split(self.range(best), points[best].0, 0.5);
        self.circle.insert([(token, unit)]);
    }

    /// What `unit` would hold through a token in the middle of range number `at`, and what each token would lose to it.
    ///
    /// The token gets the lower half of that range, and every range before it whose walk to R distinct units passes the
    /// new token without having met `unit`. Each is lost by the token through which `unit` held it already, or else by
    /// the last of its holders.
    fn effect(&self, at: usize, unit: u32) -> (f64, Vec<(usize, f64)>) {
        let points = self.circle.points();
        let replicas = self.replicas as usize;
        let holders = self.holders(at);
        let (mut gain, mut losses) = (0.0, Vec::with_capacity(replicas));
        let mut met: Vec<u32> = Vec::with_capacity(replicas);
        let mut range = self.range(at) as f64 / CIRCUMFERENCE / 2.0;
        for index in (0..at).rev().chain((at..points.len()).rev()) {
            let rest = holders.iter().filter(|&&token| !met.contains(&points[token].1)).take(replicas - met.len());
            let own = rest.clone().find(|&&token| points[token].1 == unit);
            if let Some(&loser) = own.or_else(|| rest.last()) {
                gain += range;
                losses.push((loser, range));
            }
            let owner = points[index].1;
            met.extend((!met.contains(&owner)).then_some(owner));
            if owner == unit || met.len() >= replicas {
                break;
            }
            range = self.range(index) as f64 / CIRCUMFERENCE;
        }
        (gain, losses)
    }
}

/// The length of the lower part of a range that ends at `end`, and the token that owns it. A range of one position
/// cannot be split: the two tokens coincide then.
fn split(range: u128, end: u64, part: f64) -> (u128, u64) {
    let most = range.saturating_sub(1).max(1);
    let lower = ((range as f64 * part) as u128).clamp(1, most).min(range);
    (lower, end.wrapping_sub((range - lower) as u64))
}

impl<H: HashFamily> Partitioner for TokenAllocator<H> {
    fn bucket(&self, key: u64) -> u32 {
        self.circle.owner(self.hash.key(key))
    }

    fn bucket_count(&self) -> u32 {
        self.units
    }
}

impl<H: HashFamily> Replicas for TokenAllocator<H> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.circle.owners(self.hash.key(key)).take(self.units as usize))
    }
}

#[cfg(test)]
mod tests;
