//! The same working buckets by other ways.

use anyhow::ensure;

use super::inputs::{Inputs, answers, first_difference, same};
use super::removal::LAST_ONLY;
use crate::algorithms::Error;
use crate::catalog::Implementation;
use crate::verify::Outcome;

/// The cell of an implementation whose owners depend on the order of removals, where a key was found that proves it.
pub(super) const HISTORY_DEPENDENT: &str = "history-dependent";

pub(super) fn history(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(removable) = implementation.remove else { return Ok(LAST_ONLY) };
    let keys = inputs.keys(2_000);
    let mut proven = false;
    for buckets in [10, 32] {
        let order = inputs.shuffled(buckets);
        let (gone, rest) = order.split_at(order.len() / 2);
        let mut forwards = removable(inputs.build(buckets))?;
        gone.iter().try_for_each(|&bucket| forwards.remove(bucket))?;
        let right = answers(&*forwards, &keys);
        let mut backwards = removable(inputs.build(buckets))?;
        gone.iter().rev().try_for_each(|&bucket| backwards.remove(bucket))?;
        let found = answers(&*backwards, &keys);
        if implementation.promises.history_dependent {
            proven |= first_difference(&keys, &found, &right).is_some();
            continue;
        }
        let what = format!("{} of {buckets} buckets removed, in the opposite order", gone.len());
        same(&what, &keys, &found, &right)?;
        // Others go as well and come back, the first removed first.
        let others = &rest[1..];
        let mut detour = removable(inputs.build(buckets))?;
        let away = others.iter().chain(gone).try_for_each(|&bucket| detour.remove(bucket));
        away.and_then(|()| others.iter().try_for_each(|&bucket| detour.restore(bucket)))?;
        let what = format!("{} of {buckets} buckets removed, others too for a while", gone.len());
        same(&what, &keys, &answers(&*detour, &keys), &right)?;
        let restored: Result<(), Error> = gone.iter().try_for_each(|&bucket| detour.restore(bucket));
        restored?;
        let fresh = answers(&*removable(inputs.build(buckets))?, &keys);
        same("all restored, the first removed first", &keys, &answers(&*detour, &keys), &fresh)?;
    }
    if !implementation.promises.history_dependent {
        return Ok(Outcome::Passed);
    }
    ensure!(proven, "declared history-dependent, but the opposite order of removals changes no owner");
    Ok(Outcome::Noted(HISTORY_DEPENDENT.into()))
}
