//! How to measure: shares and movement exactly, time and memory so that the figures can be trusted.

pub mod memory;
pub mod movement;
pub mod share;
pub mod share_multi_probe;
pub mod share_nearest;
pub mod steps;
pub mod time;
