//! Everything that can be measured: id, name, paper, what it can do, how it is built.
//!
//! To add an algorithm: one file in `algorithms/` and one entry in the [`catalog`], around [`ours!`](crate::ours). It is
//! then verified, measured and drawn with all others.

pub(crate) mod entries;
mod shares;

use rayon::prelude::*;

use crate::algorithms::{self, Partitioner, Remove, Replicas, Resize, State, Weighted};
use crate::measure::memory::{Heap, MemoryError};
use crate::measure::share::{self, Balance};
use crate::measure::time::Measured;
use crate::references::CppError;

pub use shares::{Shares, uniform_shares};
pub(crate) use shares::{of_table, proportional, ring, ring_of_weights};

/// What a partitioner is built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Build {
    /// Number of buckets.
    pub buckets: u32,
    /// Points per bucket; only rings use it.
    pub points: u32,
    /// Slots of what has a fixed number of them, working or not: a table, an array of buckets. 0: its own choice.
    pub slots: u32,
    /// Seed of the hash family; repeated rings have different ones. Jump has none.
    pub seed: u64,
}

impl Build {
    /// With the algorithm's own choice of slots.
    #[must_use]
    pub const fn new(buckets: u32, points: u32, seed: u64) -> Self {
        Self { buckets, points, slots: 0, seed }
    }

    /// The slots that were asked for, or `own` if none were.
    #[must_use]
    pub const fn slots_or(self, own: u32) -> u32 {
        if self.slots == 0 { own } else { self.slots }
    }
}

/// Why an implementation could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The request is not valid for the algorithm.
    #[error(transparent)]
    Algorithm(#[from] algorithms::Error),
    /// The C++ reference is not there, or failed.
    #[error(transparent)]
    Cpp(#[from] CppError),
    /// Its shares could not be computed.
    #[error(transparent)]
    Share(#[from] share::Error),
    /// Its shares are not known exactly.
    #[error("{id}: exact shares are not known; sample them with keys")]
    NoShares { id: &'static str },
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
    /// A crate that others wrote, at this version.
    Crate { version: &'static str },
    /// Wrong on purpose.
    Control,
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ours => f.write_str("this project"),
            Self::CppReference => f.write_str("C++ reference"),
            Self::Crate { version } => write!(f, "crate {version}"),
            Self::Control => f.write_str("control"),
        }
    }
}

/// The algorithm behind an implementation: decides what [`verify`](crate::verify) compares it with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Algorithm {
    Modulo,
    Jump,
    JumpLinear,
    JumpDraws,
    /// With 32 or 64 bits a draw.
    JumpBack {
        draw_bits: u32,
    },
    JumpBackAnchor,
    Power,
    Flip,
    Binomial,
    Round,
    /// Clockwise ring with positions of this many bits.
    Ring {
        position_bits: u32,
    },
    RingNearest,
    RingWeighted,
    MultiProbe,
    TokenAllocator,
    Dynamo,
    PartitionTable,
    Maglev,
    Rendezvous,
    RendezvousWeighted,
    Anchor,
    Dx,
    Memento,
}

impl Algorithm {
    /// The field's name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Modulo => "modulo",
            Self::Jump => "jump",
            Self::JumpLinear => "jump, linear time",
            Self::JumpDraws => "jump, real draws",
            Self::JumpBack { .. } => "JumpBackHash",
            Self::JumpBackAnchor => "JumpBackHash, anchor set",
            Self::Power => "PowerCH",
            Self::Flip => "FlipHash",
            Self::Binomial => "BinomialHash",
            Self::Round => "round-hashing",
            Self::Ring { .. } => "ring",
            Self::RingNearest => "ring, nearest point",
            Self::RingWeighted => "ring, weighted",
            Self::MultiProbe => "multi-probe",
            Self::TokenAllocator => "token allocation",
            Self::Dynamo => "Dynamo",
            Self::PartitionTable => "partition table",
            Self::Maglev => "Maglev",
            Self::Rendezvous => "rendezvous",
            Self::RendezvousWeighted => "rendezvous, weighted",
            Self::Anchor => "AnchorHash",
            Self::Dx => "DxHash",
            Self::Memento => "MementoHash",
        }
    }
}

/// Builds an implementation as one of its traits.
pub type Constructor<T> = fn(Build) -> Result<Box<T>, BuildError>;

/// Builds an implementation with a weight for each bucket.
pub type Weigher = fn(&[f64], Build) -> Result<Box<dyn Weighted>, BuildError>;

/// The shares of an implementation with a weight for each bucket.
pub type WeightedShares = fn(&[f64], Build) -> Result<Vec<f64>, BuildError>;

/// Removes these buckets from an implementation; the result, and the same saved and loaded.
pub type Reloader = fn(Build, &[u32]) -> Result<Reloaded, BuildError>;

/// One after some removals, and the same written down and built again.
pub type Reloaded = (Box<dyn Partitioner>, Box<dyn Partitioner>);

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
    /// The fewest buckets that it is defined for.
    pub least_buckets: u32,
    /// Whether it promises that keys move to a new bucket and from a removed one only.
    pub monotone: bool,
    /// Whether owners depend on the order in which buckets were removed; then only the bucket removed last can come back.
    pub history_dependent: bool,
    /// Whether it hashes keys itself. Jump does not: it wants keys that are hash values.
    pub hashes_keys: bool,
    /// Whether its hash is its own and cannot be given, so that no model foretells its answers.
    pub own_hash: bool,
    /// Whether experiments that compare all measure it unasked; others are measured with `--only`.
    pub in_figures: bool,
    /// Bytes that it holds while it is built, at most, per point (rings) or per bucket.
    pub build_bytes: u64,
    /// Whether the time of a build grows with the square of the buckets, so that checks build small ones only.
    pub quadratic_build: bool,
    /// Bytes of a table that does not grow with them.
    pub table_bytes: u64,
    /// Its constructor.
    pub build: Constructor<dyn Measured>,
    /// The bytes that it asks for: counted, not [predicted](Implementation::predicted_bytes). Ours are seen by the program's
    /// allocator, which must be a [`CountingAllocator`](crate::measure::memory::CountingAllocator); C++ counts its own.
    pub heap: fn(Build) -> Result<Heap, BuildError>,
    /// The same as something that grows and shrinks, if it can.
    pub resize: Option<Constructor<dyn Resize>>,
    /// The same as something in which any bucket may fail, if it can.
    pub remove: Option<Constructor<dyn Remove>>,
    /// The same with weights, one for each bucket, if it has any.
    pub weigh: Option<Weigher>,
    /// The exact shares of those weights, if they are known.
    pub weighted_shares: Option<WeightedShares>,
    /// The same as something that names more than one bucket for a key, if it can.
    pub replicas: Option<Constructor<dyn Replicas>>,
    /// Whether the second replica of a key is who takes over when the first fails.
    pub replicas_take_over: bool,
    /// After these removals, and reloaded from its saved state, if that can be had.
    pub reload: Option<Reloader>,
    /// The same with other names of its buckets, each with what it shows; for those whose buckets have names.
    pub names: &'static [(&'static str, Constructor<dyn Measured>)],
    /// Its colour in every chart: an index into the [palette](crate::chart::color).
    pub color: usize,
    /// Its shares.
    pub shares: Shares,
}

impl Implementation {
    /// Whether requests that make no sense have to be typed errors that change nothing, as in this project. Crates have
    /// interfaces of their own: they may take such a request or panic, as long as no key has a wrong bucket afterwards.
    #[must_use]
    pub const fn strict(&self) -> bool {
        !matches!(self.source, Source::Crate { .. })
    }

    /// Upper bound of the heap that building it takes, in bytes.
    #[must_use]
    pub fn predicted_bytes(&self, build: Build) -> u64 {
        let units =
            if self.uses_points { u64::from(build.buckets) * u64::from(build.points) } else { build.buckets.into() };
        units.saturating_mul(self.build_bytes).saturating_add(self.table_bytes)
    }

    /// The balance of each of some builds, exactly from their shares. In parallel; in the order of the builds.
    ///
    /// # Errors
    /// What the shares cannot be computed of; [`BuildError::NoShares`] where they are not known.
    pub fn balances(&self, builds: &[Build]) -> Result<Vec<Balance>, BuildError> {
        let Shares::Exact(shares) = self.shares else { return Err(BuildError::NoShares { id: self.id }) };
        builds.par_iter().map(|&build| Ok(Balance::of_shares(&shares(build)?)?)).collect()
    }
}

/// An [`Implementation`] around a constructor: ours, of an index-based algorithm without a table; with `resize`, `remove` or
/// `replicas` where the type has that trait. An entry overrides what is its own: `Implementation { id: .., ..ours!(b => ..) }`.
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
                least_buckets: 1,
                monotone: true,
                history_dependent: false,
                hashes_keys: true,
                own_hash: false,
                in_figures: true,
                build_bytes: 0,
                table_bytes: 0,
                quadratic_build: false,
                build: |$build: $crate::catalog::Build| Ok(Box::new($new?)),
                heap: |$build: $crate::catalog::Build| {
                    let (built, heap) = $crate::measure::memory::measure(|| $new)?;
                    // Used, or the compiler may leave out its allocations.
                    std::hint::black_box(&built?);
                    Ok(heap)
                },
                resize: None,
                remove: None,
                weigh: None,
                weighted_shares: None,
                replicas: None,
                replicas_take_over: true,
                reload: None,
                names: &[],
                color: 0,
                shares: $crate::catalog::Shares::Exact($crate::catalog::uniform_shares),
            }
        }
    };
}

/// Removes buckets, saves the state, and builds the same again from that: the body of an [`Implementation::reload`].
///
/// # Errors
/// A bucket that cannot be removed, or a state that cannot be loaded.
pub fn reloaded<P: Remove + State + 'static>(
    mut one: P,
    removed: &[u32],
    hash: P::Hash,
) -> Result<Reloaded, BuildError> {
    removed.iter().try_for_each(|&bucket| one.remove(bucket))?;
    let again = P::load(&one.save(), hash)?;
    Ok((Box::new(one), Box::new(again)))
}

/// All implementations, in the order in which charts and tables show them.
#[must_use]
pub fn catalog() -> &'static [Implementation] {
    entries::CATALOG
}

/// Those that experiments compare unasked.
pub fn in_figures() -> impl Iterator<Item = &'static Implementation> + Clone {
    catalog().iter().filter(|implementation| implementation.in_figures)
}

/// The implementation with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Implementation> {
    catalog().iter().find(|implementation| implementation.id == id)
}

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
