//! DxHash: Dong & Wang 2021, arXiv 2107.07930, "DxHash: A Scalable Consistent Hash Based on the Pseudo-Random
//! Sequence".
//!
//! A bitmap of a slots says which of them work, w. A key's stream draws slots until one that works owns it: on average
//! a/w draws, geometrically distributed. The paper gives up after 4a draws, here a key does so after 2^16 if these are
//! fewer, and takes the first working slot at or after the last one drawn, past the end from the beginning. Every key
//! always has an owner, then, and still only the keys of a removed slot move. Memory: one bit a slot.
//!
//! The order of removals has no influence, and any slot may come back. With few of many slots working, look-ups are
//! slow: that is the price of the least memory. A key gives up with probability (1 - w/a)^(2^16): less than 1e-9 up to
//! a/w = 3000. With fewer working, shares become those of gaps between slots, uneven as on a ring of one point a bucket.
//! The alternative are 2^28 draws, seconds, for each key where one of 2^28 slots works.

use super::hash::{Draws, Mix, StreamFamily};
use super::room::collected;
use super::{Error, Partitioner, Removals, Remove, Resize, State};

const WORD: u32 = u64::BITS;

/// The most draws for a key, however many slots there are.
const MOST_DRAWS: u64 = 1 << 16;

/// A bitmap of slots, probed at random.
#[derive(Debug, Clone)]
pub struct Dx<H = Mix> {
    /// One bit a slot, 1 if it works; none beyond the last slot is set.
    bitmap: Vec<u64>,
    slots: u32,
    working: u32,
    hash: H,
}

impl<H: StreamFamily> Dx<H> {
    /// Buckets `0..working` of `slots` slots.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] if none works, [`Error::TooManyBuckets`] if more do than there are slots,
    /// [`Error::OutOfMemory`].
    pub fn new(working: u32, slots: u32, hash: H) -> Result<Self, Error> {
        super::checked_buckets(i64::from(working), slots)?;
        let ones = |word: u32| match working.saturating_sub(word * WORD) {
            WORD.. => u64::MAX,
            bits => (1 << bits) - 1,
        };
        let words = slots.div_ceil(WORD);
        Ok(Self { bitmap: collected(words as usize, (0..words).map(ones))?, slots, working, hash })
    }

    #[inline]
    fn works(&self, slot: u32) -> bool {
        self.bitmap[(slot / WORD) as usize] >> (slot % WORD) & 1 == 1
    }

    fn set(&mut self, slot: u32, works: bool) {
        let (word, bit) = (&mut self.bitmap[(slot / WORD) as usize], 1 << (slot % WORD));
        if works {
            *word |= bit;
            self.working += 1;
        } else {
            *word &= !bit;
            self.working -= 1;
        }
    }

    /// The first slot that works at or after `slot`, past the end from the beginning.
    #[cold]
    fn scan(&self, slot: u32) -> u32 {
        let (at, words) = ((slot / WORD) as usize, self.bitmap.len());
        let rest = self.bitmap[at] & (u64::MAX << (slot % WORD));
        // Once round, and the first word again for the slots before `slot`.
        let after = (1..=words).map(|step| (at + step) % words).map(|word| (word, self.bitmap[word]));
        let found = std::iter::once((at, rest)).chain(after).find(|&(_, bits)| bits != 0);
        found.map_or(0, |(word, bits)| word as u32 * WORD + bits.trailing_zeros())
    }
}

impl<H: StreamFamily> Partitioner for Dx<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        let mut draws = self.hash.stream(key);
        let mut slot = 0;
        for _ in 0..MOST_DRAWS.min(4 * u64::from(self.slots)) {
            slot = draws.below(self.slots);
            if self.works(slot) {
                return slot;
            }
        }
        self.scan(slot)
    }

    fn bucket_count(&self) -> u32 {
        self.working
    }
}

/// Growth brings the lowest slot that is not working, shrinking removes the highest that is.
impl<H: StreamFamily> Resize for Dx<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        match self.bitmap.iter().position(|&word| word != u64::MAX) {
            Some(word) if self.working < self.slots => {
                let slot = word as u32 * WORD + self.bitmap[word].trailing_ones();
                self.set(slot, true);
                Ok(slot)
            }
            _ => Err(Error::TooManyBuckets { asked: u64::from(self.slots) + 1, most: self.slots }),
        }
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let word = self.bitmap.iter().rposition(|&word| word != 0).unwrap_or(0);
        let last = word as u32 * WORD + self.bitmap[word].checked_ilog2().unwrap_or(0);
        self.remove(last)?;
        Ok(last)
    }
}

/// Any slot that is not working can be restored, also one that never worked.
impl<H: StreamFamily> Remove for Dx<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        super::checked_removal(bucket, bucket < self.slots && self.works(bucket), self.working)?;
        self.set(bucket, false);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if bucket >= self.slots || self.works(bucket) {
            return Err(Error::UnknownBucket { bucket, choices: "a slot that is not working" });
        }
        self.set(bucket, true);
        Ok(())
    }
}

/// The removed slots are saved in ascending order.
impl<H: StreamFamily> State for Dx<H> {
    type Hash = H;

    fn save(&self) -> Removals {
        Removals { slots: self.slots, removed: (0..self.slots).filter(|&slot| !self.works(slot)).collect() }
    }

    fn load(saved: &Removals, hash: H) -> Result<Self, Error> {
        super::replay(Self::new(saved.slots, saved.slots, hash)?, &saved.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::testing::{self, Counting};

    fn full(n: u32) -> Result<Dx, Error> {
        Dx::new(n, n, Mix::new(1))
    }

    fn with_spares(n: u32) -> Result<Dx, Error> {
        Dx::new(n, n.max(140), Mix::new(1))
    }

    #[test]
    fn total_and_monotone() {
        testing::total(&testing::SIZES[..19], full);
        // 2^28 bytes is enough of a bitmap.
        testing::total(&[i32::MAX as u32], full);
        testing::total(&[1, 2, 63, 64, 65, 127, 128, 129], with_spares);
        testing::monotone(with_spares);
        testing::uniform(with_spares);
        assert_eq!(Dx::new(5, 4, Mix::new(1)).err(), Some(Error::TooManyBuckets { asked: 5, most: 4 }));
        assert_eq!(full(64).expect("valid").grow(), Err(Error::TooManyBuckets { asked: 65, most: 64 }));
    }

    #[test]
    fn any_may_fail() {
        [2, 3, 10, 33, 64, 100].into_iter().for_each(|n| testing::removable(n, full));
        testing::nearly_all_removed(10_000, 9_996, full);
        testing::wanders(with_spares);
        testing::saved_and_loaded(full, || Mix::new(1));
        testing::saved_and_loaded(with_spares, || Mix::new(1));
    }

    #[test]
    fn the_order_of_removals_does_not_matter() {
        let mut subject = full(100).expect("valid");
        let before = testing::answers(&subject, 2000);
        (10..90).for_each(|bucket| subject.remove(bucket).expect("it works"));
        (10..90).for_each(|bucket| subject.restore(bucket).expect("it was removed"));
        assert_eq!(before, testing::answers(&subject, 2000));
    }

    /// A stream that is stuck at one slot.
    #[derive(Clone)]
    struct Stuck(u32);

    impl Draws for Stuck {
        fn draw(&mut self) -> u64 {
            0
        }

        fn below(&mut self, _: u32) -> u32 {
            self.0
        }
    }

    #[test]
    fn after_the_last_draw_the_slots_are_scanned() {
        for (slots, working, drawn, expected) in [
            (10, vec![3], 3, 3),
            (10, vec![3], 9, 3),
            (10, vec![3, 7], 4, 7),
            (200, vec![5, 70], 6, 70),
            (200, vec![5, 70], 71, 5),
            (200, vec![5], 5, 5),
            (64, vec![5], 6, 5),
        ] {
            let removed = (0..slots).filter(|slot| !working.contains(slot)).collect();
            let subject = Dx::load(&Removals { slots, removed }, move |_| Stuck(drawn)).expect("some work");
            assert_eq!(subject.bucket(0), expected, "{working:?} of {slots}, drawn {drawn}");
        }
    }

    /// Without a bound a look-up would take 2^28 draws on average here.
    #[test]
    fn sparse_sets_are_answered_after_a_bounded_number_of_draws() {
        const SLOTS: u32 = 1 << 28;
        let counting = Counting::default();
        let subject = Dx::new(1, SLOTS, counting.clone()).expect("valid");
        for key in 0..5 {
            assert_eq!(subject.bucket(key), 0);
            assert!(counting.one(&subject, key) <= MOST_DRAWS);
        }
        // Those that the scan finds move from a removed slot only, too.
        let mut subject = Dx::new(1, SLOTS, Mix::new(1)).expect("valid");
        for slot in [SLOTS / 3, SLOTS / 2, SLOTS - 1] {
            subject.restore(slot).expect("it never worked");
        }
        let before: Vec<u32> = (0..60).map(|key| subject.bucket(key)).collect();
        subject.remove(SLOTS / 2).expect("it works");
        let moved = (0..60).zip(before).filter(|&(key, old)| subject.bucket(key) != old);
        let moved: Vec<(u64, u32)> = moved.collect();
        assert!(!moved.is_empty() && moved.iter().all(|&(_, old)| old == SLOTS / 2), "{moved:?}");
    }

    #[test]
    fn draws_are_geometric() {
        const KEYS: u32 = 50_000;
        for (slots, working) in [(100, 100), (100, 50), (100, 10), (1000, 37)] {
            let counting = Counting::default();
            let subject = Dx::new(working, slots, counting.clone()).expect("valid");
            let p = f64::from(working) / f64::from(slots);
            let mean = counting.mean(&subject, KEYS);
            // Five standard errors of a geometric variable's mean; the cut-off at 4a draws is out of its reach.
            let error = ((1.0 - p) / (p * p) / f64::from(KEYS)).sqrt();
            assert!((mean - 1.0 / p).abs() <= 5.0 * error, "{mean} draws, {} ± {error} expected", 1.0 / p);

            let mut random = crate::algorithms::hash::SplitMix64::new(17);
            let draws: Vec<u64> = (0..KEYS).map(|_| counting.one(&subject, random.draw())).collect();
            let counts: Vec<u32> = (1..=8)
                .map(|k| draws.iter().filter(|&&d| d == k).count() as u32)
                .chain([draws.iter().filter(|&&d| d > 8).count() as u32])
                .collect();
            let shares: Vec<f64> = (0..8).map(|k| (1.0 - p).powi(k) * p).chain([(1.0 - p).powi(8)]).collect();
            testing::assert_fair(&counts, &shares);
        }
    }
}
