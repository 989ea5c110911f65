//! Everything that can be measured: id, name, paper, what it promises, what it can do, how it is built.
//!
//! Entries stand by family, one file each. To add an algorithm: one file in `algorithms/`, one [`Implementation`] in the file
//! of its family here, and its name in the list of [`catalog`]. It is then verified, measured and drawn with all others.
//! `docs/adding-an-algorithm.md` shows each step.

mod algorithm;
mod build;
mod can;
mod implementation;
pub(crate) mod parameters;
mod shares;

mod jump;
mod removable;
mod rendezvous;
mod rings;
mod tables;

pub use algorithm::Algorithm;
pub use build::{Build, BuildError};
pub use can::{Capabilities, Constructor, HeapCounter, Names, Reloaded, Reloader, Weigher, WeightedShares, reloaded};
pub use implementation::{Costs, Implementation, Limits, Promises, Shown, Source};
pub(crate) use rings::ring64_shares;
pub use shares::{Shares, proportional, uniform_shares};
pub(crate) use shares::{of_table, ring_of_weights};

/// In the order in which charts and tables show them.
static CATALOG: &[Implementation] = &[
    jump::MODULO,
    jump::JUMP,
    jump::JUMP_CPP,
    jump::JUMP_LINEAR,
    rings::RING_BTREE,
    rings::RING_MAP_CPP,
    rings::RING_SORTED32,
    rings::RING_SORTED_CPP,
    rings::RING_SORTED64,
    rendezvous::RENDEZVOUS,
    jump::JUMP_DRAWS,
    jump::JUMP_BACK,
    jump::JUMP_BACK32,
    jump::POWER,
    jump::FLIP,
    jump::BINOMIAL,
    jump::ROUND,
    removable::MEMENTO,
    removable::JUMP_BACK_ANCHOR,
    removable::ANCHOR,
    removable::ANCHOR_COMPACT,
    removable::DX,
    rings::RING_NEAREST,
    rings::RING_WEIGHTED,
    rings::MULTI_PROBE,
    rings::TOKEN_ALLOCATOR,
    rings::DYNAMO,
    tables::PARTITION_TABLE,
    tables::MAGLEV,
    rendezvous::RENDEZVOUS_WEIGHTED,
];

/// All implementations, in the order in which charts and tables show them.
#[must_use]
pub fn catalog() -> &'static [Implementation] {
    CATALOG
}

/// Those that experiments compare unasked.
pub fn in_figures() -> impl Iterator<Item = &'static Implementation> + Clone {
    catalog().iter().filter(|implementation| implementation.shown.in_figures)
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
