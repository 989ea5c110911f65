//! Keys, and the documents that are reproduced to the key.

pub mod article;
pub mod lesson;

use rand::Rng;

/// Uniform random keys.
#[must_use]
pub fn random_keys(count: usize, stream: &mut impl Rng) -> Vec<u64> {
    (0..count).map(|_| stream.next_u64()).collect()
}
