//! pymemcache's rendezvous.

use anyhow::Result;
use consistent_hash_lab::systems::pymemcache_rendezvous::PymemcacheRendezvous;

use crate::servers::unweighted;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let nodes: Vec<String> = case.get("nodes")?;
        let system = PymemcacheRendezvous::new(&unweighted(&nodes), case.get("seed")?)?;
        compare_owners(case, &system)
    })
}
