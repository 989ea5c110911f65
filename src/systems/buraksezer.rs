//! buraksezer/consistent, commit 24361c3 (2026-08-16, the 1.0 line) and v0.10.0, with xxHash64: partitions under
//! bounded loads.
//!
//! A key belongs to partition hash mod P. Partition p (hashed as a little-endian u64) belongs to the first point at or
//! after it whose member still has room: in the order 0, 1, ..., P - 1, each walks clockwise past members that are
//! full. Look-up O(1); construction O(P · V) at worst; a change of membership can move partitions between members that
//! stay.
//!
//! | | points of a member, i = 0, 1, ... | capacity of a member |
//! |---|---|---|
//! | 1.0 | "i:name" | ceil(P / n · load) |
//! | 0.10 | "namei" | ceil(floor(P / n) · load): the average of an *integer* division |
//!
//! Most partitions moved between the two. In 0.10 labels collide ("node1" + "11" is "node11" + "1"): the member that
//! was given *last* owns the point, so that the owners depend on the order of the members. 0.10 also panics for want of
//! room one point before it has tried them all, which with few points is while there is some; here the whole circle is
//! tried.

use xxhash_rust::xxh64::xxh64;

use super::nodes::check_unweighted;
use super::promises::named;
use super::ring::{Circle, Keep, check_points, circle};
use super::{Entry, Node, Promise, Promises, System, SystemError, boxed};

/// Bounded loads let keys go on to other members.
const BOUNDED: Promise =
    Promise::NotMade("bounded loads: another capacity sends partitions on to other members that stay");

/// The library's default options.
pub(super) const ENTRY: Entry = Entry {
    id: "buraksezer",
    name: "buraksezer/consistent, xxHash64",
    version: "24361c3 (2026-08-16)",
    build: |nodes| Buraksezer::new(nodes, Options::default()).map(boxed),
    promises: Promises { removal: BOUNDED, growth: BOUNDED, ..Promises::CONSISTENT },
};

/// The same in the placement of before 1.0.
pub(super) const V0_10: Entry = Entry {
    id: "buraksezer-v0.10",
    name: "buraksezer/consistent before 1.0, xxHash64",
    version: "v0.10.0",
    build: |nodes| Buraksezer::new(nodes, Options { release: Release::V0_10, ..Options::default() }).map(boxed),
    promises: Promises {
        order: Promise::Mostly {
            why: "the labels of node1 and node11 collide, and the node given last owns the point",
            example: || named(&["node1", "node11", "node2"]),
        },
        removal: BOUNDED,
        growth: BOUNDED,
        ..Promises::CONSISTENT
    },
};

/// The most partitions.
const MOST_PARTITIONS: u32 = 1 << 26;

/// Which placement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Release {
    /// The 1.0 line.
    V1_0,
    /// v0.10.0.
    V0_10,
}

/// The settings; the default is the library's.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// `PartitionCount`, P.
    pub partitions: u32,
    /// `ReplicationFactor`: points of a member.
    pub points: u32,
    /// `Load`: capacity relative to the average.
    pub load: f64,
    /// Which placement.
    pub release: Release,
}

impl Default for Options {
    fn default() -> Self {
        Self { partitions: 271, points: 20, load: 1.25, release: Release::V1_0 }
    }
}

/// Partitions and their owners.
#[derive(Debug, Clone)]
pub struct Buraksezer {
    owners: Vec<u32>,
    capacity: u64,
    /// (hash of the name, index), ascending: the order in which members stand in for each other.
    by_hash: Vec<(u64, u32)>,
}

impl Buraksezer {
    /// Distributes the partitions.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for a weight other than 1;
    /// [`SystemError::Setting`], [`SystemError::TooManyPoints`]; [`SystemError::NoRoom`] if all members together cannot
    /// take the partitions.
    pub fn new(nodes: &[Node], options: Options) -> Result<Self, SystemError> {
        check_unweighted(nodes)?;
        check_options(options)?;
        let partitions = u64::from(options.partitions);
        let capacity = capacity(options, nodes.len());
        let ring = ring(nodes, options)?;
        let no_room = SystemError::NoRoom { partitions, capacity: capacity.saturating_mul(nodes.len() as u64) };
        let mut loads = vec![0_u64; nodes.len()];
        let mut owners = Vec::with_capacity(options.partitions as usize);
        for partition in 0..partitions {
            let mut clockwise = ring.clockwise(ring.at_or_after(xxh64(&partition.to_le_bytes(), 0)));
            let Some(owner) = clockwise.find(|&member| loads[member as usize] < capacity) else {
                return Err(no_room);
            };
            loads[owner as usize] += 1;
            owners.push(owner);
        }
        let mut by_hash: Vec<(u64, u32)> =
            (0..).zip(nodes).map(|(index, node)| (xxh64(node.name.as_bytes(), 0), index)).collect();
        by_hash.sort_by_key(|&(hash, index)| (hash, &nodes[index as usize].name));
        Ok(Self { owners, capacity, by_hash })
    }

    /// The index of the member that owns each partition.
    #[must_use]
    pub fn owners(&self) -> &[u32] {
        &self.owners
    }

    /// The most partitions of a member: `AverageLoad`, which is not the average.
    #[must_use]
    pub const fn capacity(&self) -> u64 {
        self.capacity
    }

    /// The partition of a key.
    #[must_use]
    pub fn partition(&self, key: &[u8]) -> usize {
        (xxh64(key, 0) % self.owners.len() as u64) as usize
    }

    /// The owner of a key and those that come after it in the order of their names' hashes: `GetClosestN`. All are
    /// different; if there are fewer than `count` members, all of them.
    #[must_use]
    pub fn closest(&self, key: &[u8], count: usize) -> Vec<usize> {
        let owner = self.owners[self.partition(key)];
        let at = self.by_hash.iter().position(|&(_, index)| index == owner).unwrap_or(0);
        let clockwise = self.by_hash[at..].iter().chain(&self.by_hash[..at]);
        clockwise.take(count).map(|&(_, index)| index as usize).collect()
    }
}

fn check_options(options: Options) -> Result<(), SystemError> {
    let wrong = |setting, value: String, allowed| Err(SystemError::Setting { setting, value, allowed });
    let Options { partitions, points, load, .. } = options;
    if !(1..=MOST_PARTITIONS).contains(&partitions) {
        return wrong("partitions", partitions.to_string(), "1 to 67108864");
    }
    if points == 0 {
        return wrong("points per member", points.to_string(), "at least 1");
    }
    if !(load.is_finite() && load > 0.0) {
        return wrong("load", load.to_string(), "a finite number above 0, usually 1.25");
    }
    Ok(())
}

fn capacity(options: Options, members: usize) -> u64 {
    let average = match options.release {
        Release::V1_0 => f64::from(options.partitions) / members as f64,
        Release::V0_10 => (options.partitions as usize / members) as f64,
    };
    (average * options.load).ceil() as u64
}

fn ring(nodes: &[Node], options: Options) -> Result<Circle<u64>, SystemError> {
    let Options { points, release, .. } = options;
    check_points((nodes.len() as u64).saturating_mul(points.into()))?;
    let points = (0_u32..).zip(nodes).flat_map(|(index, Node { name, .. })| {
        (0..points).map(move |i| {
            let label = match release {
                Release::V1_0 => format!("{i}:{name}"),
                Release::V0_10 => format!("{name}{i}"),
            };
            (xxh64(label.as_bytes(), 0), index)
        })
    });
    // Of equal points the last one given stays, as in the library's map.
    Ok(circle(points.collect(), nodes.len())?.one_per_position(Keep::HighestOwner))
}

impl System for Buraksezer {
    fn node(&self, key: &[u8]) -> usize {
        self.owners[self.partition(key)] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(names: &[&str], options: Options) -> Result<Buraksezer, SystemError> {
        Buraksezer::new(&names.iter().map(|&name| Node::new(name, 1)).collect::<Vec<_>>(), options)
    }

    #[test]
    fn two_members_five_partitions_load_one_and_a_half() {
        for release in [Release::V1_0, Release::V0_10] {
            // Down to a single point each: the last point of the circle counts too.
            for points in [1, 2, 20] {
                let options = Options { partitions: 5, points, load: 1.5, release };
                for names in [["a", "b"], ["b", "a"], ["node-0", "node-1"]] {
                    let system = build(&names, options).expect("there is room");
                    assert!(system.owners().iter().filter(|&&owner| owner == 0).count() <= system.capacity() as usize);
                }
            }
        }
    }

    #[test]
    fn capacity_is_of_the_real_average_from_1_0_on() {
        let options = Options { partitions: 5, load: 1.0, ..Options::default() };
        assert_eq!(build(&["a", "b"], options).expect("3 + 3 >= 5").capacity(), 3);
        let old = build(&["a", "b"], Options { release: Release::V0_10, ..options }).unwrap_err();
        assert_eq!(old, SystemError::NoRoom { partitions: 5, capacity: 4 });
        let tight = build(&["a", "b"], Options { load: 0.5, ..options }).unwrap_err();
        assert_eq!(tight, SystemError::NoRoom { partitions: 5, capacity: 4 });
    }

    #[test]
    fn labels_of_0_10_collide_and_the_last_member_wins() {
        let options = Options { release: Release::V0_10, ..Options::default() };
        let owners = |names: [&'static str; 2], options| -> Vec<&str> {
            build(&names, options).expect("valid").owners().iter().map(|&owner| names[owner as usize]).collect()
        };
        let nodes = |names: [&str; 2]| names.map(|name| Node::new(name, 1));
        // "node1" + "1j" = "node11" + "j" for j = 0, 1, ..., 9.
        let points = |options| ring(&nodes(["node1", "node11"]), options).expect("few points").points().len();
        assert_eq!(points(options), 30);
        assert_ne!(owners(["node1", "node11"], options), owners(["node11", "node1"], options));
        assert_eq!(points(Options::default()), 40);
        assert_eq!(owners(["node1", "node11"], Options::default()), owners(["node11", "node1"], Options::default()));
    }

    #[test]
    fn replicas_are_distinct() {
        let names = ["a", "b", "c", "d"];
        let system = build(&names, Options::default()).expect("valid");
        for key in 0..100_u8 {
            for count in [0, 1, 3, 4, 5, usize::MAX] {
                let mut replicas = system.closest(&[key], count);
                assert_eq!(replicas.len(), count.min(4));
                assert!(count == 0 || replicas[0] == system.node(&[key]));
                replicas.sort_unstable();
                replicas.dedup();
                assert_eq!(replicas.len(), count.min(4));
            }
        }
    }

    #[test]
    fn settings_that_cannot_work_are_named() {
        let default = Options::default();
        for (options, named) in [
            (Options { partitions: 0, ..default }, "partitions"),
            (Options { partitions: u32::MAX, ..default }, "partitions"),
            (Options { points: 0, ..default }, "points per member"),
            (Options { load: 0.0, ..default }, "load"),
            (Options { load: -1.0, ..default }, "load"),
            (Options { load: f64::NAN, ..default }, "load"),
            (Options { load: f64::INFINITY, ..default }, "load"),
        ] {
            let error = build(&["a", "b"], options).unwrap_err();
            assert!(matches!(error, SystemError::Setting { setting, .. } if setting == named), "{error}");
        }
        let error = build(&["a", "b"], Options { points: u32::MAX, ..default }).unwrap_err();
        assert!(matches!(error, SystemError::TooManyPoints { points: 8_589_934_590, .. }), "{error}");
    }
}
