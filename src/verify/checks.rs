//! The checks, one function each.

use anyhow::Context as _;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::key_with_draw;
use super::reference::reference;
use super::{Check, Outcome};
use crate::algorithms::Partitioner;
use crate::catalog::{Algorithm, Build, Implementation, Shares, catalog};
use crate::measure::share::sampled_counts;
use crate::statistics::{chi_squared, g_test, sidak};

/// All checks, in the order of the table's columns.
pub const CHECKS: &[Check] = &[
    Check {
        name: "totality",
        promise: "every key has a bucket in 0..n, at every size; a batch answers as single look-ups do",
        cheap: true,
        run: totality,
    },
    Check {
        name: "determinism",
        promise: "two instances, and one asked twice, answer alike",
        cheap: true,
        run: determinism,
    },
    Check {
        name: "reference",
        promise: "answers equal those of a slow model computed another way, rare keys included, also after removals",
        cheap: true,
        run: reference,
    },
    Check {
        name: "limits",
        promise: "zero buckets and more than the algorithm allows are typed errors",
        cheap: true,
        run: limits,
    },
    Check {
        name: "balance",
        promise: "counts of random keys fit the exact shares: chi-squared and G, two-sided, Sidak-corrected",
        cheap: false,
        run: balance,
    },
    Check {
        name: "growth",
        promise: "from n to n + 1 buckets keys move to the new bucket only; growing equals building anew",
        cheap: false,
        run: growth,
    },
    Check {
        name: "shrinking",
        promise: "from n + 1 to n buckets only the keys of the last bucket move",
        cheap: false,
        run: shrinking,
    },
    Check {
        name: "removal",
        promise: "only keys of a removed bucket move, to working ones; restoring it brings all back",
        cheap: false,
        run: removal,
    },
];

pub(super) const SIZES: [u32; 12] = [1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 255, 1000];
pub(super) const SEED: u64 = 0x1406_2294;

/// A prime, as a table needs, and the same at all sizes: of what has slots, growth changes the working ones only.
const SLOTS: u32 = 2053;

pub(super) fn build(buckets: u32) -> Build {
    // Rings of few points: their arcs are long and their gaps are met.
    Build { slots: if buckets <= SLOTS { SLOTS } else { 0 }, ..Build::new(buckets, 5, SEED) }
}

fn random_keys(count: usize) -> Vec<u64> {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(SEED);
    (0..count).map(|_| stream.next_u64()).collect()
}

/// Keys of all shapes: the ends, sequential, multiples of powers of two, those of extreme draws, and random ones.
pub(super) fn keys(random: usize) -> Vec<u64> {
    let mut keys = vec![0, u64::MAX, 1_673_232_497_983_283_878, 14_866_344_542_948_493_586];
    keys.extend(1..64);
    keys.extend((0..64).map(|bit| 1 << bit));
    keys.extend((1..64).map(|high| high << 56));
    for draw in 1..4 {
        for value in [0, 1, (1 << 30) - 1, 1 << 30, i32::MAX as u32 - 1, i32::MAX as u32] {
            keys.extend((0..4).map(|low| key_with_draw(draw, value, low * 0x5555_5555)));
        }
    }
    keys.extend(random_keys(random));
    keys
}

pub(super) fn answers(subject: &(impl Partitioner + ?Sized), keys: &[u64]) -> Vec<u32> {
    keys.iter().map(|&key| subject.bucket(key)).collect()
}

/// The first key on which two lists of answers differ.
pub(super) fn first_difference(keys: &[u64], found: &[u32], right: &[u32]) -> Option<(u64, u32, u32)> {
    let mut all = keys.iter().zip(found).zip(right).map(|((&key, &found), &right)| (key, found, right));
    all.find(|&(_, found, right)| found != right)
}

fn totality(implementation: &Implementation) -> anyhow::Result<Outcome> {
    let keys = keys(2_000);
    let large = [65_535, 65_536, 65_537, 1_000_000, i32::MAX as u32];
    // Large sizes only where nothing is stored; linear look-ups would take minutes.
    let large = large.into_iter().filter(|_| implementation.algorithm == Algorithm::Jump);
    for buckets in SIZES.into_iter().chain(large) {
        let subject = (implementation.build)(build(buckets))?;
        let mut batch = vec![u32::MAX; keys.len()];
        subject.buckets(&keys, &mut batch);
        let single = answers(&*subject, &keys);
        if let Some((key, bucket)) = keys.iter().zip(&single).find(|&(_, &bucket)| bucket >= buckets) {
            return Ok(Outcome::Failed(format!("n = {buckets}, key {key}: bucket {bucket} does not exist")));
        }
        if let Some((key, batch, single)) = first_difference(&keys, &batch, &single) {
            return Ok(Outcome::Failed(format!("n = {buckets}, key {key}: {batch} in a batch, {single} alone")));
        }
        if subject.bucket_count() != buckets {
            return Ok(Outcome::Failed(format!("n = {buckets}: says it has {}", subject.bucket_count())));
        }
    }
    Ok(Outcome::Passed)
}

fn determinism(implementation: &Implementation) -> anyhow::Result<Outcome> {
    let keys = keys(1_000);
    for buckets in [10, 100] {
        let (one, two) = ((implementation.build)(build(buckets))?, (implementation.build)(build(buckets))?);
        let first = answers(&*one, &keys);
        for (who, again) in [("the same instance", answers(&*one, &keys)), ("another instance", answers(&*two, &keys))]
        {
            if let Some((key, again, first)) = first_difference(&keys, &again, &first) {
                return Ok(Outcome::Failed(format!("n = {buckets}, key {key}: {first}, then {again} by {who}")));
            }
        }
    }
    Ok(Outcome::Passed)
}

fn limits(implementation: &Implementation) -> anyhow::Result<Outcome> {
    (implementation.build)(build(1)).context("n = 1")?;
    if (implementation.build)(build(0)).is_ok() {
        return Ok(Outcome::Failed("n = 0 was accepted".into()));
    }
    if implementation.uses_points && (implementation.build)(Build { points: 0, ..build(10) }).is_ok() {
        return Ok(Outcome::Failed("0 points per bucket were accepted".into()));
    }
    match implementation.most_buckets.checked_add(1) {
        // Only where nothing would be allocated for it.
        Some(beyond) if !implementation.uses_points && (implementation.build)(build(beyond)).is_ok() => Ok(
            Outcome::Failed(format!("n = {beyond} was accepted; at most {} is allowed", implementation.most_buckets)),
        ),
        _ => Ok(Outcome::Passed),
    }
}

fn balance(implementation: &Implementation) -> anyhow::Result<Outcome> {
    const SIZES: [u32; 3] = [2, 10, 100];
    // Two tests at each size for each implementation share an error of one in ten thousand.
    let tests = (catalog().len() * SIZES.len() * 2) as u64;
    let threshold = sidak(1e-4, tests).context("a probability")?;
    for buckets in SIZES {
        let subject = (implementation.build)(build(buckets))?;
        let Shares::Exact(shares) = implementation.shares else {
            return Ok(Outcome::NotPromised("its exact shares are not known"));
        };
        let shares = shares(build(buckets))?;
        let counts = sampled_counts(&*subject, random_keys(100_000), buckets)?;
        for (name, test) in [("chi-squared", chi_squared(&counts, &shares)?), ("G", g_test(&counts, &shares)?)] {
            if test.p_two_sided < threshold {
                return Ok(Outcome::Failed(format!(
                    "n = {buckets}: {name} {:.1} with {} degrees of freedom, p = {:.1e}",
                    test.statistic, test.degrees_of_freedom, test.p_two_sided
                )));
            }
        }
    }
    Ok(Outcome::Passed)
}

const GROWTHS: [u32; 7] = [1, 2, 3, 9, 64, 99, 256];
const NOT_MONOTONE: Outcome = Outcome::NotPromised("not a consistent hash: most keys move");

fn growth(implementation: &Implementation) -> anyhow::Result<Outcome> {
    if !implementation.monotone {
        return Ok(NOT_MONOTONE);
    }
    let keys = keys(10_000);
    for buckets in GROWTHS {
        let before = answers(&*(implementation.build)(build(buckets))?, &keys);
        let after = answers(&*(implementation.build)(build(buckets + 1))?, &keys);
        let strays = |&(_, old, new): &(u64, u32, u32)| old != new && new != buckets;
        let moves = keys.iter().zip(&before).zip(&after).map(|((&key, &old), &new)| (key, old, new));
        if let Some((key, old, new)) = moves.clone().find(strays) {
            return Ok(Outcome::Failed(format!(
                "from {buckets} to {} buckets key {key} moves from bucket {old} to {new}, an old one",
                buckets + 1
            )));
        }
        if buckets < 100 && !moves.clone().any(|(_, old, new)| old != new) {
            return Ok(Outcome::Failed(format!("from {buckets} to {} buckets no key moves", buckets + 1)));
        }
        if let Some(resize) = implementation.resize {
            let mut subject = resize(build(buckets))?;
            let new = subject.grow()?;
            if new != buckets {
                return Ok(Outcome::Failed(format!("growing {buckets} buckets adds number {new}")));
            }
            if let Some((key, grown, built)) = first_difference(&keys, &answers(&*subject, &keys), &after) {
                return Ok(Outcome::Failed(format!(
                    "{buckets} buckets grown by one, key {key}: {grown}, built anew {built}"
                )));
            }
        }
    }
    Ok(Outcome::Passed)
}

fn shrinking(implementation: &Implementation) -> anyhow::Result<Outcome> {
    if !implementation.monotone {
        return Ok(NOT_MONOTONE);
    }
    let Some(resize) = implementation.resize else {
        return Ok(Outcome::NotPromised("cannot be resized in place"));
    };
    let keys = keys(10_000);
    for buckets in GROWTHS {
        let mut subject = resize(build(buckets + 1))?;
        let before = answers(&*subject, &keys);
        let gone = subject.shrink()?;
        let after = answers(&*subject, &keys);
        let mut moves = keys.iter().zip(&before).zip(&after);
        let stray = moves.find(|&((_, &old), &new)| (old == gone) == (old == new) || new >= buckets);
        if let Some(((key, old), new)) = stray {
            return Ok(Outcome::Failed(format!(
                "bucket {gone} of {} left; key {key} goes from {old} to {new}",
                buckets + 1
            )));
        }
    }
    let mut last = resize(build(1))?;
    if last.shrink().is_ok() {
        return Ok(Outcome::Failed("the last bucket could be taken away".into()));
    }
    Ok(Outcome::Passed)
}

fn removal(implementation: &Implementation) -> anyhow::Result<Outcome> {
    let Some(removable) = implementation.remove else {
        return Ok(Outcome::NotPromised("only the last bucket can leave"));
    };
    if !implementation.monotone {
        return Ok(NOT_MONOTONE);
    }
    let keys = keys(10_000);
    for (buckets, gone) in [(2, 0), (10, 0), (10, 4), (10, 9), (100, 50)] {
        let mut subject = removable(build(buckets))?;
        let before = answers(&*subject, &keys);
        subject.remove(gone)?;
        let after = answers(&*subject, &keys);
        let mut moves = keys.iter().zip(&before).zip(&after);
        if let Some(((key, old), new)) =
            moves.find(|&((_, &old), &new)| (old == gone) == (old == new) || new >= buckets)
        {
            return Ok(Outcome::Failed(format!(
                "bucket {gone} of {buckets} removed; key {key} goes from {old} to {new}"
            )));
        }
        if subject.remove(gone).is_ok() {
            return Ok(Outcome::Failed(format!("bucket {gone} of {buckets} could be removed twice")));
        }
        subject.restore(gone)?;
        if let Some((key, restored, right)) = first_difference(&keys, &answers(&*subject, &keys), &before) {
            return Ok(Outcome::Failed(format!("bucket {gone} restored; key {key}: {restored}, before {right}")));
        }
    }
    let mut last = removable(build(1))?;
    if last.remove(0).is_ok() {
        return Ok(Outcome::Failed("the last bucket could be removed".into()));
    }
    Ok(Outcome::Passed)
}
