//! consistent-hash-lab.
pub mod algorithms;
