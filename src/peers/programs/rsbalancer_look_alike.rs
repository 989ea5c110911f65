//! `rsbalancer`: point 1 of the node "cache" is the first point of the node "cache-1".

use rsbalancer::Node;

pub fn main() {
    let of = |ids: &[&str]| {
        let nodes = ids.iter().map(|id| Node::new((*id).to_owned(), 1)).collect();
        rsbalancer::consistent_hashing(nodes, 10)
    };
    let mut shrunk = of(&["cache", "web", "cache-1", "cache-2", "cache-3"]);
    for gone in ["cache-1", "cache-2", "cache-3"] {
        shrunk.remove_node(&gone.to_owned()).expect("it is there");
    }
    let anew = of(&["cache", "web"]);
    let keys = (0..10_000).map(|key| format!("key-{key}"));
    let differ = keys.filter(|key| shrunk.get_matching_node_id(key) != anew.get_matching_node_id(key)).count();
    assert!(differ > 0, "they agree");
    println!("found: `remove_node` of cache-1 to cache-3 takes points of cache away: {differ} of 10000 keys are elsewhere, with 10 replicas");
}
