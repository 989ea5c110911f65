//! nginx against a slow model: what [`Entry`](crate::systems::Entry) cannot say, because it has no servers that are down.

use std::collections::BTreeMap;

use super::super::Inputs;
use crate::systems::nginx::{Method, Nginx};
use crate::systems::{Node, System, SystemError, equal};
use crate::verify::Outcome;

/// Builds nginx from servers of which some are down.
type Builder = fn(&[Node], Method, &[usize]) -> Result<Box<dyn System>, SystemError>;

/// nginx gives up after as many further tries.
const RETRIES: usize = 20;

/// Checks the system that has this id, if it is nginx.
pub(super) fn outcome(id: &str, inputs: Inputs) -> Option<Result<Outcome, SystemError>> {
    let method = match id {
        "nginx" => Method::Plain,
        "nginx-consistent" => Method::Consistent,
        _ => return None,
    };
    Some(against_model(method, |nodes, method, down| Ok(Box::new(Nginx::new(nodes, method, down)?)), inputs))
}

fn against_model(method: Method, build: Builder, inputs: Inputs) -> Result<Outcome, SystemError> {
    let mut keys = super::checks::random_keys(2_000, inputs);
    let many = equal(1000);
    // Where points coincide, keys that lie on them: CRC-32 is linear, so that four bytes reach any value.
    keys.extend(colliding(&many).into_iter().map(key_with_crc));
    let mut few = equal(200);
    few[70].weight = 2;
    let all_but_two: Vec<usize> = (0..200).filter(|server| ![30, 70].contains(server)).collect();
    let half: Vec<usize> = (0..200).step_by(2).collect();
    for (nodes, down) in [(&many, &Vec::new()), (&few, &all_but_two), (&few, &half)] {
        let (system, model) = (build(nodes, method, down)?, Model::new(nodes, method, down));
        for key in &keys {
            let (found, right) = (system.node(key), model.node(key));
            if found != right {
                let key = key.escape_ascii();
                return Ok(Outcome::Failed(format!(
                    "{} servers, {} of them down, key \"{key}\": server {found}, right is {right}",
                    nodes.len(),
                    down.len()
                )));
            }
        }
    }
    Ok(Outcome::Passed)
}

/// A server for each unit of weight, and a map of points in which the first one stays.
struct Model {
    method: Method,
    units: Vec<usize>,
    ring: BTreeMap<u32, usize>,
    up: Vec<bool>,
    turn: usize,
}

fn points(node: &Node) -> Vec<u32> {
    let (host, port) = node.name.rsplit_once(':').unwrap_or((&node.name, ""));
    let mut all: Vec<u32> = Vec::new();
    for _ in 0..160 * node.weight {
        let previous = all.last().copied().unwrap_or(0).to_le_bytes();
        all.push(crc32fast::hash(&[host.as_bytes(), &[0], port.as_bytes(), &previous].concat()));
    }
    all
}

/// Positions at which points of two servers lie.
fn colliding(nodes: &[Node]) -> Vec<u32> {
    let mut owners: BTreeMap<u32, usize> = BTreeMap::new();
    let mut met = Vec::new();
    for (server, node) in nodes.iter().enumerate() {
        met.extend(
            points(node).into_iter().filter(|&point| owners.insert(point, server).is_some_and(|other| other != server)),
        );
    }
    met
}

/// Four bytes whose CRC-32 is this: the register run backwards, bit by bit, through as many bits.
fn key_with_crc(crc: u32) -> Vec<u8> {
    let mut register = !crc;
    for _ in 0..32 {
        register = if register >> 31 == 1 { (register ^ 0xedb8_8320) << 1 | 1 } else { register << 1 };
    }
    (register ^ u32::MAX).to_le_bytes().into()
}

impl Model {
    fn new(nodes: &[Node], method: Method, down: &[usize]) -> Self {
        let up: Vec<bool> = (0..nodes.len()).map(|server| !down.contains(&server)).collect();
        let units = nodes.iter().enumerate().flat_map(|(server, node)| vec![server; node.weight as usize]).collect();
        let mut ring = BTreeMap::new();
        for (server, node) in nodes.iter().enumerate() {
            points(node).into_iter().for_each(|point| _ = ring.entry(point).or_insert(server));
        }
        let mut turn = None;
        for (server, node) in nodes.iter().enumerate().filter(|&(server, _)| up[server]) {
            if turn.is_none_or(|best: usize| node.weight > nodes[best].weight) {
                turn = Some(server);
            }
        }
        Self { method, units, ring, up, turn: turn.unwrap_or(0) }
    }

    fn node(&self, key: &[u8]) -> usize {
        let tries: Vec<usize> = match self.method {
            Method::Consistent => {
                let from = crc32fast::hash(key);
                self.ring
                    .range(from..)
                    .chain(self.ring.range(..from))
                    .map(|(_, &server)| server)
                    .take(RETRIES + 1)
                    .collect()
            }
            Method::Plain => {
                let hash = |retry: usize| {
                    let number = if retry == 0 { String::new() } else { retry.to_string() };
                    u64::from(crc32fast::hash(&[number.as_bytes(), key].concat()) >> 16 & 0x7fff)
                };
                let sums = (0..=RETRIES).scan(0, |sum, retry| {
                    *sum += hash(retry);
                    Some(*sum)
                });
                sums.map(|sum| self.units[(sum % self.units.len() as u64) as usize]).collect()
            }
        };
        tries.into_iter().find(|&server| self.up[server]).unwrap_or(self.turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A model that was told something else than it was asked: what nginx would be with one mistake.
    struct Mistaken(Model, fn(&Model, &[u8]) -> usize);

    impl System for Mistaken {
        fn node(&self, key: &[u8]) -> usize {
            (self.1)(&self.0, key)
        }
    }

    fn caught(method: Method, build: Builder) {
        let outcome = against_model(method, build, Inputs::default()).expect("valid lists");
        assert!(matches!(outcome, Outcome::Failed(_)), "{outcome:?}");
    }

    #[test]
    fn any_crc_has_a_key() {
        for crc in [0, 1, 0xdead_beef, u32::MAX] {
            assert_eq!(crc32fast::hash(&key_with_crc(crc)), crc);
        }
    }

    #[test]
    fn one_try_fewer_is_caught() {
        caught(Method::Consistent, |nodes, method, down| {
            Ok(Box::new(Mistaken(Model::new(nodes, method, down), |model, key| {
                let from = crc32fast::hash(key);
                let tries = model.ring.range(from..).chain(model.ring.range(..from)).take(RETRIES);
                tries.map(|(_, &server)| server).find(|&server| model.up[server]).unwrap_or(model.turn)
            })))
        });
    }

    #[test]
    fn the_last_of_colliding_points_is_caught() {
        caught(Method::Consistent, |nodes, method, down| {
            let mut model = Model::new(nodes, method, down);
            for (server, node) in nodes.iter().enumerate() {
                model.ring.extend(points(node).into_iter().map(|point| (point, server)));
            }
            Ok(Box::new(Mistaken(model, Model::node)))
        });
    }

    #[test]
    fn another_first_turn_is_caught() {
        for method in [Method::Plain, Method::Consistent] {
            caught(method, |nodes, method, down| {
                let mut model = Model::new(nodes, method, down);
                model.turn = (0..nodes.len()).find(|&server| model.up[server]).unwrap_or(0);
                Ok(Box::new(Mistaken(model, Model::node)))
            });
        }
    }

    #[test]
    fn nginx_is_as_the_model() {
        for id in ["nginx", "nginx-consistent"] {
            assert_eq!(outcome(id, Inputs::default()), Some(Ok(Outcome::Passed)), "{id}");
        }
        assert_eq!(outcome("lafikl", Inputs::default()), None);
    }
}
