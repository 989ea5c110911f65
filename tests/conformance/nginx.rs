//! nginx.

use anyhow::{Result, bail};
use consistent_hash_lab::systems::Node;
use consistent_hash_lab::systems::nginx::{Method, Nginx};

use crate::servers::server;
use crate::vectors::{Fields, compare_owners, each_case};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let servers = case.objects("nodes", |node| Ok((server(node)?, node.maybe("down")?.unwrap_or(false))))?;
        let down: Vec<usize> = (0..servers.len()).filter(|&index| servers[index].1).collect();
        let nodes: Vec<Node> = servers.into_iter().map(|(node, _)| node).collect();
        let method = match case.get("mode")? {
            "consistent" => Method::Consistent,
            "modulo" => Method::Plain,
            other => bail!("mode {other:?} maps to nothing here"),
        };
        compare_owners(case, &Nginx::new(&nodes, method, &down)?)
    })
}
