//! Keys that move between two memberships.

use anyhow::Context as _;

use crate::catalog::{Build, Implementation, Shares};
use crate::statistics::CountTails;

/// The cell of an implementation that moves keys between buckets which stay, where a key was found that proves it.
pub(super) const MOVES_OTHERS: &str = "moves others";

/// What has happened to keys.
pub(super) struct Moves {
    /// How many have another bucket.
    pub(super) moved: usize,
    /// The first that moved where it should not: (key, old, new).
    pub(super) stray: Option<(u64, u32, u32)>,
}

/// Compares the buckets before and after a change, of which `allowed(old, new)` says whether it is a right one.
pub(super) fn moves(keys: &[u64], before: &[u32], after: &[u32], allowed: impl Fn(u32, u32) -> bool) -> Moves {
    let all = keys.iter().zip(before).zip(after).map(|((&key, &old), &new)| (key, old, new));
    let moved = all.clone().filter(|(_, old, new)| old != new).count();
    let stray = all.into_iter().find(|&(_, old, new)| !allowed(old, new));
    Moves { moved, stray }
}

/// Whether some of `keys` random keys must be owned by the last `some` of the buckets: that none is has a probability below
/// 1e-9. Without knowledge of the shares nothing must.
pub(super) fn must_own(implementation: &Implementation, build: Build, some: u32, keys: u32) -> anyhow::Result<bool> {
    let none = match implementation.shares {
        Shares::Exact(shares) => {
            let rest = (build.buckets - some) as usize;
            (1.0 - shares(build)?[rest..].iter().sum::<f64>()).max(0.0).powf(keys.into())
        }
        Shares::RandomRing { points } => {
            let points = f64::from(points(build));
            let [some, rest] = [some, build.buckets - some].map(|buckets| f64::from(buckets) * points);
            CountTails::beta_binomial(keys, some, rest).context("a ring of points")?.at_most(0)
        }
        Shares::MultiProbe { .. } | Shares::Unknown(_) => 1.0,
    };
    Ok(none < 1e-9)
}
