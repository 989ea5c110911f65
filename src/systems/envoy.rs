//! What Envoy's hashing load balancers share: the hash of a request and the normalised weights of hosts. Envoy 1.40.0.
//!
//! A host is hashed by its metadata `envoy.lb` `hash_key`, else by its host name if `use_hostname_for_hashing`, else by
//! `ip:port`: whichever it is, that is the [`Node`]'s name here. A weight is divided by the sum of all, in f64; with
//! locality weighting, by the sum in its locality after it was multiplied by the locality's own normalised weight.

use xxhash_rust::xxh64::xxh64;

use super::nodes::{check_names, check_weights, total_weight};
use super::{Node, SystemError};

mod bounded;
pub(super) mod maglev;
pub(super) mod ring_hash;

pub use bounded::Bounded;
pub use maglev::Maglev;
pub use ring_hash::{HashFunction, RingHash, RingHashOptions};

/// The version reproduced.
const VERSION: &str = "1.40.0";

/// A table of hosts that answers for hash values: what [`Bounded`] limits.
pub trait HashTable: Send + Sync {
    /// The index of the host that owns a request with this hash.
    fn owner(&self, hash: u64) -> usize;
}

/// The hash of a header value, as a hash policy computes it. It is xxHash64 whatever the function of the ring.
#[must_use]
pub fn request_hash(value: &[u8]) -> u64 {
    xxh64(value, 0)
}

/// The hash of a request on which a further policy also applies.
#[must_use]
pub fn combined(hash: u64, next: u64) -> u64 {
    hash.rotate_left(1) ^ next
}

/// Hosts with normalised weights; the sum of all is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Hosts {
    /// (name, normalised weight), in the order of the configuration; 0 for a host in a locality without weight.
    hosts: Vec<(String, f64)>,
}

impl Hosts {
    /// Hosts without localities, or whose localities have no weights.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight of zero.
    pub fn new(nodes: &[Node]) -> Result<Self, SystemError> {
        Self::in_localities(&[(1, nodes)])
    }

    /// Hosts in weighted localities, numbered through in the order given. A locality of weight 0 gets no request.
    ///
    /// # Errors
    /// As [`new`](Self::new); [`SystemError::Setting`] if no locality that has hosts has a weight.
    pub fn in_localities(localities: &[(u32, &[Node])]) -> Result<Self, SystemError> {
        let all: Vec<Node> = localities.iter().flat_map(|(_, nodes)| nodes.iter().cloned()).collect();
        check_names(&all, |node| node.name.clone())?;
        check_weights(&all, 1..=u32::MAX, "1 or more")?;
        let sum: u64 = localities.iter().map(|&(weight, _)| u64::from(weight)).sum();
        if localities.iter().all(|(weight, nodes)| *weight == 0 || nodes.is_empty()) {
            let allowed = "at least 1 for a locality that has hosts";
            return Err(SystemError::Setting { setting: "locality weights", value: sum.to_string(), allowed });
        }
        let mut hosts = Vec::new();
        for &(locality, nodes) in localities {
            let share = f64::from(locality) / sum as f64;
            let in_locality = total_weight(nodes);
            let normalised = |weight: u32| f64::from(weight) * share / in_locality as f64;
            hosts.extend(nodes.iter().map(|node| (node.name.clone(), normalised(node.weight))));
        }
        Ok(Self { hosts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_normalised_within_localities() {
        let (a, b) = ([Node::new("a", 1), Node::new("b", 3)], [Node::new("c", 7)]);
        let hosts = Hosts::in_localities(&[(1, &a), (3, &b)]).expect("valid");
        assert_eq!(hosts.hosts, [("a".into(), 0.0625), ("b".into(), 0.1875), ("c".into(), 0.75)]);
    }

    #[test]
    fn localities_that_cannot_work() {
        let nodes = [Node::new("a", 1)];
        let error = Hosts::in_localities(&[(0, &nodes), (5, &[])]).unwrap_err();
        assert!(matches!(error, SystemError::Setting { setting: "locality weights", .. }), "{error}");
        assert_eq!(Hosts::in_localities(&[]).unwrap_err(), SystemError::NoNodes);
        let twice = Hosts::in_localities(&[(1, &nodes), (1, &nodes)]).unwrap_err();
        assert_eq!(twice, SystemError::DuplicateName { name: "a".into() });
    }
}
