//! More than one bucket for a key.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{bail, ensure};

use super::inputs::Inputs;
use crate::algorithms::Replicas;
use crate::catalog::Implementation;
use crate::verify::Outcome;

pub(super) fn replicas(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(constructor) = implementation.replicas else {
        return Ok(Outcome::NotPromised("names one bucket a key"));
    };
    let keys = inputs.keys(200);
    for buckets in [1, 2, 3, 10] {
        let subject = constructor(inputs.build(buckets))?;
        for &key in &keys {
            preference(implementation, &*subject, buckets, key)?;
        }
        if buckets > 1 && implementation.promises.replicas_take_over {
            takes_over(implementation, inputs, &*subject, buckets, &keys)?;
        }
    }
    Ok(Outcome::Passed)
}

fn preference(implementation: &Implementation, subject: &dyn Replicas, buckets: u32, key: u64) -> anyhow::Result<()> {
    let what = format!("n = {buckets}, key {key}");
    let all: Vec<u32> = subject.preference(key).collect();
    let bucket = subject.bucket(key);
    ensure!(all.first() == Some(&bucket), "{what}: {all:?} does not begin with its bucket, {bucket}");
    let distinct: BTreeSet<u32> = all.iter().copied().collect();
    ensure!(distinct.len() == all.len(), "{what}: {all:?} names a bucket twice");
    ensure!(distinct.iter().copied().eq(0..buckets), "{what}: {all:?} are not all of 0..{buckets}");
    for count in 0..=buckets {
        let right = &all[..count as usize];
        let found = subject.replicas(key, count)?;
        ensure!(found == right, "{what}: {count} replicas are {found:?}, right is {right:?}");
    }
    for count in [buckets + 1, u32::MAX] {
        match subject.replicas(key, count) {
            Err(_) => {}
            Ok(_) if implementation.strict() => bail!("{what}: {count} replicas were given, where an error is right"),
            // As many as there are.
            Ok(found) => ensure!(found == all, "{what}: {count} replicas are {found:?}, right is {all:?}"),
        }
    }
    Ok(())
}

/// Where any bucket may fail and no other key moves, the second replica is who takes over.
fn takes_over(
    implementation: &Implementation,
    inputs: Inputs,
    subject: &dyn Replicas,
    buckets: u32,
    keys: &[u64],
) -> anyhow::Result<()> {
    let Some(removable) = implementation.remove.filter(|_| implementation.promises.monotone_removal) else {
        return Ok(());
    };
    let mut by_first = BTreeMap::<u32, Vec<u64>>::new();
    keys.iter().for_each(|&key| by_first.entry(subject.bucket(key)).or_default().push(key));
    for (first, keys) in by_first {
        let mut failed = removable(inputs.build(buckets))?;
        failed.remove(first)?;
        for key in keys {
            let (second, heir) = (subject.replicas(key, 2)?[1], failed.bucket(key));
            if second != heir {
                bail!(
                    "n = {buckets}, key {key}: bucket {heir} takes over from {first}, but the second replica is {second}"
                );
            }
        }
    }
    Ok(())
}
