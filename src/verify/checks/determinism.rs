//! The same question has the same answer.

use super::inputs::{Inputs, answers, same};
use crate::catalog::Implementation;
use crate::verify::Outcome;

/// In the words of this check where instances differ.
pub(in crate::verify) const ANOTHER_INSTANCE: &str = "another instance";

pub(super) fn determinism(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let keys = inputs.keys(1_000);
    for buckets in [10, 100] {
        let (one, two) =
            ((implementation.build)(inputs.build(buckets))?, (implementation.build)(inputs.build(buckets))?);
        let first = answers(&*one, &keys);
        let backwards = || {
            let reversed: Vec<u64> = keys.iter().rev().copied().collect();
            answers(&*one, &reversed).into_iter().rev().collect::<Vec<_>>()
        };
        same(&format!("n = {buckets}, asked again"), &keys, &answers(&*one, &keys), &first)?;
        same(&format!("n = {buckets}, asked in another order"), &keys, &backwards(), &first)?;
        same(&format!("n = {buckets}, {ANOTHER_INSTANCE}"), &keys, &answers(&*two, &keys), &first)?;
    }
    Ok(Outcome::Passed)
}
