//! What an implementation can do: a constructor for each of the traits that it has.

use super::{Build, BuildError};
use crate::algorithms::{Partitioner, Remove, Replicas, Resize, State, Weighted};
use crate::measure::memory::Heap;
use crate::measure::time::Measured;

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

/// Counts the bytes that a build asks for.
pub type HeapCounter = fn(Build) -> Result<Heap, BuildError>;

/// The same implementation with other names of its buckets, each with what it shows.
pub type Names = &'static [(&'static str, Constructor<dyn Measured>)];

/// The constructors of an implementation. [`can!`](crate::can) writes them from one expression.
#[derive(Clone, Copy)]
pub struct Capabilities {
    /// As something that answers look-ups: what all can.
    pub build: Constructor<dyn Measured>,
    /// The bytes that it asks for: counted, not [predicted](super::Implementation::predicted_bytes). Ours are seen by the
    /// program's allocator, which must be a [`CountingAllocator`](crate::measure::memory::CountingAllocator); C++ counts its
    /// own.
    pub heap: HeapCounter,
    /// As something that grows and shrinks at its end, if it can.
    pub resize: Option<Constructor<dyn Resize>>,
    /// As something in which any bucket may fail, if it can.
    pub remove: Option<Constructor<dyn Remove>>,
    /// With weights, one for each bucket, if it has any.
    pub weigh: Option<Weigher>,
    /// The exact shares of those weights, if they are known.
    pub weighted_shares: Option<WeightedShares>,
    /// As something that names more than one bucket for a key, if it can.
    pub replicas: Option<Constructor<dyn Replicas>>,
    /// After some removals, and reloaded from its saved state, if that can be had.
    pub reload: Option<Reloader>,
    /// With other names of its buckets; for those whose buckets have names.
    pub names: Names,
}

impl Capabilities {
    /// Look-ups and nothing else.
    #[must_use]
    pub const fn new(build: Constructor<dyn Measured>, heap: HeapCounter) -> Self {
        Self {
            build,
            heap,
            resize: None,
            remove: None,
            weigh: None,
            weighted_shares: None,
            replicas: None,
            reload: None,
            names: &[],
        }
    }

    /// Counts its own heap.
    #[must_use]
    pub const fn counted_by(self, heap: HeapCounter) -> Self {
        Self { heap, ..self }
    }

    /// Takes a weight for each bucket.
    #[must_use]
    pub const fn with_weights(self, weigh: Weigher) -> Self {
        Self { weigh: Some(weigh), ..self }
    }

    /// Takes a weight for each bucket, and the shares that follow from them are known.
    #[must_use]
    pub const fn with_weighted_shares(self, weigh: Weigher, shares: WeightedShares) -> Self {
        Self { weigh: Some(weigh), weighted_shares: Some(shares), ..self }
    }

    /// Can be saved and loaded; by [`reloaded`], or with a mistake.
    #[must_use]
    pub const fn reloading(self, reload: Reloader) -> Self {
        Self { reload: Some(reload), ..self }
    }

    /// Gives its buckets names, of which these are others than the usual ones.
    #[must_use]
    pub const fn named(self, names: Names) -> Self {
        Self { names, ..self }
    }
}

/// The [`Capabilities`](crate::catalog::Capabilities) of a type, from the expression that builds one:
/// `can!(b => Memento::new(b.buckets, Mix::new(b.seed)), resize, remove, failover, reload)`, with `b` the
/// [`Build`](crate::catalog::Build). Behind the expression stand the traits that the type has, by the words of this table;
/// a word whose trait is missing does not compile.
///
/// | word | the type implements |
/// |---|---|
/// | `resize` | [`Resize`](crate::algorithms::Resize) |
/// | `remove` | [`Remove`](crate::algorithms::Remove) |
/// | `replicas` | [`Replicas`](crate::algorithms::Replicas) |
/// | `failover` | [`Remove`](crate::algorithms::Remove) and `Clone`: replicas by [`Failover`](crate::algorithms::Failover) |
/// | `reload` | [`State`](crate::algorithms::State), with a hash family that is a [`Mix`](crate::algorithms::hash::Mix) |
#[macro_export]
macro_rules! can {
    (@ $can:ident, $build:ident => $new:expr, failover) => {
        $can.replicas =
            Some(|$build: $crate::catalog::Build| Ok(Box::new($crate::algorithms::Failover { partitioner: $new? })))
    };
    (@ $can:ident, $build:ident => $new:expr, reload) => {
        $can.reload = Some(|$build: $crate::catalog::Build, removed: &[u32]| {
            $crate::catalog::reloaded($new?, removed, $crate::algorithms::hash::Mix::new($build.seed))
        })
    };
    (@ $can:ident, $build:ident => $new:expr, $capability:ident) => {
        $can.$capability = Some(|$build: $crate::catalog::Build| Ok(Box::new($new?)))
    };
    ($build:ident => $new:expr $(, $capability:ident)*) => {{
        #[allow(unused_mut)]
        let mut can = $crate::catalog::Capabilities::new(
            |$build: $crate::catalog::Build| Ok(Box::new($new?)),
            |$build: $crate::catalog::Build| {
                let (built, heap) = $crate::measure::memory::measure(|| $new)?;
                // Used, or the compiler may leave out its allocations.
                std::hint::black_box(&built?);
                Ok(heap)
            },
        );
        $($crate::can!(@ can, $build => $new, $capability);)*
        can
    }};
}

/// [`can!`](crate::can) for a constructor of the C++ references, which count their own heap.
macro_rules! cpp {
    ($build:ident => $new:expr) => {
        $crate::can!($build => $new).counted_by(|$build| {
            let built = $new?;
            Ok($crate::measure::memory::Heap { live_bytes: built.live_bytes(), peak_bytes: built.peak_bytes() })
        })
    };
}
pub(super) use cpp;

/// Removes buckets, saves the state, and builds the same again from that: what `reload` in [`can!`](crate::can) does.
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
