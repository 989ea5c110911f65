//! What people read and type: tables with their units, and what a mistyped id may have meant.

pub mod nearest;
pub mod table;
