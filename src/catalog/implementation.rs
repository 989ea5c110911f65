//! What the catalogue knows of an implementation, grouped by the question that it answers. No field has a default: who adds
//! an entry decides all of them, and a field that is forgotten does not compile.

use rayon::prelude::*;

use super::{Algorithm, Build, BuildError, Capabilities, Shares};
use crate::measure::share::Balance;

/// One implementation of one algorithm.
#[derive(Clone, Copy)]
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
    /// What it can be built with.
    pub limits: Limits,
    /// What it promises; each promise is checked, and so is each that is not made.
    pub promises: Promises,
    /// What a look-up and a build take.
    pub costs: Costs,
    /// What is known of the shares of its buckets.
    pub shares: Shares,
    /// What it can do.
    pub can: Capabilities,
    /// How it is shown.
    pub shown: Shown,
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

/// What an implementation can be built with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The fewest buckets that it is defined for.
    pub least_buckets: u32,
    /// The most buckets that it is defined for.
    pub most_buckets: u32,
    /// Whether the points per bucket matter.
    pub uses_points: bool,
}

impl Limits {
    /// Any number of buckets but 0, without points.
    pub const NONE: Self = Self { least_buckets: 1, most_buckets: u32::MAX, uses_points: false };

    /// At most so many buckets, without points.
    #[must_use]
    pub const fn up_to(most_buckets: u32) -> Self {
        Self { most_buckets, ..Self::NONE }
    }

    /// At least so many buckets.
    #[must_use]
    pub const fn at_least(self, least_buckets: u32) -> Self {
        Self { least_buckets, ..self }
    }

    /// With points for each bucket, as rings have them.
    #[must_use]
    pub const fn with_points(self) -> Self {
        Self { uses_points: true, ..self }
    }
}

/// What an implementation promises. [`verify`](crate::verify) checks each promise that is made, and where a promise about
/// moves or history is not made it must find a key that shows why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Promises {
    /// When buckets are added, keys move to the new buckets only.
    pub monotone_growth: bool,
    /// When buckets go, the last ones or any, only their own keys move.
    pub monotone_removal: bool,
    /// Whether owners depend on the order in which buckets were removed; then only the bucket removed last can come back.
    pub history_dependent: bool,
    /// Whether it hashes keys itself. Jump does not: it wants keys that are hash values.
    pub hashes_keys: bool,
    /// Whether its hash is its own and cannot be given, so that no model foretells its answers.
    pub own_hash: bool,
    /// Whether the second replica of a key is who takes over when the first fails.
    pub replicas_take_over: bool,
}

impl Promises {
    /// All: the least keys move on growth and on removal, whatever the history; keys of any shape; a hash family that is
    /// given; the second replica takes over.
    pub const MONOTONE: Self = Self {
        monotone_growth: true,
        monotone_removal: true,
        history_dependent: false,
        hashes_keys: true,
        own_hash: false,
        replicas_take_over: true,
    };

    /// All but the two about moves: a change moves keys between buckets that stay.
    pub const NOT_MONOTONE: Self = Self { monotone_growth: false, monotone_removal: false, ..Self::MONOTONE };

    /// Its owners depend on the order of the removals.
    #[must_use]
    pub const fn but_history_dependent(self) -> Self {
        Self { history_dependent: true, ..self }
    }

    /// Its keys must be hash values already.
    #[must_use]
    pub const fn of_hashed_keys(self) -> Self {
        Self { hashes_keys: false, ..self }
    }

    /// Its hash cannot be chosen.
    #[must_use]
    pub const fn with_own_hash(self) -> Self {
        Self { own_hash: true, ..self }
    }

    /// Another bucket than the second replica may take over.
    #[must_use]
    pub const fn but_others_take_over(self) -> Self {
        Self { replicas_take_over: false, ..self }
    }
}

/// What an implementation takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Costs {
    /// Expected time of a look-up, as "O(log n)". Experiments and checks that ask for many keys take one that begins with
    /// "O(n" for linear.
    pub lookup: &'static str,
    /// Bytes that it holds while it is built, at most, per point (of what [uses points](Limits::uses_points)) or per bucket.
    pub build_bytes: u64,
    /// Bytes of a table that does not grow with them.
    pub table_bytes: u64,
    /// Whether the time of a build grows with the square of the buckets, so that checks build small ones only.
    pub quadratic_build: bool,
}

impl Costs {
    /// A look-up of this time, and at most so many bytes for each point or bucket while it is built.
    #[must_use]
    pub const fn new(lookup: &'static str, build_bytes: u64) -> Self {
        Self { lookup, build_bytes, table_bytes: 0, quadratic_build: false }
    }

    /// And a table of so many bytes, however many buckets there are.
    #[must_use]
    pub const fn with_table(self, table_bytes: u64) -> Self {
        Self { table_bytes, ..self }
    }

    /// And a build whose time grows with the square of the buckets.
    #[must_use]
    pub const fn with_quadratic_build(self) -> Self {
        Self { quadratic_build: true, ..self }
    }
}

/// How an implementation is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Its colour in every chart: an index into the [palette](crate::chart::color).
    pub color: usize,
    /// Whether experiments that compare all measure it unasked; others are measured with `--only`.
    pub in_figures: bool,
}

impl Shown {
    /// In the figures of the experiments, in this colour.
    #[must_use]
    pub const fn in_figures(color: usize) -> Self {
        Self { color, in_figures: true }
    }

    /// Where `--only` names it, in this colour.
    #[must_use]
    pub const fn on_request(color: usize) -> Self {
        Self { color, in_figures: false }
    }
}

/// Buckets of the two builds whose bytes are counted.
const SMALL: [u32; 2] = [16, 256];
/// The most points for each bucket in them.
const SMALL_POINTS: u32 = 8;

impl Implementation {
    /// Whether requests that make no sense have to be typed errors that change nothing, as in this project. Crates have
    /// interfaces of their own: they may take such a request or panic, as long as no key has a wrong bucket afterwards.
    #[must_use]
    pub const fn strict(&self) -> bool {
        !matches!(self.source, Source::Crate { .. })
    }

    /// Upper bound of the heap that building it takes, in bytes: what the entry [claims](Self::claimed_bytes), unless small
    /// builds were counted to take more than twice that, which no rounding up of capacities explains. A program that does
    /// not count its allocations has the claim alone.
    #[must_use]
    pub fn predicted_bytes(&self, build: Build) -> u64 {
        let claimed = self.claimed_bytes(build);
        self.counted_bytes(build).filter(|&counted| counted > claimed.saturating_mul(2)).unwrap_or(claimed)
    }

    /// The bytes of a build, extrapolated along the line through two small ones whose bytes were counted. `None` where they
    /// cannot be counted or built.
    fn counted_bytes(&self, build: Build) -> Option<u64> {
        let points = if self.limits.uses_points { build.points.min(SMALL_POINTS) } else { build.points };
        let peak = |buckets| {
            let small = Build { buckets, points, slots: 0, ..build };
            // A crate may panic; then nothing is known.
            std::panic::catch_unwind(|| (self.heap)(small)).ok()?.ok().map(|heap| heap.peak_bytes)
        };
        let [fewer, more] = SMALL.map(|buckets| buckets.clamp(self.limits.least_buckets, self.limits.most_buckets));
        if fewer == more || build.buckets <= more {
            return None;
        }
        let (small, large) = (peak(fewer)?, peak(more)?);
        let per_unit =
            large.saturating_sub(small) as f64 / (self.units(fewer, points) - self.units(more, points)).abs();
        let rest = self.units(build.buckets, build.points) - self.units(more, points);
        Some((large as f64 + per_unit * rest) as u64)
    }

    /// The points or the buckets, of which a build takes so many bytes each.
    fn units(&self, buckets: u32, points: u32) -> f64 {
        f64::from(buckets) * if self.limits.uses_points { f64::from(points) } else { 1.0 }
    }

    /// Upper bound of the heap that building it takes, in bytes, by what its entry says of its [costs](Self::costs).
    #[must_use]
    pub fn claimed_bytes(&self, build: Build) -> u64 {
        let points = if self.limits.uses_points { build.points.into() } else { 1 };
        let units = u64::from(build.buckets) * points;
        units.saturating_mul(self.costs.build_bytes).saturating_add(self.costs.table_bytes)
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

/// What it can do is asked of it: `entry.remove`.
impl std::ops::Deref for Implementation {
    type Target = Capabilities;

    fn deref(&self) -> &Capabilities {
        &self.can
    }
}
