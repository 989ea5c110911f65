//! dgryski/go-mpchash, commit 7382f34 (2020-08-19), with SipHash-2-4: multi-probe consistent hashing, Appleton &
//! O'Reilly 2015.
//!
//! A node has one point, its name's hash with seed 0. A key has k probes h1 + i·h2 modulo 2^64, i = 0, 1, ..., k - 1,
//! with h1 and h2 its hashes with two seeds. Each probe meets the first point *after* it; the probe that is nearest to
//! its point, in distance modulo 2^64, decides, the earlier one of equals. The seed is the first half of SipHash's key,
//! the second is 0. Look-up O(k log n), memory 16 bytes a node. ([`MultiProbe`](crate::algorithms::MultiProbe) differs
//! in one point: there a probe that hits a point belongs to it.)

use siphasher::sip::SipHasher24;

use super::nodes::check_unweighted;
use super::ring::{Circle, Keep, circle};
use super::{Entry, Node, Promises, System, SystemError, boxed};

/// The options of the library's own test.
pub(super) const ENTRY: Entry = Entry {
    id: "go-mpchash",
    name: "dgryski/go-mpchash, SipHash-2-4",
    version: "7382f34 (2020-08-19)",
    build: |nodes| GoMpchash::new(nodes, Options::default()).map(boxed),
    promises: Promises::CONSISTENT,
};

/// The settings; the default is that of the library's own test and of the paper: 21 probes for a peak-to-average of
/// 1.05.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Probes for each key, from 1 to 65,536.
    pub probes: u32,
    /// Seeds of the key's two hashes.
    pub seeds: [u64; 2],
}

impl Default for Options {
    fn default() -> Self {
        Self { probes: 21, seeds: [1, 2] }
    }
}

/// The points of the nodes.
#[derive(Debug, Clone)]
pub struct GoMpchash {
    ring: Circle<u64>,
    options: Options,
}

impl GoMpchash {
    /// A ring of nodes.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1;
    /// [`SystemError::Setting`] for a number of probes out of range.
    pub fn new(nodes: &[Node], options: Options) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        if !(1..=65_536).contains(&options.probes) {
            let value = options.probes.to_string();
            return Err(SystemError::Setting { setting: "probes", value, allowed: "1 to 65536" });
        }
        let points = (0..).zip(nodes).map(|(index, node)| (hash(node.name.as_bytes(), 0), index));
        // Of names that collide in 64 bits the one that was given last drops the other.
        let ring = circle(points.collect(), nodes.len())?.one_per_position(Keep::HighestOwner);
        Ok(Self { ring, options })
    }

    fn owner(&self, first: u64, step: u64) -> usize {
        let nearest = (0..u64::from(self.options.probes))
            .map(|i| {
                let probe = first.wrapping_add(step.wrapping_mul(i));
                let (point, node) = self.ring.points()[self.ring.after(probe)];
                (point.wrapping_sub(probe), node)
            })
            // The first of equal ones.
            .min_by_key(|&(distance, _)| distance);
        nearest.map_or(0, |(_, node)| node as usize)
    }
}

fn hash(bytes: &[u8], seed: u64) -> u64 {
    SipHasher24::new_with_keys(seed, 0).hash(bytes)
}

impl System for GoMpchash {
    fn node(&self, key: &[u8]) -> usize {
        let [first, step] = self.options.seeds.map(|seed| hash(key, seed));
        self.owner(first, step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(points: &[u64], probes: u32) -> GoMpchash {
        let ring = Circle::new(points.iter().copied().zip(0..).collect());
        GoMpchash { ring, options: Options { probes, ..Options::default() } }
    }

    #[test]
    fn distances_are_modulo_two_to_the_64() {
        let two = ring(&[5, 1 << 63], 2);
        // From 2^64 - 5 it is 10 to the first point; from 2^63 - 11 it is 11 to the second.
        assert_eq!(two.owner(u64::MAX - 4, (1_u64 << 63).wrapping_sub(11).wrapping_sub(u64::MAX - 4)), 0);
        assert_eq!(two.owner(u64::MAX - 4, (1_u64 << 63).wrapping_sub(9).wrapping_sub(u64::MAX - 4)), 1);
    }

    #[test]
    fn a_point_at_the_probe_does_not_own_it() {
        let two = ring(&[5, 100], 1);
        assert_eq!([4, 5, 6, 99, 100, u64::MAX].map(|probe| two.owner(probe, 0)), [0, 1, 1, 1, 0, 0]);
        let ends = ring(&[0, u64::MAX], 1);
        assert_eq!([0, u64::MAX - 1, u64::MAX].map(|probe| ends.owner(probe, 0)), [1, 1, 0]);
    }

    #[test]
    fn the_first_of_equally_near_probes_decides() {
        let two = ring(&[100, 200], 2);
        assert_eq!((two.owner(90, 100), two.owner(190, 0_u64.wrapping_sub(100))), (0, 1));
    }

    #[test]
    fn probes_out_of_range_are_named() {
        for probes in [0, 65_537] {
            let error = GoMpchash::new(&[Node::new("a", 1)], Options { probes, ..Options::default() }).unwrap_err();
            assert!(matches!(error, SystemError::Setting { setting: "probes", .. }), "{error}");
        }
    }
}
