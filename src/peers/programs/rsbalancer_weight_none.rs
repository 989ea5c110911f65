//! `rsbalancer`: "number of virtual nodes = node.weight * replicas", for weight 0.

use rsbalancer::Node;

pub fn main() {
    let nodes = vec![Node::new("ip1".to_owned(), 1), Node::new("ip2".to_owned(), 0), Node::new("ip3".to_owned(), 1)];
    let ring = rsbalancer::consistent_hashing(nodes, 160);
    let owned = (0..100_000).filter(|key| ring.get_matching_node_id(&key.to_string()).is_some_and(|id| id == "ip2")).count();
    assert!(owned > 0, "it has no keys");
    println!("found: `get_matching_node_id` sends {owned} of 100000 keys to a node of weight 0, beside two of weight 1");
}
