//! consistent-hash-lab: a laboratory for consistent hashing. It re-runs what the papers published, ranks algorithms that
//! have first proved that they are correct, and notices when an implementation gets slower.
//!
//! The modules, in the order in which data flows: **catalog → workload → measure → record → chart, verdict → report**.
//! Each imports only from those above it in this list.
//!
//! | module | what it is for |
//! |---|---|
//! | [`algorithms`] | one file, one algorithm; imports nothing else of this crate |
//! | [`nearest`] | what a mistyped id may have meant |
//! | [`systems`] | where deployed software sends each key, bit for bit |
//! | [`workload`] | keys and documents to reproduce to the key |
//! | [`statistics`] | quantiles, intervals, tests |
//! | [`terminal`] | what a program says: answers and messages |
//! | [`files`] | files that are replaced whole |
//! | [`table`] | a table for a terminal or a page |
//! | [`measure`] | exact shares, movement, time, memory |
//! | [`peers`] | other people's implementations: the C++ of the papers |
//! | [`catalog`] | everything that can be measured |
//! | [`controls`] | wrong on purpose |
//! | [`verify`] | is it right? |
//! | [`experiment`] | command line, grid, runner, record, environment |
//! | [`published`] | what was published, and the verdict rules |
//! | [`chart`] | pictures; the only module that knows plotters |
//! | [`study`] | an experiment with its verdicts and charts: what a file in `experiments/` defines |
//! | [`report`] | records into pages |

pub mod algorithms;
pub mod catalog;
pub mod chart;
pub mod controls;
pub mod experiment;
pub mod files;
pub mod measure;
pub mod nearest;
pub mod peers;
pub mod published;
pub mod report;
pub mod statistics;
pub mod study;
pub mod systems;
pub mod table;
pub mod terminal;
pub mod verify;
pub mod workload;
