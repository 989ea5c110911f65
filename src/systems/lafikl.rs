//! lafikl/consistent, commit bdd3606 (2022-05-12): a ring, and bounded loads on it.
//!
//! A host has 10 points, the first 8 bytes, little-endian, of BLAKE2b-512 of its name followed by the digits 0 to 9; a
//! key is hashed alike and belongs to the first point at or after it. With so few points the shares are very uneven.
//!
//! Bounded: a host takes at most ceil(1.25 · max(1, floor((total load + 1) / hosts))). The average is an *integer*
//! division, unlike that of Mirrokni et al. 2016: with few keys per host the bound is 2 where 1 was meant (the first
//! keys), or 2 where 3 was (an average of 1.9). The request of a full host walks clockwise; there is always room,
//! because ceil(1.25·q) > q for q >= 1.

use blake2::{Blake2b512, Digest};

use super::nodes::check_unweighted;
use super::ring::{Circle, Keep, check_points, circle};
use super::{Entry, Node, Promises, System, SystemError, boxed};

/// The library has no options.
pub(crate) const ENTRY: Entry = Entry {
    id: "lafikl",
    name: "lafikl/consistent",
    version: "bdd3606 (2022-05-12)",
    build: |nodes| Lafikl::new(nodes).map(boxed),
    promises: Promises::CONSISTENT,
};

/// Points of a host: the digits after its name.
const DIGITS: [u8; 10] = *b"0123456789";

/// A ring of hosts.
#[derive(Debug, Clone)]
pub struct Lafikl {
    ring: Circle<u64>,
    hosts: usize,
}

impl Lafikl {
    /// A ring of hosts.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1,
    /// [`SystemError::TooManyPoints`].
    pub fn new(nodes: &[Node]) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        check_points((nodes.len() * DIGITS.len()) as u64)?;
        let points = (0..)
            .zip(nodes)
            .flat_map(|(index, node)| DIGITS.map(|digit| (hash(&[node.name.as_bytes(), &[digit]].concat()), index)));
        // No two labels are equal. Should two hashes be, the host that was added last owns the point.
        let ring = circle(points.collect(), nodes.len())?.one_per_position(Keep::HighestOwner);
        Ok(Self { ring, hosts: nodes.len() })
    }

    /// The points, ascending: (position, index of the host).
    #[must_use]
    pub fn ring(&self) -> &[(u64, u32)] {
        self.ring.points()
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let digest = Blake2b512::digest(bytes);
    digest.iter().take(8).rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

impl System for Lafikl {
    fn node(&self, key: &[u8]) -> usize {
        self.ring.owner(hash(key)) as usize
    }
}

/// The ring with a load for each host.
#[derive(Debug, Clone)]
pub struct BoundedLafikl {
    ring: Lafikl,
    loads: Vec<u64>,
    total: u64,
}

impl BoundedLafikl {
    /// A ring of hosts without load.
    ///
    /// # Errors
    /// As [`Lafikl::new`].
    pub fn new(nodes: &[Node]) -> Result<Self, SystemError> {
        let ring = Lafikl::new(nodes)?;
        Ok(Self { loads: vec![0; ring.hosts], ring, total: 0 })
    }

    /// The host that would take the key now: `GetLeast`.
    #[must_use]
    pub fn least(&self, key: &[u8]) -> usize {
        let bound = self.bound();
        let ring = &self.ring.ring;
        let mut hosts = ring.clockwise(ring.at_or_after(hash(key))).map(|host| host as usize);
        hosts.find(|&host| self.loads[host] < bound).unwrap_or_else(|| self.ring.node(key))
    }

    /// One more for this host: `Inc`. A host that is not there is ignored, as in the library.
    pub fn increment(&mut self, host: usize) {
        if let Some(load) = self.loads.get_mut(host) {
            *load += 1;
            self.total += 1;
        }
    }

    /// One less for this host: `Done`. Never below zero, where the library's loads go negative.
    pub fn done(&mut self, host: usize) {
        if let Some(load @ 1..) = self.loads.get_mut(host) {
            *load -= 1;
            self.total -= 1;
        }
    }

    /// The loads, by host.
    #[must_use]
    pub fn loads(&self) -> &[u64] {
        &self.loads
    }

    /// The most that a host takes now: `MaxLoad`.
    #[must_use]
    pub fn bound(&self) -> u64 {
        let average = ((self.total + 1) / self.loads.len() as u64).max(1);
        (average as f64 * 1.25).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounded(n: usize) -> BoundedLafikl {
        let nodes: Vec<Node> = (0..n).map(|i| Node::new(format!("n{i}"), 1)).collect();
        BoundedLafikl::new(&nodes).expect("valid")
    }

    #[test]
    fn the_bound_comes_from_an_integer_division() {
        let mut hosts = bounded(10);
        // 19 in all are 2 each for an average of 1.9, and 1.25·1.9 = 2.375 -> 3; the library: 1.25·1 -> 2.
        (0..18).for_each(|i| hosts.increment(i % 10));
        assert_eq!(hosts.bound(), 2);
        hosts.increment(9);
        assert_eq!(hosts.bound(), 3);
    }

    #[test]
    fn a_key_that_everybody_wants_always_finds_room() {
        for n in [1, 2, 3, 7] {
            let mut hosts = bounded(n);
            for _ in 0..500 {
                let (host, bound) = (hosts.least(b"hot"), hosts.bound());
                assert!(hosts.loads()[host] < bound, "{n}");
                hosts.increment(host);
            }
        }
    }

    #[test]
    fn loads_do_not_go_below_zero() {
        let mut hosts = bounded(2);
        hosts.increment(0);
        [0, 0, 1, 2, usize::MAX].into_iter().for_each(|host| hosts.done(host));
        hosts.increment(usize::MAX);
        assert_eq!((hosts.loads(), hosts.bound()), (&[0, 0][..], 2));
    }
}
