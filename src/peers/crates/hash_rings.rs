//! `hash-rings` 1.1.0: seven algorithms: CARP, a ring, jump, Maglev, multi-probe, rendezvous, weighted rendezvous.
//!
//! * Hash: as its front page shows, SipHash-1-3 with zero keys (`BuildHasherDefault<DefaultHasher>`); `new` of each has
//!   random keys instead. Maglev and the probes of multi-probe have SipHash-2-4 with fixed keys.
//! * Parameters: points of the ring are what is asked for; 1 "replica" of rendezvous, as its examples; 21 probes; Maglev's
//!   table is the prime from 100 slots a node on, or from the capacity that is asked for, and holds every permutation while
//!   it is built: nodes x slots words. Its empty table never returns; that is a panic here.
//! * Nodes are borrowed: here from a store that keeps each node once for the whole run, so that they are not in the heap
//!   that is counted.
//! * Its clients, which also remember keys, are not used here: nothing of ours remembers keys.
//!
//! It promises shares in proportion to weights (CARP, weighted rendezvous) or replicas (ring, rendezvous), and panics
//! without nodes.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};
use std::sync::{LazyLock, Mutex, PoisonError};

use hash_rings::{carp, consistent, jump, maglev, mpc, rendezvous, weighted_rendezvous};

use super::indexed::Indexed;
use super::jump_shares;
use super::nodes::{Members, Named, Node, Nodes, Plain, absent, names};
use super::table::shares_of_turns;
use crate::algorithms::{Error, Weighted};
use crate::catalog::{Algorithm, Build, BuildError, Implementation, Shares, Source};
use crate::ours;

/// The k at which multi-probe's peak is 1.05, and that of the crate's own benchmark.
const PROBES: u64 = 21;

/// What its entries have in common.
const fn entry(of: Implementation) -> Implementation {
    Implementation { source: Source::Crate { version: "1.1.0" }, own_hash: true, in_figures: false, ..of }
}

pub(super) static ENTRIES: &[Implementation] = &[
    entry(Implementation {
        id: "hash-rings/carp",
        name: "hash-rings, CARP",
        algorithm: Algorithm::RendezvousWeighted,
        paper: "Valloppillil & Ross 1998, CARP",
        cost: "O(n)",
        build_bytes: 128,
        // Its weights are no `Weighted`: a change of one moves keys between others too.
        names: names!(b, N => Members::filled(Carp::<N>::new(), b.buckets)),
        quadratic_build: true,
        ..ours!(b => Members::filled(Carp::<Named<Plain>>::new(), b.buckets), resize, remove)
    }),
    entry(Implementation {
        id: "hash-rings/consistent",
        name: "hash-rings, ring",
        algorithm: Algorithm::Ring { position_bits: 64 },
        paper: "Karger et al. 1997",
        cost: "O(log nv)",
        uses_points: true,
        build_bytes: 64,
        shares: Shares::RandomRing { points: |b| b.points },
        weigh: Some(|weights, b| Ok(Box::new(weighed(Ring::<Named<Plain>>::new(b.points), weights)?))),
        names: names!(b, N => Members::filled(Ring::<N>::new(b.points), b.buckets)),
        ..ours!(b => Members::filled(Ring::<Named<Plain>>::new(b.points), b.buckets), resize, remove)
    }),
    entry(Implementation {
        id: "hash-rings/jump",
        name: "hash-rings, jump",
        algorithm: Algorithm::Jump,
        paper: "Lamping & Veach 2014; SipHash-1-3",
        cost: "O(log n)",
        shares: Shares::Exact(jump_shares),
        ..ours!(b => jump_of(b.buckets), resize)
    }),
    Implementation {
        id: "hash-rings/jump-of-hash",
        name: "hash-rings, jump of a hash value",
        algorithm: Algorithm::Jump,
        paper: "Lamping & Veach 2014",
        cost: "O(log n)",
        own_hash: false,
        hashes_keys: false,
        ..entry(ours!(b => Indexed::new(b.buckets, jump_of_hash), resize))
    },
    entry(Implementation {
        id: "hash-rings/maglev",
        name: "hash-rings, Maglev, 100 slots a node",
        algorithm: Algorithm::Maglev,
        paper: "Eisenbud et al. 2016",
        monotone: false,
        // Quadratic in truth; this is so much at 3000 buckets.
        build_bytes: 2_400_000,
        shares: Shares::Exact(maglev_shares),
        names: names!(b, N => table::<N>(b)),
        ..ours!(b => table::<Named<Plain>>(b), resize, remove)
    }),
    entry(Implementation {
        id: "hash-rings/mpc",
        name: "hash-rings, multi-probe, k = 21",
        algorithm: Algorithm::MultiProbe,
        paper: "Appleton & O'Reilly 2015",
        cost: "O(k log n)",
        build_bytes: 64,
        shares: Shares::MultiProbe { probes: PROBES as u32 },
        names: names!(b, N => Members::filled(Probes::<N>::new(), b.buckets)),
        ..ours!(b => Members::filled(Probes::<Named<Plain>>::new(), b.buckets), resize, remove)
    }),
    entry(Implementation {
        id: "hash-rings/rendezvous",
        name: "hash-rings, rendezvous",
        algorithm: Algorithm::Rendezvous,
        paper: "Thaler & Ravishankar 1998",
        cost: "O(n)",
        build_bytes: 128,
        weigh: Some(|weights, _| Ok(Box::new(weighed(Rendezvous::<Named<Plain>>::new(), weights)?))),
        names: names!(b, N => Members::filled(Rendezvous::<N>::new(), b.buckets)),
        ..ours!(b => Members::filled(Rendezvous::<Named<Plain>>::new(), b.buckets), resize, remove)
    }),
    entry(Implementation {
        id: "hash-rings/weighted-rendezvous",
        name: "hash-rings, rendezvous, weighted",
        algorithm: Algorithm::RendezvousWeighted,
        paper: "Schindelhauer & Schomaker 2005",
        cost: "O(n)",
        build_bytes: 64,
        weigh: Some(|weights, _| Ok(Box::new(weighed(Logarithmic::<Named<Plain>>::new(), weights)?))),
        names: names!(b, N => Members::filled(Logarithmic::<N>::new(), b.buckets)),
        ..ours!(b => Members::filled(Logarithmic::<Named<Plain>>::new(), b.buckets), resize, remove)
    }),
];

type Fixed = BuildHasherDefault<DefaultHasher>;

/// The node of this number and type, for as long as the program runs.
fn kept<N: Node>(bucket: u32) -> &'static N {
    type Kept = HashMap<(TypeId, u32), &'static (dyn Any + Send + Sync)>;
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
    // A panic elsewhere leaves the map whole.
    let mut all = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    let node = *all.entry((TypeId::of::<N>(), bucket)).or_insert_with(|| Box::leak(Box::new(N::of(bucket))));
    node.downcast_ref().expect("the type is part of the key")
}

fn jump_of(buckets: u32) -> Result<Indexed<impl Fn(u64, u32) -> u32 + Send + Sync>, Error> {
    // A ring without nodes is refused by a panic, which is due here and not at the first look-up.
    let _ = jump::Ring::with_hasher(Fixed::default(), buckets);
    Indexed::new(buckets, |key, buckets| jump::Ring::with_hasher(Fixed::default(), buckets).get_node(&key))
}

/// With a hasher that passes a number on: the walk alone.
fn jump_of_hash(key: u64, buckets: u32) -> u32 {
    jump::Ring::with_hasher(BuildHasherDefault::<Same>::default(), buckets).get_node(&key)
}

/// The number that is hashed is its hash.
#[derive(Default)]
struct Same(u64);

impl Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().rev().fold(0, |number, &byte| (number << 8) | u64::from(byte));
    }
}

/// A structure whose nodes have a weight.
trait Heavy: Nodes {
    /// Adds the node with this weight, or changes that of the one that is there.
    fn insert(&mut self, bucket: u32, weight: f64) -> Result<(), Error>;

    /// The weight of a node that is there.
    fn weight(&self, bucket: u32) -> Option<f64>;
}

fn weighed<C: Heavy>(mut nodes: C, weights: &[f64]) -> Result<Members<C>, Error> {
    (0..).zip(weights).try_for_each(|(bucket, &weight)| nodes.insert(bucket, weight))?;
    Ok(Members::new(nodes, weights.len() as u32))
}

impl<C: Heavy> Weighted for Members<C> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.nodes.weight(bucket).ok_or_else(|| absent(bucket))
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weight(bucket)?;
        self.nodes.insert(bucket, weight)
    }
}

/// What the crate's type can hold.
fn whole(bucket: u32, weight: f64) -> Result<usize, Error> {
    let whole = weight as usize;
    if whole as f64 == weight {
        Ok(whole)
    } else {
        Err(Error::Weight { bucket, weight: weight.to_string(), accepted: "a whole number, which is the crate's type" })
    }
}

/// A type of the crate's, and what it has in common with its others: it adds a node without a weight like this, says
/// nothing of a node that it does not have, and panics without nodes.
macro_rules! ring {
    ($name:ident { $($field:ident: $of:ty)? }, $type:ty, |$ring:ident, $bucket:ident| $add:expr) => {
        struct $name<N: 'static> {
            ring: $type,
            $($field: $of,)?
        }

        impl<N: Node> Nodes for $name<N> {
            #[inline]
            fn look_up(&self, key: u64) -> u32 {
                self.ring.get_node(&key).bucket()
            }

            fn count(&self) -> u32 {
                self.ring.len() as u32
            }

            fn add(&mut self, $bucket: u32) -> Result<(), Error> {
                let $ring = self;
                $add
            }

            fn take(&mut self, bucket: u32) -> Result<(), Error> {
                self.ring.remove_node(kept(bucket));
                Ok(())
            }
        }
    };
}

ring!(Carp {}, carp::Ring<'static, N, Fixed>, |carp, bucket| carp.insert(bucket, 1.0));
ring!(Ring { points: u32 }, consistent::Ring<'static, N, Fixed>, |ring, bucket| ring.insert(bucket, 1.0));
ring!(Probes {}, mpc::Ring<'static, N, Fixed>, |probes, bucket| {
    probes.ring.insert_node(kept(bucket));
    Ok(())
});
ring!(Rendezvous {}, rendezvous::Ring<'static, N, Fixed>, |rendezvous, bucket| rendezvous.insert(bucket, 1.0));
ring!(Logarithmic {}, weighted_rendezvous::Ring<'static, N, Fixed>, |ring, bucket| ring.insert(bucket, 1.0));

impl<N: Node> Carp<N> {
    fn new() -> Self {
        Self { ring: carp::Ring::with_hasher(Fixed::default(), Vec::new()) }
    }
}

impl<N: Node> Ring<N> {
    fn new(points: u32) -> Self {
        Self { ring: consistent::Ring::with_hasher(Fixed::default()), points }
    }
}

impl<N: Node> Probes<N> {
    fn new() -> Self {
        Self { ring: mpc::Ring::with_hasher(Fixed::default(), PROBES) }
    }
}

impl<N: Node> Rendezvous<N> {
    fn new() -> Self {
        Self { ring: rendezvous::Ring::with_hasher(Fixed::default()) }
    }
}

impl<N: Node> Logarithmic<N> {
    fn new() -> Self {
        Self { ring: weighted_rendezvous::Ring::with_hasher(Fixed::default()) }
    }
}

/// Weights are the crate's, as they are.
macro_rules! weighted {
    ($name:ident, |$bucket:ident, $weight:ident| ($($insert:expr),+)) => {
        impl<N: Node> Heavy for $name<N> {
            fn insert(&mut self, $bucket: u32, $weight: f64) -> Result<(), Error> {
                self.ring.insert_node($($insert),+);
                Ok(())
            }

            fn weight(&self, bucket: u32) -> Option<f64> {
                self.ring.iter().find(|(node, _)| node.bucket() == bucket).map(|(_, weight)| weight)
            }
        }
    };
}

weighted!(Carp, |bucket, weight| (carp::Node::new(kept(bucket), weight)));
weighted!(Logarithmic, |bucket, weight| (kept(bucket), weight));

/// Weights are numbers of points or replicas: so many for a weight of 1.
macro_rules! counted {
    ($name:ident, $ring:ident => $unit:expr) => {
        impl<N: Node> Heavy for $name<N> {
            fn insert(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
                let $ring = self;
                let points = whole(bucket, weight * f64::from($unit))?;
                $ring.ring.insert_node(kept(bucket), points);
                Ok(())
            }

            fn weight(&self, bucket: u32) -> Option<f64> {
                let $ring = self;
                let node = $ring.ring.iter().find(|(node, _)| node.bucket() == bucket);
                node.map(|(_, points)| points as f64 / f64::from($unit))
            }
        }
    };
}

counted!(Ring, ring => ring.points);
counted!(Rendezvous, rendezvous => 1_u32);

fn table<N: Node>(build: Build) -> Result<Members<Table<N>>, Error> {
    let nodes: Vec<&N> = (0..build.buckets).map(kept).collect();
    let ring = if build.slots == 0 {
        maglev::Ring::new(nodes)
    } else {
        assert!(build.buckets > 0, "hash-rings 1.1.0 never returns from a Maglev table without nodes");
        maglev::Ring::with_capacity_hint(nodes, build.slots as usize)
    };
    Ok(Members::new(Table(ring), build.buckets))
}

fn maglev_shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(table::<Named<Plain>>(of)?.nodes.0.capacity(), of)
}

struct Table<N: 'static>(maglev::Ring<'static, N>);

impl<N: Node> Table<N> {
    /// At the same capacity, as its documentation wants it, and in the order of the numbers.
    fn rebuild(&mut self, numbers: impl Iterator<Item = u32>) {
        let nodes: Vec<&N> = numbers.map(kept).collect();
        assert!(!nodes.is_empty(), "hash-rings 1.1.0 never returns from a Maglev table without nodes");
        self.0 = maglev::Ring::with_capacity_hint(nodes, self.0.capacity());
    }

    fn numbers(&self) -> Vec<u32> {
        self.0.iter().map(N::bucket).collect()
    }
}

impl<N: Node> Nodes for Table<N> {
    #[inline]
    fn look_up(&self, key: u64) -> u32 {
        self.0.get_node(&key).bucket()
    }

    fn count(&self) -> u32 {
        self.0.nodes() as u32
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        let mut numbers = self.numbers();
        numbers.insert(numbers.partition_point(|&number| number < bucket), bucket);
        self.rebuild(numbers.into_iter());
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        let numbers = self.numbers();
        if !numbers.contains(&bucket) {
            return Err(absent(bucket));
        }
        self.rebuild(numbers.into_iter().filter(|&number| number != bucket));
        Ok(())
    }
}
