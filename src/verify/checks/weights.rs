//! Weights: their shares, their changes, and numbers that are none.

use anyhow::{Context as _, bail, ensure};

use super::fit::{tail, threshold};
use super::inputs::{Inputs, answers, refused, same};
use super::moves::moves;
use crate::catalog::{Build, Implementation, Weigher, WeightedShares, catalog};
use crate::measure::share::sampled_counts;
use crate::statistics::CountTails;
use crate::verify::Outcome;
use crate::verify::panics::caught;

const KEYS: u32 = 100_000;
/// What is no weight.
const INVALID: [f64; 5] = [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// Unequal ones; one that dwarfs another; one that is next to nothing.
fn lists() -> [Vec<f64>; 3] {
    [(1..=10).map(f64::from).collect(), vec![1e6, 1.0], vec![1.0, 1.0, 1e-6]]
}

pub(super) fn weights(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(weigh) = implementation.weigh else { return Ok(Outcome::NotPromised("has no weights")) };
    if let Some(shares) = implementation.weighted_shares {
        counts(weigh, shares, inputs)?;
    }
    changes(weigh, inputs)?;
    if implementation.strict() {
        invalid(implementation, weigh, inputs)?
    } else {
        weightless(weigh, inputs)?
    }
    Ok(Outcome::Passed)
}

fn of(weights: &[f64], inputs: Inputs) -> Build {
    inputs.build(weights.len() as u32)
}

/// Binomial tails for each bucket: a share may be so small that no key is expected in it, and chi-squared says nothing.
fn counts(weigh: Weigher, shares: WeightedShares, inputs: Inputs) -> anyhow::Result<()> {
    let threshold = threshold(catalog().len(), lists().iter().map(Vec::len).sum())?;
    for weights in lists() {
        let subject = weigh(&weights, of(&weights, inputs))?;
        let shares = shares(&weights, of(&weights, inputs))?;
        let counts = sampled_counts(&*subject, inputs.random_keys(KEYS as usize), weights.len() as u32)?;
        for (bucket, (&count, &share)) in counts.iter().zip(&shares).enumerate() {
            let p = CountTails::binomial(KEYS, share).context("a share between 0 and 1")?.two_sided(count);
            if p < threshold {
                let right = f64::from(KEYS) * share;
                bail!(
                    "weights {weights:?}: bucket {bucket} has {count} of {KEYS} keys, {right:.1} is right, {}",
                    tail(p)
                );
            }
        }
    }
    Ok(())
}

fn changes(weigh: Weigher, inputs: Inputs) -> anyhow::Result<()> {
    let keys = inputs.keys(10_000);
    let [weights, ..] = lists();
    let changed = 4_u32;
    let weight = weights[changed as usize];
    let mut subject = weigh(&weights, of(&weights, inputs))?;
    for (bucket, &right) in (0..).zip(&weights) {
        let found = subject.weight(bucket)?;
        ensure!(found == right, "bucket {bucket} was given weight {right} and says {found}");
    }
    let before = answers(&*subject, &keys);
    // Up to five of ten times the points on average, down to a fifth: of 10,000 keys some move on any ring but one of 10^10.
    for (factor, only) in [(10.0, "to"), (0.2, "from")] {
        let new_weight = weight * factor;
        subject.set_weight(changed, new_weight)?;
        let after = answers(&*subject, &keys);
        let what = format!("weight of bucket {changed} changed from {weight} to {new_weight}");
        let right = |old, new| old == new || if factor > 1.0 { new == changed } else { old == changed };
        let found = moves(&keys, &before, &after, right);
        if let Some((key, old, new)) = found.stray {
            bail!("{what}: key {key} moves from bucket {old} to {new}; right is a move {only} {changed}");
        }
        ensure!(found.moved > 0, "{what}: no key moves");
        let told = subject.weight(changed)?;
        ensure!(told == new_weight, "{what}: says {told}");
        subject.set_weight(changed, weight)?;
        same(&format!("{what} and back"), &keys, &answers(&*subject, &keys), &before)?;
    }
    Ok(())
}

/// Of a crate that takes a weight of zero: it gives no key to it.
fn weightless(weigh: Weigher, inputs: Inputs) -> anyhow::Result<()> {
    let (weights, keys) = ([1.0, 0.0, 1.0], inputs.keys(10_000));
    // A refusal in its own words is as good as an error.
    let Ok(Ok(subject)) = caught(|| weigh(&weights, of(&weights, inputs))) else { return Ok(()) };
    match caught(|| keys.iter().find(|&&key| subject.bucket(key) == 1)) {
        Ok(None) => Ok(()),
        Ok(Some(key)) => bail!("weights {weights:?}: key {key} has bucket 1, which has no weight"),
        Err(panic) => bail!("weights {weights:?} were accepted, but a look-up panics: {panic}"),
    }
}

fn invalid(implementation: &Implementation, weigh: Weigher, inputs: Inputs) -> anyhow::Result<()> {
    let keys = inputs.keys(500);
    for wrong in INVALID {
        let weights = [1.0, wrong, 1.0];
        ensure!(
            weigh(&weights, of(&weights, inputs)).is_err(),
            "weights {weights:?}: accepted, where an error is right"
        );
        let right = [1.0, 2.0, 3.0];
        let mut subject = weigh(&right, of(&right, inputs))?;
        refused(implementation, &format!("a weight of {wrong}"), &mut *subject, &keys, |subject| {
            subject.set_weight(1, wrong)
        })?;
        let kept = subject.weight(1)?;
        ensure!(kept == 2.0, "a weight of {wrong}: refused, but the weight is {kept}, not 2");
    }
    let mut subject = weigh(&[1.0, 2.0], of(&[1.0, 2.0], inputs))?;
    for bucket in [2, u32::MAX] {
        refused(implementation, &format!("the weight of bucket {bucket} of 0..2"), &mut *subject, &keys, |subject| {
            subject.set_weight(bucket, 1.0)
        })?;
        ensure!(subject.weight(bucket).is_err(), "bucket {bucket} of 0..2: has a weight, where an error is right");
    }
    ensure!(weigh(&[], of(&[], inputs)).is_err(), "no weights: accepted, where an error is right");
    Ok(())
}
