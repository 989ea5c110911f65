//! Rings, and what places points on a circle otherwise.

use super::can::cpp;
use super::parameters::{PROBES, equal};
use super::shares::ring_of_weights;
use super::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use crate::algorithms::hash::Mix;
use crate::algorithms::{
    Dynamo, Error, MultiProbe, RingBTree, RingNearest, RingSorted32, RingSorted64, RingWeighted, Strategy,
    TokenAllocator,
};
use crate::can;
use crate::measure::share;
use crate::measure::share_nearest::nearest_shares;
use crate::references::{CppRingMap, CppRingVector};

const LAMPING: &str = "Lamping & Veach 2014";
const KARGER: &str = "Karger et al. 1997";

pub(super) const RING_BTREE: Implementation = Implementation {
    id: "ring-btree",
    name: "ring, B-tree",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Ours,
    paper: KARGER,
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE,
    // Entries of 16 bytes in nodes that random insertion leaves about 70 % full.
    costs: Costs::new("O(log nv)", 32),
    shares: Shares::Exact(ring64_shares),
    can: can!(b => RingBTree::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::in_figures(1),
};

pub(super) const RING_MAP_CPP: Implementation = Implementation {
    id: "ring-map-cpp",
    name: "ring, C++ std::map (A)",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::CppReference,
    paper: LAMPING,
    limits: Limits::up_to(i32::MAX as u32).with_points(),
    promises: Promises::MONOTONE,
    // 48 bytes asked for, 64 taken by the C library's allocator.
    costs: Costs::new("O(log nv)", 64),
    shares: Shares::Exact(ring64_shares),
    can: cpp!(b => CppRingMap::new(b.buckets, b.points, b.seed)),
    shown: Shown::in_figures(4),
};

pub(super) const RING_SORTED32: Implementation = Implementation {
    id: "ring-sorted32",
    name: "ring, sorted 32-bit",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::Ours,
    paper: LAMPING,
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log nv)", 8),
    shares: Shares::Exact(ring32_shares),
    can: can!(b => RingSorted32::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::in_figures(2),
};

pub(super) const RING_SORTED_CPP: Implementation = Implementation {
    id: "ring-sorted-cpp",
    name: "ring, C++ sorted vector (B)",
    algorithm: Algorithm::Ring { position_bits: 32 },
    source: Source::CppReference,
    paper: LAMPING,
    limits: Limits::up_to(i32::MAX as u32).with_points(),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log nv)", 8),
    shares: Shares::Exact(ring32_shares),
    can: cpp!(b => CppRingVector::new(b.buckets, b.points, b.seed)),
    shown: Shown::in_figures(10),
};

pub(super) const RING_SORTED64: Implementation = Implementation {
    id: "ring-sorted64",
    name: "ring, sorted 64-bit",
    algorithm: Algorithm::Ring { position_bits: 64 },
    source: Source::Ours,
    paper: KARGER,
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE,
    // 12 bytes a point, and 16 while they are sorted.
    costs: Costs::new("O(log nv)", 28),
    shares: Shares::Exact(ring64_shares),
    can: can!(b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::in_figures(3),
};

pub(super) const RING_NEAREST: Implementation = Implementation {
    id: "ring-nearest",
    name: "ring, nearest point",
    algorithm: Algorithm::RingNearest,
    source: Source::Ours,
    paper: KARGER,
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log nv)", 32),
    shares: Shares::Exact(ring_nearest_shares),
    can: can!(b => RingNearest::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::on_request(2),
};

pub(super) const RING_WEIGHTED: Implementation = Implementation {
    id: "ring-weighted",
    name: "ring, weighted",
    algorithm: Algorithm::RingWeighted,
    source: Source::Ours,
    paper: "folklore; points in proportion to weights",
    limits: Limits::NONE.with_points(),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log nv)", 48),
    shares: Shares::Exact(ring_weighted_shares),
    can: can!(b => RingWeighted::new(&equal(b), b.points, Mix::new(b.seed)), remove, replicas).with_weighted_shares(
        |weights, b| Ok(Box::new(RingWeighted::new(weights, b.points, Mix::new(b.seed))?)),
        ring_of_weights,
    ),
    shown: Shown::on_request(4),
};

pub(super) const MULTI_PROBE: Implementation = Implementation {
    id: "multi-probe",
    name: "multi-probe, k = 21",
    algorithm: Algorithm::MultiProbe,
    source: Source::Ours,
    paper: "Appleton & O'Reilly 2015",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(k log n)", 48),
    // The probes of double hashing are independent in pairs only: their distribution is met nearly.
    shares: Shares::MultiProbe { probes: PROBES },
    can: can!(b => MultiProbe::new(b.buckets, PROBES, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::on_request(3),
};

pub(super) const TOKEN_ALLOCATOR: Implementation = Implementation {
    id: "token-allocator",
    name: "token allocation, RF 1",
    algorithm: Algorithm::TokenAllocator,
    source: Source::Ours,
    paper: "Apache Cassandra, CASSANDRA-15600",
    limits: Limits::up_to(1 << 20).with_points(),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log nv)", 256).with_quadratic_build(),
    shares: Shares::Exact(token_allocator_shares),
    can: can!(b => TokenAllocator::new(b.buckets, b.points, 1, Mix::new(b.seed)), replicas),
    shown: Shown::on_request(5),
};

pub(super) const DYNAMO: Implementation = Implementation {
    id: "dynamo",
    name: "Dynamo, strategy 3",
    algorithm: Algorithm::Dynamo,
    source: Source::Ours,
    paper: "DeCandia et al. 2007",
    limits: Limits::up_to(1 << 24).with_points(),
    promises: Promises::NOT_MONOTONE,
    costs: Costs::new("O(log nv)", 48),
    shares: Shares::Exact(dynamo_shares),
    can: can!(b => dynamo(b)),
    shown: Shown::on_request(6),
};

fn dynamo(build: Build) -> Result<Dynamo, Error> {
    Dynamo::new(Strategy::EqualShares { tokens: build.points }, build.buckets, 1, Mix::new(build.seed))
}

/// The arcs of a ring with 64-bit positions.
pub(crate) fn ring64_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted64::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), build.buckets)?)
}

/// The arcs of a ring with 32-bit positions.
fn ring32_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted32::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares32(ring.ring(), build.buckets)?)
}

fn ring_nearest_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingNearest::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(nearest_shares(ring.points(), build.buckets)?)
}

fn ring_weighted_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    ring_of_weights(&equal(build), build)
}

fn token_allocator_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = TokenAllocator::new(build.buckets, build.points, 1, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), build.buckets)?)
}

fn dynamo_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(dynamo(build)?.loads().into_iter().map(|load| load as f64 / 2_f64.powi(64)).collect())
}
