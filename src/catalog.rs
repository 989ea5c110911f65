//! Everything that can be measured: id, name, paper, what it can do, how it is built.
//!
//! To add an algorithm: one file in `algorithms/` and one entry in [`catalog`], around [`ours!`](crate::ours). It is then verified, measured and drawn
//! with all others.

use rayon::prelude::*;

use crate::algorithms::hash::Mix;
use crate::algorithms::{
    self, JUMP_MAX_BUCKETS, Jump, JumpLinear, Modulo, Remove, Rendezvous, Resize, RingBTree, RingSorted32, RingSorted64,
};
use crate::measure::memory::{Heap, MemoryError};
use crate::measure::share::{self, Balance};
use crate::measure::time::Measured;
use crate::peers::cpp::{self, CppJump, CppRingMap, CppRingVector};

/// What a partitioner is built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    /// Number of buckets.
    pub buckets: u32,
    /// Points per bucket; only rings use it.
    pub points: u32,
    /// Seed of the hash family; repeated rings have different ones. Jump has none.
    pub seed: u64,
}

/// Why an implementation could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The request is not valid for the algorithm.
    #[error(transparent)]
    Algorithm(#[from] algorithms::Error),
    /// The C++ reference is not there, or failed.
    #[error(transparent)]
    Cpp(#[from] cpp::CppError),
    /// Its shares could not be computed.
    #[error(transparent)]
    Share(#[from] share::Error),
    /// Its heap could not be counted.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

/// Whose code it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// This project's.
    Ours,
    /// The C++ of the paper, compiled when this program was.
    CppReference,
    /// Wrong on purpose.
    Control,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ours => "this project",
            Self::CppReference => "C++ reference",
            Self::Control => "control",
        })
    }
}

/// The algorithm behind an implementation: decides what [`verify`](crate::verify) compares it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Modulo,
    Jump,
    JumpLinear,
    /// Clockwise ring with positions of this many bits.
    Ring {
        position_bits: u32,
    },
    Rendezvous,
}

impl Algorithm {
    /// The field's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Modulo => "modulo",
            Self::Jump => "jump",
            Self::JumpLinear => "jump, linear time",
            Self::Ring { .. } => "ring",
            Self::Rendezvous => "rendezvous",
        }
    }
}

type Constructor<T> = fn(Build) -> Result<Box<T>, BuildError>;

/// One implementation of one algorithm.
pub struct Implementation {
    /// Unique, used on command lines and in records.
    pub id: &'static str,
    /// For charts and tables.
    pub name: &'static str,
    /// What it implements.
    pub algorithm: Algorithm,
    /// Whose code it is.
    pub source: Source,
    /// Where it was published.
    pub paper: &'static str,
    /// Expected time of a look-up.
    pub cost: &'static str,
    /// Whether points per bucket matter.
    pub uses_points: bool,
    /// The most buckets that it is defined for.
    pub most_buckets: u32,
    /// Whether it promises that on growth keys move only to the new bucket.
    pub monotone: bool,
    /// Bytes that it holds while it is built, at most, per point (rings) or per bucket.
    pub build_bytes: u64,
    /// Its constructor.
    pub build: Constructor<dyn Measured>,
    /// The bytes that it asks for: counted, not [predicted](Implementation::predicted_bytes). Ours are seen by the program's
    /// allocator, which must be a [`CountingAllocator`](crate::measure::memory::CountingAllocator); C++ counts its own.
    pub heap: fn(Build) -> Result<Heap, BuildError>,
    /// The same as something that grows and shrinks, if it can.
    pub resize: Option<Constructor<dyn Resize>>,
    /// The same as something in which any bucket may fail, if it can.
    pub remove: Option<Constructor<dyn Remove>>,
    /// Its colour in every chart: an index into the [palette](crate::chart::color).
    pub color: usize,
    /// Its exact shares.
    pub shares: fn(Build) -> Result<Vec<f64>, BuildError>,
}

impl Implementation {
    /// Upper bound of the heap that building it takes, in bytes.
    #[must_use]
    pub fn predicted_bytes(&self, build: Build) -> u64 {
        let units =
            if self.uses_points { u64::from(build.buckets) * u64::from(build.points) } else { build.buckets.into() };
        units.saturating_mul(self.build_bytes)
    }

    /// The balance of each of some builds, exactly from their shares. In parallel; in the order of the builds.
    ///
    /// # Errors
    /// What the shares cannot be computed of.
    pub fn balances(&self, builds: &[Build]) -> Result<Vec<Balance>, BuildError> {
        builds.par_iter().map(|&build| Ok(Balance::of_shares(&(self.shares)(build)?)?)).collect()
    }
}

const LAMPING: &str = "Lamping & Veach 2014";
const KARGER: &str = "Karger et al. 1997";

/// Equal shares.
///
/// # Errors
/// None; other shares have some.
pub fn uniform_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::modulo_shares(build.buckets))
}

fn jump_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(share::jump_shares(build.buckets))
}

fn ring64_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted64::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares64(ring.ring(), build.buckets)?)
}

fn ring32_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let ring = RingSorted32::new(build.buckets, build.points, Mix::new(build.seed))?;
    Ok(share::ring_shares32(ring.ring(), build.buckets)?)
}

/// An [`Implementation`] around a constructor: ours, of an index-based algorithm without a table; with `resize` or `remove`
/// where the type has that trait. An entry overrides what is its own: `Implementation { id: .., ..ours!(b => ..) }`.
#[macro_export]
macro_rules! ours {
    ($build:ident => $new:expr $(, $capability:ident)*) => {
        $crate::catalog::Implementation {
            $($capability: Some(|$build: $crate::catalog::Build| Ok(Box::new($new?))),)*
            ..$crate::catalog::Implementation {
                id: "",
                name: "",
                algorithm: $crate::catalog::Algorithm::Modulo,
                source: $crate::catalog::Source::Ours,
                paper: "",
                cost: "O(1)",
                uses_points: false,
                most_buckets: u32::MAX,
                monotone: true,
                build_bytes: 0,
                build: |$build: $crate::catalog::Build| Ok(Box::new($new?)),
                heap: |$build: $crate::catalog::Build| {
                    let (built, heap) = $crate::measure::memory::measure(|| $new)?;
                    // Used, or the compiler may leave out its allocations.
                    std::hint::black_box(&built?);
                    Ok(heap)
                },
                resize: None,
                remove: None,
                color: 0,
                shares: $crate::catalog::uniform_shares,
            }
        }
    };
}

/// The same around a constructor of the C++ references, which count their own heap.
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

/// What rings have in common, around what a macro above made of a constructor.
pub(crate) const fn ring(position_bits: u32, of: Implementation) -> Implementation {
    let shares = if position_bits == 32 { ring32_shares } else { ring64_shares };
    Implementation { algorithm: Algorithm::Ring { position_bits }, cost: "O(log nv)", uses_points: true, shares, ..of }
}

/// All implementations, in the order in which charts and tables show them.
#[must_use]
pub fn catalog() -> &'static [Implementation] {
    &CATALOG
}

/// The implementation with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Implementation> {
    CATALOG.iter().find(|implementation| implementation.id == id)
}

static CATALOG: [Implementation; 10] = [
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
        shares: jump_shares,
        ..ours!(b => Jump::new(b.buckets), resize)
    },
    Implementation {
        id: "jump-cpp",
        name: "jump, C++",
        algorithm: Algorithm::Jump,
        cost: "O(log n)",
        color: 5,
        shares: jump_shares,
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
        ..ours!(b => Rendezvous::new(b.buckets, Mix::new(b.seed)), resize, remove)
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_unique() {
        let mut ids: Vec<&str> = catalog().iter().map(|implementation| implementation.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), catalog().len());
    }
}
