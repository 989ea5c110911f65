//! nginx 1.22.1, `hash KEY` and `hash KEY consistent` in an upstream block.
//!
//! *consistent*: a server of weight w has 160 w points on a circle of 2^32: point j is the CRC-32 of HOST, a zero byte,
//! PORT and point j - 1 in little-endian bytes (zero before the first). The owner of a key is the first point at or
//! after its CRC-32. *Plain*: the upper 15 bits of the CRC-32, modulo the sum of weights, counted through the servers
//! in order, as the Perl client Cache::Memcached did. Look-up O(log V); 8 bytes a point.
//!
//! Kept: "host" and "host:80" are the same server to connect to, but lie elsewhere on the circle; a server that is down
//! keeps its points, and the next point is tried, or in the plain form another hash, up to 20 times; then, and for an
//! empty key, nginx balances by turns. Turns depend on what was served before: here they are the first turn of a fresh
//! worker, the heaviest server that is up. Of points at one position the one declared first stays, so that order
//! matters there, and in the plain form.

use super::hash::crc;
use super::nodes::{check_names, check_weights, cumulative_weights, total_weight, weighted_modulo};
use super::promises::named;
use super::ring::{Circle, Keep, check_points, circle};
use super::{Entry, Node, Promise, Promises, System, SystemError, Weights, boxed};

const VERSION: &str = "1.22.1";
const POINTS_PER_WEIGHT: u64 = 160;
/// Further servers that are tried before nginx gives up hashing.
const RETRIES: u32 = 20;

/// `hash KEY;`
pub(super) const HASH: Entry = Entry {
    id: "nginx",
    name: "nginx hash",
    version: VERSION,
    build: |nodes| Nginx::new(nodes, Method::Plain, &[]).map(boxed),
    promises: Promises::REMAINDER,
};

/// `hash KEY consistent;`
pub(super) const CONSISTENT: Entry = Entry {
    id: "nginx-consistent",
    name: "nginx hash consistent",
    version: VERSION,
    build: |nodes| Nginx::new(nodes, Method::Consistent, &[]).map(boxed),
    promises: Promises {
        order: Promise::Mostly {
            why: "of points at one position the server declared first owns the keys",
            example: || named(&["n160", "n1134", "n1"]),
        },
        weights: Weights::Points(160),
        ..Promises::CONSISTENT
    },
};

/// The form of the `hash` directive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Plain,
    Consistent,
}

/// An upstream block.
#[derive(Debug, Clone)]
pub struct Nginx {
    layout: Layout,
    up: Vec<bool>,
    /// What a fresh worker picks by turns.
    first_turn: usize,
}

#[derive(Debug, Clone)]
enum Layout {
    Single,
    /// For each server the sum of the weights up to and with its own.
    Plain(Vec<u64>),
    Consistent(Circle<u32>),
}

impl Nginx {
    /// A block of servers, each named as in its `server` directive; `down` holds the indices of those that are down.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for zero,
    /// [`SystemError::TooManyPoints`], [`SystemError::NoUsableNode`] if every server is down.
    pub fn new(nodes: &[Node], method: Method, down: &[usize]) -> Result<Self, SystemError> {
        check_names(nodes, |node| {
            let (host, port) = host_and_port(&node.name);
            (host.to_owned(), port.to_owned())
        })?;
        check_weights(nodes, 1..=u32::MAX, "1 or more")?;
        let up: Vec<bool> = (0..nodes.len()).map(|index| !down.contains(&index)).collect();
        let heaviest = (0..nodes.len()).rev().filter(|&index| up[index]).max_by_key(|&index| nodes[index].weight);
        let first_turn = heaviest.ok_or(SystemError::NoUsableNode { nodes: nodes.len() })?;
        let layout = match method {
            _ if nodes.len() == 1 => Layout::Single,
            Method::Plain => Layout::Plain(cumulative_weights(nodes)),
            Method::Consistent => Layout::Consistent(ring(nodes)?),
        };
        Ok(Self { layout, up, first_turn })
    }

    /// The points, ascending, each with the index of its server, up or down. Empty in the plain form and for a single
    /// server.
    pub fn points(&self) -> impl Iterator<Item = (u32, u32)> {
        let ring = match &self.layout {
            Layout::Consistent(ring) => Some(ring),
            Layout::Single | Layout::Plain(_) => None,
        };
        ring.into_iter().flat_map(Circle::points).copied()
    }
}

/// A name ends in a port if only digits follow its last colon; a path of a socket has none.
fn host_and_port(name: &str) -> (&str, &str) {
    match (name.split_at_checked(5), name.rsplit_once(':')) {
        (Some((unix, path)), _) if unix.eq_ignore_ascii_case("unix:") => (path, ""),
        (_, Some((host, port))) if port.bytes().all(|digit| digit.is_ascii_digit()) => (host, port),
        _ => (name, ""),
    }
}

fn ring(nodes: &[Node]) -> Result<Circle<u32>, SystemError> {
    let count = |node: &Node| u64::from(node.weight) * POINTS_PER_WEIGHT;
    check_points(total_weight(nodes).saturating_mul(POINTS_PER_WEIGHT))?;
    let points = (0_u32..).zip(nodes).flat_map(|(owner, node)| {
        let (host, port) = host_and_port(&node.name);
        let mut base = crc32fast::Hasher::new();
        base.update(host.as_bytes());
        base.update(&[0]);
        base.update(port.as_bytes());
        let mut previous = 0_u32;
        (0..count(node)).map(move |_| {
            let mut point = base.clone();
            point.update(&previous.to_le_bytes());
            previous = point.finalize();
            (previous, owner)
        })
    });
    // The one declared first.
    Ok(circle(points.collect(), nodes.len())?.one_per_position(Keep::LowestOwner))
}

impl System for Nginx {
    fn node(&self, key: &[u8]) -> usize {
        let up = |server: &usize| self.up[*server];
        let hashed = match &self.layout {
            _ if key.is_empty() => None,
            Layout::Single => None,
            Layout::Plain(cumulative) => plain_tries(cumulative, key).find(up),
            Layout::Consistent(ring) => consistent_tries(ring, key).find(up),
        };
        hashed.unwrap_or(self.first_turn)
    }
}

/// The servers that a key tries in the plain form: hashes of the key behind the number of the try are added up.
fn plain_tries(cumulative: &[u64], key: &[u8]) -> impl Iterator<Item = usize> {
    let mut sum = 0;
    (0..=RETRIES).map(move |retry| {
        let mut hash = crc32fast::Hasher::new();
        if retry > 0 {
            hash.update(retry.to_string().as_bytes());
        }
        hash.update(key);
        sum += crc::cut(hash.finalize());
        weighted_modulo(cumulative, sum)
    })
}

/// The servers that a key tries on the circle: those of successive points.
fn consistent_tries(ring: &Circle<u32>, key: &[u8]) -> impl Iterator<Item = usize> {
    let owners = ring.clockwise(ring.at_or_after(crc::crc32(key)));
    owners.take(RETRIES as usize + 1).map(|server| server as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn servers(count: usize) -> Vec<Node> {
        (0..count).map(|i| Node::new(format!("127.0.0.1:{}", 18001 + i), 1)).collect()
    }

    fn build(nodes: &[Node], method: Method, down: &[usize]) -> Nginx {
        Nginx::new(nodes, method, down).expect("valid")
    }

    #[test]
    fn names() {
        let split =
            ["a", "a:80", "a:", "[::1]", "[::1]:80", "unix:/run/x:1", "UNIX:/run/x", "a:b", "é:1"].map(host_and_port);
        let expected = [
            ("a", ""),
            ("a", "80"),
            ("a", ""),
            ("[::1]", ""),
            ("[::1]", "80"),
            ("/run/x:1", ""),
            ("/run/x", ""),
            ("a:b", ""),
            ("é", "1"),
        ];
        assert_eq!(split, expected);
    }

    #[test]
    fn points_of_similar_names_differ() {
        // HOST, zero, PORT: 1.1.1.1:10 and 1.1.1.11:0 would be one string without the zero byte.
        let nodes = ["member:10", "member1:0", "member1", "member10", "member"].map(|name| Node::new(name, 1));
        assert_eq!(build(&nodes, Method::Consistent, &[]).points().count(), 5 * 160);
    }

    #[test]
    fn a_down_server_keeps_its_points_and_gives_its_keys_to_the_next() {
        let nodes = servers(5);
        let [all, down, removed] = [
            build(&nodes, Method::Consistent, &[]),
            build(&nodes, Method::Consistent, &[4]),
            build(&nodes[..4], Method::Consistent, &[]),
        ];
        assert!(all.points().eq(down.points()));
        for key in (0..2000_u32).map(|key| key.to_string()) {
            assert_eq!(down.node(key.as_bytes()), removed.node(key.as_bytes()));
        }
    }

    #[test]
    fn after_twenty_tries_comes_the_first_turn() {
        let mut nodes = servers(200);
        nodes[70].weight = 2;
        let down: Vec<usize> = (0..200).filter(|&server| server != 70 && server != 30).collect();
        for method in [Method::Plain, Method::Consistent] {
            let upstream = build(&nodes, method, &down);
            let owners: Vec<usize> = (0..300_u32).map(|key| upstream.node(key.to_string().as_bytes())).collect();
            assert!(owners.iter().all(|&owner| owner == 70 || owner == 30));
            assert!(owners.iter().filter(|&&owner| owner == 70).count() > 200, "most keys ran out of tries");
        }
    }

    #[test]
    fn an_empty_key_and_a_single_server_are_not_hashed() {
        let mut nodes = servers(3);
        nodes[2].weight = 3;
        for method in [Method::Plain, Method::Consistent] {
            assert_eq!(build(&nodes, method, &[]).node(b""), 2);
            assert_eq!(build(&nodes, method, &[2]).node(b""), 0);
            assert_eq!(build(&nodes[..1], method, &[]).node(b"key"), 0);
        }
    }

    #[test]
    fn every_server_down() {
        for method in [Method::Plain, Method::Consistent] {
            let none = Nginx::new(&servers(3), method, &[2, 0, 1]).unwrap_err();
            assert_eq!(none, SystemError::NoUsableNode { nodes: 3 });
            assert!(Nginx::new(&servers(1), method, &[0]).is_err());
        }
    }

    #[test]
    fn of_colliding_points_the_first_declared_stays() {
        let mut nodes = servers(1000);
        let upstream = build(&nodes, Method::Consistent, &[]);
        assert!(upstream.points().count() < 160_000, "160,000 points collide about three times");
        nodes.reverse();
        let reversed = build(&nodes, Method::Consistent, &[]);
        let differing: Vec<(u32, u32)> = upstream
            .points()
            .zip(reversed.points())
            .map(|((_, server), (_, other))| (server, 999 - other))
            .filter(|(server, other)| server != other)
            .collect();
        assert!(!differing.is_empty());
        assert!(differing.iter().all(|(server, other)| server < other));
    }

    #[test]
    fn weights_of_a_million() {
        let mut nodes = servers(2);
        nodes[0].weight = 1_000_000;
        assert!(matches!(
            Nginx::new(&nodes, Method::Consistent, &[]),
            Err(SystemError::TooManyPoints { points: 160_000_160, .. })
        ));
        let plain = build(&nodes, Method::Plain, &[]);
        assert!(
            (0..100_u32).all(|key| plain.node(key.to_string().as_bytes()) == 0),
            "32,768 values never reach the other"
        );
    }
}
