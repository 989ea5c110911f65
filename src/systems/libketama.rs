//! libketama, last.fm's original C library (RJ/ketama, commit 18cf9a77, 2014).
//!
//! Each server has floor(share x 40 x servers) groups, the share in f32, the product in f64 and rounded to f32 before
//! the floor. Group k puts four points on a circle of 2^32: the little-endian words of the MD5 of "ADDR-k", the address
//! as it stands in the file of servers. The owner of a key is the first point at or after the first word of its MD5.
//! Look-up O(log V), 8 bytes a point, about 160 points a server whatever the weights are.
//!
//! Kept: equal servers have 39 groups instead of 40 where the rounding falls below (61, 122, 237, ... servers); a share
//! below 1 / (40 x servers) has no point, and such a server no key; of points at one position the server that stands
//! first in the file owns the keys, so that order matters there and nowhere else. The library refuses addresses of more
//! than 23 bytes; they are accepted here.

use super::hash::md5;
use super::nodes::{check_names, check_weights, total_weight};
use super::ring::Circle;
use super::{Entry, Node, Promise, System, SystemError, boxed, equal, ketama};

/// libketama has no options.
pub(super) const ENTRY: Entry = Entry {
    id: "libketama",
    name: "libketama",
    version: "18cf9a77 (2014-10-01)",
    build: |nodes| Libketama::new(nodes).map(boxed),
    promises: ketama::promises(Promise::Mostly {
        why: "a share is a whole number of groups: unequal weights change all, and 61 equal servers have 39 each",
        example: || equal(61),
    }),
};

/// The continuum of libketama.
#[derive(Debug, Clone)]
pub struct Libketama {
    ring: Circle<u32>,
}

impl Libketama {
    /// A continuum of servers; weights are the memory of each, in any unit.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for zero,
    /// [`SystemError::TooManyPoints`].
    pub fn new(nodes: &[Node]) -> Result<Self, SystemError> {
        check_names(nodes, |node| node.name.clone())?;
        check_weights(nodes, 1..=u32::MAX, "1 or more")?;
        let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
        let ring = ketama::md5_ring(&names, &groups(nodes), ketama::POINTS_PER_GROUP)?;
        Ok(Self { ring })
    }

    /// The continuum, ascending: point and index of its server.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.ring.points().iter().copied()
    }
}

fn groups(nodes: &[Node]) -> Vec<u64> {
    let total = total_weight(nodes) as f32;
    let count = nodes.len() as f32;
    let product = |node: &Node| f64::from(node.weight as f32 / total) * 40.0 * f64::from(count);
    nodes.iter().map(|node| (product(node) as f32).floor() as u64).collect()
}

impl System for Libketama {
    fn node(&self, key: &[u8]) -> usize {
        self.ring.owner(md5::word(key)) as usize
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    #[test]
    fn equal_servers_lose_a_group_where_f32_rounds_down() {
        let short: Vec<usize> = (1..300).filter(|&count| groups(&equal(count))[0] == 39).collect();
        assert_eq!(short.iter().copied().take(3).collect::<Vec<_>>(), [61, 122, 237]);
    }

    #[test]
    fn a_tiny_weight_has_no_point() {
        let nodes = [Node::new("light", 1), Node::new("heavy", 1000)];
        let ketama = Libketama::new(&nodes).expect("valid");
        assert!(ketama.points().all(|(_, server)| server == 1));
        assert!((0..1000_u32).all(|key| ketama.node(&key.to_le_bytes()) == 1));
    }

    #[test]
    fn of_colliding_points_the_first_server_in_the_file_owns_the_keys() {
        let mut nodes = equal(1000);
        let first = Libketama::new(&nodes).expect("valid");
        let points: Vec<(u32, u32)> = first.points().collect();
        let (point, pair) = points
            .windows(2)
            .find(|pair| pair[0].0 == pair[1].0 && pair[0].1 != pair[1].1)
            .map(|pair| (pair[0].0, [pair[0].1, pair[1].1]))
            .expect("160,000 points collide about three times");
        assert!(pair[0] < pair[1]);
        let owner = |ketama: &Libketama| ketama.ring.owner(point);
        assert_eq!(owner(&first), pair[0]);

        nodes.reverse();
        let reversed = Libketama::new(&nodes).expect("valid");
        assert_eq!(999 - owner(&reversed), pair[1]);
        assert_eq!(reversed.points().len(), points.len(), "both keep their point");
    }

    #[test]
    fn without_a_collision_order_is_nothing() {
        let mut nodes = equal(20);
        let one = Libketama::new(&nodes).expect("valid");
        nodes.reverse();
        let other = Libketama::new(&nodes).expect("valid");
        assert!((0..1000_u32).all(|key| one.node(&key.to_le_bytes()) + other.node(&key.to_le_bytes()) == 19));
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "a million keys: for release builds")]
    fn what_ketama_test_prints() {
        // The library's own test: an empty line, then for keys 0 to 999,999 the hash of the key, its point and its
        // server. The MD5 of the output stands in the harness.
        let memory = [600, 300, 200, 350, 1000, 800, 950, 100];
        let nodes: Vec<Node> =
            (1..).zip(memory).map(|(i, memory)| Node::new(format!("10.0.1.{i}:11211"), memory)).collect();
        let ring = Libketama::new(&nodes).expect("valid").ring;
        let mut output = String::from("\n");
        for key in 0..1_000_000_u32 {
            let hash = md5::word(key.to_string().as_bytes());
            let (point, server) = ring.points()[ring.at_or_after(hash)];
            writeln!(output, "{hash} {point} {}", nodes[server as usize].name).expect("a string grows");
        }
        assert_eq!(md5::number(output.as_bytes()), 0x5672_b131_391f_5aa2_b280_936a_ec1e_ea74);
    }

    #[test]
    fn zero_is_refused() {
        let zero = Libketama::new(&[Node::new("a", 1), Node::new("b", 0)]).unwrap_err();
        assert_eq!(zero, SystemError::Weight { name: "b".into(), weight: 0, allowed: "1 or more" });
    }
}
