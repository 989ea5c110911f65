//! `tagged-rendezvous` 0.1.1: weighted rendezvous (logarithmic method) over MurmurHash3, nodes without names in a concurrent
//! map. The seed of a node is drawn when it is made and cannot be read: with `Node::new` two processes never agree; with
//! `Node::from_parts` it comes from a generator (here SplitMix64 of the node's number). Keys are bytes. Several nodes of a
//! key: `get_n`. The same with tags that are bits is `BitNodeSelection`.
//!
//! It promises perfect stability and weights, and nodes "in order of score".

use std::collections::HashMap;
use std::num::NonZeroUsize;

use tagged_rendezvous::dashmap::DashSet;
use tagged_rendezvous::{BitNode, BitNodeSelection, Node, NodeId, NodeSelection};

use super::NOBODY;
use super::generator::Generator;
use super::nodes::{self, Changing, Listing, Nodes, Placing, Weighing, Weights, absent, present};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// An entry for this kind of selection.
macro_rules! entry {
    ($id:literal, $name:literal, $of:ty) => {
        Implementation {
            id: $id,
            name: $name,
            algorithm: Algorithm::RendezvousWeighted,
            source: Source::Crate { version: "0.1.1" },
            paper: "Schindelhauer & Schomaker 2005",
            limits: Limits::NONE,
            promises: Promises::MONOTONE.with_own_hash(),
            costs: Costs::new("O(n)", 512),
            shares: Shares::EQUAL,
            can: can!(b => Nodes::added(Selected::<$of>::new(), b.buckets), resize, remove, replicas)
                .with_weights(|weights, _| Ok(Box::new(Weights::given(Selected::<$of>::new(), weights)?))),
            shown: Shown::on_request(0),
        }
    };
}

pub(super) static ENTRIES: &[Implementation] = &[
    entry!("tagged-rendezvous", "tagged-rendezvous, random seeds", Drawn),
    entry!("tagged-rendezvous/seeded", "tagged-rendezvous, given seeds", Seeded),
    entry!("tagged-rendezvous/bits", "tagged-rendezvous, bits, given seeds", Bits),
];

/// What the crate's type can hold.
fn whole(bucket: u32, weight: f64) -> Result<NonZeroUsize, Error> {
    let accepted = "a whole number of at least 1, which is the crate's type";
    NonZeroUsize::new(nodes::whole(bucket, weight)?).ok_or_else(|| nodes::refused(bucket, weight, accepted))
}

/// The crate's two selections, and its two ways to make a node.
trait Selection: Default + Send + Sync {
    /// A node out of the selection.
    type Out: Send + Sync;

    fn get(&self, key: &[u8]) -> u32;
    fn get_n(&self, key: &[u8], count: usize) -> Vec<u32>;
    fn add(&mut self, bucket: u32, weight: NonZeroUsize);
    fn put(&mut self, bucket: u32, node: Self::Out) -> Result<(), Error>;
    fn take(&mut self, bucket: u32) -> Option<Self::Out>;
    fn set_weight(&mut self, bucket: u32, weight: NonZeroUsize) -> bool;
}

/// The two selections are two types with the same functions.
macro_rules! selection {
    ($(#[$about:meta])* $name:ident, $selection:ident, $node:ident, $tags:ty, ($bucket:ident, $weight:ident) => $new:expr) => {
        $(#[$about])*
        #[derive(Default)]
        struct $name($selection<$tags, u32>);

        impl Selection for $name {
            type Out = $node<$tags, u32>;

            #[inline]
            fn get(&self, key: &[u8]) -> u32 {
                self.0.get(key).map_or(NOBODY, |node| *node.data())
            }

            fn get_n(&self, key: &[u8], count: usize) -> Vec<u32> {
                self.0.get_n(key, count).iter().map(|node| *node.data()).collect()
            }

            fn add(&mut self, $bucket: u32, $weight: NonZeroUsize) {
                self.0.add_with_id(NodeId::new($bucket as usize), $new);
            }

            fn put(&mut self, bucket: u32, node: Self::Out) -> Result<(), Error> {
                let added = self.0.try_add_with_id(NodeId::new(bucket as usize), node);
                added.map_err(|_| present(bucket))
            }

            fn take(&mut self, bucket: u32) -> Option<Self::Out> {
                self.0.remove(NodeId::new(bucket as usize))
            }

            fn set_weight(&mut self, bucket: u32, weight: NonZeroUsize) -> bool {
                self.0.get_mut(NodeId::new(bucket as usize)).map(|mut node| node.set_weight(weight)).is_some()
            }
        }
    };
}

selection!(
    /// `NodeSelection` of nodes with drawn seeds.
    Drawn, NodeSelection, Node, (), (bucket, weight) => Node::new(weight, bucket)
);
selection!(
    /// `NodeSelection` of nodes with given seeds.
    Seeded, NodeSelection, Node, (), (bucket, weight) => {
        Node::from_parts(&mut Generator::new(bucket.into()), weight, DashSet::new(), bucket)
    }
);
selection!(
    /// `BitNodeSelection` of nodes with given seeds.
    Bits, BitNodeSelection, BitNode, u8, (bucket, weight) => {
        BitNode::from_parts(&mut Generator::new(bucket.into()), weight, 0, bucket)
    }
);

struct Selected<S: Selection> {
    selection: S,
    /// Nodes that were taken out. Made anew they would have other seeds.
    out: HashMap<u32, S::Out>,
}

impl<S: Selection> Selected<S> {
    fn new() -> Self {
        Self { selection: S::default(), out: HashMap::new() }
    }
}

impl<S: Selection> Placing for Selected<S> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.selection.get(&key.to_le_bytes())
    }
}

impl<S: Selection> Changing for Selected<S> {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        match self.out.remove(&bucket) {
            Some(node) => self.selection.put(bucket, node),
            None => {
                self.selection.add(bucket, NonZeroUsize::MIN);
                Ok(())
            }
        }
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let node = self.selection.take(bucket).ok_or(absent(bucket))?;
        self.out.insert(bucket, node);
        Ok(())
    }
}

impl<S: Selection> Listing for Selected<S> {
    fn first(&self, key: u64, count: u32) -> Vec<u32> {
        self.selection.get_n(&key.to_le_bytes(), count as usize)
    }
}

impl<S: Selection> Weighing for Selected<S> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let weight = whole(bucket, weight)?;
        if !self.selection.set_weight(bucket, weight) {
            self.selection.add(bucket, weight);
        }
        Ok(())
    }
}
