use super::*;
use crate::algorithms::testing::{self, Placed};
use crate::algorithms::{Failover, RingSorted64};

fn allocated(units: u32, tokens: u32, replicas: u32, seed: u64) -> TokenAllocator {
    TokenAllocator::new(units, tokens, replicas, Mix::new(seed)).expect("tokens")
}

/// Largest ownership over the mean.
fn peak(ring: &TokenAllocator) -> f64 {
    let owned = ring.ownership();
    owned.iter().copied().fold(0.0, f64::max) / owned.iter().sum::<f64>() * owned.len() as f64
}

/// The bound that Cassandra's own tests assert for a fixed number of tokens v.
fn bound(tokens: u32) -> f64 {
    1.0 + 4.0 / f64::from(tokens)
}

#[test]
fn one_replica_keeps_the_bound_of_cassandras_tests() {
    for (tokens, units) in [(1, 250), (4, 250), (16, 250), (64, 60)] {
        for seed in 0..2 {
            let mut ring = allocated(1, tokens, 1, seed);
            while ring.bucket_count() < units {
                ring.add(tokens).expect("room");
                let sparse = ring.bucket_count() < 10 || ring.bucket_count().is_multiple_of(50);
                assert!(!sparse || peak(&ring) <= bound(tokens), "v = {tokens}, n = {}", ring.bucket_count());
            }
        }
    }
}

#[test]
fn more_replicas_keep_the_bound_of_cassandras_tests() {
    for (replicas, tokens, units) in [(2, 1, 60), (2, 4, 60), (3, 4, 60), (3, 16, 25), (5, 8, 25)] {
        for seed in 0..2 {
            let mut ring = allocated(1, tokens, replicas, seed);
            while ring.bucket_count() < units {
                ring.add(tokens).expect("room");
                assert!(peak(&ring) <= bound(tokens), "R = {replicas}, v = {tokens}, n = {}", ring.bucket_count());
            }
        }
    }
}

#[test]
fn random_tokens_break_the_bound() {
    // The share of a unit with 16 of 4000 random tokens has a deviation of about 1/√16 of its mean: the largest of 250
    // is near 1.75 of it, against a bound of 1.25.
    let broken = (0..10).filter(|&seed| {
        let ring = TokenAllocator::random(250, 16, 1, Mix::new(seed)).expect("tokens");
        peak(&ring) > bound(16)
    });
    assert_eq!(broken.count(), 10);
}

#[test]
fn random_tokens_are_the_plain_ring() {
    let plain = RingSorted64::new(20, 8, Mix::new(4)).expect("a ring");
    let ring = TokenAllocator::random(20, 8, 3, Mix::new(4)).expect("tokens");
    assert!(plain.ring().eq(ring.ring()));
    let model = Failover { partitioner: plain };
    assert!((0..500).all(|key| ring.replicas(key, 3) == model.replicas(key, 3)));
}

#[test]
fn the_effect_is_what_a_token_does() {
    for (replicas, seed) in [(1, 0), (2, 1), (3, 2), (5, 3)] {
        let ring = TokenAllocator::random(8, 3, replicas, Mix::new(seed)).expect("tokens");
        // Unit 7 has tokens already; unit 8 has none.
        for unit in [7, 8] {
            let before = ring.spans();
            for at in 0..before.len() {
                let token = split(ring.range(at), ring.circle.points()[at].0, 0.5).1;
                let mut after = ring.clone();
                after.circle.insert([(token, unit)]);
                let mut spans = after.spans();
                let new = after.ring().position(|point| point == (token, unit)).expect("inserted");
                let (gain, losses) = ring.effect(at, unit);
                assert!((spans.remove(new) - gain).abs() < 1e-12, "R = {replicas}, range {at}");
                let mut expected = before.clone();
                losses.into_iter().for_each(|(token, loss)| expected[token] -= loss);
                let same = spans.iter().zip(expected).all(|(found, right)| (found - right).abs() < 1e-12);
                assert!(same, "R = {replicas}, unit {unit}, range {at}");
            }
        }
    }
}

#[test]
fn one_donor_comes_down_to_the_target() {
    // Unit 1 takes from unit 0 alone, and both end at the target, one half, for the slice lies within its limits.
    let ring = allocated(2, 8, 1, 1);
    assert!(ring.ownership().iter().all(|owned| (owned - 0.5).abs() < 1e-9), "{:?}", ring.ownership());
}

#[test]
fn ownership_is_what_keys_find() {
    for replicas in [1, 3] {
        let ring = allocated(12, 4, replicas, 8);
        let owned = ring.ownership();
        assert!((owned.iter().sum::<f64>() - f64::from(replicas)).abs() < 1e-9);
        let mut counts = vec![0; 12];
        for key in 0..40_000 {
            let holders = ring.replicas(key, replicas).expect("three of twelve");
            assert_eq!(holders[0], ring.bucket(key));
            // One of the holders, by turns, so that the counts are of independent draws.
            counts[holders[key as usize % replicas as usize] as usize] += 1;
        }
        let shares: Vec<f64> = owned.iter().map(|owned| owned / f64::from(replicas)).collect();
        testing::assert_fair(&counts, &shares);
    }
    // With fewer units than replicas every unit holds everything.
    assert!(allocated(2, 4, 3, 0).ownership().iter().all(|owned| (owned - 1.0).abs() < 1e-9));
}

#[test]
fn a_new_unit_takes_keys_and_moves_none_between_others() {
    for replicas in [1, 2] {
        let before = allocated(9, 4, replicas, 3);
        let mut after = before.clone();
        assert_eq!(after.add(4), Ok(9));
        assert_eq!(after.ring().filter(|&(_, unit)| unit == 9).count(), 4);
        assert!((0..20_000).all(|key| after.bucket(key) == 9 || after.bucket(key) == before.bucket(key)));
    }
}

#[test]
fn units_of_other_sizes() {
    for replicas in [1, 2] {
        let mut ring = allocated(3, 2, replicas, 5);
        for (unit, tokens) in [(3, 1), (4, 40), (5, 7), (6, 64)] {
            assert_eq!(ring.add(tokens), Ok(unit));
            assert_eq!(ring.ring().filter(|&(_, owner)| owner == unit).count(), tokens as usize);
        }
    }
}

#[test]
fn tokens_that_coincide() {
    assert_eq!([split(0, 5, 0.5), split(1, 5, 0.5), split(2, 0, 0.9)], [(0, 5), (1, 5), (1, u64::MAX)]);
    for replicas in [1, 2] {
        let mut ring = TokenAllocator::random(3, 4, replicas, Placed(|_, _| 0)).expect("tokens");
        ring.add(4).expect("room");
        assert!((ring.ownership().iter().sum::<f64>() - f64::from(replicas)).abs() < 1e-9);
        assert!(ring.bucket(u64::MAX) < 4);
    }
}

#[test]
fn bad_input_is_named() {
    let new = |units, tokens, replicas| TokenAllocator::new(units, tokens, replicas, Mix::new(0)).unwrap_err();
    assert_eq!(new(0, 1, 1), Error::NoBuckets { asked: 0 });
    assert_eq!(new(1, 0, 1), Error::NoPoints);
    assert!(matches!(new(1, 1, 0), Error::OutOfRange { .. }));
    assert!(matches!(new(1, u32::MAX, 1), Error::RingTooLarge { .. }));
    let ring = allocated(2, 2, u32::MAX, 0);
    assert_eq!(ring.replicas(1, 3), Err(Error::TooFewBuckets { asked: 3, working: 2 }));
}
