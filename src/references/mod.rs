//! The papers' own programs: today the C++ of the jump paper (Lamping & Veach 2014), compiled from `cpp/` where a C++ compiler exists.
//!
//! [`CppJump`] is Figure 1; [`CppRingMap`] and [`CppRingVector`] are the rings A and B of its "Space Requirements".
//! They answer exactly as [`Jump`](crate::algorithms::Jump), [`RingBTree`](crate::algorithms::RingBTree) and
//! [`RingSorted32`](crate::algorithms::RingSorted32) with the family [`Mix`](crate::algorithms::hash::Mix), so that a
//! difference in time or space is one of language and container, not of work.
//!
//! In a program that was built without a C++ compiler the types exist and cannot be constructed:
//! [`CppError::NoCompiler`].

#[cfg(has_cxx)]
mod library;
#[cfg(not(has_cxx))]
#[path = "no_library.rs"]
mod library;

use crate::algorithms::{self, JUMP_MAX_BUCKETS, Partitioner, checked_buckets, checked_points};
use library::{Handle, Library};

/// The compiler that built `cpp/`, with its version and options; `None` if there was none.
pub const COMPILER: Option<&str> = if cfg!(has_cxx) { Some(env!("CHLAB_CXX")) } else { None };

/// What can be wrong with a request to build one of the C++ programs' structures.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CppError {
    /// A request that the Rust implementation refuses too.
    #[error(transparent)]
    Request(#[from] algorithms::Error),
    /// This program has no C++ in it.
    #[error("no C++ compiler was found when this program was built; install g++ or clang++ and build again")]
    NoCompiler,
    /// The C++ program ran out of memory.
    #[error("{buckets} buckets x {points} points: not enough memory for the C++ ring; use fewer of one")]
    OutOfMemory { buckets: u32, points: u32 },
}

/// Figure 1 of the paper as it is, with its `int32_t`: for 0 or a negative number of buckets it answers -1.
///
/// # Errors
/// [`CppError::NoCompiler`].
pub fn figure_1(key: u64, num_buckets: i32) -> Result<i32, CppError> {
    Ok(Library::linked()?.figure_1(key, num_buckets))
}

/// Whether the C++ standard library is libstdc++, whose `std::map` the paper measured. Another may have nodes of another
/// size.
///
/// # Errors
/// [`CppError::NoCompiler`].
pub fn uses_libstdcxx() -> Result<bool, CppError> {
    Ok(Library::linked()?.uses_libstdcxx())
}

/// Figure 1 of the paper, in C++.
#[derive(Debug, Clone)]
pub struct CppJump {
    buckets: u32,
    linked: Library,
}

impl CppJump {
    /// A partitioner of `buckets` buckets.
    ///
    /// # Errors
    /// [`CppError::NoCompiler`]; as [`Jump::new`](crate::algorithms::Jump::new).
    pub fn new(buckets: u32) -> Result<Self, CppError> {
        let library = Library::linked()?;
        Ok(Self { buckets: checked_buckets(i64::from(buckets), JUMP_MAX_BUCKETS)?, linked: library })
    }

    /// Bytes on the heap: none.
    #[must_use]
    pub const fn live_bytes(&self) -> u64 {
        0
    }

    /// The most bytes that were ever on the heap: none.
    #[must_use]
    pub const fn peak_bytes(&self) -> u64 {
        0
    }
}

impl Partitioner for CppJump {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.linked.jump(key, self.buckets)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }

    fn buckets(&self, keys: &[u64], out: &mut [u32]) {
        self.linked.jump_many(self.buckets, keys, out);
    }
}

/// Where a C++ ring keeps its points: [`StdMap`] or [`SortedVector`].
pub trait Storage: library::Functions {
    /// More buckets than this do not fit in the storage's type.
    const MOST_BUCKETS: u32;
}

/// `std::map<uint64_t, int32_t>` from position to bucket.
#[derive(Debug)]
pub enum StdMap {}

impl Storage for StdMap {
    const MOST_BUCKETS: u32 = i32::MAX as u32;
}

/// A sorted `std::vector` of (32-bit position, 32-bit bucket).
#[derive(Debug)]
pub enum SortedVector {}

impl Storage for SortedVector {
    const MOST_BUCKETS: u32 = u32::MAX;
}

/// The paper's implementation A: 48 bytes a point with libstdc++.
pub type CppRingMap = CppRing<StdMap>;

/// The paper's implementation B: 8 bytes a point.
pub type CppRingVector = CppRing<SortedVector>;

/// A ring in C++.
#[derive(Debug)]
pub struct CppRing<S: Storage> {
    buckets: u32,
    ring: Handle<S>,
}

impl<S: Storage> CppRing<S> {
    /// A ring of `buckets` buckets with `points` points each, placed by the family `Mix` of `seed`.
    ///
    /// # Errors
    /// [`CppError::NoCompiler`]; as [`RingBTree::new`](crate::algorithms::RingBTree::new);
    /// [`TooManyBuckets`](algorithms::Error::TooManyBuckets) above 2^31 - 1 for a map, whose values are `int32_t`;
    /// [`CppError::OutOfMemory`].
    pub fn new(buckets: u32, points: u32, seed: u64) -> Result<Self, CppError> {
        let library = Library::linked()?;
        checked_buckets(i64::from(buckets), S::MOST_BUCKETS)?;
        checked_points(buckets, points)?;
        match Handle::build(&library, buckets, points, seed) {
            Some(ring) => Ok(Self { buckets, ring }),
            None => Err(CppError::OutOfMemory { buckets, points }),
        }
    }

    /// The bytes that the container holds, as it asked for them; the fixed size of the container itself is not in them.
    #[must_use]
    pub fn live_bytes(&self) -> u64 {
        self.ring.live_bytes()
    }

    /// The most bytes that the container ever held.
    #[must_use]
    pub fn peak_bytes(&self) -> u64 {
        self.ring.peak_bytes()
    }
}

impl<S: Storage> Partitioner for CppRing<S> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.ring.lookup_one(key)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }

    fn buckets(&self, keys: &[u64], out: &mut [u32]) {
        self.ring.lookup_many(keys, out);
    }
}

#[cfg(all(test, not(has_cxx)))]
mod tests {
    use super::*;

    #[test]
    fn nothing_can_be_built() {
        assert_eq!(COMPILER, None);
        assert_eq!(CppJump::new(1).unwrap_err(), CppError::NoCompiler);
        assert_eq!(CppRingMap::new(1, 1, 0).unwrap_err(), CppError::NoCompiler);
        assert_eq!(CppRingVector::new(1, 1, 0).unwrap_err(), CppError::NoCompiler);
    }
}

#[cfg(all(test, has_cxx))]
mod tests;
