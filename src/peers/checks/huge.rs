//! More buckets than a signed number of 32 bits can count, in a release build too, where nothing overflows aloud.

use anyhow::ensure;

use super::owners;
use crate::catalog::{Build, Implementation};
use crate::statistics::binomial_interval;
use crate::verify::{Inputs, Outcome};

const SIZES: [u32; 3] = [(1 << 31) + 1, (1 << 31) + (1 << 30), u32::MAX - 1];
const KEYS: usize = 20_000;
const LEVEL: f64 = 1.0 - 1e-9;

pub(super) fn huge(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let limits = implementation.limits;
    if implementation.costs.build_bytes > 0 || limits.uses_points || limits.most_buckets < SIZES[0] {
        return Ok(Outcome::NotPromised("so many buckets are not allowed, or take memory each"));
    }
    for buckets in SIZES.into_iter().filter(|&buckets| buckets <= limits.most_buckets) {
        let subject = (implementation.build)(Build::new(buckets, 1, inputs.seed()))?;
        let owners = owners(&*subject, inputs.seed(), KEYS);
        if let Some(bucket) = owners.iter().find(|&&bucket| bucket >= buckets) {
            let outside = owners.iter().filter(|&&bucket| bucket >= buckets).count();
            anyhow::bail!(
                "n = {buckets}: {outside} of {KEYS} keys have a bucket that does not exist, such as {bucket}"
            );
        }
        let beyond = owners.iter().filter(|&&bucket| bucket >= 1 << 31).count() as u64;
        let part = f64::from(buckets - (1 << 31)) / f64::from(buckets);
        let covers = binomial_interval(beyond, KEYS as u64, LEVEL)
            .is_none_or(|interval| (interval.low..=interval.high).contains(&part));
        ensure!(covers, "n = {buckets}: {beyond} of {KEYS} keys are beyond 2^31, {:.0} are right", KEYS as f64 * part);
    }
    Ok(Outcome::Passed)
}
