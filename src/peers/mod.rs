//! Other people's implementations, and other languages', behind the traits of [`algorithms`](crate::algorithms).

pub mod cpp;
#[cfg(feature = "peers")]
pub mod crates;
