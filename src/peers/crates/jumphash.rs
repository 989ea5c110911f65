//! `jumphash` 0.1.9: jump over SipHash-1-3 of the key. `JumpHasher::new()`, as its documentation shows, has a random seed.

use jumphash::JumpHasher;

use crate::algorithms::{Error, Partitioner};
use crate::catalog::{Algorithm, Implementation, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "jumphash",
    name: "jumphash",
    algorithm: Algorithm::Jump,
    source: Source::Crate { version: "0.1.9" },
    paper: "Lamping & Veach 2014",
    cost: "O(log n)",
    own_hash: true,
    in_figures: false,
    ..ours!(b => JumpHash::new(b.buckets))
}];

struct JumpHash {
    hasher: JumpHasher,
    buckets: u32,
}

impl JumpHash {
    fn new(buckets: u32) -> Result<Self, Error> {
        Ok(Self { hasher: JumpHasher::new(), buckets })
    }
}

impl Partitioner for JumpHash {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.hasher.slot(&key, self.buckets)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}
