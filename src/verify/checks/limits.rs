//! What cannot be built is refused, and what can be is not.

use anyhow::{Context as _, bail, ensure};

use super::inputs::{Inputs, answers, asked, none_left, refused, same};
use crate::catalog::{Build, Implementation};
use crate::measure::memory::room_for;
use crate::measure::time::Measured;
use crate::verify::Outcome;

pub(super) fn limits(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let least = implementation.limits.least_buckets;
    (implementation.build)(inputs.build(least)).with_context(|| format!("n = {least}"))?;
    none_left(implementation, "n = 0", &inputs.keys(100), || (implementation.build)(inputs.build(0)).ok())?;
    if implementation.limits.uses_points && implementation.strict() {
        let none = Build { points: 0, ..inputs.build(10) };
        ensure!((implementation.build)(none).is_err(), "0 points per bucket: accepted, where an error is right");
    }
    // Only where, if it were accepted, no more would be allocated for it than there is.
    let beyond = implementation.limits.most_buckets.checked_add(1).filter(|&beyond| {
        !implementation.limits.uses_points && room_for(implementation.predicted_bytes(inputs.build(beyond))).is_ok()
    });
    if let Some(beyond) = beyond {
        let what = format!("n = {beyond}");
        if let Some(Ok(subject)) = asked(implementation, &what, || (implementation.build)(inputs.build(beyond)))? {
            let most = implementation.limits.most_buckets;
            ensure!(!implementation.strict(), "{what}: accepted; at most {most} is allowed");
            within(&format!("{what} was accepted"), &*subject, beyond, inputs)?;
        }
    }
    slots(implementation, inputs)?;
    // After a panic what is left is nobody's promise.
    asked(implementation, "n = 11 in 11 slots", || full(implementation, inputs))?.unwrap_or(Ok(()))?;
    Ok(Outcome::Passed)
}

/// Demands that what was accepted gives every key a bucket.
fn within(what: &str, subject: &dyn Measured, buckets: u32, inputs: Inputs) -> anyhow::Result<()> {
    let keys = inputs.keys(500);
    match keys.iter().zip(answers(subject, &keys)).find(|&(_, bucket)| bucket >= buckets) {
        Some((key, bucket)) => bail!("{what}, but key {key} has bucket {bucket}, which does not exist"),
        None => Ok(()),
    }
}

/// Slots that are too few, that are no prime, one: refused, or every key has a bucket.
fn slots(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<()> {
    for slots in [1, 9, 12, 100] {
        let what = format!("n = 10 in {slots} slots");
        let built = asked(implementation, &what, || (implementation.build)(Build { slots, ..inputs.build(10) }))?;
        if let Some(Ok(subject)) = built {
            within(&format!("{what} was accepted"), &*subject, 10, inputs)?;
        }
    }
    Ok(())
}

/// As many buckets as slots, a prime: allowed; growth beyond is refused, or does what it should.
fn full(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<()> {
    let full = Build { slots: 11, ..inputs.build(11) };
    (implementation.build)(full).context("n = 11 in 11 slots")?;
    let Some(resize) = implementation.resize else { return Ok(()) };
    let keys = inputs.keys(500);
    let mut subject = resize(full)?;
    let what = "growth from 11 buckets in 11 slots";
    let mut grown = resize(full)?;
    match grown.grow() {
        Err(_) => refused(implementation, what, &mut *subject, &keys, |subject| subject.grow()),
        Ok(new) => {
            ensure!(
                new == 11 && grown.bucket_count() == 12,
                "{what}: the new one is {new} of {}",
                grown.bucket_count()
            );
            let right = answers(&*(implementation.build)(Build { buckets: 12, ..full })?, &keys);
            same(what, &keys, &answers(&*grown, &keys), &right)
        }
    }
}
