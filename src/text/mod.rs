//! What people read and type: tables with their units, answers and messages, and what a mistyped id may have meant.

pub mod nearest;
pub mod table;
pub mod terminal;
