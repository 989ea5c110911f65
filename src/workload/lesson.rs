//! The lesson on a ring of 360 positions: its keys and its nodes (`lesson.*` in `published.json`). A key belongs to the
//! first token at or after it.

use crate::algorithms::{Boundary, Error, TokenRing};

/// Positions on the circle.
pub const POSITIONS: u64 = 360;

/// The positions of the keys K0 to K11.
pub const KEYS: [u64; 12] = [10, 35, 60, 95, 125, 155, 185, 205, 235, 260, 310, 345];

/// Nodes with their tokens.
pub type Nodes = &'static [(&'static str, &'static [u64])];

/// The ring at the beginning.
pub const START: Nodes = &[("N1", &[20]), ("N2", &[140]), ("N3", &[280])];
/// After N4 joined.
pub const JOINED: Nodes = &[("N1", &[20]), ("N2", &[140]), ("N3", &[280]), ("N4", &[220])];
/// After N2 left.
pub const LEFT: Nodes = &[("N1", &[20]), ("N3", &[280]), ("N4", &[220])];
/// An uneven ring of one token each.
pub const ONE_TOKEN: Nodes = &[("N1", &[20]), ("N2", &[80]), ("N3", &[300])];
/// The same nodes with three tokens each.
pub const THREE_TOKENS: Nodes = &[("N1", &[20, 140, 260]), ("N2", &[80, 200, 320]), ("N3", &[100, 240, 300])];

/// The name of a key.
#[must_use]
pub fn key_name(index: usize) -> String {
    format!("K{index}")
}

/// The ring of these nodes.
///
/// # Errors
/// As [`TokenRing::new`].
pub fn ring(nodes: Nodes) -> Result<TokenRing, Error> {
    TokenRing::new(nodes.iter().map(|&(name, tokens)| (name, tokens.iter().copied())), Boundary::AtOrAfter)
}
