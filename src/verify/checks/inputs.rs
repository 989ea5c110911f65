//! The builds and keys that checks share, and how answers are compared.

use anyhow::{bail, ensure};
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::model::key_with_draw;
use crate::algorithms::Partitioner;
use crate::algorithms::hash::GOLDEN;
use crate::catalog::{Build, Implementation};
use crate::verify::panics::caught;

/// Small sizes: the first, and those around powers of two.
pub(in crate::verify) const SIZES: [u32; 12] = [1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 255, 1000];
const SEED: u64 = 0x1406_2294;

/// A prime, as a table needs, and the same at all sizes: of what has slots, growth changes the working ones only.
const SLOTS: u32 = 2053;

/// The random inputs of one run of the checks: keys, orders of removal, hash families. The same seed, the same inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inputs {
    seed: u64,
}

/// Those of a run that names no seed.
impl Default for Inputs {
    fn default() -> Self {
        Self::new(SEED)
    }
}

impl Inputs {
    /// The inputs of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed }
    }

    /// What they are made from.
    #[must_use]
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// Other inputs, independent of these and of each other, without end; the first are these.
    pub(in crate::verify) fn others(self) -> impl Iterator<Item = Self> {
        (0..).map(move |step: u64| Self::new(self.seed.wrapping_add(step.wrapping_mul(GOLDEN))))
    }

    /// What all checks build.
    pub(in crate::verify) fn build(self, buckets: u32) -> Build {
        // Rings of few points: their arcs are long and their gaps are met.
        Build { slots: if buckets <= SLOTS { SLOTS } else { 0 }, ..Build::new(buckets, 5, self.seed) }
    }

    /// A stream of random values that is the same whenever it is asked for.
    pub(in crate::verify) fn stream(self) -> Xoshiro256PlusPlus {
        Xoshiro256PlusPlus::seed_from_u64(self.seed)
    }

    /// Random keys; fewer are the beginning of more.
    pub(in crate::verify) fn random_keys(self, count: usize) -> Vec<u64> {
        let mut stream = self.stream();
        (0..count).map(|_| stream.next_u64()).collect()
    }

    /// Keys of all shapes: the ends, sequential, multiples of powers of two, those of extreme draws, and random ones.
    pub(in crate::verify) fn keys(self, random: usize) -> Vec<u64> {
        let mut keys = vec![0, u64::MAX, 1_673_232_497_983_283_878, 14_866_344_542_948_493_586];
        keys.extend(1..64);
        keys.extend((0..64).map(|bit| 1 << bit));
        keys.extend((1..64).map(|high| high << 56));
        for draw in 1..4 {
            for value in [0, 1, (1 << 30) - 1, 1 << 30, i32::MAX as u32 - 1, i32::MAX as u32] {
                keys.extend((0..4).map(|low| key_with_draw(draw, value, low * 0x5555_5555)));
            }
        }
        keys.extend(self.random_keys(random));
        keys
    }

    /// Buckets `0..buckets` in a random order.
    pub(in crate::verify) fn shuffled(self, buckets: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..buckets).collect();
        order.shuffle(&mut self.stream());
        order
    }
}

/// The bucket of each key.
pub(in crate::verify) fn answers(subject: &(impl Partitioner + ?Sized), keys: &[u64]) -> Vec<u32> {
    keys.iter().map(|&key| subject.bucket(key)).collect()
}

/// The first key on which two lists of answers differ.
pub(in crate::verify) fn first_difference(keys: &[u64], found: &[u32], right: &[u32]) -> Option<(u64, u32, u32)> {
    let mut all = keys.iter().zip(found).zip(right).map(|((&key, &found), &right)| (key, found, right));
    all.find(|&(_, found, right)| found != right)
}

/// Demands the same answers; `what` was done that should not have changed them.
pub(super) fn same(what: &str, keys: &[u64], found: &[u32], right: &[u32]) -> anyhow::Result<()> {
    if let Some((key, found, right)) = first_difference(keys, found, right) {
        bail!("{what}: key {key} has bucket {found}, right is {right}");
    }
    Ok(())
}

/// What stands for no answer.
const NOBODY: u32 = u32::MAX;
/// In the panic by which an adapter says that a call would not come back: no refusal.
const ENDLESS: &str = "never returns";

/// Demands that a request is refused and changes nothing; of what is not [strict](Implementation::strict), that it changes
/// nothing, where a panic is a refusal too.
pub(super) fn refused<P: Partitioner + ?Sized, T>(
    of: &Implementation,
    what: &str,
    subject: &mut P,
    keys: &[u64],
    request: impl FnOnce(&mut P) -> Result<T, crate::algorithms::Error>,
) -> anyhow::Result<()> {
    let (before, count) = (answers(subject, keys), subject.bucket_count());
    let request = match caught(|| request(subject)) {
        Ok(request) => request,
        // A refusal in its own words, after which nothing more is asked of it.
        Err(panic) if !of.strict() && !panic.contains(ENDLESS) => return Ok(()),
        Err(panic) => bail!("{what}: panic: {panic}"),
    };
    if request.is_ok() {
        ensure!(!of.strict(), "{what}: accepted, where an error is right");
        return same(&format!("{what}, as nothing to be done"), keys, &answers(subject, keys), &before);
    }
    if subject.bucket_count() != count {
        bail!("{what}: refused, but {} buckets work, not {count}", subject.bucket_count());
    }
    same(&format!("{what}: refused, but not without a change"), keys, &answers(subject, keys), &before)
}

/// What a request gives; nothing if it was refused by a panic, which is how some that are not
/// [strict](Implementation::strict) refuse, in their own words.
pub(super) fn asked<T>(of: &Implementation, what: &str, request: impl FnOnce() -> T) -> anyhow::Result<Option<T>> {
    match caught(request) {
        Ok(answer) => Ok(Some(answer)),
        Err(panic) if of.strict() => bail!("{what}: panic: {panic}"),
        Err(_) => Ok(None),
    }
}

/// Demands that what would have no bucket left is refused; of what is not [strict](Implementation::strict), that no key has
/// one then.
pub(super) fn none_left<P: Partitioner + ?Sized>(
    of: &Implementation,
    what: &str,
    keys: &[u64],
    empty: impl FnOnce() -> Option<Box<P>>,
) -> anyhow::Result<()> {
    if of.strict() {
        ensure!(empty().is_none(), "{what}: accepted, where an error is right");
        return Ok(());
    }
    let owner =
        || empty().and_then(|subject| keys.iter().map(|&key| (key, subject.bucket(key))).find(|it| it.1 != NOBODY));
    match caught(owner) {
        Ok(None) => Ok(()),
        Ok(Some((key, bucket))) => bail!("{what}: key {key} has bucket {bucket}, right is none"),
        Err(panic) if panic.contains(ENDLESS) => bail!("{what}: {panic}"),
        // A refusal in its own words.
        Err(_) => Ok(()),
    }
}
