//! HAProxy 2.6.12, `hash-type consistent` and `hash-type map-based`.
//!
//! *Consistent*: a server of weight w has 16 w points on a circle of 2^32, the avalanche of 4096 x id + j. The owner of
//! a key is the *nearer* of the points on both sides, of two equally near the one before. *Map-based*: weights, divided
//! by their greatest common divisor, are spread over a table by smooth weighted turns; the owner is at the hash modulo
//! its length. Look-up O(log V) with 8 bytes a point, and O(1) with 4 bytes an entry.
//!
//! Kept: points depend on the id, not on the name, and without an id on the place in the configuration, so that order
//! matters; `consistent` without a function is sdbm with an avalanche, but `consistent sdbm` is without; a server of
//! weight 0 or disabled has no points. Ids that differ by 2^20 share all their points: the first declared then owns the
//! keys before such a point and the last declared those after it.

use super::hash::{crc, haproxy as hash};
use super::nodes::{check_names, check_weights};
use super::ring::{Circle, check_points, circle};
use super::{Entry, Node, Promise, Promises, System, SystemError, Weights, boxed};

mod bounded;
mod map;

pub use bounded::Bounded;

const VERSION: &str = "2.6.12";
const POINTS_PER_WEIGHT: u32 = 16;
/// Ids are this far apart before the avalanche: 16 points for each of the 256 units of the largest weight.
const POINTS_PER_ID: u32 = 4096;
const MAX_WEIGHT: u32 = 256;

const BY_PLACE: Promise = Promise::NotMade("a server without an id has its place in the list for one");

/// `hash-type consistent`
pub(super) const CONSISTENT: Entry = Entry {
    id: "haproxy-consistent",
    name: "HAProxy consistent",
    version: VERSION,
    build: |nodes| Consistent::new(&Server::numbered(nodes), KeyHash::CONSISTENT).map(boxed),
    promises: Promises {
        order: BY_PLACE,
        removal: BY_PLACE,
        growth: Promise::Kept,
        weights: Weights::Points(POINTS_PER_WEIGHT),
    },
};

/// `hash-type map-based`, the default.
pub(super) const MAP_BASED: Entry = Entry {
    id: "haproxy-map",
    name: "HAProxy map-based",
    version: VERSION,
    build: |nodes| MapBased::new(&Server::numbered(nodes), KeyHash::MAP_BASED).map(boxed),
    promises: Promises::REMAINDER,
};

/// A `server` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Server {
    pub node: Node,
    /// `id`; without it, its place in the configuration, from 1.
    pub id: u32,
    /// `disabled`, or found to be down.
    pub disabled: bool,
}

impl Server {
    /// Servers without an `id`, all enabled.
    #[must_use]
    pub fn numbered(nodes: &[Node]) -> Vec<Self> {
        (1..).zip(nodes).map(|(id, node)| Self { node: node.clone(), id, disabled: false }).collect()
    }

    fn usable_weight(&self) -> u32 {
        if self.disabled { 0 } else { self.node.weight }
    }
}

/// The function of `hash-type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Function {
    Sdbm,
    Djb2,
    Wt6,
    Crc32,
}

/// How a key is hashed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyHash {
    pub function: Function,
    pub avalanche: bool,
    /// `balance uri`: what follows a question mark is not part of the key.
    pub path_only: bool,
}

impl KeyHash {
    /// `hash-type consistent` without a function.
    pub const CONSISTENT: Self = Self { function: Function::Sdbm, avalanche: true, path_only: false };
    /// `hash-type map-based` without a function.
    pub const MAP_BASED: Self = Self { function: Function::Sdbm, avalanche: false, path_only: false };

    fn of(self, key: &[u8]) -> u32 {
        let key = match key.iter().position(|&byte| byte == b'?') {
            Some(end) if self.path_only => &key[..end],
            _ => key,
        };
        let hash = match self.function {
            Function::Sdbm => hash::sdbm(key),
            Function::Djb2 => hash::djb2(key),
            Function::Wt6 => hash::wt6(key),
            Function::Crc32 => crc::crc32(key),
        };
        if self.avalanche { hash::full_hash(hash) } else { hash }
    }
}

fn check_servers(servers: &[Server]) -> Result<(), SystemError> {
    let nodes: Vec<Node> = servers.iter().map(|server| server.node.clone()).collect();
    check_names(&nodes, |node| node.name.clone())?;
    check_weights(&nodes, 0..=MAX_WEIGHT, "0 to 256")?;
    let mut ids: Vec<u32> = servers.iter().map(|server| server.id).collect();
    ids.sort_unstable();
    if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
        let value = pair[0].to_string();
        return Err(SystemError::Setting { setting: "id", value, allowed: "an id for one server only" });
    }
    if servers.iter().all(|server| server.usable_weight() == 0) {
        return Err(SystemError::NoUsableNode { nodes: servers.len() });
    }
    Ok(())
}

/// A backend with `hash-type consistent`.
#[derive(Debug, Clone)]
pub struct Consistent {
    ring: Circle<u32>,
    hash: KeyHash,
}

impl Consistent {
    /// A backend of these servers.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] above 256,
    /// [`SystemError::Setting`] for an id used twice, [`SystemError::TooManyPoints`], [`SystemError::NoUsableNode`] if
    /// every server is disabled or has weight 0.
    pub fn new(servers: &[Server], hash: KeyHash) -> Result<Self, SystemError> {
        check_servers(servers)?;
        let count = |server: &Server| server.usable_weight() * POINTS_PER_WEIGHT;
        check_points(servers.iter().map(|server| u64::from(count(server))).sum())?;
        let points = (0_u32..).zip(servers).flat_map(|(owner, server)| {
            let first = server.id.wrapping_mul(POINTS_PER_ID);
            (0..count(server)).map(move |j| (hash::full_hash(first.wrapping_add(j)), owner))
        });
        Ok(Self { ring: circle(points.collect(), servers.len())?, hash })
    }

    /// The points, ascending, each with the index of its server.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.ring.points().iter().copied()
    }

    /// The index of the point that is nearest to a hash, on the circle.
    fn nearest(&self, hash: u32) -> usize {
        let next = self.ring.at_or_after(hash);
        let previous = self.ring.previous(next);
        let [before, after] = [previous, next].map(|index| self.ring.points()[index].0);
        let (before, after) = (hash.wrapping_sub(before), after.wrapping_sub(hash));
        if before <= after { previous } else { next }
    }
}

impl System for Consistent {
    fn node(&self, key: &[u8]) -> usize {
        self.ring.points()[self.nearest(self.hash.of(key))].1 as usize
    }
}

/// A backend with `hash-type map-based`.
#[derive(Debug, Clone)]
pub struct MapBased {
    map: Vec<u32>,
    hash: KeyHash,
}

impl MapBased {
    /// A backend of these servers.
    ///
    /// # Errors
    /// As [`Consistent::new`], but [`SystemError::TableSize`] for a table that would take too long to fill.
    pub fn new(servers: &[Server], hash: KeyHash) -> Result<Self, SystemError> {
        check_servers(servers)?;
        let weights: Vec<u32> = servers.iter().map(Server::usable_weight).collect();
        Ok(Self { map: map::build(&weights)?, hash })
    }

    /// The table: the index of the server of each entry.
    #[must_use]
    pub fn map(&self) -> &[u32] {
        &self.map
    }
}

impl System for MapBased {
    fn node(&self, key: &[u8]) -> usize {
        self.map[self.hash.of(key) as usize % self.map.len()] as usize
    }
}

#[cfg(test)]
mod tests;
