//! Any bucket may fail: what remembers removals beside a count of buckets or an array of slots.

use super::parameters::slots;
use super::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use crate::algorithms::hash::Mix;
use crate::algorithms::{Anchor, CompactAnchor, Dx, JUMP_MAX_BUCKETS, JumpBackAnchor, Memento};
use crate::can;

const MENDELSON: &str = "Mendelson et al. 2018";

pub(super) const MEMENTO: Implementation = Implementation {
    id: "memento",
    name: "MementoHash",
    algorithm: Algorithm::Memento,
    source: Source::Ours,
    paper: "Coluzzi et al. 2023",
    limits: Limits::up_to(JUMP_MAX_BUCKETS),
    promises: Promises::MONOTONE.but_history_dependent(),
    costs: Costs::new("O(log n) + removed", 0),
    shares: Shares::EQUAL,
    can: can!(b => Memento::new(b.buckets, Mix::new(b.seed)), resize, remove, failover, reload),
    shown: Shown::on_request(8),
};

pub(super) const JUMP_BACK_ANCHOR: Implementation = Implementation {
    id: "jump-back-anchor",
    name: "JumpBackHash, anchor set",
    algorithm: Algorithm::JumpBackAnchor,
    source: Source::Ours,
    paper: "Ertl, hash4j 0.31",
    limits: Limits::NONE,
    promises: Promises::MONOTONE.but_history_dependent(),
    costs: Costs::new("O(ln² a/w)", 0),
    shares: Shares::EQUAL,
    can: can!(b => JumpBackAnchor::new(b.buckets, Mix::new(b.seed)), resize, remove, failover, reload),
    shown: Shown::on_request(1),
};

pub(super) const ANCHOR: Implementation = Implementation {
    id: "anchor",
    name: "AnchorHash",
    algorithm: Algorithm::Anchor,
    source: Source::Ours,
    paper: MENDELSON,
    limits: Limits::NONE,
    promises: Promises::MONOTONE.but_history_dependent(),
    // Four words a slot, of which there are twice as many as buckets.
    costs: Costs::new("O(ln² a/w)", 32),
    shares: Shares::EQUAL,
    can: can!(b => Anchor::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove, failover, reload),
    shown: Shown::on_request(10),
};

pub(super) const ANCHOR_COMPACT: Implementation = Implementation {
    id: "anchor-compact",
    name: "AnchorHash, 8 bytes a slot",
    algorithm: Algorithm::Anchor,
    source: Source::Ours,
    paper: MENDELSON,
    limits: Limits::NONE,
    promises: Promises::MONOTONE.but_history_dependent(),
    costs: Costs::new("O(ln² a/w)", 16),
    shares: Shares::EQUAL,
    can: can!(b => CompactAnchor::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove, failover, reload),
    shown: Shown::on_request(6),
};

pub(super) const DX: Implementation = Implementation {
    id: "dx",
    name: "DxHash",
    algorithm: Algorithm::Dx,
    source: Source::Ours,
    paper: "Dong & Wang 2021",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(a/w)", 1),
    shares: Shares::EQUAL,
    can: can!(b => Dx::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove, failover, reload),
    shown: Shown::on_request(9),
};
