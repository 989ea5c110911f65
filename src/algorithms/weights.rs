//! Which weight each bucket has: the bookkeeping of weighted algorithms.

use std::collections::BTreeMap;

use super::members::Members;
use super::{Error, checked_buckets};

/// The weights that are accepted: wide enough for any unit, narrow enough that no sum or score overflows.
const ACCEPTED: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

/// The weights of working and of removed buckets; at least one is working.
#[derive(Debug, Clone)]
pub(crate) struct Weights {
    members: Members,
    working: BTreeMap<u32, f64>,
    removed: BTreeMap<u32, f64>,
}

impl Weights {
    /// Bucket i gets `weights[i]`.
    pub(crate) fn new(weights: &[f64]) -> Result<Self, Error> {
        let buckets = checked_buckets(i64::try_from(weights.len()).unwrap_or(i64::MAX), u32::MAX)?;
        let working = (0..buckets).zip(weights).map(|(bucket, &weight)| Ok((bucket, check(bucket, weight)?)));
        let working = working.collect::<Result<_, Error>>()?;
        Ok(Self { members: Members::new(buckets)?, working, removed: BTreeMap::new() })
    }

    pub(crate) fn count(&self) -> u32 {
        self.members.count()
    }

    /// The working buckets, ascending, with their weights.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        self.working.iter().map(|(&bucket, &weight)| (bucket, weight))
    }

    pub(crate) fn get(&self, bucket: u32) -> Result<f64, Error> {
        let unknown = Error::UnknownBucket { bucket, choices: "a bucket that is working" };
        self.working.get(&bucket).copied().ok_or(unknown)
    }

    pub(crate) fn set(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.get(bucket)?;
        self.working.insert(bucket, check(bucket, weight)?);
        Ok(())
    }

    /// Adds the bucket after the highest working one.
    pub(crate) fn add(&mut self, weight: f64) -> Result<u32, Error> {
        check(self.members.last().saturating_add(1), weight)?;
        let new = self.members.grow()?;
        self.removed.remove(&new);
        self.working.insert(new, weight);
        Ok(new)
    }

    pub(crate) fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)?;
        self.removed.extend(self.working.remove_entry(&bucket));
        Ok(())
    }

    /// Brings a removed bucket back with the weight that it had.
    pub(crate) fn restore(&mut self, bucket: u32) -> Result<f64, Error> {
        let never = Error::UnknownBucket { bucket, choices: "a bucket that was removed" };
        let weight = self.removed.get(&bucket).copied().ok_or(never)?;
        self.members.restore(bucket)?;
        self.removed.remove(&bucket);
        self.working.insert(bucket, weight);
        Ok(weight)
    }
}

fn check(bucket: u32, weight: f64) -> Result<f64, Error> {
    // NaN lies in no range.
    if ACCEPTED.contains(&weight) {
        return Ok(weight);
    }
    let accepted = "1e-100..=1e100, or remove the bucket to give it none";
    Err(Error::Weight { bucket, weight: weight.to_string(), accepted })
}
