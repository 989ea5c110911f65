//! What the tests of several algorithms check in the same way.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::hash::{Draws, HashFamily, Mix, SplitMix64, StreamFamily};
use super::{Error, Partitioner, Removals, Remove, Resize, State};

/// The sizes at which an algorithm has to answer: around powers of two, and the limits of types.
pub(super) const SIZES: [u32; 22] = [
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    9,
    15,
    16,
    17,
    1023,
    1024,
    1025,
    65_535,
    65_536,
    65_537,
    1_000_000,
    1 << 20,
    (1 << 30) + 1,
    (1 << 31) - 2,
    (1 << 31) - 1,
];

/// The same keys in every test: the edges, a few in sequence, and random ones.
pub(super) fn keys(count: usize) -> impl Iterator<Item = u64> + Clone {
    let mut random = SplitMix64::new(0xC0FFEE);
    let edges = [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 32, u64::from(u32::MAX)];
    let random: Vec<u64> = (0..count).map(|_| random.draw()).collect();
    edges.into_iter().chain(0..20).chain(random).take(count)
}

pub(super) fn answers(partitioner: &impl Partitioner, count: usize) -> Vec<u32> {
    keys(count).map(|key| partitioner.bucket(key)).collect()
}

/// Every key has an owner in range, and zero buckets are refused.
pub(super) fn total<P: Partitioner>(sizes: &[u32], build: impl Fn(u32) -> Result<P, Error>) {
    assert_eq!(build(0).err(), Some(Error::NoBuckets { asked: 0 }));
    for &n in sizes {
        let subject = build(n).expect("a size that is defined");
        assert_eq!(subject.bucket_count(), n);
        for (key, bucket) in keys(1000).zip(answers(&subject, 1000)) {
            assert!(bucket < n, "n = {n}, key {key}: bucket {bucket}");
        }
    }
}

/// On growth keys move to the new bucket only, shrinking takes it back, and a resized partitioner is one built anew.
pub(super) fn monotone<P: Resize>(build: impl Fn(u32) -> Result<P, Error>) {
    let mut subject = build(1).expect("one bucket");
    assert_eq!(subject.shrink(), Err(Error::LastBucket { bucket: 0 }));
    let mut before = answers(&subject, 2000);
    for n in 1..140 {
        assert_eq!(subject.grow(), Ok(n));
        let after = answers(&subject, 2000);
        assert_eq!(after, answers(&build(n + 1).expect("a small size"), 2000), "{n} buckets grown by one");
        for ((key, &old), &new) in keys(2000).zip(&before).zip(&after) {
            assert!(old == new || new == n, "n = {n}, key {key} moves from {old} to {new}");
        }
        assert!(before != after, "n = {n}: no key moves");
        assert_eq!(subject.shrink(), Ok(n));
        assert_eq!(before, answers(&subject, 2000), "{} buckets shrunk by one", n + 1);
        subject.grow().expect("as before");
        before = after;
    }
}

/// No bucket's number of keys is off by more than six standard deviations.
pub(super) fn uniform<P: Partitioner>(build: impl Fn(u32) -> Result<P, Error>) {
    for n in [2_u32, 3, 7, 10, 16, 33, 100] {
        let subject = build(n).expect("a small size");
        let mut random = SplitMix64::new(7);
        let mut counts = vec![0_u32; n as usize];
        (0..100_000).for_each(|_| counts[subject.bucket(random.draw()) as usize] += 1);
        assert_fair(&counts, &vec![1.0 / f64::from(n); n as usize]);
    }
}

/// Each count is within six standard deviations of its share: never over the 10^5 buckets of all tests together. And
/// all together are: chi-squared of d degrees of freedom passes d + 2 √(d t) + 2 t with probability e^-t at most
/// (Laurent & Massart 2000), t = 12 here.
pub(super) fn assert_fair(counts: &[u32], shares: &[f64]) {
    assert_eq!(counts.len(), shares.len());
    let keys: f64 = counts.iter().copied().map(f64::from).sum();
    let (mut chi_squared, mut freedom) = (0.0_f64, -1.0_f64);
    for (bucket, (&count, &share)) in counts.iter().zip(shares).enumerate() {
        let limit = 6.0 * (keys * share * (1.0 - share)).sqrt();
        let off = f64::from(count) - keys * share;
        assert!(off.abs() <= limit, "bucket {bucket} of {}: {count} of {keys} keys, not {share}", counts.len());
        if share > 0.0 {
            chi_squared += off * off / (keys * share);
            freedom += 1.0;
        }
    }
    let limit = freedom + 2.0 * (12.0 * freedom).sqrt() + 24.0;
    assert!(chi_squared <= limit, "chi-squared of {freedom} degrees is {chi_squared}: {counts:?}, not {shares:?}");
}

/// Removing and restoring: only keys of the bucket in question move, each step back undoes a step, nothing else is
/// accepted. `slots` buckets, removed in a random order down to one, and all brought back, the last removed first.
pub(super) fn removable<P: Remove>(slots: u32, build: impl Fn(u32) -> Result<P, Error>) {
    let mut subject = build(slots).expect("a valid size");
    let mut states = vec![answers(&subject, 2000)];
    let removed = random_order(slots, 11);
    let (&last, removed) = removed.split_last().expect("at least one bucket");
    for &bucket in removed {
        assert_eq!(subject.remove(bucket), Ok(()));
        let (before, after) = (&states[states.len() - 1], answers(&subject, 2000));
        for ((key, &old), &new) in keys(2000).zip(before).zip(&after) {
            assert!((old == bucket) == (old != new), "removed {bucket}: key {key} goes from {old} to {new}");
            assert!(new != bucket && new < slots, "removed {bucket}: key {key} goes to {new}");
        }
        assert!(matches!(subject.remove(bucket), Err(Error::UnknownBucket { .. })), "{bucket} removed twice");
        states.push(after);
    }
    assert_eq!(subject.bucket_count(), 1);
    assert_eq!(subject.remove(last), Err(Error::LastBucket { bucket: last }));
    for unknown in [last, slots, u32::MAX] {
        assert!(matches!(subject.restore(unknown), Err(Error::UnknownBucket { .. })), "{unknown} restored");
    }
    for &bucket in removed.iter().rev() {
        assert_eq!(answers(&subject, 2000), states.pop().expect("one state for each removal"));
        assert_eq!(subject.restore(bucket), Ok(()));
    }
    assert_eq!(answers(&subject, 2000), states[0], "all are back");
}

/// Removals, restorations, growth and shrinking in a random order: every step moves keys of its bucket only.
pub(super) fn wanders<P: Remove + Resize>(build: impl Fn(u32) -> Result<P, Error>) {
    let mut subject = build(20).expect("a valid size");
    let mut random = SplitMix64::new(31);
    let mut before = answers(&subject, 1000);
    for step in 0..300 {
        // More away on one half of the path, more back on the other: down to a few, and beyond the beginning.
        let away = random.below(8) < if step % 100 < 50 { 5 } else { 3 };
        let bucket = match (away, random.below(3)) {
            (true, 0) => subject.shrink(),
            (true, _) => {
                let bucket = before[random.below(1000) as usize];
                subject.remove(bucket).map(|()| bucket)
            }
            (false, _) => subject.grow(),
        };
        let Ok(bucket) = bucket else {
            assert!(away && subject.bucket_count() == 1, "only the last bucket must stay: {bucket:?}");
            continue;
        };
        let after = answers(&subject, 1000);
        for ((key, &old), &new) in keys(1000).zip(&before).zip(&after) {
            let minimal = if away { (old == bucket) == (old != new) } else { old == new || new == bucket };
            assert!(minimal, "step {step}, bucket {bucket}: key {key} goes from {old} to {new}");
        }
        before = after;
    }
}

/// Of a bucket that was not removed last, `restore` says that it cannot come back yet.
pub(super) fn last_removed_first<P: Remove>(mut subject: P) {
    subject.remove(1).expect("it works");
    subject.remove(3).expect("it works");
    let early = subject.restore(1);
    assert!(matches!(early, Err(Error::UnknownBucket { bucket: 1, choices }) if choices.contains("last")));
    assert_eq!([subject.restore(3), subject.restore(1)], [Ok(()), Ok(())]);
}

/// The same buckets removed in another order give keys other owners.
pub(super) fn history_dependent<P: Remove>(build: impl Fn(u32) -> Result<P, Error>) {
    let after = |removed: [u32; 2]| {
        let mut subject = build(10).expect("a valid size");
        removed.iter().for_each(|&bucket| subject.remove(bucket).expect("it works"));
        answers(&subject, 2000)
    };
    assert_ne!(after([2, 5]), after([5, 2]));
}

/// What is saved at any time is the same partitioner when it is loaded, and goes on as it did; nonsense is refused.
pub(super) fn saved_and_loaded<P: State + Remove + Resize>(
    build: impl Fn(u32) -> Result<P, Error>,
    hash: impl Fn() -> P::Hash,
) {
    let mut subject = build(50).expect("a valid size");
    for bucket in random_order(50, 3).into_iter().take(49) {
        let mut copy = P::load(&subject.save(), hash()).expect("what was saved");
        assert_eq!(copy.save(), subject.save());
        assert_eq!([copy.remove(bucket), subject.remove(bucket)], [Ok(()), Ok(())]);
        assert_eq!(answers(&copy, 500), answers(&subject, 500));
    }
    let mut copy = P::load(&subject.save(), hash()).expect("what was saved");
    assert!((0..49).all(|_| copy.grow() == subject.grow()));
    assert_eq!(answers(&copy, 500), answers(&subject, 500));

    let load = |slots, removed: &[u32]| P::load(&Removals { slots, removed: removed.to_vec() }, hash()).err();
    assert_eq!(load(0, &[]), Some(Error::NoBuckets { asked: 0 }));
    assert_eq!(load(2, &[0, 1]), Some(Error::LastBucket { bucket: 1 }));
    assert!(matches!(load(3, &[0, 0]), Some(Error::UnknownBucket { bucket: 0, .. })));
    assert!(matches!(load(3, &[7]), Some(Error::UnknownBucket { bucket: 7, .. })));
}

/// `gone` of `slots` buckets fail at random, more than 99.95 %: the rest still own all keys, each a fair share.
pub(super) fn nearly_all_removed<P: Remove>(slots: u32, gone: u32, build: impl Fn(u32) -> Result<P, Error>) {
    assert!(f64::from(gone) > 0.9995 * f64::from(slots));
    let mut subject = build(slots).expect("a valid size");
    let mut order = random_order(slots, 5);
    let mut left = order.split_off(gone as usize);
    left.sort_unstable();
    order.into_iter().for_each(|bucket| subject.remove(bucket).expect("it works"));
    assert_eq!(subject.bucket_count(), slots - gone);
    let mut counts = vec![0_u32; left.len()];
    for key in keys(2_000) {
        counts[left.binary_search(&subject.bucket(key)).expect("a working bucket")] += 1;
    }
    assert_fair(&counts, &vec![1.0 / left.len() as f64; left.len()]);
}

/// Buckets `0..count`, shuffled (Fisher & Yates).
pub(super) fn random_order(count: u32, seed: u64) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count).collect();
    let mut random = SplitMix64::new(seed);
    for at in (1..count).rev() {
        order.swap(at as usize, random.below(at + 1) as usize);
    }
    order
}

/// With w of a buckets left a key is hashed again H_a - H_w times on average: it meets the bucket after whose removal
/// m worked with probability 1/(m + 1), independently. `first` draws or scores are counted before.
pub(super) fn harmonic_rehashes<P: Remove>(first: f64, build: impl Fn(u32, Counting) -> Result<P, Error>) {
    const SLOTS: u32 = 1 << 14;
    const LEFT: u32 = 8;
    const KEYS: u32 = 5_000;
    let counting = Counting::default();
    let mut subject = build(SLOTS, counting.clone()).expect("a valid size");
    for &bucket in &random_order(SLOTS, 23)[LEFT as usize..] {
        subject.remove(bucket).expect("it works");
    }
    let probabilities = (LEFT + 1..=SLOTS).map(|m| 1.0 / f64::from(m));
    let expected = first + probabilities.clone().sum::<f64>();
    let error = (probabilities.map(|p| p * (1.0 - p)).sum::<f64>() / f64::from(KEYS)).sqrt();
    let mean = counting.mean(&subject, KEYS);
    assert!((mean - expected).abs() < 5.0 * error, "{mean} on average, {expected} ± {error} expected");
}

/// Keys are positions, points lie where a function of bucket and replica puts them, and all scores are equal.
#[derive(Clone)]
pub(super) struct Placed<F: Fn(u32, u32) -> u64>(pub(super) F);

impl<F: Fn(u32, u32) -> u64 + Clone + Send + Sync> HashFamily for Placed<F> {
    fn key(&self, key: u64) -> u64 {
        key
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        self.0(bucket, replica)
    }

    fn score(&self, _: u64, _: u32) -> u64 {
        0
    }
}

/// SplitMix64 and [`Mix`], with a count of the draws of all streams and of all scores.
#[derive(Clone, Default)]
pub(super) struct Counting {
    draws: Arc<AtomicU64>,
}

pub(super) struct CountedStream {
    stream: SplitMix64,
    draws: Arc<AtomicU64>,
}

impl StreamFamily for Counting {
    type Stream = CountedStream;

    fn stream(&self, key: u64) -> CountedStream {
        CountedStream { stream: SplitMix64::new(key), draws: Arc::clone(&self.draws) }
    }
}

impl HashFamily for Counting {
    fn key(&self, key: u64) -> u64 {
        Mix::new(0).key(key)
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        Mix::new(0).point(bucket, replica)
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        self.draws.fetch_add(1, Relaxed);
        Mix::new(0).score(key, bucket)
    }
}

impl Draws for CountedStream {
    fn draw(&mut self) -> u64 {
        self.draws.fetch_add(1, Relaxed);
        self.stream.draw()
    }
}

impl Counting {
    /// How many draws or scores one look-up in `subject` consumes.
    pub(super) fn one(&self, subject: &impl Partitioner, key: u64) -> u64 {
        let before = self.draws.load(Relaxed);
        subject.bucket(key);
        self.draws.load(Relaxed) - before
    }

    /// Their mean over random keys.
    pub(super) fn mean(&self, subject: &impl Partitioner, keys: u32) -> f64 {
        let mut random = SplitMix64::new(13);
        let draws: u64 = (0..keys).map(|_| self.one(subject, random.draw())).sum();
        draws as f64 / f64::from(keys)
    }
}
