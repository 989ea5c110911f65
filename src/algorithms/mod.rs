//! Consistent hashing algorithms, one file each, and the traits that they share.
//!
//! Each file opens with its paper, its definition and its cost, and implements exactly the traits that the algorithm
//! honestly can: what it cannot do it does not implement. The folder imports nothing from the rest of the crate and
//! can be lifted out as a library.
//!
//! A *key* is a `u64`, a *bucket* a `u32` in `0..n`. Where an algorithm places things on a circle or draws random
//! values, the functions that do so are its [hash family](hash::HashFamily), a type parameter, so that a test can plug
//! in the hash of a reference and compare bit for bit, while experiments give every algorithm the same strong hash.
//!
//! By kind:
//!
//! * no memory, buckets come and go at the end: [`Modulo`], [`Jump`], [`JumpLinear`], [`JumpDraws`], [`JumpBack`],
//!   [`Power`], [`Flip`], [`Binomial`], [`Round`];
//! * memory of the buckets that failed, which may be any: [`Memento`], [`JumpBackAnchor`]; of all: [`Anchor`], [`Dx`];
//! * points on a ring: [`RingBTree`], [`RingSorted32`], [`RingSorted64`], [`RingWeighted`], [`MultiProbe`], and on an
//!   interval [`RingNearest`];
//! * tokens that are given, allocated or drawn: [`TokenRing`], [`TokenAllocator`], [`Dynamo`];
//! * a score for every bucket: [`Rendezvous`], [`RendezvousWeighted`];
//! * a table: [`Maglev`], [`PartitionTable`];
//! * loads that are bounded: [`BoundedLoads`], and of partitions [`PartitionTable`];
//! * replicas on top of any of them: [`Failover`], [`Zoned`].

mod anchor;
mod binomial;
mod bounded_loads;
mod bucket_map;
mod circle;
mod count;
mod dx;
mod dynamo;
mod error;
mod flip;
pub mod hash;
mod jump;
mod jump_back;
mod jump_back_anchor;
mod jump_draws;
mod jump_linear;
pub mod maglev;
mod members;
mod memento;
mod modulo;
mod multi_probe;
mod partition_table;
mod power;
mod rendezvous;
mod rendezvous_weighted;
mod replicas;
mod ring_btree;
mod ring_nearest;
mod ring_sorted32;
mod ring_sorted64;
mod ring_weighted;
mod room;
mod round;
#[cfg(test)]
mod testing;
mod token_allocator;
mod token_ring;
mod weights;

pub use anchor::{Anchor, AnchorHash, Chains, CompactAnchor, Positions, Replacements};
pub use binomial::Binomial;
pub use bounded_loads::{BoundedLoads, Change};
pub(crate) use circle::{Circle, Keep};
pub use count::checked_buckets;
pub(crate) use count::{by_count, grow_count, shrink_count};
pub use dx::Dx;
pub use dynamo::{Dynamo, Strategy};
pub use error::Error;
pub use flip::{Flip, FlipFamily, flip_hash};
pub use jump::{Jump, MAX_BUCKETS as JUMP_MAX_BUCKETS};
pub use jump_back::{JumpBack, JumpBack32, JumpBackHash};
pub use jump_back_anchor::JumpBackAnchor;
pub use jump_draws::JumpDraws;
pub use jump_linear::JumpLinear;
pub use maglev::Maglev;
pub use memento::Memento;
pub use modulo::Modulo;
pub use multi_probe::MultiProbe;
pub use partition_table::PartitionTable;
pub use power::Power;
pub use rendezvous::Rendezvous;
pub use rendezvous_weighted::RendezvousWeighted;
pub use replicas::{Failover, Zoned};
pub use ring_btree::RingBTree;
pub use ring_nearest::RingNearest;
pub use ring_sorted32::RingSorted32;
pub use ring_sorted64::RingSorted64;
pub use ring_weighted::RingWeighted;
pub use round::Round;
pub use token_allocator::TokenAllocator;
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
    /// [`Error::TooManyBuckets`] at the algorithm's limit, [`Error::OutOfMemory`]; the partitioner is unchanged.
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
    /// [`Error::UnknownBucket`] if it is not working, [`Error::LastBucket`] if no other is, [`Error::OutOfMemory`] where
    /// removals take memory; unchanged in all cases.
    fn remove(&mut self, bucket: u32) -> Result<(), Error>;

    /// Brings a bucket back that was removed. What has a fixed number of slots may bring one that never worked, and what
    /// keeps no memory of a highest bucket that left brings the number that it would get: they cannot tell.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it is working, never existed, or cannot come back now (some algorithms undo the last
    /// removal first); unchanged.
    fn restore(&mut self, bucket: u32) -> Result<(), Error>;
}

/// Gives buckets keys in proportion to their weights, as nearly as the algorithm can.
pub trait Weighted: Partitioner {
    /// The weight of a working bucket.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it is not working.
    fn weight(&self, bucket: u32) -> Result<f64, Error>;

    /// Changes the weight of a working bucket; keys move to it or from it only.
    ///
    /// # Errors
    /// [`Error::UnknownBucket`] if it is not working, [`Error::Weight`] for zero, negative, infinite and other numbers
    /// outside 1e-100..=1e100, [`Error::RingTooLarge`]; unchanged in all cases.
    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error>;
}

/// Names more than one bucket for a key: where its replicas lie, and who takes over.
pub trait Replicas: Partitioner {
    /// All working buckets in the order in which the key prefers them, each once; the first is
    /// [`bucket`](Partitioner::bucket). It is the preference list of DeCandia et al. 2007, section 4.3.
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_>;

    /// The first `count` buckets of the preference.
    ///
    /// # Errors
    /// [`Error::TooFewBuckets`] if fewer are working.
    fn replicas(&self, key: u64, count: u32) -> Result<Vec<u32>, Error> {
        match self.bucket_count() {
            working if count > working => Err(Error::TooFewBuckets { asked: count, working }),
            _ => Ok(self.preference(key).take(count as usize).collect()),
        }
    }
}

/// Everything that a partitioner remembers besides its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removals {
    /// The buckets that there are, working or not, are `0..slots`.
    pub slots: u32,
    /// The buckets that are not working, the one removed first at the front.
    pub removed: Vec<u32>,
}

/// Can be written down, and built again elsewhere with the same owner of every key.
pub trait State: Partitioner + Sized {
    /// The hash, which the caller supplies anew.
    type Hash;

    /// What must be kept.
    fn save(&self) -> Removals;

    /// The partitioner that was saved.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::TooManyBuckets`] for an impossible number of slots; [`Error::UnknownBucket`] for
    /// a bucket removed twice or out of range, [`Error::LastBucket`] if none would be left.
    fn load(saved: &Removals, hash: Self::Hash) -> Result<Self, Error>;
}

/// Removes what had been removed from a partitioner in which every slot works.
pub(crate) fn replay<P: Remove>(mut full: P, removed: &[u32]) -> Result<P, Error> {
    removed.iter().try_for_each(|&bucket| full.remove(bucket))?;
    Ok(full)
}

/// Checks that a bucket may be taken out: it works, and of `working` buckets it is not the only one.
///
/// # Errors
/// [`Error::UnknownBucket`], [`Error::LastBucket`], as [`Remove::remove`] has them.
pub(crate) fn checked_removal(bucket: u32, works: bool, working: u32) -> Result<(), Error> {
    match working {
        _ if !works => Err(Error::UnknownBucket { bucket, choices: "a bucket that is working" }),
        1 => Err(Error::LastBucket { bucket }),
        _ => Ok(()),
    }
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
