//! Rendezvous: the bucket with the highest score for the key.

use super::parameters::equal;
use super::shares::proportional;
use super::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use crate::algorithms::hash::Mix;
use crate::algorithms::{Rendezvous, RendezvousWeighted};
use crate::can;

pub(super) const RENDEZVOUS: Implementation = Implementation {
    id: "rendezvous",
    name: "rendezvous",
    algorithm: Algorithm::Rendezvous,
    source: Source::Ours,
    paper: "Thaler & Ravishankar 1998",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    // A word in the vector, and about 12 bytes in the set of members.
    costs: Costs::new("O(n)", 24),
    shares: Shares::EQUAL,
    can: can!(b => Rendezvous::new(b.buckets, Mix::new(b.seed)), resize, remove, failover),
    shown: Shown::in_figures(6),
};

pub(super) const RENDEZVOUS_WEIGHTED: Implementation = Implementation {
    id: "rendezvous-weighted",
    name: "rendezvous, weighted",
    algorithm: Algorithm::RendezvousWeighted,
    source: Source::Ours,
    paper: "Schindelhauer & Schomaker 2005",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(n)", 64),
    shares: Shares::EQUAL,
    can: can!(b => RendezvousWeighted::new(&equal(b), Mix::new(b.seed)), remove, replicas).with_weighted_shares(
        |weights, b| Ok(Box::new(RendezvousWeighted::new(weights, Mix::new(b.seed))?)),
        proportional,
    ),
    shown: Shown::on_request(9),
};
