//! dgryski/go-rendezvous.

use anyhow::Result;
use consistent_hash_lab::systems::go_rendezvous::GoRendezvous;

use crate::go::{living_nodes, no_params};
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        no_params(case)?;
        let system = GoRendezvous::new(&living_nodes(case)?)?;
        compare_owners(case, &system)
    })
}
