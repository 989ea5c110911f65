//! How the experiments measure.

pub mod memory;
