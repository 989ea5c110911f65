//! The entries, each with the parameters that stand in its name.

use super::shares::{self, Shares, ring};
use super::{Algorithm, Build, Implementation, Source, reloaded};
use crate::algorithms::hash::Mix;
use crate::algorithms::{
    Anchor, Binomial, CompactAnchor, Dx, Dynamo, Error, Flip, JUMP_MAX_BUCKETS, Jump, JumpBack, JumpBack32,
    JumpBackAnchor, JumpDraws, JumpLinear, Maglev, Memento, Modulo, MultiProbe, PartitionTable, Power, Rendezvous,
    RendezvousWeighted, RingBTree, RingNearest, RingSorted32, RingSorted64, RingWeighted, Round, Strategy,
    TokenAllocator, maglev as table,
};
use crate::measure::memory::Heap;
use crate::ours;
use crate::references::{CppJump, CppRingMap, CppRingVector};

const LAMPING: &str = "Lamping & Veach 2014";
const KARGER: &str = "Karger et al. 1997";
const ERTL: &str = "Ertl 2024";
const MENDELSON: &str = "Mendelson et al. 2018";

/// The S of round-hashing.
pub(crate) const ROUND_SPLIT: u32 = 8;
/// The k at which multi-probe's peak is 1.05.
pub(crate) const PROBES: u32 = 21;
/// The larger table of the Maglev paper, and the most buckets: one a slot.
const MAGLEV_LARGE: u32 = 655_373;
/// c of bounded loads.
pub(crate) const LOAD: f64 = 1.25;

/// Of an array with room for as many buckets again; one of fixed size while there are few, so that what grew is what is
/// built anew.
pub(crate) fn slots(build: Build) -> u32 {
    build.slots_or(build.buckets.max(1).checked_next_power_of_two().map_or(u32::MAX, |power| power.saturating_mul(2)))
}

/// Weights of a build that states none.
pub(super) fn equal(build: Build) -> Vec<f64> {
    vec![1.0; build.buckets as usize]
}

/// The paper's small table for up to a hundredth of its size, then its large one.
pub(crate) fn maglev_slots(build: Build) -> u32 {
    let is_small = u64::from(build.buckets) * 100 <= table::TABLE_SIZE;
    build.slots_or(if is_small { table::TABLE_SIZE as u32 } else { MAGLEV_LARGE })
}

pub(super) fn maglev(build: Build) -> Result<Maglev, Error> {
    Maglev::new(build.buckets, maglev_slots(build).into(), Mix::new(build.seed))
}

pub(super) fn dynamo(build: Build) -> Result<Dynamo, Error> {
    Dynamo::new(Strategy::EqualShares { tokens: build.points }, build.buckets, 1, Mix::new(build.seed))
}

/// As many partitions as a Maglev table has slots.
pub(crate) fn partition_slots(build: Build) -> u32 {
    build.slots_or(table::TABLE_SIZE as u32)
}

pub(super) fn partitions(build: Build) -> Result<PartitionTable, Error> {
    PartitionTable::new(build.buckets, build.points, partition_slots(build), LOAD, Mix::new(build.seed))
}

/// [`ours!`](crate::ours) around a constructor of the C++ references, which count their own heap.
macro_rules! cpp {
    ($build:ident => $new:expr) => {
        Implementation {
            source: Source::CppReference,
            paper: LAMPING,
            most_buckets: i32::MAX as u32,
            heap: |$build| {
                let built = $new?;
                Ok(Heap { live_bytes: built.live_bytes(), peak_bytes: built.peak_bytes() })
            },
            ..ours!($build => $new)
        }
    };
}

/// Replicas of what was defined for one bucket a key.
macro_rules! failover {
    ($build:ident => $new:expr) => {
        Some(|$build| Ok(Box::new(crate::algorithms::Failover { partitioner: $new? })))
    };
}

/// Of another paper than the one whose figures the experiments draw.
const fn other(of: Implementation) -> Implementation {
    Implementation { in_figures: false, ..of }
}

/// In the order in which charts and tables show them.
pub(super) static CATALOG: &[Implementation] = &[
    Implementation {
        id: "modulo",
        name: "modulo",
        algorithm: Algorithm::Modulo,
        paper: "folklore; the control",
        monotone: false,
        color: 9,
        ..ours!(b => Modulo::new(b.buckets, Mix::new(b.seed)), resize)
    },
    Implementation {
        id: "jump",
        name: "jump",
        algorithm: Algorithm::Jump,
        paper: LAMPING,
        cost: "O(log n)",
        most_buckets: JUMP_MAX_BUCKETS,
        color: 0,
        shares: Shares::Exact(shares::jump),
        hashes_keys: false,
        ..ours!(b => Jump::new(b.buckets), resize)
    },
    Implementation {
        id: "jump-cpp",
        name: "jump, C++",
        algorithm: Algorithm::Jump,
        cost: "O(log n)",
        color: 5,
        shares: Shares::Exact(shares::jump),
        hashes_keys: false,
        ..cpp!(b => CppJump::new(b.buckets))
    },
    Implementation {
        id: "jump-linear",
        name: "jump, linear time",
        algorithm: Algorithm::JumpLinear,
        paper: LAMPING,
        cost: "O(n)",
        most_buckets: JUMP_MAX_BUCKETS,
        color: 7,
        ..ours!(b => JumpLinear::new(b.buckets), resize)
    },
    Implementation {
        id: "ring-btree",
        name: "ring, B-tree",
        paper: KARGER,
        // Entries of 16 bytes in nodes that random insertion leaves about 70 % full.
        build_bytes: 32,
        color: 1,
        replicas: failover!(b => RingBTree::new(b.buckets, b.points, Mix::new(b.seed))),
        ..ring(64, ours!(b => RingBTree::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "ring-map-cpp",
        name: "ring, C++ std::map (A)",
        // 48 bytes asked for, 64 taken by the C library's allocator.
        build_bytes: 64,
        color: 4,
        ..ring(64, cpp!(b => CppRingMap::new(b.buckets, b.points, b.seed)))
    },
    Implementation {
        id: "ring-sorted32",
        name: "ring, sorted 32-bit",
        paper: LAMPING,
        build_bytes: 8,
        color: 2,
        replicas: failover!(b => RingSorted32::new(b.buckets, b.points, Mix::new(b.seed))),
        ..ring(32, ours!(b => RingSorted32::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "ring-sorted-cpp",
        name: "ring, C++ sorted vector (B)",
        build_bytes: 8,
        color: 10,
        ..ring(32, cpp!(b => CppRingVector::new(b.buckets, b.points, b.seed)))
    },
    Implementation {
        id: "ring-sorted64",
        name: "ring, sorted 64-bit",
        paper: KARGER,
        // 12 bytes a point, and 16 while they are sorted.
        build_bytes: 28,
        color: 3,
        replicas: failover!(b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed))),
        ..ring(64, ours!(b => RingSorted64::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "rendezvous",
        name: "rendezvous",
        algorithm: Algorithm::Rendezvous,
        paper: "Thaler & Ravishankar 1998",
        cost: "O(n)",
        // A word in the vector, and about 12 bytes in the set of members.
        build_bytes: 24,
        color: 6,
        replicas: failover!(b => Rendezvous::new(b.buckets, Mix::new(b.seed))),
        ..ours!(b => Rendezvous::new(b.buckets, Mix::new(b.seed)), resize, remove)
    },
    Implementation {
        id: "jump-draws",
        name: "jump, real draws",
        algorithm: Algorithm::JumpDraws,
        paper: LAMPING,
        cost: "O(log n)",
        most_buckets: JUMP_MAX_BUCKETS,
        color: 0,
        ..other(ours!(b => JumpDraws::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "jump-back",
        name: "JumpBackHash",
        algorithm: Algorithm::JumpBack { draw_bits: 64 },
        paper: ERTL,
        color: 1,
        ..other(ours!(b => JumpBack::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "jump-back32",
        name: "JumpBackHash, 32-bit draws",
        algorithm: Algorithm::JumpBack { draw_bits: 32 },
        paper: ERTL,
        color: 4,
        ..other(ours!(b => JumpBack32::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "power",
        name: "PowerCH",
        algorithm: Algorithm::Power,
        paper: "Leu 2023",
        most_buckets: JUMP_MAX_BUCKETS,
        color: 2,
        ..other(ours!(b => Power::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "flip",
        name: "FlipHash",
        algorithm: Algorithm::Flip,
        paper: "Masson & Lee 2024",
        color: 3,
        ..other(ours!(b => Flip::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "binomial",
        name: "BinomialHash",
        algorithm: Algorithm::Binomial,
        paper: "Coluzzi et al. 2024",
        color: 5,
        shares: Shares::Exact(shares::binomial),
        ..other(ours!(b => Binomial::new(b.buckets, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "round",
        name: "round-hashing, S = 8",
        algorithm: Algorithm::Round,
        paper: "Grossi & Versari 2018",
        monotone: false,
        color: 7,
        shares: Shares::Exact(shares::round),
        ..other(ours!(b => Round::new(b.buckets, ROUND_SPLIT, Mix::new(b.seed)), resize))
    },
    Implementation {
        id: "memento",
        name: "MementoHash",
        algorithm: Algorithm::Memento,
        paper: "Coluzzi et al. 2023",
        cost: "O(log n) + removed",
        most_buckets: JUMP_MAX_BUCKETS,
        history_dependent: true,
        color: 8,
        replicas: failover!(b => Memento::new(b.buckets, Mix::new(b.seed))),
        reload: Some(|b, removed| reloaded(Memento::new(b.buckets, Mix::new(b.seed))?, removed, Mix::new(b.seed))),
        ..other(ours!(b => Memento::new(b.buckets, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "jump-back-anchor",
        name: "JumpBackHash, anchor set",
        algorithm: Algorithm::JumpBackAnchor,
        paper: "Ertl, hash4j 0.31",
        cost: "O(ln² a/w)",
        history_dependent: true,
        color: 1,
        replicas: failover!(b => JumpBackAnchor::new(b.buckets, Mix::new(b.seed))),
        reload: Some(|b, removed| {
            reloaded(JumpBackAnchor::new(b.buckets, Mix::new(b.seed))?, removed, Mix::new(b.seed))
        }),
        ..other(ours!(b => JumpBackAnchor::new(b.buckets, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "anchor",
        name: "AnchorHash",
        algorithm: Algorithm::Anchor,
        paper: MENDELSON,
        cost: "O(ln² a/w)",
        history_dependent: true,
        // Four words a slot, of which there are twice as many as buckets.
        build_bytes: 32,
        color: 10,
        replicas: failover!(b => Anchor::new(b.buckets, slots(b), Mix::new(b.seed))),
        reload: Some(|b, removed| {
            reloaded(Anchor::new(b.buckets, slots(b), Mix::new(b.seed))?, removed, Mix::new(b.seed))
        }),
        ..other(ours!(b => Anchor::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "anchor-compact",
        name: "AnchorHash, 8 bytes a slot",
        algorithm: Algorithm::Anchor,
        paper: MENDELSON,
        cost: "O(ln² a/w)",
        history_dependent: true,
        build_bytes: 16,
        color: 6,
        replicas: failover!(b => CompactAnchor::new(b.buckets, slots(b), Mix::new(b.seed))),
        reload: Some(|b, removed| {
            reloaded(CompactAnchor::new(b.buckets, slots(b), Mix::new(b.seed))?, removed, Mix::new(b.seed))
        }),
        ..other(ours!(b => CompactAnchor::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "dx",
        name: "DxHash",
        algorithm: Algorithm::Dx,
        paper: "Dong & Wang 2021",
        cost: "O(a/w)",
        build_bytes: 1,
        color: 9,
        replicas: failover!(b => Dx::new(b.buckets, slots(b), Mix::new(b.seed))),
        reload: Some(|b, removed| reloaded(Dx::new(b.buckets, slots(b), Mix::new(b.seed))?, removed, Mix::new(b.seed))),
        ..other(ours!(b => Dx::new(b.buckets, slots(b), Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "ring-nearest",
        name: "ring, nearest point",
        algorithm: Algorithm::RingNearest,
        paper: KARGER,
        cost: "O(log nv)",
        uses_points: true,
        build_bytes: 32,
        color: 2,
        shares: Shares::Exact(shares::nearest),
        replicas: failover!(b => RingNearest::new(b.buckets, b.points, Mix::new(b.seed))),
        ..other(ours!(b => RingNearest::new(b.buckets, b.points, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "ring-weighted",
        name: "ring, weighted",
        algorithm: Algorithm::RingWeighted,
        paper: "folklore; points in proportion to weights",
        cost: "O(log nv)",
        uses_points: true,
        build_bytes: 48,
        color: 4,
        shares: Shares::Exact(shares::weighted),
        weigh: Some(|weights, b| Ok(Box::new(RingWeighted::new(weights, b.points, Mix::new(b.seed))?))),
        weighted_shares: Some(shares::ring_of_weights),
        ..other(ours!(b => RingWeighted::new(&equal(b), b.points, Mix::new(b.seed)), remove, replicas))
    },
    Implementation {
        id: "multi-probe",
        name: "multi-probe, k = 21",
        algorithm: Algorithm::MultiProbe,
        paper: "Appleton & O'Reilly 2015",
        cost: "O(k log n)",
        build_bytes: 48,
        color: 3,
        // The probes of double hashing are independent in pairs only: their distribution is met nearly.
        shares: Shares::MultiProbe { probes: PROBES },
        replicas: failover!(b => MultiProbe::new(b.buckets, PROBES, Mix::new(b.seed))),
        ..other(ours!(b => MultiProbe::new(b.buckets, PROBES, Mix::new(b.seed)), resize, remove))
    },
    Implementation {
        id: "token-allocator",
        name: "token allocation, RF 1",
        algorithm: Algorithm::TokenAllocator,
        paper: "Apache Cassandra, CASSANDRA-15600",
        cost: "O(log nv)",
        uses_points: true,
        most_buckets: 1 << 20,
        build_bytes: 256,
        quadratic_build: true,
        color: 5,
        shares: Shares::Exact(shares::allocator),
        ..other(ours!(b => TokenAllocator::new(b.buckets, b.points, 1, Mix::new(b.seed)), replicas))
    },
    Implementation {
        id: "dynamo",
        name: "Dynamo, strategy 3",
        algorithm: Algorithm::Dynamo,
        paper: "DeCandia et al. 2007",
        cost: "O(log nv)",
        uses_points: true,
        monotone: false,
        most_buckets: 1 << 24,
        build_bytes: 48,
        color: 6,
        shares: Shares::Exact(shares::dynamo),
        ..other(ours!(b => dynamo(b)))
    },
    Implementation {
        id: "partition-table",
        name: "partition table, bounded loads",
        algorithm: Algorithm::PartitionTable,
        paper: "Mirrokni et al. 2016; buraksezer/consistent",
        uses_points: true,
        monotone: false,
        build_bytes: 256,
        // Some hundred bytes for each of its 65,537 partitions.
        table_bytes: 104 * 65_537,
        color: 7,
        shares: Shares::Exact(shares::partitions),
        ..other(ours!(b => partitions(b), remove))
    },
    Implementation {
        id: "maglev",
        name: "Maglev",
        algorithm: Algorithm::Maglev,
        paper: "Eisenbud et al. 2016",
        monotone: false,
        most_buckets: MAGLEV_LARGE,
        // A hundred slots a bucket, or more by the step from one table to the other.
        build_bytes: 4096,
        table_bytes: 300_000,
        color: 8,
        shares: Shares::Exact(shares::maglev),
        ..other(ours!(b => maglev(b), resize, remove))
    },
    Implementation {
        id: "rendezvous-weighted",
        name: "rendezvous, weighted",
        algorithm: Algorithm::RendezvousWeighted,
        paper: "Schindelhauer & Schomaker 2005",
        cost: "O(n)",
        build_bytes: 64,
        color: 9,
        weigh: Some(|weights, b| Ok(Box::new(RendezvousWeighted::new(weights, Mix::new(b.seed))?))),
        weighted_shares: Some(shares::proportional),
        ..other(ours!(b => RendezvousWeighted::new(&equal(b), Mix::new(b.seed)), remove, replicas))
    },
];
