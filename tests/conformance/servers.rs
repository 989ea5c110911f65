//! Nodes in the forms in which the files of several systems have them.

use anyhow::Result;
use consistent_hash_lab::systems::Node;

use crate::fields::Fields;

/// The weight of a node, 1 if it has none.
pub fn weight(node: &mut Fields) -> Result<u32> {
    Ok(node.maybe("weight")?.unwrap_or(1))
}

/// {server, weight}.
pub fn server(node: &mut Fields) -> Result<Node> {
    Ok(Node::new(node.get::<&str>("server")?, weight(node)?))
}

/// {host, port, name, weight}; the name is the address unless there is another.
pub fn host_and_port(node: &mut Fields) -> Result<Node> {
    let address = format!("{}:{}", node.get::<&str>("host")?, node.get::<u16>("port")?);
    Ok(Node::new(node.maybe("name")?.unwrap_or(address), weight(node)?))
}

/// Nodes of weight 1.
pub fn unweighted(names: &[String]) -> Vec<Node> {
    names.iter().map(|name| Node::new(name, 1)).collect()
}
