//! consistent-hash-lab.
pub mod algorithms;
pub mod chart;
