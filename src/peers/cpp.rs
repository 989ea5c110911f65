//! The C++ programs of the jump paper (Lamping & Veach 2014), compiled from `cpp/` where a C++ compiler exists.
//!
//! [`CppJump`] is Figure 1; [`CppRingMap`] and [`CppRingVector`] are the rings A and B of its "Space Requirements".
//! They answer exactly as [`Jump`](crate::algorithms::Jump), [`RingBTree`](crate::algorithms::RingBTree) and
//! [`RingSorted32`](crate::algorithms::RingSorted32) with the family [`Mix`](crate::algorithms::hash::Mix), so that a
//! difference in time or space is one of language and container, not of work.
//!
//! In a program that was built without a C++ compiler the types exist and cannot be constructed:
//! [`CppError::NoCompiler`].

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

/// The C++ side, made safe: all that is `unsafe` in this file.
#[cfg(has_cxx)]
mod library {
    use std::marker::PhantomData;
    use std::ptr::NonNull;

    use super::{CppError, SortedVector, StdMap};

    unsafe extern "C" {
        // No argument can make it misbehave: it has no memory, and below one bucket its loop does not run.
        safe fn chlab_jump(key: u64, buckets: i32) -> i32;
        safe fn chlab_uses_libstdcxx() -> std::ffi::c_int;
        fn chlab_jump_many(buckets: i32, keys: *const u64, out: *mut u32, n: usize);
    }

    /// Proof that the C++ functions are linked.
    #[derive(Debug, Clone)]
    pub struct Library(());

    impl Library {
        pub const fn linked() -> Result<Self, CppError> {
            Ok(Self(()))
        }

        #[inline]
        pub fn jump(&self, key: u64, buckets: u32) -> u32 {
            chlab_jump(key, buckets as i32) as u32
        }

        pub fn figure_1(&self, key: u64, num_buckets: i32) -> i32 {
            chlab_jump(key, num_buckets)
        }

        pub fn uses_libstdcxx(&self) -> bool {
            chlab_uses_libstdcxx() == 1
        }

        pub fn jump_many(&self, buckets: u32, keys: &[u64], out: &mut [u32]) {
            let n = keys.len().min(out.len());
            // SAFETY: `n` elements can be read from `keys` and written to `out`, which do not overlap, being borrowed
            // shared and exclusively.
            unsafe { chlab_jump_many(buckets as i32, keys.as_ptr(), out.as_mut_ptr(), n) };
        }
    }

    /// A ring's C++ object, of which only pointers exist here.
    #[repr(C)]
    pub struct Opaque([u8; 0]);

    /// The C interface of one storage (`cpp/interface.hpp`).
    pub struct Interface {
        build: unsafe extern "C" fn(buckets: u32, points: u32, seed: u64) -> *mut Opaque,
        destroy: unsafe extern "C" fn(*mut Opaque),
        lookup_one: unsafe extern "C" fn(*const Opaque, key: u64) -> u32,
        lookup_many: unsafe extern "C" fn(*const Opaque, keys: *const u64, out: *mut u32, n: usize),
        live_bytes: unsafe extern "C" fn(*const Opaque) -> usize,
        peak_bytes: unsafe extern "C" fn(*const Opaque) -> usize,
    }

    /// A storage whose interface is linked. A constant, so that calls through it are direct.
    pub trait Functions {
        const INTERFACE: Interface;
    }

    macro_rules! linked {
        ($storage:ty, $build:ident, $destroy:ident, $one:ident, $many:ident, $live:ident, $peak:ident) => {
            unsafe extern "C" {
                fn $build(buckets: u32, points: u32, seed: u64) -> *mut Opaque;
                fn $destroy(ring: *mut Opaque);
                fn $one(ring: *const Opaque, key: u64) -> u32;
                fn $many(ring: *const Opaque, keys: *const u64, out: *mut u32, n: usize);
                fn $live(ring: *const Opaque) -> usize;
                fn $peak(ring: *const Opaque) -> usize;
            }

            impl Functions for $storage {
                const INTERFACE: Interface = Interface {
                    build: $build,
                    destroy: $destroy,
                    lookup_one: $one,
                    lookup_many: $many,
                    live_bytes: $live,
                    peak_bytes: $peak,
                };
            }
        };
    }

    linked!(
        StdMap,
        chlab_ring_map_build,
        chlab_ring_map_destroy,
        chlab_ring_map_lookup_one,
        chlab_ring_map_lookup_many,
        chlab_ring_map_live_bytes,
        chlab_ring_map_peak_bytes
    );
    linked!(
        SortedVector,
        chlab_ring_vector_build,
        chlab_ring_vector_destroy,
        chlab_ring_vector_lookup_one,
        chlab_ring_vector_lookup_many,
        chlab_ring_vector_live_bytes,
        chlab_ring_vector_peak_bytes
    );

    /// Owns one ring of a storage: built by its `build`, alive until this is dropped, and never without a point.
    #[derive(Debug)]
    pub struct Handle<S: Functions> {
        ring: NonNull<Opaque>,
        storage: PhantomData<S>,
    }

    // SAFETY: the ring is reached through this handle alone and nothing in it is tied to a thread; memory may be freed
    // on another thread than the one that allocated it.
    unsafe impl<S: Functions> Send for Handle<S> {}

    // SAFETY: through a shared handle only const members are called. They read a standard container and two numbers,
    // and write nothing, not even a counter, so that they may run at the same time.
    unsafe impl<S: Functions> Sync for Handle<S> {}

    impl<S: Functions> Handle<S> {
        /// `None` if there is not enough memory. At least one bucket and one point, checked by the caller: an empty
        /// ring could not be looked up.
        pub fn build(_: &Library, buckets: u32, points: u32, seed: u64) -> Option<Self> {
            assert!(buckets > 0 && points > 0);
            // SAFETY: any numbers are allowed; failure is a null pointer and no exception comes out.
            let ring = unsafe { (S::INTERFACE.build)(buckets, points, seed) };
            NonNull::new(ring).map(|ring| Self { ring, storage: PhantomData })
        }

        #[inline]
        pub fn lookup_one(&self, key: u64) -> u32 {
            // SAFETY: the ring is alive, of this storage, and not empty.
            unsafe { (S::INTERFACE.lookup_one)(self.ring.as_ptr(), key) }
        }

        pub fn lookup_many(&self, keys: &[u64], out: &mut [u32]) {
            let n = keys.len().min(out.len());
            // SAFETY: the ring is alive, of this storage, and not empty; `n` elements can be read from `keys` and
            // written to `out`, which do not overlap, being borrowed shared and exclusively.
            unsafe { (S::INTERFACE.lookup_many)(self.ring.as_ptr(), keys.as_ptr(), out.as_mut_ptr(), n) };
        }

        pub fn live_bytes(&self) -> u64 {
            // SAFETY: the ring is alive and of this storage.
            unsafe { (S::INTERFACE.live_bytes)(self.ring.as_ptr()) as u64 }
        }

        pub fn peak_bytes(&self) -> u64 {
            // SAFETY: the ring is alive and of this storage.
            unsafe { (S::INTERFACE.peak_bytes)(self.ring.as_ptr()) as u64 }
        }
    }

    impl<S: Functions> Drop for Handle<S> {
        fn drop(&mut self) {
            // SAFETY: the ring is alive and of this storage; nobody can use it after its only handle.
            unsafe { (S::INTERFACE.destroy)(self.ring.as_ptr()) };
        }
    }
}

/// The C++ side of a program that has none: nothing of it can exist.
#[cfg(not(has_cxx))]
mod library {
    use std::marker::PhantomData;

    use super::{CppError, SortedVector, StdMap};

    #[derive(Debug, Clone)]
    pub enum Library {}

    impl Library {
        pub const fn linked() -> Result<Self, CppError> {
            Err(CppError::NoCompiler)
        }

        pub fn jump(&self, _key: u64, _buckets: u32) -> u32 {
            match *self {}
        }

        pub fn figure_1(&self, _key: u64, _num_buckets: i32) -> i32 {
            match *self {}
        }

        pub fn uses_libstdcxx(&self) -> bool {
            match *self {}
        }

        pub fn jump_many(&self, _buckets: u32, _keys: &[u64], _out: &mut [u32]) {
            match *self {}
        }
    }

    pub trait Functions {}

    impl Functions for StdMap {}

    impl Functions for SortedVector {}

    #[derive(Debug)]
    pub struct Handle<S> {
        never: Library,
        storage: PhantomData<fn() -> S>,
    }

    impl<S> Handle<S> {
        pub fn build(library: &Library, _buckets: u32, _points: u32, _seed: u64) -> Option<Self> {
            match *library {}
        }

        pub fn lookup_one(&self, _key: u64) -> u32 {
            match self.never {}
        }

        pub fn lookup_many(&self, _keys: &[u64], _out: &mut [u32]) {
            match self.never {}
        }

        pub fn live_bytes(&self) -> u64 {
            match self.never {}
        }

        pub fn peak_bytes(&self) -> u64 {
            match self.never {}
        }
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
