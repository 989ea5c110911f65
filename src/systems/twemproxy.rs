//! twemproxy (nutcracker) 0.5.0, the proxy of memcached and Redis.
//!
//! *Ketama*: floor(share x 40 x servers) groups, all in f32, of four MD5 points each, labelled "NAME-j" by the server's
//! name or else its address, without port 11211. The owner of a key is the first point at or after its hash, by default
//! fnv1a_64. *Modula*: hash modulo the sum of weights, counted through the servers in order. A single server gets every
//! key unhashed. With a hash tag only what stands between its two characters is hashed, if anything does. Look-up O(log
//! V).
//!
//! Kept: the default hash is 32-bit FNV-1a with the prime 435, so that keys which count upwards stay together on one
//! server; 25 equal servers, or 100, have 39 groups each; a share that is too small has no point; crc16 is not cut to 16 bits;
//! the hash of an empty key is 0. Of points at one position the server that stands first owns the keys, so that order
//! matters there, and in modula.

use super::hash::{crc, fnv, hsieh, jenkins, md5, murmur};
use super::nodes::{check_names, check_weights, cumulative_weights, weighted_modulo};
use super::ring::Circle;
use super::{Entry, Node, Promises, System, SystemError, boxed, ketama};

const VERSION: &str = "0.5.0";

/// `distribution: ketama`, the default.
pub(super) const KETAMA: Entry = Entry {
    id: "twemproxy",
    name: "twemproxy ketama",
    version: VERSION,
    build: |nodes| Twemproxy::new(nodes, Distribution::Ketama, Hash::Fnv1a64, None).map(boxed),
    promises: ketama::promises(ketama::GROUPS_F32),
};

/// `distribution: modula`.
pub(super) const MODULA: Entry = Entry {
    id: "twemproxy-modula",
    name: "twemproxy modula",
    version: VERSION,
    build: |nodes| Twemproxy::new(nodes, Distribution::Modula, Hash::Fnv1a64, None).map(boxed),
    promises: Promises::REMAINDER,
};

/// `distribution`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Distribution {
    Ketama,
    Modula,
}

/// `hash`: the hash of keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hash {
    OneAtATime,
    Md5,
    /// In a register of 32 bits.
    Crc16,
    /// CRC-32 cut to 15 bits.
    Crc32,
    /// CRC-32.
    Crc32a,
    /// In 32 bits, in spite of its name.
    Fnv1_64,
    /// The default; in 32 bits, in spite of its name.
    Fnv1a64,
    Fnv1_32,
    Fnv1a32,
    Hsieh,
    Murmur,
    Jenkins,
}

impl Hash {
    fn of(self, data: &[u8]) -> u32 {
        match self {
            Self::OneAtATime => jenkins::one_at_a_time(data),
            Self::Md5 => md5::word(data),
            Self::Crc16 => crc::crc16(data),
            Self::Crc32 => crc::crc32_15(data),
            Self::Crc32a => crc::crc32(data),
            Self::Fnv1_64 => fnv::fnv1_64(data),
            Self::Fnv1a64 => fnv::fnv1a_64(data),
            Self::Fnv1_32 => fnv::fnv1_32(data),
            Self::Fnv1a32 => fnv::fnv1a_32(data),
            Self::Hsieh => hsieh::hsieh(data),
            Self::Murmur => murmur::murmur2_by_length(data),
            Self::Jenkins => jenkins::lookup3(data),
        }
    }
}

/// `hash_tag`: the character before the part of a key that is hashed, and the one after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HashTag {
    pub open: u8,
    pub close: u8,
}

impl HashTag {
    /// The part of `key` that is hashed: all of it unless something stands between the two characters.
    fn part(self, key: &[u8]) -> &[u8] {
        let position = |bytes: &[u8], wanted| bytes.iter().position(|&byte| byte == wanted);
        let tagged = position(key, self.open).and_then(|open| {
            let after = &key[open + 1..];
            position(after, self.close).map(|close| &after[..close])
        });
        tagged.filter(|part| !part.is_empty()).unwrap_or(key)
    }
}

/// A pool of servers.
#[derive(Debug, Clone)]
pub struct Twemproxy {
    layout: Layout,
    hash: Hash,
    tag: Option<HashTag>,
}

#[derive(Debug, Clone)]
enum Layout {
    Single,
    Ring(Circle<u32>),
    /// For each server the sum of the weights up to and with its own.
    Modula(Vec<u64>),
}

impl Twemproxy {
    /// A pool of servers, each named as in the configuration: `host:port`, or the name after it if there is one.
    ///
    /// # Errors
    /// [`SystemError::NoNodes`], [`SystemError::DuplicateName`], [`SystemError::Weight`] for zero,
    /// [`SystemError::TooManyPoints`].
    pub fn new(
        nodes: &[Node],
        distribution: Distribution,
        hash: Hash,
        tag: Option<HashTag>,
    ) -> Result<Self, SystemError> {
        check_names(nodes, |node| ketama::without_default_port(&node.name).to_owned())?;
        check_weights(nodes, 1..=u32::MAX, "1 or more")?;
        let layout = match distribution {
            _ if nodes.len() == 1 => Layout::Single,
            Distribution::Ketama => {
                let labels: Vec<&str> = nodes.iter().map(|node| ketama::without_default_port(&node.name)).collect();
                let groups = ketama::groups_f32(nodes.iter().map(|node| node.weight));
                Layout::Ring(ketama::md5_ring(&labels, &groups, ketama::POINTS_PER_GROUP)?)
            }
            Distribution::Modula => Layout::Modula(cumulative_weights(nodes)),
        };
        Ok(Self { layout, hash, tag })
    }

    /// The continuum, ascending: point and index of its server. Empty under modula and for a single server.
    pub fn points(&self) -> impl Iterator<Item = (u32, u32)> {
        let ring = match &self.layout {
            Layout::Ring(ring) => Some(ring),
            Layout::Single | Layout::Modula(_) => None,
        };
        ring.into_iter().flat_map(Circle::points).copied()
    }
}

impl System for Twemproxy {
    fn node(&self, key: &[u8]) -> usize {
        let hash = || match self.tag.map_or(key, |tag| tag.part(key)) {
            [] => 0,
            part => self.hash.of(part),
        };
        match &self.layout {
            Layout::Single => 0,
            Layout::Ring(ring) => ring.owner(hash()) as usize,
            Layout::Modula(cumulative) => weighted_modulo(cumulative, hash()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_tags() {
        let part = |key: &'static str| HashTag { open: b'{', close: b'}' }.part(key.as_bytes());
        let parts = ["{a}b", "x{a}y{b}", "{}a", "{a", "a}", "}a{b}c", ""].map(part);
        let expected: [&[u8]; 7] = [b"a", b"a", b"{}a", b"{a", b"a}", b"b", b""];
        assert_eq!(parts, expected);
        let same = HashTag { open: b'|', close: b'|' };
        assert_eq!(same.part(b"a|b|c"), b"b");
    }

    #[test]
    fn weights_of_a_million_need_no_memory() {
        let nodes: Vec<Node> = (0..10).map(|i| Node::new(format!("n{i}"), 1_000_000)).collect();
        for distribution in [Distribution::Ketama, Distribution::Modula] {
            let pool = Twemproxy::new(&nodes, distribution, Hash::Md5, None).expect("valid");
            let reached: std::collections::HashSet<usize> =
                (0..1000_u32).map(|key| pool.node(&key.to_le_bytes())).collect();
            assert_eq!(reached.len(), 10);
        }
    }
}
