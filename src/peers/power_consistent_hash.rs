//! `power-consistent-hash` 0.1.0: PowerCH of a 64-bit key (`hash_u64`, for keys that are spread already), draws of PCG32
//! seeded with it, in integers. Fewer than 2 buckets are refused.
//!
//! It promises constant expected time and few moves.

use power_consistent_hash::PowerConsistentHasher;

use crate::algorithms::{Error, Partitioner, Resize};
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "power-consistent-hash",
    name: "power-consistent-hash",
    algorithm: Algorithm::Power,
    source: Source::Crate { version: "0.1.0" },
    paper: "Leu 2023",
    limits: Limits::NONE.at_least(2),
    promises: Promises::MONOTONE.of_hashed_keys().with_own_hash(),
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Power::new(b.buckets), resize),
    shown: Shown::on_request(0),
}];

struct Power {
    hasher: PowerConsistentHasher,
    buckets: u32,
}

impl Power {
    fn new(buckets: u32) -> Result<Self, Error> {
        let refused =
            |_| Error::OutOfRange { what: "number of buckets", value: buckets.to_string(), accepted: "at least 2" };
        Ok(Self { hasher: PowerConsistentHasher::try_new(buckets).map_err(refused)?, buckets })
    }
}

impl Partitioner for Power {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.hasher.hash_u64(key)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// The number of buckets is fixed; another hasher for another number.
impl Resize for Power {
    fn grow(&mut self) -> Result<u32, Error> {
        *self = Self::new(self.buckets + 1)?;
        Ok(self.buckets - 1)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        *self = Self::new(self.buckets - 1)?;
        Ok(self.buckets)
    }
}
