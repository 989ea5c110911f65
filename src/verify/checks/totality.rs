//! Every key has a bucket, at every size.

use anyhow::bail;

use super::inputs::{Inputs, SIZES, answers, same};
use crate::catalog::{Build, Implementation};
use crate::verify::Outcome;

/// Around powers of two, and the limits of types.
const LARGE: [u32; 12] = [
    65_535,
    65_536,
    65_537,
    1_000_000,
    (1 << 20) - 1,
    (1 << 20) + 1,
    (1 << 30) + 1,
    i32::MAX as u32 - 1,
    i32::MAX as u32,
    1 << 31,
    u32::MAX - 1,
    u32::MAX,
];
const KEYS: u32 = 2_000;
/// Where few buckets leave few places at which something can go wrong, as behind the last of 100 points: a key is there with a probability
/// of all but 0.2%.
const MANY_KEYS: usize = 50_000;
const FEW_BUCKETS: u32 = 3;
/// The largest structure that is built.
const MOST_BYTES: u64 = 1 << 25;
/// The most steps of all look-ups at one size, where a look-up takes one for each bucket.
const MOST_STEPS: u32 = 1 << 22;

pub(super) fn totality(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let (keys, many) = (inputs.keys(KEYS as usize), inputs.keys(MANY_KEYS));
    for buckets in SIZES
        .into_iter()
        .filter(|buckets| (implementation.limits.least_buckets..=implementation.limits.most_buckets).contains(buckets))
    {
        total(implementation, inputs.build(buckets), if buckets <= FEW_BUCKETS { &many } else { &keys })?;
    }
    Ok(Outcome::Passed)
}

pub(super) fn large(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let mut builds = LARGE.into_iter().filter_map(|buckets| affordable(implementation, inputs, buckets)).peekable();
    if builds.peek().is_none() {
        return Ok(Outcome::NotPromised("none of the large sizes is allowed, or can be afforded"));
    }
    for (build, count) in builds {
        // Few keys are random ones; many have those of rare shapes among them.
        let keys = if count < KEYS { inputs.random_keys(count as usize) } else { inputs.keys(count as usize) };
        total(implementation, build, &keys)?;
    }
    Ok(Outcome::Passed)
}

/// A build of a large size and how many keys it can be asked for, if any.
fn affordable(implementation: &Implementation, inputs: Inputs, buckets: u32) -> Option<(Build, u32)> {
    // A point a bucket: the size matters here.
    let build = Build { points: 1, ..inputs.build(buckets) };
    let fits = match implementation.predicted_bytes(build) {
        0 => !implementation.limits.uses_points,
        bytes => buckets <= 1_000_000 && bytes <= MOST_BYTES,
    };
    let keys = if implementation.costs.lookup.starts_with("O(n") { MOST_STEPS / buckets } else { KEYS };
    (buckets <= implementation.limits.most_buckets && fits && !implementation.costs.quadratic_build && keys > 0)
        .then_some((build, keys.min(KEYS)))
}

fn total(implementation: &Implementation, build: Build, keys: &[u64]) -> anyhow::Result<()> {
    let n = build.buckets;
    let subject = (implementation.build)(build)?;
    let single = answers(&*subject, keys);
    if let Some((key, bucket)) = keys.iter().zip(&single).find(|&(_, &bucket)| bucket >= n) {
        bail!("n = {n}: key {key} has bucket {bucket}, which does not exist");
    }
    // One place more than there are keys must stay as it is.
    let mut batch = vec![u32::MAX; keys.len() + 1];
    subject.buckets(keys, &mut batch);
    same(&format!("n = {n}, in a batch"), keys, &batch, &single)?;
    if batch.last() != Some(&u32::MAX) {
        bail!("n = {n}: a batch of {} keys writes one bucket more", keys.len());
    }
    if subject.bucket_count() != n {
        bail!("n = {n}: says that it has {}", subject.bucket_count());
    }
    Ok(())
}
