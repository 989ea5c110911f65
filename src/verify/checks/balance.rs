//! Random keys, under the usual names of the buckets and under others.

use super::fit::{Expected, Wrong, expected, threshold};
use super::inputs::{build, random_keys};
use crate::catalog::{Constructor, Implementation};
use crate::measure::share::sampled_counts;
use crate::measure::time::Measured;
use crate::verify::Outcome;

const SIZES: [u32; 3] = [2, 10, 100];
const KEYS: usize = 100_000;

pub(super) fn balance(implementation: &Implementation) -> anyhow::Result<Outcome> {
    balanced(implementation, &[("", implementation.build)])
}

pub(super) fn names(implementation: &Implementation) -> anyhow::Result<Outcome> {
    if implementation.names.is_empty() {
        return Ok(Outcome::NotPromised("its buckets have numbers only"));
    }
    balanced(implementation, implementation.names)
}

fn balanced(implementation: &Implementation, namings: &[(&str, Constructor<dyn Measured>)]) -> anyhow::Result<Outcome> {
    let threshold = threshold(namings.len() * SIZES.into_iter().map(Expected::tests).sum::<usize>())?;
    let keys = random_keys(KEYS);
    for buckets in SIZES {
        let expected = match expected(implementation, build(buckets))? {
            Ok(expected) => expected,
            Err(reason) => return Ok(Outcome::NotPromised(reason)),
        };
        for (naming, constructor) in namings {
            let subject = constructor(build(buckets))?;
            let counts = sampled_counts(&*subject, keys.iter().copied(), buckets)?;
            let what = if naming.is_empty() { format!("n = {buckets}") } else { format!("n = {buckets}, {naming}") };
            expected.fits(&what, &counts, Wrong::Both, threshold)?;
        }
    }
    Ok(Outcome::Passed)
}
