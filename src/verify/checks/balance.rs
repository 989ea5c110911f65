//! Random keys, under the usual names of the buckets and under others.

use super::fit::{Expected, Wrong, expected, threshold};
use super::inputs::Inputs;
use crate::catalog::{Constructor, Implementation, catalog};
use crate::measure::share::sampled_counts;
use crate::measure::time::Measured;
use crate::verify::Outcome;

/// Each with a hash family and keys of its own. In few buckets a small fraction that goes astray shows; how much does is a
/// matter of the family, of which there are therefore several. The largest shows draws of few bits: those of 11 bits give
/// some of 1000 buckets two of 2048 values, others three.
const SIZES: [u32; 10] = [2, 2, 2, 3, 3, 3, 10, 10, 100, 1000];
const KEYS: u32 = 100_000;
/// The most steps of all look-ups at one size, where a look-up takes one for each bucket.
const MOST_STEPS: u32 = 20_000_000;

pub(super) fn balance(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    balanced(implementation, &[("", implementation.build)], inputs)
}

pub(super) fn names(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    if implementation.names.is_empty() {
        return Ok(Outcome::NotPromised("its buckets have numbers only"));
    }
    balanced(implementation, implementation.names, inputs)
}

fn balanced(
    implementation: &Implementation,
    namings: &[(&str, Constructor<dyn Measured>)],
    inputs: Inputs,
) -> anyhow::Result<Outcome> {
    let sizes = SIZES.into_iter().filter(|&n| n <= 100 || !implementation.costs.quadratic_build);
    let tests = namings.len() * SIZES.into_iter().map(Expected::tests).sum::<usize>();
    let threshold = threshold(catalog().len(), tests)?;
    for (buckets, inputs) in sizes.zip(inputs.others()) {
        let expected = match expected(implementation, inputs.build(buckets), inputs)? {
            Ok(expected) => expected,
            Err(reason) => return Ok(Outcome::NotPromised(reason)),
        };
        let most = if implementation.costs.lookup.starts_with("O(n") { MOST_STEPS / buckets } else { KEYS };
        let keys = inputs.random_keys(most.min(KEYS) as usize);
        for (naming, constructor) in namings {
            let subject = constructor(inputs.build(buckets))?;
            let counts = sampled_counts(&*subject, keys.iter().copied(), buckets)?;
            let what = if naming.is_empty() { format!("n = {buckets}") } else { format!("n = {buckets}, {naming}") };
            expected.fits(&what, &counts, Wrong::Both, threshold)?;
        }
    }
    Ok(Outcome::Passed)
}
