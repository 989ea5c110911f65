//! Any bucket may fail and come back.

use anyhow::{bail, ensure};

use super::growth::monotone_or_not;
use super::inputs::{Inputs, answers, same};
use super::moves::moves;
use crate::catalog::Implementation;
use crate::verify::Outcome;

const KEYS: usize = 2_000;

/// The reason of those in which no bucket but the last may leave.
pub(super) const LAST_ONLY: Outcome = Outcome::NotPromised("only the last bucket can leave");

pub(super) fn removal(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(removable) = implementation.remove else { return Ok(LAST_ONLY) };
    let keys = inputs.keys(KEYS);
    let mut strays = 0;
    for buckets in [2, 3, 10, 32] {
        let mut subject = removable(inputs.build(buckets))?;
        let order = inputs.shuffled(buckets);
        let gone = &order[..order.len() - 1];
        let mut states = vec![answers(&*subject, &keys)];
        for (step, &bucket) in gone.iter().enumerate() {
            let what = format!("{step} of {buckets} buckets removed, then {bucket}");
            subject.remove(bucket)?;
            let (before, after) = (&states[step], answers(&*subject, &keys));
            let working = &order[step + 1..];
            if let Some((key, owner)) = keys.iter().zip(&after).find(|(_, owner)| !working.contains(owner)) {
                bail!("{what}: key {key} goes to {owner}, which does not work");
            }
            let found = moves(&keys, before, &after, |old, new| (old == bucket) == (old != new));
            match found.stray {
                Some((key, old, new)) if implementation.promises.monotone_removal => {
                    bail!("{what}: key {key} moves from bucket {old}, which still works, to {new}")
                }
                stray => strays += usize::from(stray.is_some()),
            }
            let (count, right) = (subject.bucket_count(), working.len());
            ensure!(count as usize == right, "{what}: says that {count} buckets work, right is {right}");
            states.push(after);
        }
        ensure!(states[0] != states[gone.len()], "all but one of {buckets} buckets removed: no key moved");
        // Each step back undoes a step: the last removed first, which all promise.
        for (step, &bucket) in gone.iter().enumerate().rev() {
            subject.restore(bucket)?;
            let what = format!("{} of {buckets} buckets removed, and the last, {bucket}, restored", step + 1);
            same(&what, &keys, &answers(&*subject, &keys), &states[step])?;
        }
    }
    monotone_or_not(implementation.promises.monotone_removal, strays)
}
