//! What was saved and loaded.

use anyhow::{bail, ensure};

use super::inputs::{Inputs, answers, same};
use crate::catalog::Implementation;
use crate::verify::Outcome;

pub(super) fn state(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(reload) = implementation.reload else { return Ok(Outcome::NotPromised("has no state to save")) };
    let keys = inputs.keys(2_000);
    for buckets in [10_u32, 64] {
        let order = inputs.shuffled(buckets);
        let half = order.len() / 2;
        for count in [0, 1, half, order.len() - 1] {
            let gone = &order[..count];
            let what = format!("{count} of {buckets} buckets removed, saved and loaded");
            let (one, again) = reload(inputs.build(buckets), gone)?;
            let right = answers(&*one, &keys);
            // Or the two would agree on something else.
            if let Some((key, bucket)) = keys.iter().zip(&right).find(|(_, bucket)| gone.contains(bucket)) {
                bail!("{what}: key {key} has bucket {bucket}, which was removed");
            }
            let [found, expected] = [again.bucket_count(), one.bucket_count()];
            ensure!(found == expected, "{what}: {found} buckets work, right is {expected}");
            same(&what, &keys, &answers(&*again, &keys), &right)?;
        }
    }
    Ok(Outcome::Passed)
}
