//! kkdai/maglev.

use anyhow::Result;
use consistent_hash_lab::systems::kkdai_maglev::{KkdaiMaglev, Release};

use crate::go::living_nodes;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields, release: Release) -> Result<usize> {
    each_case(file, |case| {
        let size = case.object("params", |params| params.get("M"))?;
        let maglev = KkdaiMaglev::new(&living_nodes(case)?, size, release)?;
        Ok(compare_owners(case, &maglev)? + case.compare_if_given("table", maglev.table().iter().copied())?)
    })
}
