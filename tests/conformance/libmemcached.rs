//! libmemcached.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::libmemcached::{Distribution, Hash, Libmemcached};

use crate::servers::host_and_port;
use crate::vectors::{Fields, compare_owners, compare_points_per_server, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let nodes = case.objects("nodes", host_and_port)?;
        let distribution = match case.get("mode")? {
            "modula" => Distribution::Modula,
            "ketama" | "consistent" => Distribution::Ketama,
            "ketama_weighted" => Distribution::KetamaWeighted,
            "spy" => Distribution::Spy,
            "spy_weighted" => Distribution::SpyWeighted,
            other => bail!("mode {other:?} maps to nothing here"),
        };
        let hash = match case.get("hash")? {
            "default(one_at_a_time)" | "default" | "one_at_a_time" => Hash::OneAtATime,
            "md5" => Hash::Md5,
            "crc" => Hash::Crc,
            "fnv1_64" => Hash::Fnv1_64,
            "fnv1a_64" => Hash::Fnv1a64,
            "fnv1_32" => Hash::Fnv1_32,
            "fnv1a_32" => Hash::Fnv1a32,
            "murmur" => Hash::Murmur,
            "jenkins" => Hash::Jenkins,
            other => bail!("hash {other:?} maps to nothing here"),
        };
        let client = Libmemcached::new(&nodes, distribution, hash)?;
        Ok(compare_points_per_server(case, nodes.len(), client.points())? + compare_owners(case, &client)?)
    })
}
