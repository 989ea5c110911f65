//! The npm package hashring.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::npm_hashring::{Compatibility, NpmHashring, Options};

use crate::servers::server;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let nodes = case.objects("nodes", server)?;
        let ring = NpmHashring::new(&nodes, case.object("options", options)?)?;
        Ok(case.compare_number_if_given("points", ring.points().len())? + compare_owners(case, &ring)?)
    })
}

fn options(fields: &mut Fields) -> Result<Options> {
    let defaults = Options::default();
    Ok(Options {
        vnodes: fields.maybe("vnode count")?.unwrap_or(defaults.vnodes),
        compatibility: match fields.maybe("compatibility")? {
            None => defaults.compatibility,
            Some("ketama") => Compatibility::Ketama,
            Some("hash_ring") => Compatibility::HashRing,
            Some(other) => bail!("compatibility {other:?} maps to nothing here"),
        },
        default_port: fields.maybe("default port")?,
    })
}
