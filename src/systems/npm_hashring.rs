//! hashring 3.2.0, the npm package (node-hashring).
//!
//! Each server has floor(weight / sum of weights x vnodes x servers) groups, in f64, `vnodes` being 40; group j puts
//! four points on the circle: the little-endian words of the MD5 of "HOST:PORT-j". The owner of a key is the first
//! point at or after the first word of its MD5. Options: the number of groups, three points a group as Python's
//! hash_ring has, and a port that labels leave out. Look-up O(log V), 8 bytes a point.
//!
//! Kept: f64 rounds down elsewhere than libketama's f32, so that the two differ; a share that is too small has no
//! point. Of points at one position the server that stands first owns the keys, so that order matters there.

use super::hash::md5;
use super::nodes::{check_names, check_weights, total_weight};
use super::ring::Circle;
use super::{Entry, Node, Promise, System, SystemError, boxed, equal, ketama};

/// `new HashRing(servers)`.
pub(super) const ENTRY: Entry = Entry {
    id: "npm-hashring",
    name: "npm hashring",
    version: "3.2.0",
    build: |nodes| NpmHashring::new(nodes, Options::default()).map(boxed),
    promises: ketama::promises(Promise::Mostly {
        why: "a share is a whole number of groups: unequal weights change all, and 7 equal servers have 39 each",
        example: || equal(7),
    }),
};

/// Points of each group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Compatibility {
    /// Four, as libketama has.
    #[default]
    Ketama,
    /// Three, as Python's hash_ring has.
    HashRing,
}

/// The options of the package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// `vnode count`: groups of a server of average weight.
    pub vnodes: u32,
    /// `compatibility`.
    pub compatibility: Compatibility,
    /// `default port`: labels leave it out.
    pub default_port: Option<u16>,
}

impl Default for Options {
    fn default() -> Self {
        Self { vnodes: 40, compatibility: Compatibility::Ketama, default_port: None }
    }
}

/// A `HashRing`.
#[derive(Debug, Clone)]
pub struct NpmHashring {
    ring: Circle<u32>,
}

impl NpmHashring {
    /// A ring of servers, each named `host:port`.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for zero,
    /// [`SystemError::TooManyPoints`], [`SystemError::NoUsableNode`] if `vnodes` is zero.
    pub fn new(nodes: &[Node], options: Options) -> Result<Self, SystemError> {
        let suffix = options.default_port.map(|port| format!(":{port}"));
        let label = |node: &Node| match &suffix {
            Some(suffix) => node.name.strip_suffix(suffix.as_str()).unwrap_or(&node.name).to_owned(),
            None => node.name.clone(),
        };
        check_names(nodes, label)?;
        check_weights(nodes, 1..=u32::MAX, "1 or more")?;
        let labels: Vec<String> = nodes.iter().map(label).collect();
        let per_group = match options.compatibility {
            Compatibility::Ketama => ketama::POINTS_PER_GROUP,
            Compatibility::HashRing => 3,
        };
        Ok(Self { ring: ketama::md5_ring(&labels, &groups(nodes, options.vnodes), per_group)? })
    }

    /// The points, ascending, each with the index of its server.
    pub fn points(&self) -> impl ExactSizeIterator<Item = (u32, u32)> {
        self.ring.points().iter().copied()
    }
}

fn groups(nodes: &[Node], vnodes: u32) -> Vec<u64> {
    let total = total_weight(nodes) as f64;
    let count = nodes.len() as f64;
    nodes.iter().map(|node| (f64::from(node.weight) / total * f64::from(vnodes) * count).floor() as u64).collect()
}

impl System for NpmHashring {
    fn node(&self, key: &[u8]) -> usize {
        self.ring.owner(md5::word(key)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f64_rounds_down_elsewhere_than_f32() {
        let short = |count: usize| groups(&vec![Node::new("", 1); count], 40)[0] == 39;
        assert!(!short(61));
        assert_eq!((1..60).filter(|&count| short(count)).collect::<Vec<_>>(), [7, 14, 28, 49, 56]);
    }

    #[test]
    fn the_default_port_is_no_difference() {
        let nodes = [Node::new("a:1", 1), Node::new("a", 1)];
        assert!(NpmHashring::new(&nodes, Options::default()).is_ok());
        let twice = NpmHashring::new(&nodes, Options { default_port: Some(1), ..Options::default() }).unwrap_err();
        assert_eq!(twice, SystemError::DuplicateName { name: "a".into() });
    }

    #[test]
    fn three_points_a_group_are_the_first_three() {
        let nodes = [Node::new("a:1", 1), Node::new("b:1", 1)];
        let build = |compatibility| {
            let ring = NpmHashring::new(&nodes, Options { compatibility, ..Options::default() }).expect("valid");
            ring.points().collect::<Vec<_>>()
        };
        let (three, four) = (build(Compatibility::HashRing), build(Compatibility::Ketama));
        assert_eq!([three.len(), four.len()], [240, 320]);
        assert!(three.iter().all(|point| four.contains(point)));
    }

    #[test]
    fn no_group_no_ring() {
        let none = NpmHashring::new(&[Node::new("a:1", 1)], Options { vnodes: 0, ..Options::default() }).unwrap_err();
        assert_eq!(none, SystemError::NoUsableNode { nodes: 1 });
    }
}
