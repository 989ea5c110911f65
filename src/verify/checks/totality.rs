//! Every key has a bucket, at every size.

use anyhow::bail;

use super::inputs::{SIZES, answers, build, keys, same};
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
/// The largest structure that is built.
const MOST_BYTES: u64 = 1 << 26;
/// The most steps of all look-ups at one size.
const MOST_STEPS: u32 = 1 << 24;

/// A build of a large size and how many random keys it can be asked for, if any.
fn affordable(implementation: &Implementation, buckets: u32) -> Option<(Build, u32)> {
    // A point a bucket: the size matters here.
    let build = Build { points: 1, ..build(buckets) };
    let stateless = implementation.build_bytes == 0;
    let fits =
        if stateless { !implementation.uses_points } else { implementation.predicted_bytes(build) <= MOST_BYTES };
    let keys = if implementation.cost == "O(n)" { MOST_STEPS / buckets } else { KEYS };
    (buckets <= implementation.most_buckets && fits && !implementation.quadratic_build && keys > 0)
        .then_some((build, keys.min(KEYS)))
}

pub(super) fn totality(implementation: &Implementation) -> anyhow::Result<Outcome> {
    let small = SIZES.into_iter().filter(|&buckets| buckets <= implementation.most_buckets);
    let large = LARGE.into_iter().filter_map(|buckets| affordable(implementation, buckets));
    for (build, random) in small.map(|buckets| (build(buckets), KEYS)).chain(large) {
        let buckets = build.buckets;
        let mut keys = keys(random as usize);
        // The special ones only where they are a part of what is asked.
        keys.truncate(keys.len().min(random as usize + 300));
        let subject = (implementation.build)(build)?;
        // One place more than there are keys must stay as it is.
        let mut batch = vec![u32::MAX; keys.len() + 1];
        subject.buckets(&keys, &mut batch);
        let single = answers(&*subject, &keys);
        if let Some((key, bucket)) = keys.iter().zip(&single).find(|&(_, &bucket)| bucket >= buckets) {
            bail!("n = {buckets}: key {key} has bucket {bucket}, which does not exist");
        }
        same(&format!("n = {buckets}, in a batch"), &keys, &batch, &single)?;
        if batch.last() != Some(&u32::MAX) {
            bail!("n = {buckets}: a batch of {} keys writes one bucket more", keys.len());
        }
        if subject.bucket_count() != buckets {
            bail!("n = {buckets}: says that it has {}", subject.bucket_count());
        }
    }
    Ok(Outcome::Passed)
}
