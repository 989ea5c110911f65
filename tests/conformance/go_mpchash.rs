//! dgryski/go-mpchash.

use anyhow::Result;
use consistent_hash_lab::systems::go_mpchash::{GoMpchash, Options};

use crate::go::living_nodes;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let options =
            case.object("params", |params| Ok(Options { probes: params.get("K")?, seeds: params.get("Seeds")? }))?;
        let system = GoMpchash::new(&living_nodes(case)?, options)?;
        compare_owners(case, &system)
    })
}
