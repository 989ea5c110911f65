//! Crates whose nodes are names, as a program with names uses them: without numbers of ours.

use std::hash::{BuildHasherDefault, DefaultHasher};

type Fixed = BuildHasherDefault<DefaultHasher>;

/// Points of a node where the crate has no default.
const POINTS: usize = 20;

/// Nodes with names.
pub(super) trait Labelled {
    fn add(&mut self, name: &str);
    fn remove(&mut self, name: &str);
    /// The name of the node that has this key.
    fn owner(&mut self, key: &str) -> Option<String>;
    /// How many nodes there are and whether there is none, in the crate's words, if it has any for that.
    fn length(&self) -> Option<(usize, bool)>;
}

/// A crate's structure and its functions. A name costs nothing here, and some of the types have none.
struct Of<S> {
    nodes: S,
    add: fn(&mut S, &str),
    remove: fn(&mut S, &str),
    owner: fn(&mut S, &str) -> Option<String>,
    length: fn(&S) -> Option<(usize, bool)>,
}

impl<S> Labelled for Of<S> {
    fn add(&mut self, name: &str) {
        (self.add)(&mut self.nodes, name);
    }

    fn remove(&mut self, name: &str) {
        (self.remove)(&mut self.nodes, name);
    }

    fn owner(&mut self, key: &str) -> Option<String> {
        (self.owner)(&mut self.nodes, key)
    }

    fn length(&self) -> Option<(usize, bool)> {
        (self.length)(&self.nodes)
    }
}

/// The crate of this entry without nodes, if its nodes can be names and come and go.
pub(super) fn empty(id: &str) -> Option<Box<dyn Labelled>> {
    Some(match id {
        "chash/hasher" => Box::new(Of {
            nodes: chash::HashRing::with_config(chash::HashRingConfig::with_build_hasher(Fixed::default())),
            add: |nodes, name| drop(nodes.add_nodes(vec![name.to_owned()])),
            remove: |nodes, name| drop(nodes.remove_nodes(vec![name.to_owned()])),
            owner: |nodes, key| nodes.locate_key(&key),
            length: |nodes| nodes.nodes_count().ok().zip(nodes.is_empty().ok()),
        }),
        "conshash" => Box::new(Of {
            nodes: conshash::Ring::<String>::new(POINTS),
            add: |nodes, name| nodes.add_node(&name.to_owned()),
            remove: |nodes, name| nodes.remove_node(&name.to_owned()),
            owner: |nodes, key| nodes.get_node(conshash::hash(&key)).cloned(),
            length: |_| None,
        }),
        "consistent_hash_ring" => Box::new(Of {
            nodes: consistent_hash_ring::Ring::<String>::default(),
            add: |nodes, name| {
                let _new = nodes.insert(name.to_owned());
            },
            remove: |nodes, name| {
                let _there = nodes.remove(&name.to_owned());
            },
            owner: |nodes, key| nodes.try_get(key).cloned(),
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "consistent-hashing-rs" => Box::new(Of {
            nodes: consistenthash::ConsistentHash::with_load_factor(1.25),
            add: |nodes, name| nodes.add_node(&consistenthash::Node::new(name.to_owned()), POINTS as u32),
            remove: |nodes, name| nodes.remove_node(name.to_owned()),
            owner: |nodes, key| nodes.get_node(key.to_owned()).map(|node| node.get_name().clone()),
            length: |_| None,
        }),
        "consistent-rs" => Box::new(Of {
            nodes: consistent_rs::Consistant::default(),
            add: |nodes, name| nodes.add(name),
            remove: |nodes, name| nodes.remove(name),
            owner: |nodes, key| nodes.get(key),
            length: |nodes| Some((nodes.count(), nodes.count() == 0)),
        }),
        "hash_ring" => Box::new(Of {
            nodes: hash_ring::HashRing::<String>::new(Vec::new(), POINTS as isize),
            add: |nodes, name| nodes.add_node(&name.to_owned()),
            remove: |nodes, name| nodes.remove_node(&name.to_owned()),
            owner: |nodes, key| nodes.get_node(key.to_owned()).cloned(),
            length: |_| None,
        }),
        "hash-rings/consistent" => Box::new(Of {
            nodes: hash_rings::consistent::Ring::<'static, String, Fixed>::with_hasher(Fixed::default()),
            // It borrows its nodes; these few are never freed.
            add: |nodes, name| nodes.insert_node(Box::leak(Box::new(name.to_owned())), POINTS),
            remove: |nodes, name| nodes.remove_node(&name.to_owned()),
            // It panics without nodes, as it documents.
            owner: |nodes, key| (!nodes.is_empty()).then(|| nodes.get_node(&key).clone()),
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "hashring" => Box::new(Of {
            nodes: hashring::HashRing::<String>::new(),
            add: |nodes, name| nodes.add(name.to_owned()),
            remove: |nodes, name| drop(nodes.remove(&name.to_owned())),
            owner: |nodes, key| nodes.get(&key).cloned(),
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "hrw/hasher" => Box::new(Of {
            nodes: hrw::Rendezvous::from_nodes_and_hasher(Vec::<String>::new(), Fixed::default()),
            add: |nodes, name| {
                let _new = nodes.add_node(name.to_owned());
            },
            remove: |nodes, name| {
                let _there = nodes.remove_node(&name.to_owned());
            },
            owner: |nodes, key| nodes.pick_top(&key).cloned(),
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "lfchring" => Box::new(Of {
            nodes: lfchring::HashRing::<str, _>::new(POINTS as lfchring::Vnid, 1).expect("points and a replica"),
            add: |nodes, name| drop(nodes.insert(&[name.into()])),
            remove: |nodes, name| drop(nodes.remove(&[name.into()])),
            owner: |nodes, key| {
                let owners = nodes.nodes_for_key(&super::super::lfchring::digest(key.as_bytes())).ok()?;
                owners.first().map(|name| name.to_string())
            },
            length: |nodes| Some((nodes.len_nodes(), nodes.len_nodes() == 0)),
        }),
        "mpchash" => Box::new(Of {
            nodes: mpchash::HashRing::<String>::new(),
            add: |nodes, name| nodes.add(name.to_owned()),
            remove: |nodes, name| nodes.remove(&name.to_owned()),
            owner: |nodes, key| nodes.node(&key).map(|token| token.node().clone()),
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "rendezvous_hash" => Box::new(Of {
            nodes: rendezvous_hash::RendezvousNodes::<
                rendezvous_hash::IdNode<String>,
                rendezvous_hash::DefaultNodeHasher,
            >::default(),
            add: |nodes, name| drop(nodes.insert(rendezvous_hash::IdNode::new(name.to_owned()))),
            remove: |nodes, name| drop(nodes.remove(&name.to_owned())),
            owner: |nodes, key| {
                nodes.calc_candidates(&key).next().map(|node| rendezvous_hash::Node::node_id(node).clone())
            },
            length: |nodes| Some((nodes.len(), nodes.is_empty())),
        }),
        "ring-rs" => Box::new(Of {
            nodes: ring_rs::Ring::new(ring_rs::Config::default()),
            add: |nodes, name| nodes.add(name),
            remove: |nodes, name| nodes.remove(name),
            owner: |nodes, key| nodes.get(key),
            length: |_| None,
        }),
        "ringhash" => Box::new(Of {
            nodes: ringhash::Consistent::new(),
            add: |nodes, name| nodes.add(name.to_owned()),
            remove: |nodes, name| nodes.remove(name),
            owner: |nodes, key| nodes.get(key).ok().map(|name| name.to_string()),
            length: |nodes| Some((nodes.members().len(), nodes.members().is_empty())),
        }),
        "rsbalancer" => Box::new(Of {
            nodes: rsbalancer::consistent_hashing(Vec::new(), POINTS),
            add: |nodes, name| drop(nodes.add_node(rsbalancer::Node::new(name.to_owned(), 1))),
            remove: |nodes, name| drop(nodes.remove_node(&name.to_owned())),
            owner: |nodes, key| nodes.get_matching_node_id(&key.to_owned()).cloned(),
            length: |nodes| Some((nodes.get_nodes().len(), nodes.get_nodes().is_empty())),
        }),
        "rustyhash" => Box::new(Of {
            nodes: rustyhash::Ring64::new(rustyhash::Algo::Sha256, None),
            add: |nodes, name| {
                let _new = nodes.insert(name);
            },
            remove: |nodes, name| {
                let _there = nodes.remove(name);
            },
            owner: |nodes, key| nodes.get(key),
            length: |_| None,
        }),
        _ => return None,
    })
}
