//! The C++ answers as the Rust does, and holds the bytes that the paper counts.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::*;
use crate::algorithms::hash::Mix;
use crate::algorithms::{Error, Jump, RingBTree, RingSorted32};

const RINGS: [(u32, u32, u64); 6] =
    [(1, 1, 0), (1, 100, 1), (2, 1, u64::MAX), (10, 7, 42), (100, 200, 7), (1000, 100, 3)];

/// Edge keys, then random ones.
fn keys(n: usize) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(n as u64);
    let edges = (0..64).flat_map(|bit| [(1_u64 << bit) - 1, 1 << bit, !(1 << bit)]).chain([u64::MAX, u64::MAX - 1]);
    edges.chain(std::iter::repeat_with(|| random.next_u64())).take(n).collect()
}

/// One by one and as a block, both as `expected` does it one by one.
fn assert_same(cpp: &impl Partitioner, expected: &impl Partitioner, keys: &[u64]) {
    assert_eq!(cpp.bucket_count(), expected.bucket_count());
    // Longer than the keys: what is past them must stay.
    let mut block = vec![u32::MAX; keys.len() + 1];
    cpp.buckets(keys, &mut block);
    assert_eq!(block.pop(), Some(u32::MAX));
    for (&key, &in_block) in keys.iter().zip(&block) {
        assert_eq!([cpp.bucket(key), in_block], [expected.bucket(key); 2], "key {key}");
    }
}

#[test]
fn jump_is_jump() {
    let keys = keys(20_000);
    let most = JUMP_MAX_BUCKETS;
    for buckets in [1, 2, 3, 4, 5, 7, 8, 60, 64, 1000, 1024, 2048, 65_537, 1 << 20, 1 << 24, 1 << 30, most - 1, most] {
        let cpp = CppJump::new(buckets).expect("a valid count");
        assert_same(&cpp, &Jump::new(buckets).expect("a valid count"), &keys);
    }
    // Two roundings: an x87 or one-rounding build gives 48.
    assert_eq!(CppJump::new(2048).expect("a valid count").bucket(14_866_344_542_948_493_586), 2047);
}

#[test]
fn map_is_btree() {
    let keys = keys(100_000);
    for (buckets, points, seed) in RINGS {
        let cpp = CppRingMap::new(buckets, points, seed).expect("a small ring");
        assert_same(&cpp, &RingBTree::new(buckets, points, Mix::new(seed)).expect("a small ring"), &keys);
    }
}

#[test]
fn vector_is_sorted32() {
    let keys = keys(100_000);
    // At 10^6 points about a hundred pairs collide in 32 bits.
    for (buckets, points, seed) in RINGS.into_iter().chain([(1000, 1000, 3)]) {
        let cpp = CppRingVector::new(buckets, points, seed).expect("a small ring");
        assert_same(&cpp, &RingSorted32::new(buckets, points, Mix::new(seed)).expect("a small ring"), &keys);
    }
}

#[test]
fn bytes_are_exact() {
    for (buckets, points, seed) in RINGS {
        let total = u64::from(buckets) * u64::from(points);
        let vector = CppRingVector::new(buckets, points, seed).expect("a small ring");
        assert_eq!([vector.live_bytes(), vector.peak_bytes()], [8 * total; 2]);
        let map = CppRingMap::new(buckets, points, seed).expect("a small ring");
        assert_eq!(map.live_bytes(), map.peak_bytes());
        if uses_libstdcxx() == Ok(true) && cfg!(target_pointer_width = "64") {
            assert_eq!(map.live_bytes(), 48 * total);
        }
    }
}

#[test]
fn a_block_stops_at_the_shorter_end() {
    let ring = CppRingVector::new(10, 10, 0).expect("a small ring");
    let mut out = [u32::MAX; 2];
    ring.buckets(&keys(5), &mut out);
    assert!(out.iter().all(|&bucket| bucket < 10));
    ring.buckets(&[], &mut []);
}

#[test]
fn threads_share_a_ring() {
    let ring = CppRingMap::new(10, 10, 0).expect("a small ring");
    let keys = keys(1000);
    let answers = || keys.iter().map(|&key| ring.bucket(key)).collect::<Vec<_>>();
    let (a, b) = rayon::join(answers, answers);
    assert_eq!(a, b);
}

#[test]
fn bad_requests_are_the_rust_ones() {
    assert_eq!(CppJump::new(0).unwrap_err(), Error::NoBuckets { asked: 0 }.into());
    assert!(matches!(CppJump::new(1 << 31), Err(CppError::Request(Error::TooManyBuckets { .. }))));
    assert_eq!(CppRingMap::new(0, 1, 0).unwrap_err(), Error::NoBuckets { asked: 0 }.into());
    assert_eq!(CppRingVector::new(1, 0, 0).unwrap_err(), Error::NoPoints.into());
    assert!(matches!(CppRingMap::new(1 << 31, 1, 0), Err(CppError::Request(Error::TooManyBuckets { .. }))));
    assert!(matches!(CppRingVector::new(u32::MAX, u32::MAX, 0), Err(CppError::Request(Error::TooManyPoints { .. }))));
}

#[test]
fn too_large_for_memory_is_an_error() {
    // 2^48 points of 8 bytes: more than a user's half of the address space.
    let refused = CppRingVector::new(1 << 24, 1 << 24, 0).unwrap_err();
    assert_eq!(refused, CppError::OutOfMemory { buckets: 1 << 24, points: 1 << 24 });
}

#[test]
fn the_compiler_is_named() {
    assert!(COMPILER.is_some_and(|compiler| compiler.contains("-O2")));
}
