//! libmemcached 1.1.4, the C client of memcached, and its hash library libhashkit.
//!
//! *Unweighted ketama*: each server has 100 points, the key hash of "HOST-j", or of "HOST:PORT-j" where the port is not
//! 11211. *Weighted ketama*: floor(share x 40 x servers) groups, all in f32, of four MD5 points each, as in ketama.
//! *Spy*, the layout of spymemcached, labels them "/HOST:PORT-j". The owner of a key is the first point at or after its
//! hash. *Modula*: hash modulo the number of servers. A single server gets every key unhashed. Look-up O(log V), 8
//! bytes a point.
//!
//! Kept: one weight above 1 switches the points of every consistent distribution to weighted ketama but leaves the key
//! hash, by default one-at-a-time, as it is; 25 equal servers, or 100, have 39 groups each; a share that is too small has no
//! point; weight 0 means 1; modula ignores weights; hashes sign-extend bytes from 0x80. Of points at one position the
//! server that was added first owns the keys, so that order matters there, and in modula.

use super::hash::{crc, fnv, jenkins, md5, murmur};
use super::nodes::check_names;
use super::promises::named;
use super::ring::{Circle, check_points, circle};
use super::{Entry, Node, Promise, Promises, System, SystemError, Weights, boxed, ketama, weighted};

const VERSION: &str = "1.1.4";
const POINTS_PER_SERVER: u64 = 100;

/// `MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA`, and `_CONSISTENT`, which is the same.
pub(super) const KETAMA: Entry = Entry {
    id: "libmemcached-ketama",
    name: "libmemcached ketama",
    version: VERSION,
    build: |nodes| Libmemcached::new(nodes, Distribution::Ketama, Hash::OneAtATime).map(boxed),
    promises: {
        let switch = Promise::Mostly {
            why: "one weight above 1 gives every server other points",
            example: || weighted(&[1, 1, 2]),
        };
        Promises {
            order: Promise::Mostly {
                why: "of points at one position the server added first owns the keys",
                example: || named(&["cache-h4096.example", "cache-g5787.example", "n1"]),
            },
            ..ketama::promises(switch)
        }
    },
};

/// `MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED`, which also sets the key hash to MD5.
pub(super) const KETAMA_WEIGHTED: Entry = Entry {
    id: "libmemcached-ketama-weighted",
    name: "libmemcached ketama, weighted",
    version: VERSION,
    build: |nodes| Libmemcached::new(nodes, Distribution::KetamaWeighted, Hash::Md5).map(boxed),
    promises: ketama::promises(ketama::GROUPS_F32),
};

/// What the library does if nothing is set.
pub(super) const MODULA: Entry = Entry {
    id: "libmemcached-modula",
    name: "libmemcached modula",
    version: VERSION,
    build: |nodes| Libmemcached::new(nodes, Distribution::Modula, Hash::OneAtATime).map(boxed),
    promises: Promises {
        weights: Weights::Ignored("the remainder is that of the number of servers"),
        ..Promises::REMAINDER
    },
};

/// How keys are distributed over servers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    /// Modulo the number of servers.
    Modula,
    /// 100 points a server, until a weight is above 1.
    Ketama,
    /// MD5 points in proportion to weights.
    KetamaWeighted,
    /// As [`Distribution::Ketama`] with spymemcached's labels.
    Spy,
    /// As [`Distribution::KetamaWeighted`] with spymemcached's labels.
    SpyWeighted,
}

/// `MEMCACHED_BEHAVIOR_HASH`: the hash of keys, and of points without weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    /// The default.
    OneAtATime,
    Md5,
    /// CRC-32 cut to 15 bits.
    Crc,
    /// In 32 bits, in spite of its name.
    Fnv1_64,
    /// In 32 bits, in spite of its name.
    Fnv1a64,
    Fnv1_32,
    Fnv1a32,
    /// Not among the recorded outputs of libmemcached; compared for twemproxy, which took it over.
    Murmur,
    /// Not among the recorded outputs of libmemcached; compared for twemproxy, which took it over.
    Jenkins,
}

impl Hash {
    fn of(self, data: &[u8]) -> u32 {
        match self {
            Self::OneAtATime => jenkins::one_at_a_time(data),
            Self::Md5 => md5::word(data),
            Self::Crc => crc::crc32_15(data),
            Self::Fnv1_64 => fnv::fnv1_64(data),
            Self::Fnv1a64 => fnv::fnv1a_64(data),
            Self::Fnv1_32 => fnv::fnv1_32(data),
            Self::Fnv1a32 => fnv::fnv1a_32(data),
            Self::Murmur => murmur::murmur2_by_length(data),
            Self::Jenkins => jenkins::lookup3(data),
        }
    }
}

/// A list of servers with its continuum.
#[derive(Debug, Clone)]
pub struct Libmemcached {
    servers: usize,
    /// None under modula.
    ring: Option<Circle<u32>>,
    hash: Hash,
}

impl Libmemcached {
    /// A client of servers, each named `host:port`, or `host` for port 11211.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`] (`host` is `host:11211`),
    /// [`SystemError::TooManyPoints`].
    pub fn new(nodes: &[Node], distribution: Distribution, hash: Hash) -> Result<Self, SystemError> {
        check_names(nodes, |node| ketama::without_default_port(&node.name).to_owned())?;
        let (spy, weighted) = match distribution {
            Distribution::Modula => return Ok(Self { servers: nodes.len(), ring: None, hash }),
            Distribution::Ketama => (false, false),
            Distribution::KetamaWeighted => (false, true),
            Distribution::Spy => (true, false),
            Distribution::SpyWeighted => (true, true),
        };
        let label = |node: &Node| match spy {
            true => format!("/{}", ketama::with_default_port(&node.name)),
            false => ketama::without_default_port(&node.name).to_owned(),
        };
        let labels: Vec<String> = nodes.iter().map(label).collect();
        let ring = if weighted || nodes.iter().any(|node| node.weight > 1) {
            let groups = ketama::groups_f32(nodes.iter().map(|node| node.weight.max(1)));
            ketama::md5_ring(&labels, &groups, ketama::POINTS_PER_GROUP)?
        } else {
            unweighted(&labels, hash)?
        };
        Ok(Self { servers: nodes.len(), ring: Some(ring), hash })
    }

    /// The continuum, ascending: point and index of its server. Empty under modula.
    pub fn points(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ring.iter().flat_map(Circle::points).copied()
    }
}

fn unweighted(labels: &[String], hash: Hash) -> Result<Circle<u32>, SystemError> {
    check_points(labels.len() as u64 * POINTS_PER_SERVER)?;
    let points = (0_u32..).zip(labels).flat_map(|(owner, name)| {
        (0..POINTS_PER_SERVER).map(move |index| (hash.of(ketama::label(name, index).as_bytes()), owner))
    });
    circle(points.collect(), labels.len())
}

impl System for Libmemcached {
    fn node(&self, key: &[u8]) -> usize {
        if self.servers == 1 {
            return 0;
        }
        let hash = self.hash.of(key);
        match &self.ring {
            Some(ring) => ring.owner(hash) as usize,
            None => hash as usize % self.servers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes(weights: &[u32]) -> Vec<Node> {
        (0..).zip(weights).map(|(i, &weight)| Node::new(format!("10.0.0.{i}"), weight)).collect()
    }

    #[test]
    fn one_weight_switches_the_points_but_not_the_key_hash() {
        let build = |distribution, hash| Libmemcached::new(&nodes(&[1, 1, 2]), distribution, hash).expect("valid");
        let switched = build(Distribution::Ketama, Hash::OneAtATime);
        let weighted = build(Distribution::KetamaWeighted, Hash::Md5);
        assert!(switched.points().eq(weighted.points()));
        assert!((0..100_u32).any(|key| switched.node(&key.to_le_bytes()) != weighted.node(&key.to_le_bytes())));
    }

    #[test]
    fn weight_zero_means_one() {
        for distribution in [Distribution::Ketama, Distribution::KetamaWeighted] {
            let build = |weights| Libmemcached::new(&nodes(weights), distribution, Hash::Md5).expect("valid");
            assert!(build(&[1, 0, 2]).points().eq(build(&[1, 1, 2]).points()));
            assert!(build(&[0, 0]).points().eq(build(&[1, 1]).points()));
        }
    }

    #[test]
    fn the_default_port_is_the_same_server() {
        let same = [Node::new("a", 1), Node::new("a:11211", 1)];
        let twice = Libmemcached::new(&same, Distribution::Modula, Hash::Md5).unwrap_err();
        assert_eq!(twice, SystemError::DuplicateName { name: "a:11211".into() });
    }

    #[test]
    fn a_hash_above_the_last_point_wraps() {
        // CRC-32 has 15 bits here and MD5 points 32: every key lies before the first point or shortly after it.
        let crc = Libmemcached::new(&nodes(&[1, 1, 1]), Distribution::KetamaWeighted, Hash::Crc).expect("valid");
        assert!((0..1000_u32).all(|key| crc.node(&key.to_le_bytes()) < 3));
        let ring = crc.ring.as_ref().expect("a consistent distribution");
        assert_eq!(ring.at_or_after(u32::MAX), 0);
    }
}
