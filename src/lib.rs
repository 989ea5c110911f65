//! consistent-hash-lab: a laboratory for consistent hashing. It re-runs what the papers published, ranks algorithms that
//! have first proved that they are correct, and notices when an implementation gets slower.
//!
//! The modules, in the order in which data flows: **catalog → workload → measure → record → chart, verdict → report**.
//! Each imports only from those above it in this list. `ARCHITECTURE.md` has the floors, the rules of verdicts, and where to add
//! what.
//!
//! | module | what it is for |
//! |---|---|
//! | [`algorithms`] | one file, one algorithm; imports nothing else of this crate |
//! | [`files`] | files that are replaced whole |
//! | [`text`] | tables and messages for a terminal; what a mistyped id may have meant |
//! | [`systems`] | where deployed software sends each key, bit for bit |
//! | [`workload`] | keys and documents to reproduce to the key |
//! | [`statistics`] | quantiles, intervals, tests |
//! | [`measure`] | exact shares, movement, time, memory |
//! | [`references`] | the papers' own programs, in C++ |
//! | [`catalog`] | everything that can be measured |
//! | [`controls`] | wrong on purpose |
//! | [`verify`] | is it right? |
//! | `peers` | the crates that people would pick; in builds with the feature `peers` |
//! | [`implementations`] | all that a command line may name: the catalogue and the crates |
//! | [`experiment`] | command line, grid, runner, record, environment |
//! | [`false_alarms`] | the checks under many seeds: is right code ever called wrong? |
//! | [`published`] | what was published, and the verdict rules |
//! | [`chart`] | pictures; the only module that knows plotters |
//! | [`study`] | an experiment with its verdicts and charts: what a file in `experiments/` defines |
//! | [`coverage`] | do the intervals of times cover a repeat? |
//! | [`report`] | records into pages |

pub mod algorithms;
pub mod catalog;
pub mod chart;
pub mod controls;
pub mod coverage;
pub mod experiment;
pub mod false_alarms;
pub mod files;
#[cfg(test)]
mod floors;
pub mod implementations;
pub mod measure;
#[cfg(feature = "peers")]
pub mod peers;
pub mod published;
pub mod references;
pub mod report;
pub mod statistics;
pub mod study;
pub mod systems;
pub mod text;
pub mod verify;
pub mod workload;
