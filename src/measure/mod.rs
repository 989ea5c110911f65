//! How partitioners are measured.

pub mod time;
