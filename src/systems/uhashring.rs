//! uhashring 2.5, the Python package.
//!
//! *Default*: each node has `vnodes` x weight points, the 128-bit MD5 of "NAME-j", `vnodes` being 160. *Ketama*:
//! floor(40 x nodes x weight / sum of weights) groups, in integers, of four 32-bit MD5 points each. The owner of a key
//! is the first point *strictly after* the key's MD5, of 128 bits or its first word. Look-up O(log V).
//!
//! Kept: ketama mode differs from libketama for keys that lie exactly on a point, and where libketama rounds down; of
//! points at one position only the one that was placed last stays, so that order matters there; weight 0 has no point.

use super::hash::md5;
use super::nodes::{check_names, total_weight};
use super::ring::{Circle, Keep, check_points, circle};
use super::{Entry, Node, Promise, Promises, System, SystemError, Weights, boxed, ketama, weighted};

const VERSION: &str = "2.5";

/// `HashRing(nodes)`.
pub(super) const DEFAULT: Entry = Entry {
    id: "uhashring",
    name: "uhashring",
    version: VERSION,
    build: |nodes| Uhashring::new(nodes, Mode::Default, Mode::Default.vnodes()).map(boxed),
    promises: Promises { weights: Weights::Points(160), ..Promises::CONSISTENT },
};

/// `HashRing(nodes, hash_fn="ketama")`.
pub(super) const KETAMA: Entry = Entry {
    id: "uhashring-ketama",
    name: "uhashring ketama",
    version: VERSION,
    build: |nodes| Uhashring::new(nodes, Mode::Ketama, Mode::Ketama.vnodes()).map(boxed),
    promises: ketama::promises(Promise::Mostly {
        why: "a share is a whole number of groups: unequal weights change all",
        example: || weighted(&[1, 2, 3]),
    }),
};

/// `hash_fn`: the layout of the ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// 128-bit points.
    Default,
    /// `hash_fn="ketama"`.
    Ketama,
}

impl Mode {
    /// The package's own number of virtual nodes: points a unit of weight, or groups a node.
    #[must_use]
    pub const fn vnodes(self) -> u32 {
        match self {
            Self::Default => 160,
            Self::Ketama => 40,
        }
    }
}

/// A `HashRing`.
#[derive(Debug, Clone)]
pub struct Uhashring {
    ring: Points,
}

#[derive(Debug, Clone)]
enum Points {
    Default(Circle<u128>),
    Ketama(Circle<u32>),
}

impl Uhashring {
    /// A ring of nodes; [`Mode::vnodes`] is what the package takes if it is not told.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::TooManyPoints`],
    /// [`SystemError::NoUsableNode`] if every weight is zero or `vnodes` is.
    pub fn new(nodes: &[Node], mode: Mode, vnodes: u32) -> Result<Self, SystemError> {
        check_names(nodes, |node| node.name.clone())?;
        if total_weight(nodes) == 0 {
            return Err(SystemError::NoUsableNode { nodes: nodes.len() });
        }
        // Of points at one position stays the one that was placed last.
        let ring = match mode {
            Mode::Default => Points::Default(wide_ring(nodes, vnodes)?.one_per_position(Keep::HighestOwner)),
            Mode::Ketama => {
                let names: Vec<&str> = nodes.iter().map(|node| node.name.as_str()).collect();
                let ring = ketama::md5_ring(&names, &groups(nodes, vnodes), ketama::POINTS_PER_GROUP)?;
                Points::Ketama(ring.one_per_position(Keep::HighestOwner))
            }
        };
        Ok(Self { ring })
    }

    /// The points, ascending, each with the index of its node.
    #[must_use]
    pub fn points(&self) -> Vec<(u128, u32)> {
        match &self.ring {
            Points::Default(ring) => ring.points().to_vec(),
            Points::Ketama(ring) => ring.points().iter().map(|&(point, node)| (point.into(), node)).collect(),
        }
    }
}

fn groups(nodes: &[Node], vnodes: u32) -> Vec<u64> {
    let total = u128::from(total_weight(nodes));
    let slots = u128::from(vnodes) * nodes.len() as u128;
    // A share of u32 x u32 slots: below 2^64.
    nodes.iter().map(|node| (slots * u128::from(node.weight) / total) as u64).collect()
}

fn wide_ring(nodes: &[Node], vnodes: u32) -> Result<Circle<u128>, SystemError> {
    let count = |node: &Node| u64::from(vnodes) * u64::from(node.weight);
    check_points(nodes.iter().map(count).fold(0, u64::saturating_add))?;
    let points = (0_u32..).zip(nodes).flat_map(|(owner, node)| {
        (0..count(node)).map(move |index| (md5::number(ketama::label(&node.name, index).as_bytes()), owner))
    });
    circle(points.collect(), nodes.len())
}

impl System for Uhashring {
    fn node(&self, key: &[u8]) -> usize {
        let node = match &self.ring {
            Points::Default(ring) => ring.points()[ring.after(md5::number(key))].1,
            Points::Ketama(ring) => ring.points()[ring.after(md5::word(key))].1,
        };
        node as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn equal(count: usize) -> Vec<Node> {
        (0..count).map(|i| Node::new(format!("n{i}"), 1)).collect()
    }

    #[test]
    fn a_key_on_a_point_belongs_to_the_next() {
        let ring = Uhashring::new(&equal(5), Mode::Default, 160).expect("valid");
        let points = ring.points();
        for index in 0..160 {
            let label = format!("n3-{index}");
            let at = points.iter().position(|&(point, _)| point == md5::number(label.as_bytes())).expect("placed");
            assert_eq!(ring.node(label.as_bytes()), points[(at + 1) % points.len()].1 as usize);
        }
    }

    #[test]
    fn of_colliding_points_the_last_placed_stays() {
        let mut nodes = equal(1000);
        let ring = Uhashring::new(&nodes, Mode::Ketama, 40).expect("valid");
        assert!(ring.points().len() < 160_000, "160,000 points collide about three times");
        nodes.reverse();
        let reversed = Uhashring::new(&nodes, Mode::Ketama, 40).expect("valid");
        let differing: Vec<(u32, u32)> = ring
            .points()
            .into_iter()
            .zip(reversed.points())
            .map(|((_, node), (_, other))| (node, 999 - other))
            .filter(|(node, other)| node != other)
            .collect();
        assert!(!differing.is_empty());
        assert!(differing.iter().all(|(node, other)| node > other));
    }

    #[test]
    fn weight_zero_has_no_point_and_zeros_no_ring() {
        for mode in [Mode::Default, Mode::Ketama] {
            let ring = Uhashring::new(&[Node::new("a", 0), Node::new("b", 1)], mode, 40).expect("one has weight");
            assert!(ring.points().iter().all(|&(_, node)| node == 1));
            let none = Uhashring::new(&[Node::new("a", 0)], mode, 40).unwrap_err();
            assert_eq!(none, SystemError::NoUsableNode { nodes: 1 });
            assert!(Uhashring::new(&equal(2), mode, 0).is_err());
        }
    }

    #[test]
    fn memory_is_predicted() {
        let heavy = Uhashring::new(&[Node::new("a", 1_000_000)], Mode::Default, 160).unwrap_err();
        assert!(matches!(heavy, SystemError::TooManyPoints { points: 160_000_000, .. }));
        let most = Uhashring::new(&[Node::new("a", u32::MAX), Node::new("b", u32::MAX)], Mode::Default, u32::MAX);
        assert!(matches!(most, Err(SystemError::TooManyPoints { points: u64::MAX, .. })));
        assert!(Uhashring::new(&equal(3), Mode::Ketama, u32::MAX).is_err());
    }
}
