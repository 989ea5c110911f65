//! Random sequences of changes against slow models, also with a hash family in which nearly everything collides.

mod follow;
mod membership;
mod weights;

use consistent_hash_lab::algorithms::hash::{HashFamily, mix64};
use consistent_hash_lab::algorithms::{
    Boundary, Error, JUMP_MAX_BUCKETS, Jump, JumpLinear, Modulo, Partitioner, Rendezvous, Resize, RingBTree,
    RingSorted32, RingSorted64, TokenRing,
};
use consistent_hash_lab::catalog::{Algorithm, Build};
use consistent_hash_lab::controls::CONTROLS;
use consistent_hash_lab::verify::model::{self, History, clockwise};
use consistent_hash_lab::verify::{self, CHECKS, Outcome};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

use follow::{changes, follow};

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

proptest! {
    #[test]
    fn rings_in_which_points_collide(
        buckets in 1..8_u32, points in 1..5_u32, lower: bool, changes in changes(), keys in keys(),
    ) {
        let family = Colliding { lower };
        let follow = |subject, position_bits| {
            let history = History::new(Algorithm::Ring { position_bits }, Build::new(buckets, points, 0));
            let model = |history: &History| clockwise(family, model::points(family, history, points), position_bits);
            follow(subject, history, &changes, &keys, model)
        };
        follow(Box::new(RingBTree::new(buckets, points, family)?), 64)?;
        follow(Box::new(RingSorted64::new(buckets, points, family)?), 64)?;
        follow(Box::new(RingSorted32::new(buckets, points, family)?), 32)?;
    }

    #[test]
    fn rendezvous_in_which_scores_tie(buckets in 1..8_u32, changes in changes(), keys in keys()) {
        let family = Colliding { lower: false };
        let history = History::new(Algorithm::Rendezvous, Build::new(buckets, 1, 0));
        let model = |history: &History| model::rendezvous(family, history);
        follow(Box::new(Rendezvous::new(buckets, family)?), history, &changes, &keys, model)?;
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
        assert!(verify::caught(control, verify::Inputs::default()), "{id}");
    }
}
