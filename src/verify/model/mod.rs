//! Slow, obvious models of the algorithms: what an implementation must answer, computed another way.
//!
//! A model is written from the definition, with lists, maps and scans in place of arrays and tricks, and with integers of
//! 128 bits in place of arithmetic that wraps. It shares the hash family with the implementation and nothing else, and it
//! knows of a partitioner only its [`History`].

mod history;
mod jump;
mod levels;
mod places;
mod removed;
mod ring;
mod round;
mod score;
mod table;
mod tokens;

use std::collections::BTreeMap;

use crate::algorithms::hash::{HashFamily, Mix, StreamFamily};
use crate::catalog::{Algorithm, Build};

pub use history::History;
pub use jump::{jump, key_with_draw};
pub use places::key_at;
pub use ring::{clockwise, points};
pub use score::rendezvous;

/// A function from keys to buckets.
pub type Model = Box<dyn Fn(u64) -> u32>;

/// The model of an algorithm that was built so and has this history since.
///
/// # Errors
/// Why there is none.
pub fn model(algorithm: Algorithm, build: Build, history: &History) -> Result<Model, &'static str> {
    let (family, buckets) = (Mix::new(build.seed), history.count());
    Ok(match algorithm {
        Algorithm::Modulo => return Err("the algorithm is as simple as a model of it would be"),
        Algorithm::Other(_) => return Err("no model: its answers are checked by its promises alone"),
        Algorithm::Jump => Box::new(move |key| jump(key, buckets)),
        Algorithm::JumpLinear => Box::new(move |key| jump::linear(key, buckets)),
        Algorithm::JumpDraws => Box::new(move |key| jump::draws(family.stream(key), buckets)),
        Algorithm::JumpBack { draw_bits } => {
            Box::new(move |key| jump::jump_back(&mut family.stream(key), draw_bits, buckets))
        }
        Algorithm::Power => Box::new(move |key| levels::power(family, key, buckets)),
        Algorithm::Flip => Box::new(move |key| levels::flip(family, key, buckets)),
        Algorithm::Binomial => Box::new(move |key| levels::binomial(family, key, buckets)),
        Algorithm::Round => round::round(family, buckets),
        Algorithm::Anchor => removed::anchor(family, history.removals()),
        Algorithm::JumpBackAnchor => removed::jump_back_anchor(family, history.removals()),
        Algorithm::Memento => removed::memento(family, history.removals()),
        Algorithm::Dx => removed::dx(family, history),
        Algorithm::Dynamo => ring::equal_shares(family, points(family, history, build.points)),
        Algorithm::TokenAllocator => clockwise(family, tokens::allocated(family, buckets, build.points), 64),
        Algorithm::PartitionTable => table::partitions(family, build, history),
        Algorithm::Maglev => table::maglev(family, build, history),
        Algorithm::Ring { .. }
        | Algorithm::RingNearest
        | Algorithm::MultiProbe
        | Algorithm::Rendezvous
        | Algorithm::RingWeighted
        | Algorithm::RendezvousWeighted => {
            return of_family(algorithm, family, build, history).ok_or("the algorithm has no points or scores");
        }
    })
}

/// The model of an algorithm of points or scores under any hash family, weights being equal; `None` of other algorithms.
pub fn of_family(
    algorithm: Algorithm,
    family: impl HashFamily + Copy + 'static,
    build: Build,
    history: &History,
) -> Option<Model> {
    let points = |count| points(family, history, count);
    let equal = || history.working().into_iter().map(|bucket| (bucket, 1)).collect();
    Some(match algorithm {
        Algorithm::Ring { position_bits } => clockwise(family, points(build.points), position_bits),
        Algorithm::RingNearest => ring::nearest(family, points(build.points)),
        Algorithm::MultiProbe => ring::multi_probe(family, points(1)),
        Algorithm::Rendezvous => rendezvous(family, history),
        Algorithm::RingWeighted => clockwise(family, ring::weighted_points(family, build.points, &[1], &equal()), 64),
        Algorithm::RendezvousWeighted => score::rendezvous_weighted(family, equal()),
        _ => return None,
    })
}

/// The model of an algorithm that was built with the weights `first`, and whose working buckets have the weights `now`.
///
/// # Errors
/// Why there is none.
pub fn weighted(
    algorithm: Algorithm,
    build: Build,
    first: &[u32],
    now: &BTreeMap<u32, u32>,
) -> Result<Model, &'static str> {
    let family = Mix::new(build.seed);
    match algorithm {
        Algorithm::RingWeighted => Ok(clockwise(family, ring::weighted_points(family, build.points, first, now), 64)),
        Algorithm::RendezvousWeighted => Ok(score::rendezvous_weighted(family, now.clone())),
        _ => Err("the algorithm has no weights"),
    }
}
