//! Envoy's `RING_HASH` load balancer, Envoy 1.40.0.
//!
//! scale = min(ceil(smallest weight · minimum ring size) / smallest weight, maximum ring size). The hosts, in the order
//! of the configuration, each raise a common target by scale · weight and place points, the hash of `name_j` for j = 0,
//! 1, ..., until there are as many as the target. The owner of a request is the first point at or after its hash.
//!
//! The fractions of the targets carry over from host to host: the number of a host's points depends on the other hosts
//! and on their order, so that one more host moves keys between those that stay, and a host can have no point at all.
//! Look-up O(log V), memory 16 bytes a point.

use xxhash_rust::xxh64::xxh64;

use super::{HashTable, Hosts, VERSION, request_hash};
use crate::systems::hash::murmur::murmur2_64a;
use crate::systems::ring::{Circle, circle};
use crate::systems::{Entry, Node, Promise, Promises, System, SystemError, Weights, boxed, weighted};

const PROMISES: Promises = {
    let moves = Promise::NotMade("the ring keeps its size: every host's number of points changes with the others");
    Promises {
        order: Promise::Mostly {
            why: "fractions of a point carry over to the next host in the list",
            example: || weighted(&[2, 3, 3, 3, 3]),
        },
        removal: moves,
        growth: moves,
        weights: Weights::Points(10),
    }
};

/// The default options.
pub(in crate::systems) const XX_HASH: Entry = Entry {
    id: "envoy-ring-hash",
    name: "Envoy RING_HASH, XX_HASH",
    version: VERSION,
    build: |nodes| RingHash::new(nodes, RingHashOptions::default()).map(boxed),
    promises: PROMISES,
};

/// The same with the other function for the points.
pub(in crate::systems) const MURMUR_HASH_2: Entry = Entry {
    id: "envoy-ring-hash-murmur2",
    name: "Envoy RING_HASH, MURMUR_HASH_2",
    version: VERSION,
    build: |nodes| {
        let options = RingHashOptions { function: HashFunction::MurmurHash2, ..RingHashOptions::default() };
        RingHash::new(nodes, options).map(boxed)
    },
    promises: PROMISES,
};

/// Where the points lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum HashFunction {
    /// `XX_HASH`: xxHash64.
    #[default]
    XxHash,
    /// `MURMUR_HASH_2`: the function of `std::hash` in libstdc++.
    MurmurHash2,
}

impl HashFunction {
    fn point(self, label: &str) -> u64 {
        match self {
            Self::XxHash => xxh64(label.as_bytes(), 0),
            Self::MurmurHash2 => murmur2_64a(label.as_bytes(), 0xc70f_6907),
        }
    }
}

/// The settings; the default is Envoy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RingHashOptions {
    /// `minimum_ring_size`, from 1 on: Envoy accepts 0 and then has an empty ring.
    pub minimum: u64,
    /// `maximum_ring_size`, not below the minimum.
    pub maximum: u64,
    /// `hash_function`.
    pub function: HashFunction,
}

impl Default for RingHashOptions {
    fn default() -> Self {
        Self { minimum: 1024, maximum: RingHash::MOST_POINTS, function: HashFunction::XxHash }
    }
}

/// A ring of hosts.
#[derive(Debug, Clone)]
pub struct RingHash {
    ring: Circle<u64>,
}

impl RingHash {
    /// The largest ring that Envoy accepts, and the default of its maximum.
    pub const MOST_POINTS: u64 = 8 << 20;

    /// The ring of hosts without localities.
    ///
    /// # Errors
    /// As [`Hosts::new`] and [`of_hosts`](Self::of_hosts).
    pub fn new(nodes: &[Node], options: RingHashOptions) -> Result<Self, SystemError> {
        Self::of_hosts(&Hosts::new(nodes)?, options)
    }

    /// The ring of hosts.
    ///
    /// # Errors
    /// [`SystemError::Setting`] for a ring size that is 0, above [`Self::MOST_POINTS`], or a minimum above the maximum.
    pub fn of_hosts(hosts: &Hosts, options: RingHashOptions) -> Result<Self, SystemError> {
        let RingHashOptions { minimum, maximum, function } = options;
        if minimum == 0 || minimum > maximum {
            let allowed = "1 to the maximum ring size";
            return Err(SystemError::Setting { setting: "minimum ring size", value: minimum.to_string(), allowed });
        }
        if maximum > Self::MOST_POINTS {
            let allowed = "at most 8388608";
            return Err(SystemError::Setting { setting: "maximum ring size", value: maximum.to_string(), allowed });
        }
        let weights = hosts.hosts.iter().map(|&(_, weight)| weight);
        let least = weights.filter(|&weight| weight > 0.0).fold(f64::INFINITY, f64::min);
        let scale = ((least * minimum as f64).ceil() / least).min(maximum as f64);
        let mut points = Vec::new();
        let mut target = 0.0;
        for (host, (name, weight)) in (0_u32..).zip(&hosts.hosts) {
            target += scale * weight;
            for j in 0_u64.. {
                if points.len() as f64 >= target {
                    break;
                }
                points.push((function.point(&format!("{name}_{j}")), host));
            }
        }
        // Of points at one position the host that was configured first owns the keys; Envoy leaves it open.
        Ok(Self { ring: circle(points, hosts.hosts.len())? })
    }

    /// The points, ascending: (position, index of the host).
    #[must_use]
    pub fn ring(&self) -> &[(u64, u32)] {
        self.ring.points()
    }
}

impl HashTable for RingHash {
    fn owner(&self, hash: u64) -> usize {
        self.ring.owner(hash) as usize
    }
}

impl System for RingHash {
    fn node(&self, key: &[u8]) -> usize {
        self.owner(request_hash(key))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(weights: &[u32], minimum: u64, maximum: u64) -> Result<RingHash, SystemError> {
        let nodes: Vec<Node> = (0..).zip(weights).map(|(i, &weight)| Node::new(format!("n{i}"), weight)).collect();
        RingHash::new(&nodes, RingHashOptions { minimum, maximum, ..RingHashOptions::default() })
    }

    fn points(ring: &RingHash, host: u32) -> usize {
        ring.ring().iter().filter(|point| point.1 == host).count()
    }

    #[test]
    fn ring_sizes_that_cannot_work_are_named() {
        for (minimum, maximum, setting) in [
            (0, 10, "minimum ring size"),
            (0, 0, "minimum ring size"),
            (11, 10, "minimum ring size"),
            (1, RingHash::MOST_POINTS + 1, "maximum ring size"),
            (u64::MAX, u64::MAX, "maximum ring size"),
        ] {
            let error = ring(&[1, 1], minimum, maximum).unwrap_err();
            assert!(matches!(error, SystemError::Setting { setting: named, .. } if named == setting), "{error}");
        }
    }

    #[test]
    fn a_ring_is_never_empty_nor_above_its_maximum() {
        for weights in [&[1][..], &[1, u32::MAX], &[u32::MAX; 3], &[1_000_000, 1]] {
            for (minimum, maximum) in [(1, 1), (1, 10_000), (1024, 10_000)] {
                let size = ring(weights, minimum, maximum).expect("valid").ring().len() as u64;
                assert!((1..=maximum).contains(&size), "{weights:?} {minimum} {maximum}: {size}");
            }
        }
    }

    #[test]
    fn points_of_a_host_depend_on_the_others_and_on_their_order() {
        let four = ring(&[1; 4], 7, 7).expect("valid");
        assert_eq!([0, 1, 2, 3].map(|host| points(&four, host)), [2, 2, 2, 1]);
        let (light, heavy) = (ring(&[1, 9], 1, 1).expect("valid"), ring(&[9, 1], 1, 1).expect("valid"));
        assert_eq!((points(&light, 1), points(&heavy, 1)), (0, 0), "whoever comes first has the only point");
    }
}
