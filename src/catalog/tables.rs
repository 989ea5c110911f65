//! A table of slots, filled anew at each change.

use super::parameters::{LOAD, MAGLEV_LARGE, maglev_slots, partition_slots};
use super::shares::of_table;
use super::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};
use crate::algorithms::hash::Mix;
use crate::algorithms::{Error, Maglev, PartitionTable};
use crate::can;

pub(super) const PARTITION_TABLE: Implementation = Implementation {
    id: "partition-table",
    name: "partition table, bounded loads",
    algorithm: Algorithm::PartitionTable,
    source: Source::Ours,
    paper: "Mirrokni et al. 2016; buraksezer/consistent",
    limits: Limits::NONE.with_points(),
    promises: Promises::NOT_MONOTONE,
    // Some hundred bytes for each of its 65,537 partitions.
    costs: Costs::new("O(1)", 256).with_table(104 * 65_537),
    shares: Shares::Exact(partition_shares),
    can: can!(b => partitions(b), remove),
    shown: Shown::on_request(7),
};

pub(super) const MAGLEV: Implementation = Implementation {
    id: "maglev",
    name: "Maglev",
    algorithm: Algorithm::Maglev,
    source: Source::Ours,
    paper: "Eisenbud et al. 2016",
    limits: Limits::up_to(MAGLEV_LARGE),
    promises: Promises::NOT_MONOTONE,
    // A hundred slots a bucket, or more by the step from one table to the other.
    costs: Costs::new("O(1)", 4096).with_table(300_000),
    shares: Shares::Exact(maglev_shares),
    can: can!(b => maglev(b), resize, remove),
    shown: Shown::on_request(8),
};

fn maglev(build: Build) -> Result<Maglev, Error> {
    Maglev::new(build.buckets, maglev_slots(build).into(), Mix::new(build.seed))
}

fn partitions(build: Build) -> Result<PartitionTable, Error> {
    PartitionTable::new(build.buckets, build.points, partition_slots(build), LOAD, Mix::new(build.seed))
}

fn maglev_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(of_table(maglev(build)?.table(), build.buckets))
}

fn partition_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    Ok(of_table(partitions(build)?.table(), build.buckets))
}
