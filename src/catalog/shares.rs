//! What is known of the share of the keys that each bucket has: computed, not sampled.

use super::{Build, BuildError};
use crate::algorithms::RingWeighted;
use crate::algorithms::hash::Mix;
use crate::measure::share;

/// What is known of the shares.
#[derive(Clone, Copy)]
pub enum Shares {
    /// Of this very build.
    Exact(fn(Build) -> Result<Vec<f64>, BuildError>),
    /// Their distribution: those of a ring of random points, so many for each bucket.
    RandomRing {
        /// Points per bucket.
        points: fn(Build) -> u32,
    },
    /// Their distribution: those of one random point for each bucket, under as many independent probes.
    MultiProbe {
        /// Probes per key.
        probes: u32,
    },
    /// Nothing exact; why.
    Unknown(&'static str),
}

impl Shares {
    /// All buckets have the same share.
    pub const EQUAL: Self = Self::Exact(uniform_shares);
}

/// Equal shares.
///
/// # Errors
/// None; other shares have some.
pub fn uniform_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::modulo_shares(build.buckets))
}

/// Those of jump, whose draws have 31 bits.
pub(crate) fn jump(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::jump_shares(build.buckets))
}

/// The arcs of a ring whose points follow weights.
pub(crate) fn ring_of_weights(weights: &[f64], build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingWeighted::new(weights, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), weights.len() as u32)?)
}

/// The shares of exact weights: weights over their sum.
///
/// # Errors
/// None; other shares have some.
pub fn proportional(weights: &[f64], _: Build) -> Result<Vec<f64>, BuildError> {
    let sum: f64 = weights.iter().sum();
    Ok(weights.iter().map(|weight| weight / sum).collect())
}

/// Of a table that a 64-bit hash is taken modulo the size of: its slots differ by one hash value of 2^64.
pub(crate) fn of_table(table: &[u32], buckets: u32) -> Vec<f64> {
    let mut slots = vec![0_u32; buckets as usize];
    table.iter().for_each(|&bucket| slots[bucket as usize] += 1);
    slots.into_iter().map(|count| f64::from(count) / table.len() as f64).collect()
}
