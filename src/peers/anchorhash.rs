//! `anchorhash` 0.2.2: AnchorHash (Algorithm 3) of any key and resource over SipHash-1-3 with random keys by default, or
//! another hasher (zero keys here, so that instances agree); within it 32 bits of that hash and FNV-1a. Its arrays have a
//! fixed number of slots of 16 bits, which the caller chooses: twice the resources here, or what is asked for. Nodes have
//! no names that matter.
//!
//! It promises uniform balance, optimal moves, at most 65,535 resources, and agreement of instances that saw the same
//! changes in the same order.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};

use anchorhash::{AnchorHash, Builder, Error as AnchorError};

use super::NOBODY;
use super::nodes::{Changing, Nodes, Placing, absent};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

const ENTRY: Implementation = Implementation {
    id: "anchorhash",
    name: "anchorhash, random keys",
    algorithm: Algorithm::Anchor,
    source: Source::Crate { version: "0.2.2" },
    paper: "Mendelson et al. 2018",
    limits: Limits::up_to(u16::MAX as u32),
    promises: Promises::MONOTONE.but_history_dependent().with_own_hash(),
    costs: Costs::new("O(ln² a/w)", 64),
    shares: Shares::EQUAL,
    can: can!(b => build(b, RandomState::new()), resize, remove),
    shown: Shown::on_request(0),
};

pub(super) static ENTRIES: &[Implementation] = &[
    ENTRY,
    Implementation {
        id: "anchorhash/hasher",
        name: "anchorhash, DefaultHasher",
        can: can!(b => build(b, Fixed::default()), resize, remove),
        ..ENTRY
    },
];

type Fixed = BuildHasherDefault<DefaultHasher>;

fn build<S: BuildHasher + Send + Sync>(build: Build, hasher: S) -> Result<Nodes<Set<S>>, Error> {
    let own = build.buckets.saturating_mul(2).min(u16::MAX.into()).max(build.buckets);
    let slots = build.slots_or(own);
    let most = u16::MAX.into();
    let slots = u16::try_from(slots).map_err(|_| Error::TooManyBuckets { asked: slots.into(), most })?;
    let anchor = Builder::with_hasher(hasher).with_resources(0..build.buckets).build(slots);
    Ok(Nodes::within(Set { anchor, slots }, build.buckets))
}

struct Set<S: BuildHasher> {
    anchor: AnchorHash<u64, u32, S>,
    slots: u16,
}

impl<S: BuildHasher + Send + Sync> Set<S> {
    fn error(&self, bucket: u32, error: AnchorError) -> Error {
        match error {
            AnchorError::CapacityLimitReached => {
                Error::TooManyBuckets { asked: u64::from(bucket) + 1, most: self.slots.into() }
            }
            AnchorError::ResourceNotFound => absent(bucket),
        }
    }
}

impl<S: BuildHasher + Send + Sync> Placing for Set<S> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.anchor.get_resource(key).copied().unwrap_or(NOBODY)
    }

    fn count(&self) -> Option<u32> {
        Some(self.anchor.resources().len() as u32)
    }
}

impl<S: BuildHasher + Send + Sync> Changing for Set<S> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.anchor.add_resource(bucket).map_err(|error| self.error(bucket, error))
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.anchor.remove_resource(&bucket).map_err(|error| self.error(bucket, error))
    }
}
