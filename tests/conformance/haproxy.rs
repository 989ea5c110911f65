//! HAProxy, with and without bounded loads.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::Node;
use consistent_hash_lab::systems::haproxy::{Bounded, Consistent, Function, KeyHash, MapBased, Server};

use crate::servers::weight;
use crate::vectors::{Fields, compare_owners, each_case, keys};

enum Method {
    Consistent,
    MapBased,
}

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let servers = case.objects("nodes", server)?;
        let servers: Vec<Server> = (1..)
            .zip(servers)
            .map(|(place, (node, id, disabled))| Server { node, id: id.unwrap_or(place), disabled })
            .collect();
        let (method, hash) = case.object("hash_type", hash_type)?;
        let path_only = match case.get("balance")? {
            "uri" => true,
            "uri whole" => false,
            header if header.starts_with("hdr(") => false,
            other => bail!("balance {other:?} maps to nothing here"),
        };
        let hash = KeyHash { path_only, ..hash };
        match (method, case.maybe("hash_balance_factor")?) {
            (Method::Consistent, None) => compare_owners(case, &Consistent::new(&servers, hash)?),
            (Method::MapBased, None) => compare_owners(case, &MapBased::new(&servers, hash)?),
            (Method::Consistent, Some(factor)) => {
                // Every earlier request is still in flight.
                let mut backend = Bounded::new(&servers, hash, factor)?;
                let keys = keys(case)?;
                case.compare("result", keys.iter().map(|key| backend.begin(key.as_bytes())))
            }
            (Method::MapBased, Some(_)) => bail!("bounded loads of a map"),
        }
    })
}

/// Node, id if it has one, whether it is disabled.
fn server(fields: &mut Fields) -> Result<(Node, Option<u32>, bool)> {
    let node = Node::new(fields.get::<&str>("name")?, weight(fields)?);
    Ok((node, fields.maybe("id")?, fields.maybe("disabled")?.unwrap_or(false)))
}

fn hash_type(fields: &mut Fields) -> Result<(Method, KeyHash)> {
    let (method, defaults) = match fields.get("method")? {
        "consistent" => (Method::Consistent, KeyHash::CONSISTENT),
        "map-based" => (Method::MapBased, KeyHash::MAP_BASED),
        other => bail!("method {other:?} maps to nothing here"),
    };
    let function = match fields.maybe("function")? {
        None => None,
        Some("sdbm") => Some(Function::Sdbm),
        Some("djb2") => Some(Function::Djb2),
        Some("wt6") => Some(Function::Wt6),
        Some("crc32") => Some(Function::Crc32),
        Some(other) => bail!("function {other:?} maps to nothing here"),
    };
    let avalanche = fields.maybe("avalanche")?.unwrap_or(false);
    let hash = match function {
        None => KeyHash { avalanche: avalanche || defaults.avalanche, ..defaults },
        Some(function) => KeyHash { function, avalanche, ..defaults },
    };
    Ok((method, hash))
}
