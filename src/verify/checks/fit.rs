//! Do counts of keys fit the shares that an implementation declares?

use anyhow::{Context as _, bail};

use super::inputs::Inputs;
use crate::algorithms::hash::{Draws as _, SplitMix64, mix64};
use crate::catalog::{Build, Implementation, Shares};
use crate::measure::share_multi_probe::multi_probe_shares;
use crate::statistics::{CountTails, CountsTest, sidak, test_of_counts, test_of_two_samples};
use crate::verify::model::{History, model};

/// Which counts are wrong.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wrong {
    /// Too uneven ones and too even ones.
    Both,
    /// Too uneven ones only.
    Uneven,
}

/// What is known of the shares of one build.
pub(super) enum Expected {
    Exact(Vec<f64>),
    /// The counts of the model on as many other keys.
    Sampled(Vec<u64>),
    /// Those of a ring of random points, over its hash functions.
    Ring {
        buckets: u32,
        points: u32,
    },
    /// No bucket's is larger.
    AtMost(f64),
}

/// Circles of random points of which the largest share is taken: one in so many more has a larger one.
const CIRCLES: u64 = 1_000;

/// The largest share of a bucket that was met on random circles of one point for each bucket, under independent probes.
fn largest_share(buckets: u32, probes: u32) -> anyhow::Result<f64> {
    let mut largest = 0.0_f64;
    for circle in 0..CIRCLES {
        let mut stream = SplitMix64::new(mix64(circle));
        let mut points: Vec<(u64, u32)> = (0..buckets).map(|bucket| (stream.draw(), bucket)).collect();
        points.sort_unstable();
        largest = multi_probe_shares(points, buckets, probes)?.into_iter().fold(largest, f64::max);
    }
    Ok(largest)
}

/// How many keys a model is asked for at most, times buckets: it looks at each bucket for each key.
const MODEL_STEPS: u32 = 5_000_000;

/// The counts of the model on other keys than those of the checks.
fn sample(implementation: &Implementation, build: Build, inputs: Inputs) -> Option<Vec<u64>> {
    let history = History::new(implementation.algorithm, build);
    let model = model(implementation.algorithm, build, &history).ok().filter(|_| !implementation.promises.own_hash)?;
    let keys = (MODEL_STEPS / build.buckets.max(1)).min(100_000);
    let mut counts = vec![0; build.buckets as usize];
    for key in Inputs::new(!inputs.seed()).random_keys(keys as usize) {
        *counts.get_mut(model(key) as usize)? += 1;
    }
    Some(counts)
}

/// What an implementation declares of its shares in one build; the reason if it declares nothing.
pub(super) fn expected(
    implementation: &Implementation,
    build: Build,
    inputs: Inputs,
) -> anyhow::Result<Result<Expected, &'static str>> {
    Ok(match implementation.shares {
        Shares::Exact(shares) => Ok(Expected::Exact(shares(build)?)),
        Shares::RandomRing { points } => Ok(Expected::Ring { buckets: build.buckets, points: points(build) }),
        Shares::MultiProbe { probes } => Ok(match sample(implementation, build, inputs) {
            Some(counts) => Expected::Sampled(counts),
            None => Expected::AtMost(largest_share(build.buckets, probes)?),
        }),
        Shares::Unknown(reason) => Err(reason),
    })
}

/// The probability that right code fails any check of a whole run, at most.
pub const FAMILY_WISE_ERROR: f64 = 1e-4;
/// Balance, names, shapes and weights of implementations, and the weights of systems.
const KINDS: f64 = 5.0;

/// How small a p is too small, if each of so many subjects has so many tests of one kind, and every kind has an equal part of
/// the [error](FAMILY_WISE_ERROR). (Šidák; of tests that depend on each other, as the buckets of one ring do, Bonferroni says
/// nearly the same.)
pub(in crate::verify) fn threshold(subjects: usize, tests: usize) -> anyhow::Result<f64> {
    sidak(FAMILY_WISE_ERROR / KINDS, (subjects * tests) as u64).context("a probability")
}

impl Expected {
    /// How many tests of this size are made at most.
    pub(super) fn tests(buckets: u32) -> usize {
        // Three of all buckets together, or one for each.
        buckets.max(3) as usize
    }

    /// Demands that counts fit.
    pub(super) fn fits(&self, what: &str, counts: &[u64], wrong: Wrong, threshold: f64) -> anyhow::Result<()> {
        match self {
            Self::Exact(shares) => {
                let keys = counts.iter().sum::<u64>() as f64;
                let right: Vec<f64> = shares.iter().map(|share| keys * share).collect();
                agrees(what, counts, &right, test_of_counts(counts, shares)?, wrong, threshold)
            }
            Self::Sampled(sample) => {
                let right: Vec<f64> = sample.iter().map(|&count| count as f64).collect();
                agrees(what, counts, &right, test_of_two_samples(counts, sample)?, wrong, threshold)
            }
            &Self::AtMost(share) => {
                let keys = u32::try_from(counts.iter().sum::<u64>())?;
                let tails = CountTails::binomial(keys, share).context("a share between 0 and 1")?;
                for (bucket, &count) in counts.iter().enumerate() {
                    let p = tails.at_least(count);
                    if p < threshold {
                        let most = f64::from(keys) * share;
                        bail!(
                            "{what}: bucket {bucket} has {count} of {keys} keys, at most {most:.0} are right, {}",
                            tail(p)
                        );
                    }
                }
                Ok(())
            }
            &Self::Ring { buckets, points } => {
                // The share of a bucket is Beta(v, (n - 1) v), so its count is beta-binomial, exactly.
                let (n, v) = (f64::from(buckets), f64::from(points));
                let keys = u32::try_from(counts.iter().sum::<u64>())?;
                let tails =
                    CountTails::beta_binomial(keys, v, (n - 1.0) * v).context("a ring of two or more buckets")?;
                for (bucket, &count) in counts.iter().enumerate() {
                    let p = if wrong == Wrong::Both { tails.two_sided(count) } else { tails.at_least(count) };
                    if p < threshold {
                        let mean = f64::from(keys) / n;
                        bail!("{what}: bucket {bucket} has {count} of {keys} keys, {mean:.0} on average, {}", tail(p));
                    }
                }
                Ok(())
            }
        }
    }
}

/// Demands that a test of counts that should be `right` finds nothing.
fn agrees(
    what: &str,
    counts: &[u64],
    right: &[f64],
    test: CountsTest,
    wrong: Wrong,
    threshold: f64,
) -> anyhow::Result<()> {
    let CountsTest { uneven, worst, even, cell } = test;
    let how = [("too uneven", uneven), ("one is off", worst), ("too even for chance", even)];
    for (how, p) in how.into_iter().take(if wrong == Wrong::Both { 3 } else { 2 }) {
        if p < threshold {
            let (keys, count, right) = (counts.iter().sum::<u64>(), counts[cell], right[cell]);
            bail!("{what}: {how}, {}; bucket {cell} has {count} of {keys} keys, {right:.0} is right", tail(p));
        }
    }
    Ok(())
}

/// A p in words; the smallest are below what a double holds.
pub(super) fn tail(p: f64) -> String {
    if p < 1e-307 { "p < 1e-307".into() } else { format!("p = {p:.1e}") }
}
