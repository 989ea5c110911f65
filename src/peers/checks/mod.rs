//! Checks for crates only: what a user of a crate may do that no check of an algorithm asks for.

use crate::verify::Check;

/// All of them.
pub static CHECKS: &[Check] = &[];
