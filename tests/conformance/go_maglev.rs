//! dgryski/go-maglev.

use anyhow::Result;
use consistent_hash_lab::systems::go_maglev::GoMaglev;

use crate::go::final_nodes;
use crate::vectors::{Fields, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let size = case.object("params", |params| params.get("M"))?;
        let (nodes, dead): (_, Vec<usize>) = (final_nodes(case)?, case.get("dead")?);
        let maglev = GoMaglev::new(&nodes, size, &dead)?;
        let keys: Vec<u64> = case.get("keys")?;
        Ok(case.compare("result", keys.iter().map(|&key| maglev.number(key)))?
            + case.compare_if_given("table", maglev.table().iter().copied())?)
    })
}
