//! What the subcommands of `chlab` do that are more than a call of the library.

pub mod coverage_command;
pub mod verify_command;
pub mod where_command;
