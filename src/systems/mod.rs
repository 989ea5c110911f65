//! Deployed software, bit for bit: where each system that people run sends each key.
//!
//! One file, one system. Each opens with the version reproduced, its definition and the surprises that it keeps; the
//! outputs of the running system are compared key by key in `tests/conformance`. A node is known by its name, as it
//! stands in the system's configuration, and a key is bytes. Options are parameters of the constructor, and what a
//! user gets who sets none is the system's [`Entry`].

mod assignment;
pub mod buraksezer;
pub mod cassandra;
pub mod envoy;
mod error;
mod find;
pub mod go_maglev;
pub mod go_mpchash;
pub mod go_rendezvous;
pub mod guava;
pub mod haproxy;
pub mod hash;
mod ketama;
pub mod kkdai_maglev;
pub mod lafikl;
pub mod libketama;
pub mod libmemcached;
pub mod nginx;
pub mod node_list;
mod nodes;
pub mod npm_hashring;
mod promises;
pub mod pymemcache_rendezvous;
mod ring;
pub mod twemproxy;
pub mod uhashring;

pub use assignment::{Assignment, Move, Movement};
pub use error::SystemError;
pub use find::{UnknownSystem, find};
pub use nodes::Node;
pub(crate) use nodes::check_names;
pub use promises::{Promise, Promises, Weights};
pub(crate) use promises::{equal, weighted};
pub use ring::MAX_POINTS;

/// A deployed system: maps keys to nodes.
pub trait System: Send + Sync {
    /// The index, in the list that the system was built from, of the node that owns `key`.
    fn node(&self, key: &[u8]) -> usize;
}

/// A system with its default options, by the name under which a user picks it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// What a user types.
    pub id: &'static str,
    /// What a table shows.
    pub name: &'static str,
    /// The version of the system whose outputs are reproduced.
    pub version: &'static str,
    /// Builds it.
    pub build: Build,
    /// What it promises.
    pub promises: Promises,
}

/// Builds a system with its default options.
pub type Build = fn(&[Node]) -> Result<Box<dyn System>, SystemError>;

/// Every system that maps keys to nodes, by id.
#[must_use]
pub fn systems() -> &'static [Entry] {
    const SYSTEMS: &[Entry] = &[
        buraksezer::ENTRY,
        buraksezer::V0_10,
        cassandra::ENTRY,
        envoy::maglev::ENTRY,
        envoy::ring_hash::XX_HASH,
        envoy::ring_hash::MURMUR_HASH_2,
        go_maglev::ENTRY,
        go_mpchash::ENTRY,
        go_rendezvous::ENTRY,
        haproxy::CONSISTENT,
        haproxy::MAP_BASED,
        kkdai_maglev::ENTRY,
        kkdai_maglev::SIPHASH,
        lafikl::ENTRY,
        libketama::ENTRY,
        libmemcached::KETAMA,
        libmemcached::KETAMA_WEIGHTED,
        libmemcached::MODULA,
        nginx::HASH,
        nginx::CONSISTENT,
        npm_hashring::ENTRY,
        pymemcache_rendezvous::ENTRY,
        twemproxy::KETAMA,
        twemproxy::MODULA,
        uhashring::DEFAULT,
        uhashring::KETAMA,
    ];
    SYSTEMS
}

/// Wraps a system that was built for its [`Entry`].
fn boxed<S: System + 'static>(system: S) -> Box<dyn System> {
    Box::new(system)
}

#[cfg(test)]
mod tests;
