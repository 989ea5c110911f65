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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mix64_is_splitmix64() {
        // First three outputs of SplitMix64 from state 0, as published with its reference code.
        let outputs: Vec<u64> = (1..=3).map(|i| mix64(GOLDEN.wrapping_mul(i))).collect();
        assert_eq!(outputs, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
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
