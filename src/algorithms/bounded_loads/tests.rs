use super::*;
use crate::algorithms::hash::mix64;
use crate::algorithms::{Partitioner, RingSorted64};

const POINTS: u32 = 4;

/// Keys in order of precedence, each in the first bucket clockwise that is not full: all of the definition, c = 5/4.
fn model(keys: &BTreeSet<u64>, buckets: &BTreeSet<u32>, hash: Mix) -> BTreeMap<u64, u32> {
    let capacity = (5 * keys.len()).div_ceil(4 * buckets.len());
    let mut points: Vec<(u64, u32)> = buckets
        .iter()
        .flat_map(|&bucket| (0..POINTS).map(move |replica| (hash.point(bucket, replica), bucket)))
        .collect();
    points.sort_unstable();
    let mut loads: BTreeMap<u32, usize> = BTreeMap::new();
    keys.iter()
        .map(|&key| {
            let clockwise = points.iter().filter(|point| point.0 >= hash.key(key)).chain(&points);
            let first = clockwise.map(|point| point.1).find(|bucket| loads.get(bucket).is_none_or(|&n| n < capacity));
            let bucket = first.expect("room for all");
            *loads.entry(bucket).or_default() += 1;
            (key, bucket)
        })
        .collect()
}

/// The keys of both that moved: from or to `changed`, and between others.
fn differences(before: &BTreeMap<u64, u32>, after: &BTreeMap<u64, u32>, changed: Option<u32>) -> Change {
    let mut change = Change::default();
    for (key, old) in before {
        match after.get(key) {
            Some(new) if new != old && (changed == Some(*new) || changed == Some(*old)) => change.necessary += 1,
            Some(new) if new != old => change.cascaded += 1,
            _ => {}
        }
    }
    change
}

#[test]
fn every_state_is_that_of_the_definition() {
    for seed in 0..4 {
        let hash = Mix::new(seed);
        let mut subject = BoundedLoads::new(6, POINTS, 1.25, hash).expect("a ring");
        let (mut keys, mut buckets) = (BTreeSet::new(), (0..6).collect::<BTreeSet<u32>>());
        let mut before = BTreeMap::new();
        for step in 0..600_u64 {
            let draw = mix64(step + (seed << 32));
            let key = draw >> 56;
            let (change, changed) = match draw % 40 {
                0 if buckets.len() > 1 => {
                    let bucket = *buckets.iter().nth(draw as usize / 64 % buckets.len()).expect("in range");
                    buckets.remove(&bucket);
                    (subject.remove(bucket).expect("working"), Some(bucket))
                }
                1 => {
                    let (new, change) = subject.add().expect("few buckets");
                    assert!(buckets.insert(new));
                    (change, Some(new))
                }
                2..=15 => {
                    keys.remove(&key);
                    (subject.depart(key), None)
                }
                _ => {
                    keys.insert(key);
                    (subject.arrive(key), None)
                }
            };
            let after = model(&keys, &buckets, hash);
            assert_eq!(subject.owners().collect::<BTreeMap<_, _>>(), after, "seed {seed}, step {step}");
            assert_eq!(change, differences(&before, &after, changed), "seed {seed}, step {step}");
            let passing: usize = subject.buckets.values().map(|state| state.passed.len()).sum();
            assert!(passing <= keys.len() * buckets.len());
            before = after;
        }
    }
}

#[test]
fn the_order_of_arrival_leaves_no_trace() {
    let ring = || BoundedLoads::new(10, POINTS, 1.1, Mix::new(1)).expect("a ring");
    let (mut upwards, mut downwards, mut at_once) = (ring(), ring(), ring());
    for key in 0..500 {
        upwards.arrive(key);
        downwards.arrive(499 - key);
    }
    at_once.arrive_all(0..500);
    assert!(upwards.owners().eq(downwards.owners()) && upwards.owners().eq(at_once.owners()));
    for key in (0..500).filter(|key| key % 3 > 0) {
        upwards.depart(key);
        downwards.depart(499 - key);
    }
    // What has left is forgotten, also by those that it passed.
    for ring in [&upwards, &downwards] {
        let known: BTreeSet<u64> = ring.owners().map(|(key, _)| key).collect();
        assert!(ring.buckets.values().all(|state| state.passed.union(&state.held).all(|key| known.contains(key))));
    }
}

#[test]
fn no_load_exceeds_the_real_average_times_the_factor() {
    for (buckets, keys, load, capacity) in
        [(3, 10, 1.0, 4), (4, 5, 1.0, 2), (10, 999, 1.1, 110), (2, 5, 1.5, 4), (7, 1, 1.0, 1), (7, 0, 2.0, 0)]
    {
        let mut subject = BoundedLoads::new(buckets, POINTS, load, Mix::new(3)).expect("a ring");
        subject.arrive_all((0..keys).map(mix64));
        assert_eq!(subject.capacity(), capacity, "{buckets} buckets, {keys} keys");
        assert_eq!(subject.loads().map(|(_, load)| load).sum::<u64>(), keys);
        assert!(subject.loads().all(|(_, load)| load <= capacity));
        assert_eq!(subject.loads().count(), buckets as usize, "buckets without keys count");
    }
}

#[test]
fn without_a_bound_it_is_the_ring() {
    let plain = RingSorted64::new(20, POINTS, Mix::new(5)).expect("a ring");
    let mut subject = BoundedLoads::new(20, POINTS, 1e6, Mix::new(5)).expect("a ring");
    assert!((0..2_000).all(|key| subject.arrive(key) == Change::default()));
    assert!((0..2_000).all(|key| subject.bucket(key) == Some(plain.bucket(key))));
    assert_eq!(subject.remove(3).expect("working").cascaded, 0);
}

#[test]
fn odd_requests() {
    let mut subject = BoundedLoads::new(2, POINTS, 1.0, Mix::new(5)).expect("a ring");
    assert_eq!((subject.bucket(1), subject.depart(1)), (None, Change::default()));
    subject.arrive(1);
    let bucket = subject.bucket(1);
    assert_eq!((subject.arrive(1), subject.bucket(1), subject.owners().count()), (Change::default(), bucket, 1));
    assert!(matches!(subject.remove(2), Err(Error::UnknownBucket { bucket: 2, .. })));
    assert!(matches!(subject.restore(1), Err(Error::UnknownBucket { bucket: 1, .. })));
    subject.remove(0).expect("working");
    assert_eq!(subject.remove(1).unwrap_err(), Error::LastBucket { bucket: 1 });
    assert_eq!(subject.bucket(1), Some(1));
    subject.restore(0).expect("removed");
    assert_eq!(subject.bucket(1), bucket);
    assert!(matches!(subject.restore(u32::MAX), Err(Error::UnknownBucket { .. })));
    assert_eq!(subject.loads().count(), 2);
}
