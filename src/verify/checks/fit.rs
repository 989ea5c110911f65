//! Do counts of keys fit the shares that an implementation declares?

use anyhow::{Context as _, bail};

use crate::algorithms::hash::{Draws as _, SplitMix64, mix64};
use crate::catalog::{Build, Implementation, Shares, catalog};
use crate::measure::share_multi_probe::multi_probe_shares;
use crate::statistics::{CountTails, chi_squared, g_test, sidak};

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

/// What an implementation declares; the reason if it declares nothing.
pub(super) fn expected(
    implementation: &Implementation,
    build: Build,
) -> anyhow::Result<Result<Expected, &'static str>> {
    Ok(match implementation.shares {
        Shares::Exact(shares) => Ok(Expected::Exact(shares(build)?)),
        Shares::RandomRing { points } => Ok(Expected::Ring { buckets: build.buckets, points: points(build) }),
        Shares::MultiProbe { probes } => Ok(Expected::AtMost(largest_share(build.buckets, probes)?)),
        Shares::Unknown(reason) => Err(reason),
    })
}

/// How small a p is too small, if each implementation of the catalogue has so many tests of one kind: an error of one in ten
/// thousand is shared by all of them. (Šidák; of tests that depend on each other, as the buckets of one ring do, Bonferroni
/// says nearly the same.)
pub(super) fn threshold(tests: usize) -> anyhow::Result<f64> {
    sidak(1e-4, (catalog().len() * tests) as u64).context("a probability")
}

impl Expected {
    /// How many tests of this size are made at most.
    pub(super) fn tests(buckets: u32) -> usize {
        // Two of exact shares, or one for each bucket.
        buckets.max(2) as usize
    }

    /// Demands that counts fit.
    pub(super) fn fits(&self, what: &str, counts: &[u64], wrong: Wrong, threshold: f64) -> anyhow::Result<()> {
        match self {
            Self::Exact(shares) => exact(what, counts, shares, wrong, threshold),
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

fn exact(what: &str, counts: &[u64], shares: &[f64], wrong: Wrong, threshold: f64) -> anyhow::Result<()> {
    for (name, test) in [("chi-squared", chi_squared(counts, shares)?), ("G", g_test(counts, shares)?)] {
        let p = if wrong == Wrong::Both { test.p_two_sided } else { test.p_high };
        if p < threshold {
            let keys = counts.iter().sum::<u64>() as f64;
            let off = |bucket: &usize| (counts[*bucket] as f64 - keys * shares[*bucket]).abs();
            let worst = (0..counts.len()).max_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0);
            bail!(
                "{what}: {name} {:.1} with {} degrees of freedom, {}; bucket {worst} has {} of {keys} keys, {:.0} is right",
                test.statistic,
                test.degrees_of_freedom,
                tail(p),
                counts[worst],
                keys * shares[worst]
            );
        }
    }
    Ok(())
}

/// A p in words; the smallest are below what a double holds.
pub(super) fn tail(p: f64) -> String {
    if p < f64::MIN_POSITIVE { "p < 1e-307".into() } else { format!("p = {p:.1e}") }
}
