//! Few survivors of many buckets.

use anyhow::bail;

use super::inputs::{Inputs, answers, same};
use super::removal::LAST_ONLY;
use crate::catalog::{Build, Implementation};
use crate::verify::Outcome;

const BUCKETS: u32 = 10_000;
/// 99.96 %.
const REMOVED: usize = 9_996;
/// The largest structure from which so many are removed: a removal may take time in proportion to it.
const MOST_BYTES: u64 = 1 << 20;

pub(super) fn nearly_all(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(removable) = implementation.remove else { return Ok(LAST_ONLY) };
    let build = Build { points: 1, ..inputs.build(BUCKETS) };
    if !implementation.promises.monotone_removal {
        return Ok(Outcome::NotPromised("it is filled anew at each removal: 10,000 take too long"));
    }
    if implementation.predicted_bytes(build) > MOST_BYTES {
        return Ok(Outcome::NotPromised("10,000 buckets of it are too large for as many removals"));
    }
    let keys = inputs.random_keys(500);
    let mut subject = removable(build)?;
    let all = answers(&*subject, &keys);
    let order = inputs.shuffled(BUCKETS);
    let (gone, working) = order.split_at(REMOVED);
    let (most, last) = gone.split_at(REMOVED - 10);
    most.iter().try_for_each(|&bucket| subject.remove(bucket))?;
    let before = answers(&*subject, &keys);
    last.iter().try_for_each(|&bucket| subject.remove(bucket))?;
    let after = answers(&*subject, &keys);
    for ((key, &old), &new) in keys.iter().zip(&all).zip(&after) {
        if !working.contains(&new) || working.contains(&old) && old != new {
            bail!("{REMOVED} of {BUCKETS} buckets removed: key {key} goes from bucket {old} to {new}");
        }
    }
    last.iter().rev().try_for_each(|&bucket| subject.restore(bucket))?;
    same("the last 10 of 9,996 removed restored", &keys, &answers(&*subject, &keys), &before)?;
    Ok(Outcome::Passed)
}
