//! buraksezer/consistent.

use anyhow::Result;
use consistent_hash_lab::systems::System;
use consistent_hash_lab::systems::buraksezer::{Buraksezer, Options, Release};

use crate::go::living_nodes;
use crate::vectors::{Fields, each_case, keys};

pub fn check(file: &mut Fields, release: Release) -> Result<usize> {
    each_case(file, |case| {
        let options = case.object("params", |params| {
            let (partitions, points) = (params.get("Parts")?, params.get("Repl")?);
            Ok(Options { partitions, points, load: params.get("Load")?, release })
        })?;
        let system = Buraksezer::new(&living_nodes(case)?, options)?;
        let keys = keys(case)?;
        let closest = keys.iter().take(50).map(|key| system.closest(key.as_bytes(), 3));
        Ok(case.compare("result", keys.iter().map(|key| system.node(key.as_bytes())))?
            + case.compare_if_given("partition_owner", system.owners().iter().copied())?
            + case.compare_number_if_given("average_load", system.capacity() as usize)?
            + case.compare_if_given("closest3_first50_keys", closest)?)
    })
}
