//! More nodes than 16 bits can count.

use std::time::{Duration, Instant};

use anyhow::ensure;

use super::keys;
use crate::catalog::{Build, Implementation, Shares};
use crate::statistics::binomial_interval;
use crate::verify::{Inputs, Outcome};

const SIZES: [u32; 2] = [65_537, 65_600];
/// What a sixteenth of the nodes takes longer to build is not built.
const LONGEST_BUILD: Duration = Duration::from_millis(500);
/// For the look-ups of one size.
const LONGEST: Duration = Duration::from_secs(3);
const MOST_KEYS: u64 = 1 << 20;
/// So certain must be what is said here: of hundreds of such tests none is to fail by chance.
const LEVEL: f64 = 1.0 - 1e-9;

pub(super) fn many(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let limits = implementation.limits;
    if limits.most_buckets < SIZES[1] {
        return Ok(Outcome::NotPromised("so many nodes are not allowed"));
    }
    let build = |buckets| Build::new(buckets, 20, inputs.seed());
    const SLOW: Outcome = Outcome::NotPromised("not asked: too slow to build so many nodes");
    if implementation.costs.quadratic_build || implementation.costs.build_bytes > 100_000 {
        return Ok(SLOW);
    }
    let start = Instant::now();
    drop((implementation.build)(build(SIZES[0] / 16))?);
    if start.elapsed() > LONGEST_BUILD {
        return Ok(SLOW);
    }
    for buckets in SIZES {
        let subject = (implementation.build)(build(buckets))?;
        let (mut owned, mut asked, start) = (vec![0_u32; buckets as usize], 0_u64, Instant::now());
        for key in keys(inputs.seed()).take(MOST_KEYS as usize) {
            let bucket = subject.bucket(key);
            ensure!(bucket < buckets, "n = {buckets}: key {key} has bucket {bucket}, which does not exist");
            owned[bucket as usize] += 1;
            asked += 1;
            if asked.is_multiple_of(64) && start.elapsed() > LONGEST {
                break;
            }
        }
        // Those that a number of 16 bits cannot name, and as many others.
        let beyond = (buckets - (1 << 16)) as usize;
        let theirs: u64 = owned[1 << 16..].iter().map(|&keys| u64::from(keys)).sum();
        let part = beyond as f64 / f64::from(buckets);
        // Of a ring's nodes so many together have at least a tenth of their part; one alone may have nothing.
        if beyond >= 64 && asked as f64 * part / 10.0 > 30.0 {
            let most = binomial_interval(theirs, asked, LEVEL).map_or(1.0, |interval| interval.high);
            ensure!(
                most > part / 10.0,
                "n = {buckets}: the {beyond} nodes beyond 65,536 have {theirs} of {asked} keys, {:.0} on average",
                asked as f64 * part
            );
        }
        let idle = owned.iter().filter(|&&keys| keys == 0).count();
        if let Some(expected) = idle_by_chance(implementation, buckets, asked) {
            // Poisson: beyond this with a probability below 1e-9.
            let most = expected + 7.0 * expected.sqrt() + 10.0;
            ensure!(
                (idle as f64) < most,
                "n = {buckets}: {idle} nodes have none of {asked} keys, {expected:.1} by chance"
            );
        }
    }
    Ok(Outcome::Passed)
}

/// How many nodes have no key on average, where that follows from the algorithm and is worth a test.
fn idle_by_chance(implementation: &Implementation, buckets: u32, asked: u64) -> Option<f64> {
    let each = asked as f64 / f64::from(buckets);
    let n = f64::from(buckets);
    match implementation.shares {
        Shares::Exact(_) if implementation.costs.build_bytes == 0 => Some(n * (-each).exp()),
        // A node's arcs are nearly gamma distributed.
        Shares::RandomRing { points } => {
            let points = f64::from(points(Build::new(buckets, 20, 0)));
            Some(n * (1.0 + each / points).powf(-points))
        }
        _ => None,
    }
}
