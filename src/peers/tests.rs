//! The adapters: that they hand over what the crates answer, in numbers of buckets.

use std::collections::BTreeSet;

use super::*;
use crate::algorithms::hash::{Mix, mix64};
use crate::algorithms::{Error, JumpBack, Partitioner};
use crate::catalog::Build;

/// A prime number of slots for those that have a table.
fn build(buckets: u32) -> Build {
    Build { slots: 2053, ..Build::new(buckets, 20, 7) }
}

fn answers(subject: &(impl Partitioner + ?Sized)) -> BTreeSet<u32> {
    (0..2_000).map(|key| subject.bucket(mix64(key))).collect()
}

fn peer(id: &str) -> &'static Implementation {
    peers().find(|peer| peer.id == id).expect("a peer")
}

#[test]
fn text_is_hexadecimal() {
    for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
        assert_eq!(text(key).as_str(), format!("{key:016x}"));
    }
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = peers().map(|peer| peer.id).collect();
    assert_eq!(ids.len(), peers().count());
}

#[test]
fn answers_are_numbers_of_buckets_under_all_names() {
    for peer in peers() {
        let plain = ("plain", peer.build);
        for (names, built) in std::iter::once(&plain).chain(peer.names) {
            let subject = built(build(5)).expect("5 nodes");
            let answers = answers(&*subject);
            // Whether every key has a node is a promise of the crate, checked where promises are.
            let number = |&bucket: &u32| bucket < 5 || bucket == NOBODY;
            assert!(answers.iter().all(number) && answers.len() > 1, "{}, {names}: {answers:?}", peer.id);
            assert_eq!(subject.bucket_count(), 5, "{}, {names}", peer.id);
        }
    }
}

#[test]
fn nodes_come_and_go() {
    for peer in peers() {
        if let Some(resize) = peer.resize {
            let mut subject = resize(build(5)).expect("5 nodes");
            assert_eq!((subject.grow(), subject.bucket_count()), (Ok(5), 6), "{}", peer.id);
            assert_eq!((subject.shrink(), subject.bucket_count()), (Ok(5), 5), "{}", peer.id);
        }
        if let Some(remove) = peer.remove {
            let mut subject = remove(build(5)).expect("5 nodes");
            assert_eq!((subject.remove(2), subject.bucket_count()), (Ok(()), 4), "{}", peer.id);
            assert_eq!((subject.restore(2), subject.bucket_count()), (Ok(()), 5), "{}", peer.id);
        }
    }
}

#[test]
fn replicas_are_the_crates() {
    for (peer, replicas) in peers().filter_map(|peer| Some((peer, peer.replicas?))) {
        let subject = replicas(build(5)).expect("5 nodes");
        let three: BTreeSet<u32> = subject.replicas(9, 3).expect("3 of 5").into_iter().collect();
        assert_eq!((three.len(), subject.preference(9).count()), (3, 5), "{}", peer.id);
        match subject.replicas(9, 6) {
            Err(error) => assert_eq!(error, Error::TooFewBuckets { asked: 6, working: 5 }, "{}", peer.id),
            Ok(twice) => assert!(twice.iter().collect::<BTreeSet<_>>().len() < twice.len(), "{}: {twice:?}", peer.id),
        }
    }
}

#[test]
fn weights_are_handed_over() {
    for (peer, weigh) in peers().filter_map(|peer| Some((peer, peer.weigh?))) {
        let mut subject = weigh(&[1.0, 2.0, 3.0], build(3)).expect("weights");
        assert_eq!((subject.weight(2), subject.bucket_count()), (Ok(3.0), 3), "{}", peer.id);
        assert_eq!((subject.set_weight(2, 4.0), subject.weight(2)), (Ok(()), Ok(4.0)), "{}", peer.id);
        assert!(subject.weight(3).is_err(), "{}", peer.id);
    }
}

#[test]
fn more_buckets_than_a_crates_type_holds_are_refused_here() {
    let most = i32::MAX as u32;
    assert!((peer("jch").build)(build(most)).is_ok_and(|subject| (0..1000).all(|key| subject.bucket(key) < most)));
    assert!((peer("jch").build)(build(most + 1)).is_err());
}

#[test]
fn a_weight_that_is_given_again_leaves_no_points_behind() {
    let weigh = peer("hash-rings/consistent").weigh.expect("it has weights");
    let mut subject = weigh(&[1.0, 2.0, 3.0], build(3)).expect("weights");
    let before: Vec<u32> = (0..2_000).map(|key| subject.bucket(mix64(key))).collect();
    assert_eq!((subject.set_weight(2, 30.0), subject.set_weight(2, 3.0)), (Ok(()), Ok(())));
    assert!((0..2_000).map(|key| subject.bucket(mix64(key))).eq(before));
}

#[test]
fn documented_examples() {
    type Example = (&'static str, u32, &'static [(u64, u32)]);
    let examples: [Example; 4] = [
        ("jump-consistent-hash", 60, &[(0, 0), (1, 55), (2, 46)]),
        ("jumpconsistenthash", 19, &[(1, 17), (0xdead_beef, 16), (0x0ddc_0ffe_ebad_f00d, 15)]),
        ("jmphash", 1000, &[(123_456, 984)]),
        ("power-consistent-hash", 96, &[(0, 0), (8, 12), (9, 12), (10, 13), (11, 15), (12, 11), (999, 89)]),
    ];
    for (id, buckets, pairs) in examples {
        let subject = (peer(id).build)(build(buckets)).expect("buckets");
        assert!(pairs.iter().all(|&(key, bucket)| subject.bucket(key) == bucket), "{id}");
    }
}

#[test]
fn jump_back_hash_is_ours() {
    for buckets in [2, 3, 100, 1 << 20] {
        let theirs = (peer("jump-back-hash").build)(build(buckets)).expect("buckets");
        let ours = JumpBack::new(buckets, Mix::new(7)).expect("buckets");
        assert!((0..2_000).all(|key| theirs.bucket(key) == ours.bucket(key)));
    }
}
