//! Consistent hashing algorithms, one file each, and the traits that they share.
//!
//! Each file opens with its paper, its definition and its cost, and implements exactly the traits that the algorithm
//! honestly can: what it cannot do it does not implement. The folder imports nothing from the rest of the crate and
//! can be lifted out as a library.
//!
//! A *key* is a `u64`, a *bucket* a `u32` in `0..n`. Where an algorithm places things on a circle or draws random
//! values, the functions that do so are its [hash family](hash::HashFamily), a type parameter, so that a test can plug
//! in the hash of a reference and compare bit for bit, while experiments give every algorithm the same strong hash.

mod error;
pub mod hash;
mod jump;
mod jump_linear;
mod members;
mod modulo;
mod rendezvous;
mod ring_btree;
mod ring_sorted32;
mod ring_sorted64;
mod token_ring;

pub use error::Error;
pub use jump::{Jump, MAX_BUCKETS as JUMP_MAX_BUCKETS};
pub use jump_linear::JumpLinear;
pub use modulo::Modulo;
pub use rendezvous::Rendezvous;
pub use ring_btree::RingBTree;
pub use ring_sorted32::RingSorted32;
pub use ring_sorted64::RingSorted64;
pub use token_ring::{Boundary, TokenRing};

/// Maps every 64-bit key to one of the buckets that are working now.
pub trait Partitioner: Send + Sync {
    /// The bucket that owns `key`.
    fn bucket(&self, key: u64) -> u32;

    /// How many buckets are working.
    fn bucket_count(&self) -> u32;

    /// The buckets of many keys: `out[i]` becomes the bucket of `keys[i]`, for the shorter of the two lengths.
    /// Implementations override it where a batch is faster.
    fn buckets(&self, keys: &[u64], out: &mut [u32]) {
        for (out, &key) in out.iter_mut().zip(keys) {
            *out = self.bucket(key);
        }
    }
}

/// Grows and shrinks at the end: buckets are always `0..n`.
pub trait Resize: Partitioner {
    /// Adds bucket `n` and returns its number.
    ///
    /// # Errors
    /// [`Error::TooManyBuckets`] at the algorithm's limit; the partitioner is unchanged.
    fn grow(&mut self) -> Result<u32, Error>;

    /// Removes bucket `n - 1` and returns its number.
    ///
    /// # Errors
    /// [`Error::LastBucket`] when only one is left; the partitioner is unchanged.
    fn shrink(&mut self) -> Result<u32, Error>;
}

/// Any bucket may fail and come back.
pub trait Remove: Partitioner {
    /// Takes a working bucket out.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it is not working, [`Error::LastBucket`] if no other is; unchanged in both cases.
    fn remove(&mut self, bucket: u32) -> Result<(), Error>;

    /// Brings a bucket that was removed back.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it is working, or cannot come back in this algorithm; unchanged.
    fn restore(&mut self, bucket: u32) -> Result<(), Error>;
}

/// Checks a number of buckets that came from outside (a command line, a file): `1..=most`.
///
/// # Errors
/// [`Error::NoBuckets`] for zero or a negative number, [`Error::TooManyBuckets`] above `most`.
pub fn checked_buckets(asked: i64, most: u32) -> Result<u32, Error> {
    match u32::try_from(asked) {
        Err(_) if asked > 0 => Err(Error::TooManyBuckets { asked: asked.unsigned_abs(), most }),
        Ok(0) | Err(_) => Err(Error::NoBuckets { asked }),
        Ok(n) if n > most => Err(Error::TooManyBuckets { asked: u64::from(n), most }),
        Ok(n) => Ok(n),
    }
}

/// [`Resize::grow`] of an algorithm whose only state is its number of buckets.
pub(crate) fn grow_count(buckets: &mut u32, most: u32) -> Result<u32, Error> {
    let new = *buckets;
    if new >= most {
        return Err(Error::TooManyBuckets { asked: u64::from(new) + 1, most });
    }
    *buckets = new + 1;
    Ok(new)
}

/// [`Resize::shrink`] of an algorithm whose only state is its number of buckets.
pub(crate) fn shrink_count(buckets: &mut u32) -> Result<u32, Error> {
    if *buckets == 1 {
        return Err(Error::LastBucket { bucket: 0 });
    }
    *buckets -= 1;
    Ok(*buckets)
}

/// Checks the points per bucket of a ring and returns the number of points on the circle.
pub(crate) fn checked_points(buckets: u32, points: u32) -> Result<usize, Error> {
    if points == 0 {
        return Err(Error::NoPoints);
    }
    // One bit below what a Vec could hold, so that no byte count overflows; memory gives out long before.
    (buckets as usize)
        .checked_mul(points as usize)
        .filter(|&total| total <= 1 << 48)
        .ok_or(Error::TooManyPoints { buckets, points })
}
