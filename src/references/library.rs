//! The C++ side, made safe: all that is `unsafe` in [`references`](super).

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
