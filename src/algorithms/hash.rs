//! Hash families: where keys and points lie.
//!
//! An algorithm takes its family as a type parameter. [`Mix`] is the one that all experiments use; tests plug in others,
//! for example one in which everything collides.

/// The functions by which a ring or a rendezvous places keys and buckets.
pub trait HashFamily: Clone + Send + Sync {
    /// Position of a key on the circle `0..2^64`.
    fn key(&self, key: u64) -> u64;

    /// Position of point number `replica` of `bucket` on the circle.
    fn point(&self, bucket: u32, replica: u32) -> u64;

    /// Score of a bucket for a key: independent over both.
    fn score(&self, key: u64, bucket: u32) -> u64;

    /// The next hash of a key that was led by its hash `previous` to a `bucket` which does not work.
    ///
    /// The papers want a function of key and bucket; implementations also chain the previous hash.
    fn rehash(&self, key: u64, previous: u64, bucket: u32) -> u64 {
        let _ = previous;
        self.score(key, bucket)
    }

    /// Where the jump walk of a key's `hash` ends that begins at bucket `from` and stays below `buckets`.
    ///
    /// Figure 1 of the jump paper; libraries exist that round once where it rounds twice.
    fn jump(&self, hash: u64, from: u32, buckets: u32) -> u32 {
        super::jump::walk_from(hash, from, buckets)
    }
}

/// An endless stream of random values. It must not be stuck: who draws may refuse a value and wait for another.
pub trait Draws {
    /// The next 64 bits.
    fn draw(&mut self) -> u64;

    /// A uniform value in `[0, 1)` from the upper 53 bits of a draw.
    fn unit(&mut self) -> f64 {
        (self.draw() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A uniform value below `bound`, from the lower half of a draw: Lemire 2019, algorithm 5 with L = 32. At most every
    /// other draw is refused. 0 for a bound of 0.
    fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        // Products whose lower half is under this would favour some results.
        let unfair = if bound == 0 { 0 } else { (1 << 32) % bound };
        loop {
            let product = (self.draw() & 0xffff_ffff) * bound;
            if product & 0xffff_ffff >= unfair {
                return (product >> 32) as u32;
            }
        }
    }
}

/// Gives every key a stream of draws. A closure from a key to its stream is a family.
pub trait StreamFamily: Clone + Send + Sync {
    /// The streams.
    type Stream: Draws;

    /// The stream of this key, from its beginning.
    fn stream(&self, key: u64) -> Self::Stream;
}

impl<F: Fn(u64) -> D + Clone + Send + Sync, D: Draws> StreamFamily for F {
    type Stream = D;

    fn stream(&self, key: u64) -> D {
        self(key)
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014): [`mix64`] of a Weyl sequence.
#[derive(Debug, Clone)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// The stream whose state is `seed` before the first step.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }
}

impl Draws for SplitMix64 {
    #[inline]
    fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix64(self.state)
    }
}

/// Stafford's variant 13 of the murmur3 finaliser, a bijection of `u64` (Steele, Lea & Flood 2014, SplitMix64).
///
/// Because it is a bijection, keys that are uniform stay exactly uniform, and the length of an arc is the exact share of
/// the keys in it.
#[inline]
#[must_use]
pub const fn mix64(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// 2^64 / golden ratio, odd: the step of a Weyl sequence.
pub(crate) const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// The family of the experiments: [`mix64`] with a seed. Two rings of different seeds are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mix {
    seed: u64,
}

impl Mix {
    /// The family of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed: mix64(seed.wrapping_add(GOLDEN)) }
    }
}

impl HashFamily for Mix {
    #[inline]
    fn key(&self, key: u64) -> u64 {
        // Independent of the seed: repeated rings are looked up with the same keys.
        mix64(key.wrapping_add(GOLDEN))
    }

    #[inline]
    fn point(&self, bucket: u32, replica: u32) -> u64 {
        // Distinct (bucket, replica) stay distinct through two bijections, so that one seed gives no collisions in 64 bits.
        let label = (u64::from(bucket) << 32) | u64::from(replica);
        mix64(mix64(label ^ self.seed).wrapping_add(GOLDEN))
    }

    #[inline]
    fn score(&self, key: u64, bucket: u32) -> u64 {
        // A full mix after the bucket enters: key ^ bucket alone is the known 20 % skew.
        mix64(mix64(key ^ self.seed).wrapping_add(GOLDEN.wrapping_mul(u64::from(bucket) + 1)))
    }
}

impl StreamFamily for Mix {
    type Stream = SplitMix64;

    #[inline]
    fn stream(&self, key: u64) -> SplitMix64 {
        // Independent of the seed, as the positions of keys are.
        SplitMix64::new(key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_uniform_and_total() {
        let mut counts = [0_u32; 3];
        let mut stream = SplitMix64::new(1);
        (0..30_000).for_each(|_| counts[stream.below(3) as usize] += 1);
        // Five standard deviations, sqrt(30000 / 3 * 2 / 3) = 82.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 410), "{counts:?}");
        assert_eq!([stream.below(0), stream.below(1)], [0, 0]);
        assert!(stream.below(u32::MAX) < u32::MAX);
    }

    #[test]
    fn mix64_is_splitmix64() {
        // First three outputs of SplitMix64 from state 0, as published with its reference code.
        let mut stream = SplitMix64::new(0);
        assert_eq!(
            [(); 3].map(|()| stream.draw()),
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]
        );
    }

    #[test]
    fn points_of_one_seed_are_distinct() {
        let family = Mix::new(7);
        let mut points: Vec<u64> =
            (0..100).flat_map(|bucket| (0..100).map(move |replica| family.point(bucket, replica))).collect();
        points.sort_unstable();
        points.dedup();
        assert_eq!(points.len(), 10_000);
    }
}
