//! Any bucket may fail, and what follows is remembered in full: who had which place after each removal.

use std::collections::BTreeMap;

use super::jump::{jump, jump_back};
use super::{History, Model};
use crate::algorithms::Removals;
use crate::algorithms::hash::{Draws, HashFamily, Mix, StreamFamily};

/// For each bucket that does not work the ones that did after its removal, W_b of Mendelson et al. 2018, each in its
/// place: the bucket in the last place takes that of the removed one.
fn places(history: &Removals) -> BTreeMap<u32, Vec<u32>> {
    // Of what has lost none there may be billions.
    let mut places: Vec<u32> = if history.removed.is_empty() { Vec::new() } else { (0..history.slots).collect() };
    let left = history.removed.iter().map(|&bucket| {
        let place = places.iter().position(|&other| other == bucket);
        place.map(|place| places.swap_remove(place));
        (bucket, places.clone())
    });
    left.collect()
}

/// AnchorHash: while its bucket does not work, a key is hashed again into those left after that one went.
pub(super) fn anchor(family: Mix, history: &Removals) -> Model {
    let (left, slots) = (places(history), u64::from(history.slots));
    Box::new(move |key| again(&left, (family.key(key) % slots) as u32, |bucket, _| family.score(key, bucket)))
}

/// MementoHash: the same from the bucket of jump.
pub(super) fn memento(family: Mix, history: &Removals) -> Model {
    let (left, slots) = (places(history), history.slots);
    Box::new(move |key| again(&left, jump(family.key(key), slots), |bucket, _| family.score(key, bucket)))
}

/// The same from the bucket of JumpBackHash, whose stream goes on.
pub(super) fn jump_back_anchor(family: Mix, history: &Removals) -> Model {
    let (left, slots) = (places(history), history.slots);
    Box::new(move |key| {
        let mut stream = family.stream(key);
        let first = jump_back(&mut stream, 64, slots);
        again(&left, first, |_, places| stream.below(places).into())
    })
}

/// From a bucket to one that works. `hash` is given the bucket and how many are left.
fn again(left: &BTreeMap<u32, Vec<u32>>, mut bucket: u32, mut hash: impl FnMut(u32, u32) -> u64) -> u32 {
    while let Some(places) = left.get(&bucket) {
        bucket = places[(hash(bucket, places.len() as u32) % places.len() as u64) as usize];
    }
    bucket
}

/// Dong & Wang 2021: the first of 4a draws, at most 2^16, that is a working slot, or the first such after the last draw.
pub(super) fn dx(family: Mix, history: &History) -> Model {
    let (working, slots) = (history.working(), history.removals().slots);
    Box::new(move |key| {
        let mut stream = family.stream(key);
        let mut last = 0;
        for _ in 0..(4 * u64::from(slots)).min(65_536) {
            last = stream.below(slots);
            if working.contains(&last) {
                return last;
            }
        }
        working.range(last..).chain(&working).next().copied().unwrap_or(u32::MAX)
    })
}
