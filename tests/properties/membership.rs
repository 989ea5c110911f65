//! Every algorithm of the catalogue whose buckets come and go, against its model.

use std::collections::BTreeSet;

use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{
    Anchor, CompactAnchor, Dx, Error, JumpBackAnchor, Maglev, Memento, MultiProbe, Remove, Rendezvous, RingBTree,
    RingNearest, RingSorted32, RingSorted64,
};
use consistent_hash_lab::catalog::{Build, Implementation, Source, catalog, find};
use consistent_hash_lab::verify::model::{History, Model, model};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::follow::{SEED, Subject, changes, follow, same};

/// A prime above all numbers of buckets here, so that tables are small and arrays never full by growth alone.
const SLOTS: u32 = 61;

fn build(buckets: u32) -> Build {
    Build { slots: SLOTS, ..Build::new(buckets, 4, SEED) }
}

fn failed(error: impl ToString) -> TestCaseError {
    TestCaseError::fail(error.to_string())
}

fn ours() -> impl Iterator<Item = &'static Implementation> {
    catalog().iter().filter(|entry| entry.source == Source::Ours)
}

type Constructor = fn(Build) -> Result<Box<dyn Subject>, Error>;

macro_rules! subject {
    ($id:literal, $build:ident => $new:expr) => {
        ($id, |$build| Ok(Box::new($new?)))
    };
}

/// What the catalogue builds under these ids, as one type that has both traits.
const SUBJECTS: [(&str, Constructor); 12] = [
    subject!("ring-btree", b => RingBTree::new(b.buckets, b.points, Mix::new(b.seed))),
    subject!("ring-sorted32", b => RingSorted32::new(b.buckets, b.points, Mix::new(b.seed))),
    subject!("ring-sorted64", b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed))),
    subject!("ring-nearest", b => RingNearest::new(b.buckets, b.points, Mix::new(b.seed))),
    subject!("multi-probe", b => MultiProbe::new(b.buckets, 21, Mix::new(b.seed))),
    subject!("rendezvous", b => Rendezvous::new(b.buckets, Mix::new(b.seed))),
    subject!("maglev", b => Maglev::new(b.buckets, b.slots.into(), Mix::new(b.seed))),
    subject!("memento", b => Memento::new(b.buckets, Mix::new(b.seed))),
    subject!("jump-back-anchor", b => JumpBackAnchor::new(b.buckets, Mix::new(b.seed))),
    subject!("anchor", b => Anchor::new(b.buckets, b.slots, Mix::new(b.seed))),
    subject!("anchor-compact", b => CompactAnchor::new(b.buckets, b.slots, Mix::new(b.seed))),
    subject!("dx", b => Dx::new(b.buckets, b.slots, Mix::new(b.seed))),
];

#[test]
fn none_is_left_out() {
    let both = ours().filter(|entry| entry.resize.is_some() && entry.remove.is_some()).map(|entry| entry.id);
    let followed = SUBJECTS.iter().map(|&(id, _)| id);
    assert_eq!(followed.collect::<BTreeSet<_>>(), both.collect());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn changes_in_any_order(
        buckets in 1..10_u32, spare in 0..10_u32, changes in changes(), keys in vec(any::<u64>(), 1..20),
    ) {
        for (id, constructor) in SUBJECTS {
            let algorithm = find(id).ok_or_else(|| failed(id))?.algorithm;
            // Of a table the size must be prime; arrays may be full, and say so.
            let slots = if id == "maglev" { SLOTS } else { buckets + spare };
            let build = Build { slots, ..build(buckets) };
            let model = |history: &History| model(algorithm, build, history).expect("a model for each of them");
            follow(constructor(build)?, History::new(algorithm, build), &changes, &keys, model)
                .map_err(|error| failed(format!("{id}: {error}")))?;
        }
    }

    /// Whatever was done to it before, one that can be resized answers as one that is built anew.
    #[test]
    fn resized_is_as_built(buckets in 1..12_u32, grow in vec(any::<bool>(), 0..30), keys in vec(any::<u64>(), 1..50)) {
        for entry in catalog() {
            let Some(resize) = entry.resize else { continue };
            let mut subject = resize(build(buckets)).map_err(failed)?;
            let mut history = History::new(entry.algorithm, build(buckets));
            for &grow in &grow {
                let (found, right) =
                    if grow { (subject.grow(), history.grow()) } else { (subject.shrink(), history.shrink()) };
                prop_assert_eq!(found, right, "{}", entry.id);
            }
            let count = history.count();
            prop_assert_eq!(subject.bucket_count(), count, "{}", entry.id);
            let anew = (entry.build)(build(count)).map_err(failed)?;
            let model = model_of(entry, buckets, &history);
            for &key in &keys {
                let found = subject.bucket(key);
                prop_assert_eq!(found, anew.bucket(key), "{}: key {}, {} buckets", entry.id, key, count);
                let right = model.as_ref().map_or(found, |model| model(key));
                prop_assert_eq!(found, right, "{}: key {}, {} buckets", entry.id, key, count);
            }
        }
    }

    /// Only keys of buckets that are gone are elsewhere, where the algorithm promises it, and all come back; saved and
    /// loaded, nothing changes. Of a history only the last step can be undone.
    #[test]
    fn removed_is_as_promised(gone in vec(0..10_u32, 1..9), keys in vec(any::<u64>(), 1..50)) {
        for entry in catalog() {
            let Some(remove) = entry.remove else { continue };
            let mut subject = remove(build(10)).map_err(failed)?;
            let mut history = History::new(entry.algorithm, build(10));
            let owners = |subject: &dyn Remove| keys.iter().map(|&key| subject.bucket(key)).collect::<Vec<u32>>();
            let before = owners(&*subject);
            let mut removed: Vec<u32> = Vec::new();
            for &bucket in &gone {
                prop_assert!(same(&subject.remove(bucket), &history.remove(bucket)), "{}: {}", entry.id, bucket);
                if !removed.contains(&bucket) {
                    removed.push(bucket);
                }
            }
            let after = owners(&*subject);
            for (&old, &new) in before.iter().zip(&after) {
                prop_assert!(!removed.contains(&new), "{}: bucket {} is gone and owns a key", entry.id, new);
                let allowed = old == new || removed.contains(&old) || !entry.promises.monotone_removal;
                prop_assert!(allowed, "{}: {} to {}", entry.id, old, new);
            }
            if let Some(model) = model_of(entry, 10, &history) {
                prop_assert_eq!(&after, &keys.iter().map(|&key| model(key)).collect::<Vec<u32>>(), "{}", entry.id);
            }
            if let Some(reload) = entry.reload {
                let (saved, loaded) = reload(build(10), &removed).map_err(failed)?;
                for (&key, &right) in keys.iter().zip(&after) {
                    prop_assert_eq!([saved.bucket(key), loaded.bucket(key)], [right; 2], "{}: key {}", entry.id, key);
                }
            }
            if entry.promises.history_dependent {
                let early = removed[..removed.len() - 1].iter().all(|&bucket| is_unknown(subject.restore(bucket)));
                prop_assert!(early, "{}: another than the last came back", entry.id);
                prop_assert_eq!(&owners(&*subject), &after, "{}", entry.id);
                removed.reverse();
            }
            for bucket in removed {
                prop_assert_eq!(subject.restore(bucket), Ok(()), "{}", entry.id);
                prop_assert!(is_unknown(subject.restore(bucket)), "{}: {} twice", entry.id, bucket);
            }
            prop_assert_eq!(owners(&*subject), before, "{}", entry.id);
        }
    }
}

fn is_unknown(done: Result<(), Error>) -> bool {
    matches!(done, Err(Error::UnknownBucket { .. }))
}

/// The model of one that had so many buckets at first; none of what hashes with its own function.
fn model_of(entry: &Implementation, buckets: u32, history: &History) -> Option<Model> {
    (!entry.promises.own_hash).then(|| model(entry.algorithm, build(buckets), history).ok()).flatten()
}
