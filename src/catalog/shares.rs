//! What share of the keys each bucket of an implementation has: computed, not sampled.

use super::{Algorithm, Build, BuildError, Implementation, entries};
use crate::algorithms::hash::Mix;
use crate::algorithms::{
    Binomial, Dynamo, RingNearest, RingSorted32, RingSorted64, RingWeighted, Round, TokenAllocator,
};
use crate::measure::share;
use crate::measure::share_nearest::nearest_shares;

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

/// Equal shares.
///
/// # Errors
/// None; other shares have some.
pub fn uniform_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::modulo_shares(build.buckets))
}

pub(super) fn jump(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::jump_shares(build.buckets))
}

fn ring64(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted64::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), build.buckets)?)
}

fn ring32(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted32::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares32(ring.ring(), build.buckets)?)
}

pub(super) fn nearest(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingNearest::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(nearest_shares(ring.points(), build.buckets)?)
}

pub(super) fn weighted(build: Build) -> Result<Vec<f64>, BuildError> {
    ring_of_weights(&entries::equal(build), build)
}

/// The arcs of a ring whose points follow weights.
pub(crate) fn ring_of_weights(weights: &[f64], build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingWeighted::new(weights, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), weights.len() as u32)?)
}

/// Weights over their sum.
pub(crate) fn proportional(weights: &[f64], _: Build) -> Result<Vec<f64>, BuildError> {
    let sum: f64 = weights.iter().sum();
    Ok(weights.iter().map(|weight| weight / sum).collect())
}

pub(super) fn allocator(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = TokenAllocator::new(build.buckets, build.points, 1, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), build.buckets)?)
}

pub(super) fn dynamo(build: Build) -> Result<Vec<f64>, BuildError> {
    let table: Dynamo = entries::dynamo(build)?;
    Ok(table.loads().into_iter().map(|load| load as f64 / 2_f64.powi(64)).collect())
}

pub(super) fn maglev(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(of_table(entries::maglev(build)?.table(), build.buckets))
}

pub(super) fn partitions(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(of_table(entries::partitions(build)?.table(), build.buckets))
}

/// Of a table that a 64-bit hash is taken modulo the size of: its slots differ by one hash value of 2^64.
pub(crate) fn of_table(table: &[u32], buckets: u32) -> Vec<f64> {
    let mut slots = vec![0_u32; buckets as usize];
    table.iter().for_each(|&bucket| slots[bucket as usize] += 1);
    slots.into_iter().map(|count| f64::from(count) / table.len() as f64).collect()
}

pub(super) fn binomial(build: Build) -> Result<Vec<f64>, BuildError> {
    let binomial = Binomial::new(build.buckets, Mix::new(build.seed))?;
    Ok((0..build.buckets).map(|bucket| binomial.share(bucket)).collect())
}

pub(super) fn round(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(Round::new(build.buckets, entries::ROUND_SPLIT, Mix::new(build.seed))?.shares())
}

/// What rings have in common, around what `ours!` or `cpp!` made of a constructor.
pub(crate) const fn ring(position_bits: u32, of: Implementation) -> Implementation {
    let shares = Shares::Exact(if position_bits == 32 { ring32 } else { ring64 });
    Implementation { algorithm: Algorithm::Ring { position_bits }, cost: "O(log nv)", uses_points: true, shares, ..of }
}
