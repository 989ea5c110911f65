//! Faults that were published or shipped, one test a kind: here each must be impossible, in every algorithm and every
//! deployed system that it could befall.

use std::collections::BTreeSet;

use consistent_hash_lab::algorithms::hash::{Draws, HashFamily, Mix, SplitMix64, StreamFamily, mix64};
use consistent_hash_lab::algorithms::maglev::{self, Backend};
use consistent_hash_lab::algorithms::{
    Anchor, Binomial, Boundary, BoundedLoads, Dx, Dynamo, Error, Failover, Flip, FlipFamily, JumpBackAnchor, Maglev,
    Memento, Modulo, MultiProbe, PartitionTable, Partitioner, Power, Remove, Rendezvous, RendezvousWeighted, Replicas,
    Resize, RingBTree, RingNearest, RingSorted32, RingSorted64, RingWeighted, Round, Strategy, TokenAllocator,
    TokenRing, Weighted, Zoned,
};
use consistent_hash_lab::catalog::{Build, catalog};
use consistent_hash_lab::systems::{Node, System, SystemError, envoy, haproxy, systems};

/// Keys at both ends and in the middle of all types that a hash may be squeezed through.
const KEYS: [u64; 10] =
    [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 32, i64::MAX as u64, 1 << 63, u64::MAX - 1, u64::MAX];

/// Every key and point lies where it says, so that a test can place them; all scores are alike.
#[derive(Debug, Clone, Copy)]
struct Placed(fn(u32, u32) -> u64);

impl HashFamily for Placed {
    fn key(&self, key: u64) -> u64 {
        key
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        (self.0)(bucket, replica)
    }

    fn score(&self, _: u64, _: u32) -> u64 {
        0
    }
}

impl StreamFamily for Placed {
    type Stream = SplitMix64;

    fn stream(&self, key: u64) -> SplitMix64 {
        SplitMix64::new(key)
    }
}

/// All points of all buckets at one place.
const ONE_PLACE: Placed = Placed(|_, _| 7);

fn owners(subject: &(impl Partitioner + ?Sized)) -> Vec<u32> {
    KEYS.iter().chain(&[6, 7, 8]).map(|&key| subject.bucket(key)).collect()
}

#[test]
fn a_colliding_point_is_neither_lost_nor_removed_with_another_s() {
    fn check(mut ring: impl Remove, at: u32) {
        let first = owners(&ring);
        assert!(first.iter().all(|&bucket| bucket == 0), "case {at}: the tie goes to the lowest bucket");
        for gone in [2, 0, 1] {
            ring.remove(gone).expect("it works");
        }
        assert!(owners(&ring).iter().all(|&bucket| bucket == 3), "case {at}: bucket 3 has kept its point");
        for back in [1, 2, 0] {
            ring.restore(back).expect("it was removed");
        }
        assert_eq!(owners(&ring), first, "case {at}");
    }
    check(RingBTree::new(4, 2, ONE_PLACE).expect("valid"), 0);
    check(RingSorted32::new(4, 2, ONE_PLACE).expect("valid"), 1);
    check(RingSorted64::new(4, 2, ONE_PLACE).expect("valid"), 2);
    check(RingNearest::new(4, 2, ONE_PLACE).expect("valid"), 3);
    check(MultiProbe::new(4, 3, ONE_PLACE).expect("valid"), 4);
    check(Rendezvous::new(4, ONE_PLACE).expect("valid"), 5);
    let mut weighted = RingWeighted::new(&[1.0; 4], 2, ONE_PLACE).expect("valid");
    (0..3).for_each(|bucket| weighted.remove(bucket).expect("it works"));
    assert!(owners(&weighted).iter().all(|&bucket| bucket == 3));
    let tokens = TokenRing::new([("a", [7]), ("b", [7]), ("c", [7])], Boundary::AtOrAfter).expect("valid");
    assert_eq!(tokens.owner(0), "a");
    assert_eq!(tokens.without("a").and_then(|rest| rest.without("c")).expect("b is left").owner(9), "b");
}

#[test]
fn labels_of_points_do_not_run_into_each_other() {
    // member + "10" is member1 + "0" where a name and a number are written one after the other.
    let mix = Mix::new(3);
    let labels: Vec<(u32, u32)> = (0..120).flat_map(|bucket| (0..120).map(move |replica| (bucket, replica))).collect();
    let places: BTreeSet<u64> = labels.iter().map(|&(bucket, replica)| mix.point(bucket, replica)).collect();
    assert_eq!(places.len(), labels.len());
}

#[test]
fn no_owner_depends_on_the_order_of_insertion() {
    let nodes = [("a", vec![5, 9]), ("b", vec![9, 5]), ("c", vec![5, 5, 20])];
    let orders = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]];
    let all: BTreeSet<Vec<String>> = orders
        .iter()
        .map(|order| {
            let ring = TokenRing::new(order.iter().map(|&at| nodes[at].clone()), Boundary::AtOrAfter).expect("valid");
            (0..25).map(|key| ring.owner(key).to_owned()).collect()
        })
        .collect();
    assert_eq!(all.len(), 1);

    let named = |order: &[usize]| {
        let backends: Vec<(&str, Backend)> =
            order.iter().map(|&at| (["x", "y", "z"][at], Backend::new(at as u64, mix64(at as u64)))).collect();
        let table = maglev::populate_by_name(13, &backends).expect("a prime");
        table.into_iter().map(|at| backends[at as usize].0).collect::<Vec<_>>()
    };
    assert_eq!(named(&[0, 1, 2]), named(&[2, 0, 1]));
}

#[test]
fn a_key_beyond_the_last_point_has_the_first() {
    let low = Placed(|bucket, replica| u64::from(bucket * 2 + replica) << 40);
    let beyond = u64::MAX;
    assert_eq!(RingBTree::new(4, 2, low).expect("valid").bucket(beyond), 0);
    assert_eq!(RingSorted32::new(4, 2, low).expect("valid").bucket(beyond), 0);
    assert_eq!(RingSorted64::new(4, 2, low).expect("valid").bucket(beyond), 0);
    assert_eq!(RingWeighted::new(&[1.0; 4], 2, low).expect("valid").bucket(beyond), 0);
    assert_eq!(MultiProbe::new(4, 1, low).expect("valid").bucket(beyond), 0);
    // On an interval there is nothing beyond the end: the nearest point is the last.
    assert_eq!(RingNearest::new(4, 2, low).expect("valid").bucket(beyond), 3);
    let mut loads = BoundedLoads::new(4, 2, 1e6, low).expect("valid");
    loads.arrive(beyond);
    assert_eq!(loads.bucket(beyond), Some(0));
}

#[test]
fn ring_search_ends_and_skips_no_slot() {
    // Around 65,532, where a search with 16-bit bounds did not end, and around powers of two.
    for points in [1, 2, 3, 255, 256, 257, 65_531, 65_532, 65_533, 65_535, 65_536, 65_537] {
        let spread = Placed(|bucket, _| u64::from(bucket) << 44);
        let (wide, narrow) = (RingSorted64::new(points, 1, spread), RingSorted32::new(points, 1, spread));
        let (wide, narrow) = (wide.expect("valid"), narrow.expect("valid"));
        for bucket in [0, 1, points / 2, points - 1].into_iter().filter(|&bucket| bucket < points) {
            let at = u64::from(bucket) << 44;
            assert_eq!([wide.bucket(at), narrow.bucket(at)], [bucket; 2], "{points} points, on the point of {bucket}");
            let next = if bucket + 1 == points { 0 } else { bucket + 1 };
            assert_eq!(wide.bucket(at + 1), next, "{points} points, past the point of {bucket}");
        }
    }
}

#[test]
fn weights_neither_eat_memory_nor_vanish() {
    let huge = RingWeighted::new(&[1e6, 1.0], 100, Mix::new(1)).expect("relative to the mean weight");
    assert!(huge.ring().count() <= 201, "{} points", huge.ring().count());
    assert!(huge.ring().any(|(_, bucket)| bucket == 1), "the light bucket has a point");
    let mut unit = RingWeighted::with_unit(&[1.0], 1.0, 100, Mix::new(1)).expect("valid");
    assert!(matches!(unit.set_weight(0, 1e9), Err(Error::RingTooLarge { .. })));
    assert_eq!(unit.weight(0), Ok(1.0), "unchanged");
    // The heaviest that a system takes: an error that names it, or a ring of bounded size.
    for entry in systems() {
        for weight in [10_000, 1_000_000, u32::MAX] {
            if let Ok(system) = (entry.build)(&[Node::new("10.0.0.1:80", weight), Node::new("10.0.0.2:80", 1)]) {
                assert!(system.node(b"key") < 2, "{}", entry.id);
            }
        }
    }
}

#[test]
fn numbers_of_buckets_do_not_overflow() {
    // Sixteen ids that are multiples of 2^28, times 16 points, are one and the same in 32 bits.
    let mix = Mix::new(1);
    let places: BTreeSet<u64> = (0..16).flat_map(|id| (0..16).map(move |at| mix.point(id << 28, at))).collect();
    assert_eq!(places.len(), 256);
    let mut last = Modulo::new(u32::MAX, mix).expect("the limit itself");
    assert!(matches!(last.grow(), Err(Error::TooManyBuckets { .. })));
    for entry in catalog() {
        for beyond in [u32::MAX, entry.limits.most_buckets.saturating_add(1)] {
            // No table is built for so many: it is refused or needs none.
            if entry.predicted_bytes(Build::new(beyond, 1, 1)) == 0 {
                match (entry.build)(Build::new(beyond, 1, 1)) {
                    Ok(subject) => {
                        assert!(beyond <= entry.limits.most_buckets && subject.bucket_count() == beyond, "{}", entry.id)
                    }
                    Err(error) => assert!(beyond > entry.limits.most_buckets, "{}: {error}", entry.id),
                }
            }
        }
    }
}

#[test]
fn maglev_s_products_need_64_bits() {
    const SIZE: u64 = 65_699;
    // (M - 1)^2 is more than 2^32.
    let wanted: Vec<u32> = Backend::new(SIZE - 1, SIZE - 2).permutation(SIZE).expect("a prime").collect();
    let right = (0..u128::from(SIZE)).map(|j| ((u128::from(SIZE) - 1) * (j + 1) % u128::from(SIZE)) as u32);
    assert!(wanted.iter().copied().eq(right));
    assert_eq!(wanted.iter().collect::<BTreeSet<_>>().len() as u64, SIZE, "every slot once");
    let table = Maglev::new(46, SIZE, Mix::new(1)).expect("a prime");
    let mut slots = [0_u64; 46];
    table.table().iter().for_each(|&bucket| slots[bucket as usize] += 1);
    assert!(slots.iter().all(|&count| count == SIZE / 46 || count == SIZE / 46 + 1), "{slots:?}");
}

#[test]
fn a_table_that_cannot_be_is_an_error() {
    let maglev = |buckets, size| Maglev::new(buckets, size, Mix::new(1)).err();
    assert_eq!(maglev(3, 15), Some(Error::TableNotPrime { size: 15, next: 17 }));
    assert_eq!(maglev(3, 0), Some(Error::TableNotPrime { size: 0, next: 2 }));
    assert_eq!(maglev(4, 3), Some(Error::TableTooSmall { size: 3, buckets: 4 }));
    assert_eq!(maglev(0, 7), Some(Error::NoBuckets { asked: 0 }));
    let dead = Backend { weight: 0.0, ..Backend::new(1, 2) };
    assert_eq!(maglev::populate(7, &[dead; 3]), Err(Error::NoneWorks { buckets: 3 }));
    assert!(matches!(PartitionTable::new(2, 1, 0, 1.5, Mix::new(1)), Err(Error::OutOfRange { .. })));
    for entry in systems() {
        assert!(matches!((entry.build)(&[]), Err(SystemError::NoNodes)), "{}", entry.id);
    }
}

#[test]
fn a_capacity_is_of_the_real_average() {
    // 7 keys on 4 buckets at 1.25: 2.1875, of which an integer division makes 1.25 and the keys have no room.
    let mut loads = BoundedLoads::new(4, 10, 1.25, Mix::new(1)).expect("valid");
    (0..7).for_each(|key| {
        loads.arrive(key);
    });
    assert_eq!(loads.capacity(), 3);
    assert!((0..7).all(|key| loads.bucket(key).is_some()));
    // Two members, five partitions, load 1.5: "not enough room" of an implementation that rounded down.
    let table = PartitionTable::new(2, 10, 5, 1.5, Mix::new(1)).expect("there is room");
    assert_eq!((table.capacity(), table.table().len()), (4, 5));
    // And at load 1 every bucket is full to the last slot.
    let full = PartitionTable::new(3, 10, 9, 1.0, Mix::new(1)).expect("there is room");
    assert!((0..3).all(|bucket| full.table().iter().filter(|&&owner| owner == bucket).count() == 3));
}

#[test]
fn replicas_are_distinct() {
    fn check(subject: &impl Replicas, at: u32) {
        for key in KEYS {
            let all: Vec<u32> = subject.preference(key).collect();
            let distinct: BTreeSet<u32> = all.iter().copied().collect();
            assert_eq!([all.len(), distinct.len()], [6; 2], "case {at}, key {key}: {all:?}");
            assert_eq!(all[0], subject.bucket(key), "case {at}");
            assert_eq!(subject.replicas(key, 7), Err(Error::TooFewBuckets { asked: 7, working: 6 }), "case {at}");
        }
    }
    let mix = Mix::new(5);
    // Many points a bucket, and all of them at one place: a walk meets each bucket more than once.
    check(&RingWeighted::new(&[1.0; 6], 50, mix).expect("valid"), 0);
    check(&RingWeighted::new(&[1.0; 6], 50, ONE_PLACE).expect("valid"), 1);
    check(&RendezvousWeighted::new(&[1.0; 6], ONE_PLACE).expect("valid"), 2);
    check(&TokenAllocator::new(6, 16, 3, mix).expect("valid"), 3);
    check(&Failover { partitioner: RingBTree::new(6, 50, mix).expect("valid") }, 4);
    check(&Failover { partitioner: Memento::new(6, mix).expect("valid") }, 5);
    check(&Failover { partitioner: Dx::new(6, 64, mix).expect("valid") }, 6);
    check(&Zoned::new(RingWeighted::new(&[1.0; 6], 50, mix).expect("valid"), vec![0, 0, 1, 1, 2]), 7);
    let dynamo = Dynamo::new(Strategy::RandomTokens { tokens: 8 }, 6, 6, mix).expect("valid");
    assert!(KEYS.iter().all(|&key| dynamo.preference_list(key).iter().collect::<BTreeSet<_>>().len() == 6));
}

#[test]
fn the_last_bucket_stays() {
    for entry in catalog() {
        if let Some(remove) = entry.remove {
            let mut one = remove(Build::new(1, 5, 1)).expect("one bucket");
            assert_eq!(one.remove(0), Err(Error::LastBucket { bucket: 0 }), "{}", entry.id);
            assert_eq!((one.bucket_count(), one.bucket(9)), (1, 0), "{}", entry.id);
        }
    }
    let ring = TokenRing::new([("a", [1])], Boundary::AtOrAfter).expect("valid");
    assert_eq!(ring.without("a").err(), Some(Error::NoNodes));
}

#[test]
fn a_ring_size_of_zero_is_no_endless_loop() {
    use envoy::{RingHash, RingHashOptions};
    let nodes = [Node::new("10.0.0.1:80", 1), Node::new("10.0.0.2:80", 3)];
    for (minimum, maximum) in [(0, 8), (0, 0), (8, 0)] {
        let ring = RingHash::new(&nodes, RingHashOptions { minimum, maximum, ..RingHashOptions::default() });
        assert!(matches!(ring, Err(SystemError::Setting { .. })), "{minimum} to {maximum}: {ring:?}");
    }
    assert!(RingHash::new(&nodes, RingHashOptions { minimum: 1, ..RingHashOptions::default() }).is_ok());
}

/// The extreme values as hash of everything: what becomes negative in 32 or 64 bits must not become an index.
#[derive(Debug, Clone, Copy)]
struct Constant(u64);

impl HashFamily for Constant {
    fn key(&self, _: u64) -> u64 {
        self.0
    }

    fn point(&self, _: u32, _: u32) -> u64 {
        self.0
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        // A loop that hashes again needs to come to an end.
        if key & 1 == 0 { self.0 } else { mix64(self.0 ^ u64::from(bucket)) }
    }
}

/// Begins with the extreme value; a stream must not be stuck.
#[derive(Debug)]
struct Once(u64, SplitMix64);

impl Draws for Once {
    fn draw(&mut self) -> u64 {
        let next = self.1.draw();
        std::mem::replace(&mut self.0, next)
    }
}

impl StreamFamily for Constant {
    type Stream = Once;

    fn stream(&self, key: u64) -> Once {
        Once(self.0, SplitMix64::new(key))
    }
}

impl FlipFamily for Constant {
    fn hash(&self, _: u64, _: u32, _: u32) -> u64 {
        self.0
    }
}

#[test]
fn no_hash_value_becomes_a_negative_index() {
    fn check(subject: &impl Partitioner, hash: u64) {
        for key in KEYS {
            assert!(subject.bucket(key) < 5, "hash {hash:#x}, key {key}");
        }
    }
    for value in KEYS {
        let hash = Constant(value);
        check(&Modulo::new(5, hash).expect("valid"), value);
        check(&RingSorted32::new(5, 2, hash).expect("valid"), value);
        check(&RingNearest::new(5, 2, hash).expect("valid"), value);
        check(&MultiProbe::new(5, 3, hash).expect("valid"), value);
        check(&Maglev::new(5, 13, hash).expect("valid"), value);
        check(&Rendezvous::new(5, hash).expect("valid"), value);
        check(&RendezvousWeighted::new(&[1.0; 5], hash).expect("valid"), value);
        check(&Power::new(5, hash).expect("valid"), value);
        check(&Binomial::new(5, hash).expect("valid"), value);
        check(&Round::new(5, 2, hash).expect("valid"), value);
        check(&Flip::new(5, hash).expect("valid"), value);
        check(&Dx::new(5, 8, hash).expect("valid"), value);
        check(&JumpBackAnchor::new(5, hash).expect("valid"), value);
        check(&Anchor::new(5, 5, hash).expect("valid"), value);
        check(&Memento::new(5, hash).expect("valid"), value);
    }
}

#[test]
fn a_weighted_score_depends_on_the_key() {
    let weighted = RendezvousWeighted::new(&[1.0; 8], Mix::new(2)).expect("valid");
    let met: BTreeSet<u32> = (0..1_000).map(|key| weighted.bucket(key)).collect();
    // Each is missing with probability (7/8)^1000.
    assert_eq!(met.len(), 8);
}

#[test]
fn ids_of_servers_do_not_overflow_in_haproxy() {
    // id * 4096 + j wraps in 32 bits there: servers 2^20 apart have the same points. Neither loses its own, so that one
    // alone still owns every key.
    use haproxy::{Consistent, KeyHash, Server};
    let server = |id| Server { node: Node::new(format!("s{id}"), 1), id, disabled: false };
    let twins = [server(1), server(1 + (1 << 20))];
    let both = Consistent::new(&twins, KeyHash::CONSISTENT).expect("valid");
    assert_eq!(
        both.points().len(),
        2 * Consistent::new(&twins[..1], KeyHash::CONSISTENT).expect("valid").points().len()
    );
    let second =
        Consistent::new(&[Server { disabled: true, ..twins[0].clone() }, twins[1].clone()], KeyHash::CONSISTENT);
    let second = second.expect("one is up");
    assert!(KEYS.iter().all(|key| second.node(&key.to_le_bytes()) == 1));
}
