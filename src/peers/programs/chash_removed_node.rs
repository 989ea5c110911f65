//! `chash`: a node that was added together with others, and then removed, still owns keys.

use std::hash::{BuildHasherDefault, DefaultHasher};

use chash::{HashRing, HashRingConfig};

pub fn main() {
    let ring = HashRing::with_config(HashRingConfig::with_build_hasher(BuildHasherDefault::<DefaultHasher>::default()));
    ring.add_nodes((0..10).map(|node| format!("node-{node}")).collect()).expect("ten nodes");
    ring.remove_nodes(vec!["node-7".to_owned()]).expect("it is there");
    assert_eq!(ring.has_node("node-7"), Ok(false));
    let owner = |key: &u64| ring.locate_key::<_, String>(key).expect("nine nodes");
    let still = (0..10_000_u64).filter(|key| owner(key) == "node-7").count();
    assert!(still > 0, "no key has the removed node");
    println!("found: after `remove_nodes(vec![\"node-7\"])` {still} of 10000 keys still have node-7, one of ten nodes added at once");
}
