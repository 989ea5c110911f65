//! twemproxy.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::twemproxy::{Distribution, Hash, HashTag, Twemproxy};

use crate::servers::host_and_port;
use crate::vectors::{Fields, compare_owners, compare_points_per_server, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        // Whether whoever recorded the case could also compute it.
        case.maybe::<bool>("modelled")?;
        let nodes = case.objects("nodes", host_and_port)?;
        let distribution = match case.get("distribution")? {
            "ketama" => Distribution::Ketama,
            "modula" => Distribution::Modula,
            other => bail!("distribution {other:?} maps to nothing here"),
        };
        let hash = match case.get("hash")? {
            "one_at_a_time" => Hash::OneAtATime,
            "md5" => Hash::Md5,
            "crc16" => Hash::Crc16,
            "crc32" => Hash::Crc32,
            "crc32a" => Hash::Crc32a,
            "fnv1_64" => Hash::Fnv1_64,
            "fnv1a_64" => Hash::Fnv1a64,
            "fnv1_32" => Hash::Fnv1_32,
            "fnv1a_32" => Hash::Fnv1a32,
            "hsieh" => Hash::Hsieh,
            "murmur" => Hash::Murmur,
            "jenkins" => Hash::Jenkins,
            other => bail!("hash {other:?} maps to nothing here"),
        };
        let tag = match case.maybe("hash_tag")?.map(str::as_bytes) {
            None => None,
            Some(&[open, close]) => Some(HashTag { open, close }),
            Some(other) => bail!("hash tag {other:?} maps to nothing here"),
        };
        let pool = Twemproxy::new(&nodes, distribution, hash, tag)?;
        Ok(compare_points_per_server(case, nodes.len(), pool.points())? + compare_owners(case, &pool)?)
    })
}
