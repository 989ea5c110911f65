//! libketama.

use anyhow::Result;
use consistent_hash_lab::systems::libketama::Libketama;

use crate::servers::server;
use crate::vectors::{Fields, compare_owners, compare_points_per_server, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let nodes = case.objects("nodes", server)?;
        let ketama = Libketama::new(&nodes)?;
        Ok(compare_points_per_server(case, nodes.len(), ketama.points())?
            + case.compare_number_if_given("total_points", ketama.points().len())?
            + case.compare_if_given("continuum", ketama.points())?
            + compare_owners(case, &ketama)?)
    })
}
