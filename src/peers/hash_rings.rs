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

use std::hash::{BuildHasherDefault, DefaultHasher, Hasher};

use hash_rings::{carp, consistent, jump, maglev, mpc, rendezvous, weighted_rendezvous};

use super::indexed::Indexed;
use super::names::{Name, Node, kept, names};
use super::nodes::{Changing, Nodes, Placing, Weighing, Weights, whole};
use super::table::{Rebuilt, shares_of_turns};
use super::{jump_shares, name};
use crate::algorithms::Error;
use crate::can;
use crate::catalog::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

/// The k at which multi-probe's peak is 1.05, and that of the crate's own benchmark.
const PROBES: u64 = 21;

/// The crate at this version.
const VERSION: Source = Source::Crate { version: "1.1.0" };

pub(super) static ENTRIES: &[Implementation] = &[
    Implementation {
        id: "hash-rings/carp",
        name: "hash-rings, CARP",
        algorithm: Algorithm::RendezvousWeighted,
        source: VERSION,
        paper: "Valloppillil & Ross 1998, CARP",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(n)", 128).with_quadratic_build(),
        shares: Shares::EQUAL,
        // Its weights are no `Weighted`: a change of one moves keys between others too.
        can: can!(b => Carp::added(b, name), resize, remove).named(names!(Carp::added => host_port, short, number)),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/consistent",
        name: "hash-rings, ring",
        algorithm: Algorithm::Ring { position_bits: 64 },
        source: VERSION,
        paper: "Karger et al. 1997",
        limits: Limits::NONE.with_points(),
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(log nv)", 64),
        shares: Shares::RandomRing { points: |b| b.points },
        can: can!(b => Ring::added(b, name), resize, remove)
            .with_weights(|weights, b| Ok(Box::new(Weights::given(Ring::empty(b, name), weights)?)))
            .named(names!(Ring::added => host_port, short, number)),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/jump",
        name: "hash-rings, jump",
        algorithm: Algorithm::Jump,
        source: VERSION,
        paper: "Lamping & Veach 2014; SipHash-1-3",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(log n)", 0),
        shares: Shares::Exact(jump_shares),
        can: can!(b => jump_of(b.buckets), resize),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/jump-of-hash",
        name: "hash-rings, jump of a hash value",
        algorithm: Algorithm::Jump,
        source: VERSION,
        paper: "Lamping & Veach 2014",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.of_hashed_keys(),
        costs: Costs::new("O(log n)", 0),
        shares: Shares::EQUAL,
        can: can!(b => Indexed::new(b.buckets, jump_of_hash), resize),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/maglev",
        name: "hash-rings, Maglev, 100 slots a node",
        algorithm: Algorithm::Maglev,
        source: VERSION,
        paper: "Eisenbud et al. 2016",
        limits: Limits::NONE,
        promises: Promises::NOT_MONOTONE.with_own_hash(),
        // Quadratic in truth; this is so much at 3000 buckets.
        costs: Costs::new("O(1)", 2_400_000),
        shares: Shares::Exact(maglev_shares),
        can: can!(b => table(b, name), resize, remove).named(names!(table => host_port, short, number)),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/mpc",
        name: "hash-rings, multi-probe, k = 21",
        algorithm: Algorithm::MultiProbe,
        source: VERSION,
        paper: "Appleton & O'Reilly 2015",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(k log n)", 64),
        shares: Shares::MultiProbe { probes: PROBES as u32 },
        can: can!(b => Probes::added(b, name), resize, remove).named(names!(Probes::added => host_port, short, number)),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/rendezvous",
        name: "hash-rings, rendezvous",
        algorithm: Algorithm::Rendezvous,
        source: VERSION,
        paper: "Thaler & Ravishankar 1998",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(n)", 128),
        shares: Shares::EQUAL,
        can: can!(b => Rendezvous::added(b, name), resize, remove)
            .with_weights(|weights, b| Ok(Box::new(Weights::given(Rendezvous::empty(b, name), weights)?)))
            .named(names!(Rendezvous::added => host_port, short, number)),
        shown: Shown::on_request(0),
    },
    Implementation {
        id: "hash-rings/weighted-rendezvous",
        name: "hash-rings, rendezvous, weighted",
        algorithm: Algorithm::RendezvousWeighted,
        source: VERSION,
        paper: "Schindelhauer & Schomaker 2005",
        limits: Limits::NONE,
        promises: Promises::MONOTONE.with_own_hash(),
        costs: Costs::new("O(n)", 64),
        shares: Shares::EQUAL,
        can: can!(b => Logarithmic::added(b, name), resize, remove)
            .with_weights(|weights, b| Ok(Box::new(Weights::given(Logarithmic::empty(b, name), weights)?)))
            .named(names!(Logarithmic::added => host_port, short, number)),
        shown: Shown::on_request(0),
    },
];

type Fixed = BuildHasherDefault<DefaultHasher>;

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

/// A type of the crate's, and what it has in common with its others: it is made like this, adds a node without a weight like
/// this, says nothing of a node that it does not have, and panics without nodes.
macro_rules! ring {
    (
        $build:pat_param => $name:ident { $($field:ident: $value:expr)? },
        $type:ty = $new:expr,
        |$ring:ident, $bucket:ident| $add:expr
    ) => {
        struct $name<N: 'static> {
            ring: $type,
            name: fn(u32) -> N,
            $($field: u32,)?
        }

        impl<N: Name> $name<N> {
            fn empty($build: Build, name: fn(u32) -> N) -> Self {
                Self { ring: $new, name, $($field: $value)? }
            }

            fn added(build: Build, name: fn(u32) -> N) -> Result<Nodes<Self>, Error> {
                Nodes::added(Self::empty(build, name), build.buckets)
            }
        }

        impl<N: Name> Placing for $name<N> {
            #[inline]
            fn owner(&self, key: u64) -> u32 {
                self.ring.get_node(&key).number
            }

            fn count(&self) -> Option<u32> {
                Some(self.ring.len() as u32)
            }
        }

        impl<N: Name> Changing for $name<N> {
            fn add(&mut self, $bucket: u32) -> Result<(), Error> {
                let $ring = self;
                $add
            }

            fn remove(&mut self, bucket: u32) -> Result<(), Error> {
                self.ring.remove_node(kept(bucket, self.name));
                Ok(())
            }
        }
    };
}

ring!(
    _ => Carp {},
    carp::Ring<'static, Node<N>, Fixed> = carp::Ring::with_hasher(Fixed::default(), Vec::new()),
    |carp, bucket| carp.weigh(bucket, 1.0)
);
ring!(
    build => Ring { points: build.points },
    consistent::Ring<'static, Node<N>, Fixed> = consistent::Ring::with_hasher(Fixed::default()),
    |ring, bucket| ring.weigh(bucket, 1.0)
);
ring!(
    _ => Probes {},
    mpc::Ring<'static, Node<N>, Fixed> = mpc::Ring::with_hasher(Fixed::default(), PROBES),
    |probes, bucket| {
        probes.ring.insert_node(kept(bucket, probes.name));
        Ok(())
    }
);
ring!(
    _ => Rendezvous {},
    rendezvous::Ring<'static, Node<N>, Fixed> = rendezvous::Ring::with_hasher(Fixed::default()),
    |rendezvous, bucket| rendezvous.weigh(bucket, 1.0)
);
ring!(
    _ => Logarithmic {},
    weighted_rendezvous::Ring<'static, Node<N>, Fixed> = weighted_rendezvous::Ring::with_hasher(Fixed::default()),
    |ring, bucket| ring.weigh(bucket, 1.0)
);

impl<N: Name> Weighing for Carp<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.insert_node(carp::Node::new(kept(bucket, self.name), weight));
        Ok(())
    }
}

impl<N: Name> Weighing for Ring<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.insert_node(kept(bucket, self.name), whole(bucket, weight * f64::from(self.points))?);
        Ok(())
    }

    /// `insert_node` adds points to those that are there.
    fn weigh_again(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        let points = whole(bucket, weight * f64::from(self.points))?;
        self.ring.remove_node(kept(bucket, self.name));
        self.ring.insert_node(kept(bucket, self.name), points);
        Ok(())
    }
}

impl<N: Name> Weighing for Rendezvous<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.insert_node(kept(bucket, self.name), whole(bucket, weight)?);
        Ok(())
    }
}

impl<N: Name> Weighing for Logarithmic<N> {
    fn weigh(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.ring.insert_node(kept(bucket, self.name), weight);
        Ok(())
    }
}

fn table<N: Name>(build: Build, name: fn(u32) -> N) -> Result<Nodes<Table<N>>, Error> {
    Ok(Nodes::within(Table::new(build, name), build.buckets))
}

fn maglev_shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(Table::new(of, name).ring.capacity(), of)
}

struct Table<N: 'static> {
    ring: maglev::Ring<'static, Node<N>>,
    name: fn(u32) -> N,
}

impl<N: Name> Table<N> {
    fn new(build: Build, name: fn(u32) -> N) -> Self {
        let ring = match build.slots {
            0 => maglev::Ring::new((0..build.buckets).map(|bucket| kept(bucket, name)).collect()),
            slots => of_capacity((0..build.buckets).collect(), slots as usize, name),
        };
        Self { ring, name }
    }
}

fn of_capacity<N: Name>(numbers: Vec<u32>, capacity: usize, name: fn(u32) -> N) -> maglev::Ring<'static, Node<N>> {
    assert!(!numbers.is_empty(), "hash-rings 1.1.0 never returns from a Maglev table without nodes");
    maglev::Ring::with_capacity_hint(numbers.into_iter().map(|bucket| kept(bucket, name)).collect(), capacity)
}

impl<N: Name> Placing for Table<N> {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.ring.get_node(&key).number
    }

    fn count(&self) -> Option<u32> {
        Some(self.ring.nodes() as u32)
    }
}

impl<N: Name> Rebuilt for Table<N> {
    /// At the same capacity, as its documentation wants it.
    fn rebuild(&mut self, numbers: Vec<u32>) {
        self.ring = of_capacity(numbers, self.ring.capacity(), self.name);
    }

    fn numbers(&self) -> Vec<u32> {
        self.ring.iter().map(|node| node.number).collect()
    }
}
