//! Other people's implementations, and other languages', behind the traits of [`algorithms`](crate::algorithms).

pub mod cpp;
#[cfg(feature = "peers")]
pub mod crates;

use crate::catalog::{self, Implementation};

/// The crates that were surveyed; none in a build without the feature `peers`.
pub fn surveyed() -> impl Iterator<Item = &'static Implementation> {
    #[cfg(feature = "peers")]
    return crates::peers();
    #[cfg(not(feature = "peers"))]
    std::iter::empty()
}

/// The implementation with this id: of the [catalogue](catalog::catalog), or a surveyed crate.
#[must_use]
pub fn find(id: &str) -> Option<&'static Implementation> {
    catalog::find(id).or_else(|| surveyed().find(|peer| peer.id == id))
}
