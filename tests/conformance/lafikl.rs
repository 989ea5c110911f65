//! lafikl/consistent. A case whose name begins with `bounded` sends the keys one after the other, `GetLeast` and `Inc`.

use anyhow::Result;
use consistent_hash_lab::systems::lafikl::{BoundedLafikl, Lafikl};

use crate::go::{living_nodes, no_params};
use crate::vectors::{Fields, compare_owners, each_case, keys};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        no_params(case)?;
        let nodes = living_nodes(case)?;
        if !case.get::<&str>("name")?.starts_with("bounded") {
            return compare_owners(case, &Lafikl::new(&nodes)?);
        }
        let mut hosts = BoundedLafikl::new(&nodes)?;
        let keys = keys(case)?;
        let owners = keys.iter().map(|key| {
            let host = hosts.least(key.as_bytes());
            hosts.increment(host);
            host
        });
        case.compare("result", owners)
    })
}
