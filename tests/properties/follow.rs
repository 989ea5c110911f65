//! Changes made in a partitioner and in the history of its membership, from which a model answers.

use consistent_hash_lab::algorithms::hash::{HashFamily, Mix};
use consistent_hash_lab::algorithms::{
    Anchor, CompactAnchor, Dx, Error, JumpBackAnchor, Maglev, Memento, MultiProbe, Removals, Remove, Rendezvous,
    Resize, RingBTree, RingNearest, RingSorted32, RingSorted64, State,
};
use consistent_hash_lab::verify::model::{History, Model};
use proptest::collection::vec;
use proptest::prelude::*;

/// The seed of all that is saved and loaded.
pub const SEED: u64 = 7;

#[derive(Debug, Clone, Copy)]
pub enum Change {
    Grow,
    Shrink,
    Remove(u32),
    Restore(u32),
    /// Brings back what was removed last.
    Undo,
    SaveAndLoad,
}

pub fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        2 => Just(Change::Grow),
        2 => Just(Change::Shrink),
        4 => (0..12_u32).prop_map(Change::Remove),
        2 => (0..12_u32).prop_map(Change::Restore),
        2 => Just(Change::Undo),
        1 => Just(Change::SaveAndLoad),
    ];
    vec(change, 0..30)
}

/// What was saved, and what it was loaded into.
pub type Loaded = (Removals, Box<dyn Subject>);

/// What grows, shrinks and fails.
pub trait Subject: Resize + Remove {
    /// If it can be saved.
    fn saved_and_loaded(&self) -> Option<Result<Loaded, Error>> {
        None
    }
}

macro_rules! without_state {
    ($($name:ident),*) => { $(impl<H: HashFamily> Subject for $name<H> {})* };
}

macro_rules! with_state {
    ($($name:ident),*) => {
        $(impl Subject for $name<Mix> {
            fn saved_and_loaded(&self) -> Option<Result<Loaded, Error>> {
                let saved = self.save();
                let loaded = Self::load(&saved, Mix::new(SEED));
                Some(loaded.map(|loaded| (saved, Box::new(loaded) as Box<dyn Subject>)))
            }
        })*
    };
}

without_state!(RingBTree, RingSorted32, RingSorted64, RingNearest, MultiProbe, Maglev, Rendezvous);
with_state!(Anchor, CompactAnchor, Dx, Memento, JumpBackAnchor);

/// The same answer, or the same error; which buckets an error offers instead may be said in other words.
pub fn same<T: PartialEq>(found: &Result<T, Error>, right: &Result<T, Error>) -> bool {
    match (found, right) {
        (Err(Error::UnknownBucket { bucket, .. }), Err(Error::UnknownBucket { bucket: other, .. })) => bucket == other,
        _ => found == right,
    }
}

/// Makes one change on both sides: both must allow it, or refuse it with the same error.
pub fn change_both(subject: &mut dyn Subject, history: &mut History, change: Change) -> Result<(), TestCaseError> {
    let undone = history.removals().removed.last().copied();
    let (found, right) = match (change, undone) {
        (Change::Grow, _) => (subject.grow(), history.grow()),
        (Change::Shrink, _) => (subject.shrink(), history.shrink()),
        (Change::Remove(bucket), _) => {
            (subject.remove(bucket).map(|()| bucket), history.remove(bucket).map(|()| bucket))
        }
        (Change::Restore(bucket), _) | (Change::Undo, Some(bucket)) => {
            (subject.restore(bucket).map(|()| bucket), history.restore(bucket).map(|()| bucket))
        }
        (Change::Undo, None) | (Change::SaveAndLoad, _) => return Ok(()),
    };
    prop_assert!(same(&found, &right), "{:?}: {:?}, right is {:?}", change, found, right);
    Ok(())
}

/// After each change every key has the owner that a model finds from the history alone, singly and in a batch: a change
/// that is refused changes nothing, and none takes another bucket's points.
pub fn follow(
    mut subject: Box<dyn Subject>,
    mut history: History,
    changes: &[Change],
    keys: &[u64],
    model: impl Fn(&History) -> Model,
) -> Result<(), TestCaseError> {
    for change in std::iter::once(None).chain(changes.iter().copied().map(Some)) {
        match change {
            None => {}
            Some(Change::SaveAndLoad) => {
                if let Some(loaded) = subject.saved_and_loaded() {
                    let (saved, loaded) = loaded?;
                    prop_assert_eq!(saved.slots, history.removals().slots);
                    subject = loaded;
                }
            }
            Some(change) => change_both(&mut *subject, &mut history, change)?,
        }
        prop_assert_eq!(subject.bucket_count(), history.count());
        let mut batch = vec![u32::MAX; keys.len()];
        subject.buckets(keys, &mut batch);
        let model = model(&history);
        for (&key, batch) in keys.iter().zip(batch) {
            prop_assert_eq!([subject.bucket(key), batch], [model(key); 2], "key {} after {:?}", key, change);
        }
    }
    Ok(())
}
