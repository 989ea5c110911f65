//! What holds for every entry, besides the promises that `verify::systems` holds it against.

use std::collections::HashSet;

use super::*;

/// Systems that accept weight 0: as none for this node, or, as libmemcached does, as 1.
const WITH_ZERO: [&str; 7] = [
    "haproxy-consistent",
    "haproxy-map",
    "libmemcached-ketama",
    "libmemcached-ketama-weighted",
    "libmemcached-modula",
    "uhashring",
    "uhashring-ketama",
];

fn keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = (0..=u8::MAX).map(|byte| vec![byte; usize::from(byte) % 40]).collect();
    keys.extend((0..500_u32).map(|key| key.to_le_bytes().to_vec()));
    keys.extend((0..500).map(|key| format!("key-{key}").into_bytes()));
    keys.push(vec![0xff; 10_000]);
    keys
}

fn build(entry: &Entry, nodes: &[Node]) -> Box<dyn System> {
    (entry.build)(nodes).unwrap_or_else(|error| panic!("{}: {error}", entry.id))
}

#[test]
fn ids_are_unique_and_sorted() {
    assert!(systems().is_sorted_by(|a, b| a.id < b.id), "{:?}", systems().iter().map(|e| e.id).collect::<Vec<_>>());
}

#[test]
fn every_key_has_an_owner_and_every_node_keys() {
    let nodes = equal(5);
    for entry in systems() {
        let system = build(entry, &nodes);
        let owners: HashSet<usize> = keys().iter().map(|key| system.node(key)).collect();
        assert_eq!(owners, (0..5).collect(), "{}", entry.id);
    }
}

#[test]
fn any_name_will_do() {
    let names = ["", " ", "é", "a-1", "a", "-", "::", "[::1]:80", "unix:/", "0", "\0", "\u{10ffff}"];
    let mut nodes: Vec<Node> = names.map(|name| Node::new(name, 1)).to_vec();
    nodes.push(Node::new("x".repeat(10_000), 1));
    for entry in systems() {
        let system = build(entry, &nodes);
        assert!(keys().iter().all(|key| system.node(key) < nodes.len()), "{}", entry.id);
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of points: for release builds")]
fn no_weight_panics() {
    for weights in [[0, 0], [0, 1], [1, 1_000_000], [1_000_000, 1_000_000], [u32::MAX, 1], [u32::MAX, u32::MAX]] {
        let nodes = [Node::new("a", weights[0]), Node::new("b", weights[1])];
        for entry in systems() {
            match (entry.build)(&nodes) {
                Ok(system) => assert!(keys().iter().all(|key| system.node(key) < 2), "{} {weights:?}", entry.id),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
}

#[test]
fn weight_zero_is_refused_or_means_something() {
    let nodes = [Node::new("a", 1), Node::new("b", 0)];
    for entry in systems() {
        match (entry.build)(&nodes).err() {
            None => assert!(WITH_ZERO.contains(&entry.id), "{} accepts it", entry.id),
            Some(error) => {
                assert!(!WITH_ZERO.contains(&entry.id), "{}: {error}", entry.id);
                assert!(matches!(error, SystemError::Weight { name, weight: 0, .. } if name == "b"), "{}", entry.id);
            }
        }
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "millions of points: for release builds")]
fn weights_that_sum_to_ten_thousand() {
    let mut nodes = equal(100);
    nodes.iter_mut().for_each(|node| node.weight = 100);
    for entry in systems() {
        match (entry.build)(&nodes) {
            Ok(system) => assert!(keys().iter().all(|key| system.node(key) < 100), "{}", entry.id),
            Err(error) => assert!(matches!(error, SystemError::Weight { weight: 100, .. }), "{}: {error}", entry.id),
        }
    }
}
