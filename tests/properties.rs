//! Random sequences of changes against slow models, with a hash family in which nearly everything collides.

use std::collections::BTreeSet;

use consistent_hash_lab::algorithms::hash::{HashFamily, mix64};
use consistent_hash_lab::algorithms::{
    Boundary, Error, JUMP_MAX_BUCKETS, Jump, JumpLinear, Modulo, Partitioner, Remove, Rendezvous, Resize, RingBTree,
    RingSorted32, RingSorted64, TokenRing,
};
use consistent_hash_lab::catalog::{Build, catalog};
use consistent_hash_lab::controls::CONTROLS;
use consistent_hash_lab::verify::{self, CHECKS, Outcome};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

/// Eight positions for all points, three scores for all buckets; a key lies where it says.
#[derive(Debug, Clone, Copy)]
struct Colliding {
    /// Whether points of one position differ in the lower half, where a ring of 32-bit positions cannot see it.
    lower: bool,
}

const STEP: u32 = 61;

impl HashFamily for Colliding {
    fn key(&self, key: u64) -> u64 {
        key
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        let mixed = mix64((u64::from(bucket) << 32) | u64::from(replica));
        ((mixed % 8) << STEP) | if self.lower { (mixed >> 8) & 3 } else { 0 }
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        mix64(key ^ u64::from(bucket)) % 3
    }
}

/// A key on, beside or far from a point; some lie beyond the last one.
fn keys() -> impl Strategy<Value = Vec<u64>> {
    let near = (0..8_u64, -2..6_i64).prop_map(|(at, by)| (at << STEP).wrapping_add_signed(by));
    vec(prop_oneof![near, any::<u64>(), Just(u64::MAX), Just(0)], 1..20)
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Grow,
    Shrink,
    Remove(u32),
    Restore(u32),
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        Just(Change::Grow),
        Just(Change::Shrink),
        (0..12_u32).prop_map(Change::Remove),
        (0..12_u32).prop_map(Change::Restore),
    ];
    vec(change, 0..30)
}

/// The slow model of a ring: all points of all working buckets, and the way to the nearest.
fn ring_model(working: &BTreeSet<u32>, points: u32, family: Colliding, bits: u32, key: u64) -> Option<u32> {
    let (drop, circle) = (64 - bits, u64::MAX >> (64 - bits));
    let points =
        working.iter().flat_map(|&bucket| (0..points).map(move |replica| (family.point(bucket, replica), bucket)));
    let way = |point: u64| (point >> drop).wrapping_sub(family.key(key) >> drop) & circle;
    points.map(|(point, bucket)| (way(point), bucket)).min().map(|(_, bucket)| bucket)
}

fn is_unknown(done: Result<(), Error>) -> bool {
    matches!(done, Err(Error::UnknownBucket { .. }))
}

/// Makes the changes in a partitioner and in a set; what the set does not allow must be the right error and change
/// nothing. After each, every key has the owner that the model finds from the set alone: the order in which buckets came
/// has no influence, and no change takes another bucket's points.
fn follow<P: Resize + Remove>(
    mut subject: P,
    buckets: u32,
    changes: &[Change],
    keys: &[u64],
    model: impl Fn(&BTreeSet<u32>, u64) -> Option<u32>,
) -> Result<(), TestCaseError> {
    let mut working: BTreeSet<u32> = (0..buckets).collect();
    for change in std::iter::once(None).chain(changes.iter().copied().map(Some)) {
        let last = working.last().copied().unwrap_or(0);
        let only = working.len() == 1;
        match change {
            None => {}
            Some(Change::Grow) => {
                prop_assert_eq!(subject.grow(), Ok(last + 1));
                working.insert(last + 1);
            }
            Some(Change::Shrink) if only => prop_assert_eq!(subject.shrink(), Err(Error::LastBucket { bucket: last })),
            Some(Change::Shrink) => {
                prop_assert_eq!(subject.shrink(), Ok(last));
                working.remove(&last);
            }
            Some(Change::Remove(bucket)) => match (working.contains(&bucket), only) {
                (false, _) => prop_assert!(is_unknown(subject.remove(bucket))),
                (true, true) => prop_assert_eq!(subject.remove(bucket), Err(Error::LastBucket { bucket })),
                (true, false) => {
                    prop_assert_eq!(subject.remove(bucket), Ok(()));
                    working.remove(&bucket);
                }
            },
            Some(Change::Restore(bucket)) if working.contains(&bucket) => {
                prop_assert!(is_unknown(subject.restore(bucket)));
            }
            Some(Change::Restore(bucket)) => {
                prop_assert_eq!(subject.restore(bucket), Ok(()));
                working.insert(bucket);
            }
        }
        prop_assert_eq!(subject.bucket_count() as usize, working.len());
        let mut batch = vec![u32::MAX; keys.len()];
        subject.buckets(keys, &mut batch);
        for (&key, batch) in keys.iter().zip(batch) {
            let right = model(&working, key);
            prop_assert_eq!([Some(subject.bucket(key)), Some(batch)], [right; 2], "key {} after {:?}", key, change);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn rings_in_which_points_collide(
        buckets in 1..8_u32, points in 1..5_u32, lower: bool, changes in changes(), keys in keys(),
    ) {
        let family = Colliding { lower };
        let model = |bits| move |working: &BTreeSet<u32>, key| ring_model(working, points, family, bits, key);
        follow(RingBTree::new(buckets, points, family)?, buckets, &changes, &keys, model(64))?;
        follow(RingSorted64::new(buckets, points, family)?, buckets, &changes, &keys, model(64))?;
        follow(RingSorted32::new(buckets, points, family)?, buckets, &changes, &keys, model(32))?;
    }

    #[test]
    fn rendezvous_in_which_scores_tie(buckets in 1..8_u32, changes in changes(), keys in keys()) {
        let family = Colliding { lower: false };
        let model = |working: &BTreeSet<u32>, key| {
            working.iter().copied().max_by_key(|&bucket| (family.score(key, bucket), std::cmp::Reverse(bucket)))
        };
        follow(Rendezvous::new(buckets, family)?, buckets, &changes, &keys, model)?;
    }

    /// Whatever was done to it before, one that can be resized answers as one that is built anew.
    #[test]
    fn resized_is_as_built(buckets in 1..12_u32, grow in vec(any::<bool>(), 0..30), keys in vec(any::<u64>(), 1..50)) {
        for entry in catalog() {
            let (Some(resize), build) = (entry.resize, |buckets| Build::new(buckets, 4, 7)) else { continue };
            let mut subject = resize(build(buckets)).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let mut count = buckets;
            for &grow in &grow {
                match (grow, count) {
                    (true, _) => {
                        prop_assert_eq!(subject.grow(), Ok(count), "{}", entry.id);
                        count += 1;
                    }
                    (false, 1) => prop_assert_eq!(subject.shrink(), Err(Error::LastBucket { bucket: 0 }), "{}", entry.id),
                    (false, _) => {
                        prop_assert_eq!(subject.shrink(), Ok(count - 1), "{}", entry.id);
                        count -= 1;
                    }
                }
            }
            prop_assert_eq!(subject.bucket_count(), count);
            let anew = (entry.build)(build(count)).map_err(|error| TestCaseError::fail(error.to_string()))?;
            for &key in &keys {
                prop_assert_eq!(subject.bucket(key), anew.bucket(key), "{}: key {}, {} buckets", entry.id, key, count);
            }
        }
    }

    /// Only keys of buckets that are gone are elsewhere, and all come back.
    #[test]
    fn removed_is_as_promised(gone in vec(0..10_u32, 1..9), keys in vec(any::<u64>(), 1..50)) {
        for entry in catalog() {
            let Some(remove) = entry.remove else { continue };
            let build = Build::new(10, 4, 7);
            let mut subject = remove(build).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let owners = |subject: &dyn Remove| keys.iter().map(|&key| subject.bucket(key)).collect::<Vec<u32>>();
            let before = owners(&*subject);
            let distinct: BTreeSet<u32> = gone.iter().copied().collect();
            for &bucket in &distinct {
                prop_assert_eq!(subject.remove(bucket), Ok(()), "{}", entry.id);
                prop_assert!(is_unknown(subject.remove(bucket)), "{}", entry.id);
            }
            for (&old, new) in before.iter().zip(owners(&*subject)) {
                prop_assert!(!distinct.contains(&new), "{}: bucket {} is gone and owns a key", entry.id, new);
                prop_assert!(old == new || distinct.contains(&old), "{}: {} to {}", entry.id, old, new);
            }
            // In the order in which they were drawn, not that of removal.
            for &bucket in gone.iter().filter(|&&bucket| distinct.contains(&bucket)) {
                // A bucket that was drawn twice is working again when it comes up a second time.
                let _ = subject.restore(bucket);
            }
            prop_assert_eq!(owners(&*subject), before, "{}", entry.id);
        }
    }

    #[test]
    fn token_rings_in_which_tokens_collide(
        nodes in btree_map("[a-e]{1,2}", vec(0..16_u64, 1..4), 1..6),
        strictly: bool,
        keys in vec(0..20_u64, 1..20),
    ) {
        let boundary = if strictly { Boundary::StrictlyAfter } else { Boundary::AtOrAfter };
        let owner = |without: Option<&String>, key: u64| {
            let all = nodes.iter().filter(|&(name, _)| Some(name) != without);
            let tokens = all.flat_map(|(name, tokens)| tokens.iter().map(move |&token| (token, name)));
            let past = |token: u64| if strictly { token <= key } else { token < key };
            tokens.map(|(token, name)| (past(token), token, name)).min().map(|(_, _, name)| name.as_str())
        };
        let ring = TokenRing::new(nodes.clone(), boundary)?;
        let reversed = TokenRing::new(nodes.clone().into_iter().rev(), boundary)?;
        for &key in &keys {
            prop_assert_eq!([Some(ring.owner(key)), Some(reversed.owner(key))], [owner(None, key); 2], "key {}", key);
        }
        for name in nodes.keys() {
            match ring.without(name) {
                Ok(rest) => for &key in &keys {
                    prop_assert_eq!(Some(rest.owner(key)), owner(Some(name), key), "key {} without {}", key, name);
                },
                Err(error) => prop_assert_eq!((error, nodes.len()), (Error::NoNodes, 1)),
            }
        }
    }
}

#[test]
fn bad_sizes_are_typed_errors() {
    let family = Colliding { lower: false };
    let nothing = Error::NoBuckets { asked: 0 };
    assert_eq!(Modulo::new(0, family).unwrap_err(), nothing);
    assert_eq!(Jump::new(0).unwrap_err(), nothing);
    assert_eq!(JumpLinear::new(0).unwrap_err(), nothing);
    assert_eq!(Rendezvous::new(0, family).unwrap_err(), nothing);
    assert_eq!(RingBTree::new(0, 1, family).unwrap_err(), nothing);
    assert_eq!(RingSorted32::new(0, 1, family).unwrap_err(), nothing);
    assert_eq!(RingSorted64::new(0, 1, family).unwrap_err(), nothing);
    for error in [
        RingBTree::new(1, 0, family).unwrap_err(),
        RingSorted32::new(1, 0, family).unwrap_err(),
        RingSorted64::new(1, 0, family).unwrap_err(),
    ] {
        assert_eq!(error, Error::NoPoints);
    }
    // Refused before anything is allocated.
    let most = u32::MAX;
    for error in [
        RingBTree::new(most, most, family).unwrap_err(),
        RingSorted32::new(most, most, family).unwrap_err(),
        RingSorted64::new(most, most, family).unwrap_err(),
    ] {
        assert_eq!(error, Error::TooManyPoints { buckets: most, points: most });
    }
}

#[test]
fn limits_are_kept_and_change_nothing() {
    let most = JUMP_MAX_BUCKETS;
    let beyond = Error::TooManyBuckets { asked: u64::from(most) + 1, most };
    assert_eq!(Jump::new(most + 1).unwrap_err(), beyond);
    assert_eq!(JumpLinear::new(most + 1).unwrap_err(), beyond);
    let mut jump = Jump::new(most).expect("the limit itself");
    assert_eq!(jump.grow().unwrap_err(), beyond);
    assert_eq!(jump.bucket_count(), most);
    let mut modulo = Modulo::new(u32::MAX, Colliding { lower: false }).expect("the limit itself");
    assert!(matches!(modulo.grow(), Err(Error::TooManyBuckets { .. })));
    assert_eq!(modulo.bucket_count(), u32::MAX);
}

#[test]
fn no_control_escapes() {
    for control in &CONTROLS {
        let id = control.implementation.id;
        let check = CHECKS.iter().find(|check| check.name == control.caught_by);
        let check = check.unwrap_or_else(|| panic!("{id}: no check is called {}", control.caught_by));
        // A failure with an input and an answer, not one to build.
        assert!(matches!(check.outcome(&control.implementation), Outcome::Failed(_)), "{id} escapes {}", check.name);
        assert!((control.implementation.build)(Build::new(10, 5, 1)).is_ok(), "{id}");
        assert!(verify::caught(control), "{id}");
    }
}
