//! Keys that are not random. An implementation that hashes its keys spreads them as evenly; one that does not is built for
//! keys that are hash values, and is not asked.

use super::fit::{Expected, Wrong, expected, threshold};
use super::inputs::Inputs;
use crate::catalog::{Implementation, catalog};
use crate::measure::share::sampled_counts;
use crate::verify::Outcome;

/// A power of two, for what takes the lower bits, and another number.
const SIZES: [u32; 2] = [10, 64];
const KEYS: u64 = 1 << 15;

/// Shapes that programs have, each with the distinct keys of it.
fn all_shapes(inputs: Inputs) -> Vec<(&'static str, Vec<u64>)> {
    let sequence = || 0..KEYS;
    let random = || inputs.random_keys(KEYS as usize).into_iter();
    let mut few_bits: Vec<u64> = (0..64).flat_map(|a| (0..a).map(move |b| 1 << a | 1 << b)).collect();
    few_bits.extend((0..64).flat_map(|a| (0..a).flat_map(move |b| (0..b).map(move |c| 1 << a | 1 << b | 1 << c))));
    vec![
        ("sequential keys", sequence().collect()),
        ("keys that descend from 2^64 - 1", sequence().map(|i| u64::MAX - i).collect()),
        ("multiples of 2^8", sequence().map(|i| i << 8).collect()),
        ("multiples of 2^16", sequence().map(|i| i << 16).collect()),
        ("multiples of 2^32", sequence().map(|i| i << 32).collect()),
        ("multiples of 2^48", sequence().map(|i| i << 48).collect()),
        ("equal low 32 bits", random().map(|key| key >> 32 << 32 | 0x1234_5678).collect()),
        ("equal high 32 bits", random().map(|key| key << 32 >> 32 | 0x1234_5678 << 32).collect()),
        ("keys with two or three bits", few_bits),
        ("floating-point integers", sequence().map(|i| (i as f64).to_bits()).collect()),
    ]
}

pub(super) fn shapes(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    if !implementation.promises.hashes_keys {
        return Ok(Outcome::NotPromised("keys must be hash values"));
    }
    let shapes = all_shapes(inputs);
    let threshold = threshold(catalog().len(), shapes.len() * SIZES.into_iter().map(Expected::tests).sum::<usize>())?;
    for buckets in SIZES {
        let expected = match expected(implementation, inputs.build(buckets), inputs)? {
            Ok(expected) => expected,
            Err(reason) => return Ok(Outcome::NotPromised(reason)),
        };
        let subject = (implementation.build)(inputs.build(buckets))?;
        for (shape, keys) in &shapes {
            let counts = sampled_counts(&*subject, keys.iter().copied(), buckets)?;
            // A sequence may well be spread more evenly than chance would: a two-sided test would blame it for that.
            expected.fits(&format!("n = {buckets}, {shape}"), &counts, Wrong::Uneven, threshold)?;
        }
    }
    Ok(Outcome::Passed)
}
