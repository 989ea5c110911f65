//! `fliphash` 0.1.0: FlipHash by the paper's authors, of a 64-bit key with its own hash (`fliphash_64`) and of bytes with
//! XXH3 (`fliphash_xxh3_64`, feature `xxh3`), both with seed 0. It takes the last bucket, so that no buckets cannot be
//! asked for.
//!
//! It promises even, monotone and constant-time.

use super::NOBODY;
use super::indexed::Indexed;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "fliphash",
    name: "fliphash",
    algorithm: Algorithm::Flip,
    source: Source::Crate { version: "0.1.0" },
    paper: "Masson & Lee 2024",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.with_own_hash(),
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Indexed::new(b.buckets, of_number), resize),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "fliphash/xxh3",
        name: "fliphash, XXH3",
        can: can!(b => Indexed::new(b.buckets, of_bytes), resize),
        ..ENTRY
    },
];

/// Up to the last bucket; of no buckets the crate cannot be asked.
#[inline]
fn of(buckets: u32, up_to: impl FnOnce(u64) -> u64) -> u32 {
    buckets.checked_sub(1).map_or(NOBODY, |last| up_to(last.into()) as u32)
}

#[inline]
fn of_number(key: u64, buckets: u32) -> u32 {
    of(buckets, |last| fliphash::fliphash_64(key, ..=last))
}

#[inline]
fn of_bytes(key: u64, buckets: u32) -> u32 {
    of(buckets, |last| fliphash::fliphash_xxh3_64(&key.to_le_bytes(), ..=last))
}
