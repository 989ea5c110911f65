//! The Python package uhashring.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::uhashring::{Mode, Uhashring};

use crate::servers::server;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let nodes = case.objects("nodes", server)?;
        let mode = match case.get("mode")? {
            "default" => Mode::Default,
            "ketama" => Mode::Ketama,
            other => bail!("mode {other:?} maps to nothing here"),
        };
        let vnodes = case.maybe("vnodes")?.unwrap_or(mode.vnodes());
        let ring = Uhashring::new(&nodes, mode, vnodes)?;
        Ok(case.compare_number_if_given("points", ring.points().len())? + compare_owners(case, &ring)?)
    })
}
