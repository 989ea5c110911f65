//! All implementations that a command line may name: the [catalogue](crate::catalog), then the surveyed crates, which only a
//! build with the feature `peers` has.

use crate::catalog::{self, Implementation};

/// The crates that were surveyed; none in a build without the feature `peers`.
pub fn surveyed() -> impl Iterator<Item = &'static Implementation> {
    #[cfg(feature = "peers")]
    return crate::peers::peers();
    #[cfg(not(feature = "peers"))]
    std::iter::empty()
}

/// All: the catalogue, then the surveyed crates.
pub fn all() -> impl Iterator<Item = &'static Implementation> {
    catalog::catalog().iter().chain(surveyed())
}

/// The implementation with this id.
#[must_use]
pub fn find(id: &str) -> Option<&'static Implementation> {
    all().find(|implementation| implementation.id == id)
}
