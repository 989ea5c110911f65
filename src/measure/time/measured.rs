//! The timed loops.

use std::hint::black_box;

use super::Contention;
use crate::algorithms::Partitioner;

/// Keys whose buckets are held at once: 8 KiB of keys and 4 KiB of buckets stay in any level-1 cache.
const CHUNK: usize = 1024;

/// The loops in which a partitioner is timed. Every [`Partitioner`] has them, compiled for its type, so that a
/// `Box<dyn Measured>` costs one dynamic call for a block of keys. (Behind a foreign function the call for each key is
/// part of what is measured: that is how a program would use it.)
///
/// All return a checksum, the wrapping sum of the buckets: it keeps the work from being optimised away, and proves
/// that a loop did the same work as a plain one over the same keys.
pub trait Measured: Partitioner {
    /// Look-ups of independent keys, which the processor may overlap, by [`Partitioner::buckets`].
    fn throughput(&self, keys: &[u64]) -> u64;

    /// Look-ups one after the other: a key is not known before the bucket of the key before it.
    ///
    /// Each key is combined with the last bucket under a mask that is zero, which the compiler cannot see. So the keys
    /// are exactly those given, and no look-up starts before the data that makes up the last bucket is there. What the
    /// processor can still do, here as in any program, is to predict branches: with one bucket jump's answer is a
    /// constant behind a predicted branch, and its look-ups overlap.
    fn latency(&self, keys: &[u64]) -> u64;

    /// Look-ups each of which comes after the reads of [`Contention::read`]. The checksum includes what was read.
    fn contended(&self, keys: &[u64], contention: &Contention) -> u64;
}

impl<P: Partitioner> Measured for P {
    fn throughput(&self, keys: &[u64]) -> u64 {
        let mut buckets = [0; CHUNK];
        let mut sum = 0_u64;
        for keys in keys.chunks(CHUNK) {
            let buckets = &mut buckets[..keys.len()];
            self.buckets(keys, buckets);
            // Sum and look-up stay two loops: fused, some partitioners would never store a bucket and others would.
            sum = black_box(buckets).iter().fold(sum, |sum, &bucket| sum.wrapping_add(u64::from(bucket)));
        }
        sum
    }

    fn latency(&self, keys: &[u64]) -> u64 {
        let zero = black_box(0);
        let (mut sum, mut last) = (0_u64, 0);
        for key in keys {
            last = u64::from(self.bucket(key ^ (last & zero)));
            sum = sum.wrapping_add(last);
        }
        sum
    }

    fn contended(&self, keys: &[u64], contention: &Contention) -> u64 {
        let mut state = contention.start(keys);
        keys.iter().fold(0, |sum, &key| {
            let read = contention.read(&mut state);
            sum.wrapping_add(read).wrapping_add(u64::from(self.bucket(key)))
        })
    }
}

/// The partitioner that does nothing: what it takes is what the timed loops take themselves. It is a row of its own,
/// and is subtracted as Lamping & Veach 2014 did.
///
/// It goes key by key, as the loop around almost any look-up does. Left alone the compiler would turn it into vector
/// instructions, at about 0.35 ns a key instead of 0.6, and every other partitioner would look 0.25 ns slower than it
/// is.
#[derive(Debug, Clone, Copy, Default)]
pub struct EmptyLoop;

impl Partitioner for EmptyLoop {
    /// The lower half of the key.
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        // No instruction, but memory may have changed as far as the compiler knows: no two keys at once.
        black_box(());
        key as u32
    }

    /// One below the 2^32 answers that there are, which a `u32` cannot hold.
    fn bucket_count(&self) -> u32 {
        u32::MAX
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::Jump;
    use crate::algorithms::hash::mix64;

    fn plain(subject: &dyn Measured, keys: &[u64]) -> u64 {
        keys.iter().map(|&key| u64::from(subject.bucket(key))).sum()
    }

    #[test]
    fn checksums_are_those_of_a_plain_loop() {
        let jump = Jump::new(1000).expect("a valid count");
        let contention = Contention::new(1 << 20, 1).expect("a megabyte");
        for subject in [&jump as &dyn Measured, &EmptyLoop] {
            // Around the chunk, where a loop could lose or repeat a key.
            for count in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 7] {
                let keys: Vec<u64> = (0..count as u64).map(mix64).collect();
                let sum = plain(subject, &keys);
                assert_eq!(subject.throughput(&keys), sum);
                assert_eq!(subject.latency(&keys), sum);
                let read = EmptyLoop.contended(&keys, &contention).wrapping_sub(plain(&EmptyLoop, &keys));
                assert_eq!(subject.contended(&keys, &contention).wrapping_sub(read), sum);
            }
        }
    }

    #[test]
    fn boxes_are_object_safe() {
        let boxed: Box<dyn Measured> = Box::new(EmptyLoop);
        assert_eq!(boxed.throughput(&[1, 2, 3]), 6);
    }
}
