//! How many random values and hashes a look-up takes, counted while it runs.

use std::cell::Cell;

use crate::algorithms::hash::{Draws, HashFamily, Mix, SplitMix64, StreamFamily};
use crate::algorithms::{FlipFamily, Jump, Partitioner};
use crate::statistics::Interval;

thread_local! {
    /// By the look-ups of this thread.
    static TAKEN: Cell<u64> = const { Cell::new(0) };
}

fn taken(more: u64) {
    TAKEN.set(TAKEN.get() + more);
}

/// The family [`Mix`], of which each draw, each hash and each step of a jump walk is counted.
#[derive(Debug, Clone, Copy)]
pub struct Counted(pub Mix);

/// A stream of [`Counted`].
#[derive(Debug)]
pub struct CountedStream(SplitMix64);

impl Draws for CountedStream {
    #[inline]
    fn draw(&mut self) -> u64 {
        taken(1);
        self.0.draw()
    }
}

impl StreamFamily for Counted {
    type Stream = CountedStream;

    #[inline]
    fn stream(&self, key: u64) -> CountedStream {
        CountedStream(self.0.stream(key))
    }
}

impl HashFamily for Counted {
    fn key(&self, key: u64) -> u64 {
        taken(1);
        self.0.key(key)
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        taken(1);
        self.0.point(bucket, replica)
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        taken(1);
        self.0.score(key, bucket)
    }

    fn jump(&self, hash: u64, from: u32, buckets: u32) -> u32 {
        Jump::walk_from(hash, from, buckets).inspect(|_| taken(1)).last().unwrap_or(from)
    }
}

impl FlipFamily for Counted {
    fn hash(&self, key: u64, level: u32, attempt: u32) -> u64 {
        taken(1);
        self.0.hash(key, level, attempt)
    }
}

/// What the look-ups of some keys took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Steps {
    /// How many keys.
    pub keys: u64,
    /// Mean over the keys.
    pub mean: f64,
    /// Variance over the keys, divided by their number.
    pub variance: f64,
}

impl Steps {
    /// The 99% interval of the mean: 2.576 standard errors to each side.
    #[must_use]
    pub fn interval(&self) -> Interval {
        let half = 2.576 * (self.variance / self.keys as f64).sqrt();
        Interval { low: self.mean - half, high: self.mean + half, level: 0.99 }
    }
}

/// Counts what the look-ups of some keys take of their family, which has to be [`Counted`]. `None` without keys.
pub fn steps(subject: &impl Partitioner, keys: impl IntoIterator<Item = u64>) -> Option<Steps> {
    // In integers: no rounding, whatever the order.
    let (mut count, mut sum, mut squares) = (0_u64, 0_u128, 0_u128);
    for key in keys {
        let before = TAKEN.get();
        subject.bucket(key);
        let one = u128::from(TAKEN.get() - before);
        (count, sum, squares) = (count + 1, sum + one, squares + one * one);
    }
    let keys = u128::from(count);
    let spread = (keys * squares).checked_sub(sum * sum)?;
    (count > 0).then(|| Steps {
        keys: count,
        mean: sum as f64 / count as f64,
        variance: spread as f64 / (keys * keys) as f64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Flip, JumpBack, JumpBack32, JumpDraws, Power};
    use crate::statistics::harmonic;

    #[test]
    fn counts_are_those_of_theory() {
        let family = Counted(Mix::new(1));
        let of = |subject: &dyn Fn(u64) -> Option<Steps>| subject(20_000).expect("keys");
        let jump = JumpDraws::new(1000, family).expect("valid");
        let found = of(&|keys| steps(&jump, 0..keys));
        assert!((found.mean - harmonic(1000)).abs() < 0.1 && found.keys == 20_000, "{found:?}");
        let exactly = |found: Steps, mean: f64| assert_eq!((found.mean, found.variance), (mean, 0.0));
        exactly(of(&|keys| steps(&JumpBack::new(1024, family).expect("valid"), 0..keys)), 1.0);
        exactly(of(&|keys| steps(&JumpBack32::new(1024, family).expect("valid"), 0..keys)), 2.0);
        assert_eq!(steps(&jump, []), None);
    }

    #[test]
    fn few_hashes_at_any_size() {
        let family = Counted(Mix::new(1));
        for n in [3, 1_025, 1_000_000_000] {
            let flip = steps(&Flip::new(n, family).expect("valid"), 0..10_000).expect("keys");
            let power = steps(&Power::new(n, family).expect("valid"), 0..10_000).expect("keys");
            assert!(flip.mean < 4.0 && power.mean < 5.0, "n = {n}: {flip:?}, {power:?}");
        }
    }

    #[test]
    fn the_counted_family_has_the_same_buckets() {
        let (plain, counted) = (Power::new(1_000, Mix::new(7)), Power::new(1_000, Counted(Mix::new(7))));
        let (plain, counted) = (plain.expect("valid"), counted.expect("valid"));
        assert!((0..5_000).all(|key| plain.bucket(key) == counted.bucket(key)));
    }
}
