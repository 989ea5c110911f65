//! Crates whose nodes come and go by name: what they have in common.
//!
//! A node holds its number and hashes, compares and shows itself as its name, so that a crate places it as it would the
//! name, and an answer costs no search for the number.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use crate::algorithms::{Error, Partitioner, Remove, Replicas, Resize};

/// How nodes are called.
pub(super) trait Naming: Send + Sync + 'static {
    /// The name of this node.
    fn name(bucket: u32) -> String;
}

/// `node-17`.
pub(super) struct Plain;
/// `10.0.0.17:8080`: equal at the beginning and at the end.
pub(super) struct Address;
/// `a0` to `a9`, `b0` and so on: as short as names get.
pub(super) struct Short;

impl Naming for Plain {
    fn name(bucket: u32) -> String {
        super::name(bucket)
    }
}

impl Naming for Address {
    fn name(bucket: u32) -> String {
        // One octet is enough for few; beyond 2^24 the first one counts on.
        let [high, a, b, c] = bucket.to_be_bytes();
        format!("{}.{a}.{b}.{c}:8080", 10 + u32::from(high))
    }
}

impl Naming for Short {
    fn name(bucket: u32) -> String {
        let letter = char::from(b'a' + (bucket / 10 % 26) as u8);
        match bucket / 260 {
            0 => format!("{letter}{}", bucket % 10),
            more => format!("{letter}{}{more}", bucket % 10),
        }
    }
}

/// What a crate can have as a node.
pub(super) trait Node: Hash + Ord + Clone + fmt::Debug + Send + Sync + 'static {
    /// The node of this number.
    fn of(bucket: u32) -> Self;

    /// Its number.
    fn bucket(&self) -> u32;
}

/// A bare number.
impl Node for u32 {
    fn of(bucket: u32) -> Self {
        bucket
    }

    fn bucket(&self) -> u32 {
        *self
    }
}

/// A node with a name.
pub(super) struct Named<N = Plain> {
    bucket: u32,
    name: String,
    naming: PhantomData<N>,
}

impl<N: Naming> Node for Named<N> {
    fn of(bucket: u32) -> Self {
        Self { bucket, name: N::name(bucket), naming: PhantomData }
    }

    fn bucket(&self) -> u32 {
        self.bucket
    }
}

impl<N> Clone for Named<N> {
    fn clone(&self) -> Self {
        Self { bucket: self.bucket, name: self.name.clone(), naming: PhantomData }
    }
}

impl<N> Hash for Named<N> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl<N> PartialEq for Named<N> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl<N> Eq for Named<N> {}

impl<N> PartialOrd for Named<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<N> Ord for Named<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(&other.name)
    }
}

impl<N> fmt::Debug for Named<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.name, f)
    }
}

impl<N> fmt::Display for Named<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// Nodes in a crate's structure.
pub(super) trait Nodes: Send + Sync {
    /// The node of a key, or [`NOBODY`](super::NOBODY).
    fn look_up(&self, key: u64) -> u32;

    /// How many nodes there are; the crate's own word where it has one.
    fn count(&self) -> u32;

    /// Adds the node of this number. An error is the crate's.
    fn add(&mut self, bucket: u32) -> Result<(), Error>;

    /// Takes it out. An error is the crate's.
    fn take(&mut self, bucket: u32) -> Result<(), Error>;
}

/// A crate that names several nodes for a key.
pub(super) trait Several: Nodes {
    /// What the crate answers when it is asked for so many.
    fn several(&self, key: u64, count: u32) -> Vec<u32>;
}

/// An error for a node that a crate says it does not have.
pub(super) fn absent(bucket: u32) -> Error {
    Error::UnknownBucket { bucket, choices: "a node that the crate has" }
}

/// An error for a node that a crate says it has already.
pub(super) fn present(bucket: u32) -> Error {
    Error::UnknownBucket { bucket, choices: "a node that the crate does not have" }
}

/// The buckets that there are, as nodes of a crate.
pub(super) struct Members<C> {
    pub(super) nodes: C,
    /// The number of the next node to be added.
    next: u32,
}

impl<C: Nodes> Members<C> {
    /// Adds this many nodes one by one.
    pub(super) fn filled(mut nodes: C, buckets: u32) -> Result<Self, Error> {
        (0..buckets).try_for_each(|bucket| nodes.add(bucket))?;
        Ok(Self::new(nodes, buckets))
    }

    /// With this many nodes in it already.
    pub(super) fn new(nodes: C, buckets: u32) -> Self {
        Self { nodes, next: buckets }
    }
}

impl<C: Nodes> Partitioner for Members<C> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.nodes.look_up(key)
    }

    fn bucket_count(&self) -> u32 {
        self.nodes.count()
    }
}

impl<C: Nodes> Resize for Members<C> {
    fn grow(&mut self) -> Result<u32, Error> {
        let new = self.next;
        self.nodes.add(new)?;
        self.next += 1;
        Ok(new)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.next.checked_sub(1).ok_or(Error::NoNodes)?;
        self.nodes.take(last)?;
        self.next = last;
        Ok(last)
    }
}

impl<C: Nodes> Remove for Members<C> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.nodes.take(bucket)
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.nodes.add(bucket)
    }
}

impl<C: Several> Replicas for Members<C> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        Box::new(self.nodes.several(key, self.nodes.count()).into_iter())
    }

    fn replicas(&self, key: u64, count: u32) -> Result<Vec<u32>, Error> {
        Ok(self.nodes.several(key, count))
    }
}

/// The [`names`](crate::catalog::Implementation::names) of an entry whose constructor has the type of its nodes as a
/// parameter: `names!(b, Node => Constructor::<Node>::new(b))`.
macro_rules! names {
    ($build:ident, $node:ident => $new:expr) => {
        names!(@ $build, $node => $new;
            "host:port" $crate::peers::crates::nodes::Named<$crate::peers::crates::nodes::Address>;
            "short" $crate::peers::crates::nodes::Named<$crate::peers::crates::nodes::Short>;
            "number" u32)
    };
    (named $build:ident, $node:ident => $new:expr) => {
        names!(@ $build, $node => $new;
            "host:port" $crate::peers::crates::nodes::Named<$crate::peers::crates::nodes::Address>;
            "short" $crate::peers::crates::nodes::Named<$crate::peers::crates::nodes::Short>)
    };
    (@ $build:ident, $node:ident => $new:expr; $($shows:literal $type:ty);+) => {
        names!(@@ $build, $node, ($new), $($shows $type);+)
    };
    (@@ $build:ident, $node:ident, $new:tt, $($shows:literal $type:ty);+) => {
        &[$(($shows, |$build| {
            type $node = $type;
            Ok(Box::new($new?))
        })),+]
    };
}

pub(super) use names;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        fn all<N: Naming>() {
            let mut names: Vec<String> = (0..70_000).map(N::name).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), 70_000);
        }
        all::<Plain>();
        all::<Address>();
        all::<Short>();
        assert_eq!((Address::name(17), Short::name(17)), ("10.0.0.17:8080".into(), "b7".into()));
    }

    #[test]
    fn a_node_hashes_as_its_name() {
        use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        assert_eq!(hash.hash_one(Named::<Plain>::of(5)), hash.hash_one("node-5"));
    }
}
