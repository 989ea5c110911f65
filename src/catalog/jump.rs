//! Jump, and what else goes from the number of buckets to one of them without a table; and the control.

use super::can::cpp;
use super::parameters::ROUND_SPLIT;
use super::shares::jump;
use super::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use crate::algorithms::hash::Mix;
use crate::algorithms::{
    Binomial, Flip, JUMP_MAX_BUCKETS, Jump, JumpBack, JumpBack32, JumpDraws, JumpLinear, Modulo, Power, Round,
};
use crate::can;
use crate::references::CppJump;

const LAMPING: &str = "Lamping & Veach 2014";
const ERTL: &str = "Ertl 2024";

pub(super) const MODULO: Implementation = Implementation {
    id: "modulo",
    name: "modulo",
    algorithm: Algorithm::Modulo,
    source: Source::Ours,
    paper: "folklore; the control",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Modulo::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::in_figures(9),
};

pub(super) const JUMP: Implementation = Implementation {
    id: "jump",
    name: "jump",
    algorithm: Algorithm::Jump,
    source: Source::Ours,
    paper: LAMPING,
    limits: Limits::up_to(JUMP_MAX_BUCKETS),
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump),
    can: can!(b => Jump::new(b.buckets), resize),
    shown: Shown::in_figures(0),
};

pub(super) const JUMP_CPP: Implementation = Implementation {
    id: "jump-cpp",
    name: "jump, C++",
    algorithm: Algorithm::Jump,
    source: Source::CppReference,
    paper: LAMPING,
    limits: Limits::up_to(i32::MAX as u32),
    promises: Promises::MONOTONE.of_hashed_keys(),
    costs: Costs::new("O(log n)", 0),
    shares: Shares::Exact(jump),
    can: cpp!(b => CppJump::new(b.buckets)),
    shown: Shown::in_figures(5),
};

pub(super) const JUMP_LINEAR: Implementation = Implementation {
    id: "jump-linear",
    name: "jump, linear time",
    algorithm: Algorithm::JumpLinear,
    source: Source::Ours,
    paper: LAMPING,
    limits: Limits::up_to(JUMP_MAX_BUCKETS),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(n)", 0),
    shares: Shares::EQUAL,
    can: can!(b => JumpLinear::new(b.buckets), resize),
    shown: Shown::in_figures(7),
};

pub(super) const JUMP_DRAWS: Implementation = Implementation {
    id: "jump-draws",
    name: "jump, real draws",
    algorithm: Algorithm::JumpDraws,
    source: Source::Ours,
    paper: LAMPING,
    limits: Limits::up_to(JUMP_MAX_BUCKETS),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(log n)", 0),
    shares: Shares::EQUAL,
    can: can!(b => JumpDraws::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(0),
};

pub(super) const JUMP_BACK: Implementation = Implementation {
    id: "jump-back",
    name: "JumpBackHash",
    algorithm: Algorithm::JumpBack { draw_bits: 64 },
    source: Source::Ours,
    paper: ERTL,
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => JumpBack::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(1),
};

pub(super) const JUMP_BACK32: Implementation = Implementation {
    id: "jump-back32",
    name: "JumpBackHash, 32-bit draws",
    algorithm: Algorithm::JumpBack { draw_bits: 32 },
    source: Source::Ours,
    paper: ERTL,
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => JumpBack32::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(4),
};

pub(super) const POWER: Implementation = Implementation {
    id: "power",
    name: "PowerCH",
    algorithm: Algorithm::Power,
    source: Source::Ours,
    paper: "Leu 2023",
    limits: Limits::up_to(JUMP_MAX_BUCKETS),
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Power::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(2),
};

pub(super) const FLIP: Implementation = Implementation {
    id: "flip",
    name: "FlipHash",
    algorithm: Algorithm::Flip,
    source: Source::Ours,
    paper: "Masson & Lee 2024",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::EQUAL,
    can: can!(b => Flip::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(3),
};

pub(super) const BINOMIAL: Implementation = Implementation {
    id: "binomial",
    name: "BinomialHash",
    algorithm: Algorithm::Binomial,
    source: Source::Ours,
    paper: "Coluzzi et al. 2024",
    limits: Limits::NONE,
    promises: Promises::MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::Exact(binomial_shares),
    can: can!(b => Binomial::new(b.buckets, Mix::new(b.seed)), resize),
    shown: Shown::on_request(5),
};

pub(super) const ROUND: Implementation = Implementation {
    id: "round",
    name: "round-hashing, S = 8",
    algorithm: Algorithm::Round,
    source: Source::Ours,
    paper: "Grossi & Versari 2018",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE,
    costs: Costs::new("O(1)", 0),
    shares: Shares::Exact(round_shares),
    can: can!(b => Round::new(b.buckets, ROUND_SPLIT, Mix::new(b.seed)), resize),
    shown: Shown::on_request(7),
};

fn binomial_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let binomial = Binomial::new(build.buckets, Mix::new(build.seed))?;
    Ok((0..build.buckets).map(|bucket| binomial.share(bucket)).collect())
}

fn round_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(Round::new(build.buckets, ROUND_SPLIT, Mix::new(build.seed))?.shares())
}
