//! Buckets that come and go at the end.

use anyhow::{bail, ensure};

use super::inputs::{Inputs, answers, none_left, same};
use super::moves::{MOVES_OTHERS, moves, must_own};
use crate::catalog::Implementation;
use crate::verify::Outcome;

const SIZES: [u32; 7] = [1, 2, 3, 9, 64, 99, 256];
const KEYS: u32 = 5_000;

/// One more, several more, twice as many and one.
fn more(few: u32) -> [u32; 3] {
    [1, 3, few + 1].map(|others| few + others)
}

pub(super) fn growth(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let keys = inputs.keys(KEYS as usize);
    let (mut moved, mut strays) = (0, 0);
    for few in SIZES.into_iter().filter(|&few| few >= implementation.limits.least_buckets) {
        let before = answers(&*(implementation.build)(inputs.build(few))?, &keys);
        for many in more(few) {
            let what = format!("from {few} to {many} buckets");
            let after = answers(&*(implementation.build)(inputs.build(many))?, &keys);
            let found = moves(&keys, &before, &after, |old, new| old == new || new >= few);
            match found.stray {
                Some((key, old, new)) if implementation.promises.monotone_growth => {
                    bail!("{what}: key {key} moves from bucket {old} to {new}, an old one")
                }
                stray => strays += usize::from(stray.is_some()),
            }
            // Nothing is said of keys that stay if the two look-ups were made in the same buckets.
            let must = must_own(implementation, inputs.build(many), many - few, KEYS)?;
            ensure!(!must || found.moved > 0, "{what}: no key moves");
            moved += found.moved;
            if let Some(resize) = implementation.resize {
                let mut subject = resize(inputs.build(few))?;
                for right in few..many {
                    let new = subject.grow()?;
                    ensure!(new == right, "{what}: growth adds bucket {new}, right is {right}");
                }
                same(&format!("{what}, in place against built anew"), &keys, &answers(&*subject, &keys), &after)?;
            }
        }
    }
    ensure!(moved > 0, "no key moves at any growth");
    monotone_or_not(implementation.promises.monotone_growth, strays)
}

/// The result where no promise was broken. Promised or not that only keys of new or gone buckets move: an implementation that declares to move others must have been seen to do so.
pub(super) fn monotone_or_not(promised: bool, strays: usize) -> anyhow::Result<Outcome> {
    if promised {
        return Ok(Outcome::Passed);
    }
    ensure!(strays > 0, "declared to move keys between buckets that stay, but none did");
    Ok(Outcome::Noted(MOVES_OTHERS.into()))
}

pub(super) fn shrinking(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(resize) = implementation.resize else {
        return Ok(Outcome::NotPromised("cannot be resized in place"));
    };
    let keys = inputs.keys(KEYS as usize);
    let mut strays = 0;
    for few in SIZES.into_iter().filter(|&few| few >= implementation.limits.least_buckets) {
        let anew = answers(&*(implementation.build)(inputs.build(few))?, &keys);
        for many in more(few) {
            let what = format!("from {many} to {few} buckets");
            let mut subject = resize(inputs.build(many))?;
            let before = answers(&*subject, &keys);
            for right in (few..many).rev() {
                let gone = subject.shrink()?;
                ensure!(gone == right, "{what}: bucket {gone} leaves, right is {right}");
            }
            let after = answers(&*subject, &keys);
            let found = moves(&keys, &before, &after, |old, new| if old < few { new == old } else { new < few });
            match found.stray {
                Some((key, old, new)) if implementation.promises.monotone_removal || new >= few => {
                    bail!("{what}: key {key} goes from bucket {old} to {new}")
                }
                stray => strays += usize::from(stray.is_some()),
            }
            let must = must_own(implementation, inputs.build(many), many - few, KEYS)?;
            ensure!(!must || found.moved > 0, "{what}: no key moves");
            same(&format!("{what}, in place against built anew"), &keys, &after, &anew)?;
            // The slots that were emptied are used again as if they never had been.
            for right in few..many {
                let new = subject.grow()?;
                ensure!(new == right, "{what}, grown again: growth adds bucket {new}, right is {right}");
            }
            same(&format!("{what}, grown again"), &keys, &answers(&*subject, &keys), &before)?;
        }
    }
    let mut last = resize(inputs.build(implementation.limits.least_buckets))?;
    none_left(implementation, "the last bucket shrunk", &keys, || last.shrink().is_ok().then_some(last))?;
    monotone_or_not(implementation.promises.monotone_removal, strays)
}
