//! Systems that are wrong on purpose, with mistakes that rings in use have had. Each must fail the check that is meant
//! for it.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use siphasher::sip::SipHasher24;

use crate::systems::{Build, Entry, Node, Promises, System, SystemError, Weights, check_names, lafikl};

/// A wrong system and the check that must catch it.
pub struct Control {
    /// What it pretends to be.
    pub entry: Entry,
    /// What is wrong with it.
    pub mistake: &'static str,
    /// The name of the check.
    pub caught_by: &'static str,
}

/// All controls.
pub static CONTROLS: [Control; 8] = [
    Control {
        entry: entry("control-signed-bytes", |nodes| {
            checked(nodes)?;
            Ok(Box::new(SignedBytes(nodes.len())))
        }),
        mistake: "bytes from 0x80 are negative, and so is the remainder of their sum",
        caught_by: "totality",
    },
    Control {
        entry: entry("control-turns", |nodes| {
            checked(nodes)?;
            Ok(Box::new(Turns { nodes: nodes.len(), next: AtomicUsize::new(0) }))
        }),
        mistake: "nodes take turns, whatever the key is",
        caught_by: "determinism",
    },
    Control {
        entry: entry("control-unchecked", |nodes| ring(points(nodes, separated).collect())),
        mistake: "a list without nodes and a name given twice are accepted",
        caught_by: "errors",
    },
    Control {
        entry: entry("control-short-names", |nodes| {
            checked(nodes)?;
            ring(points(nodes, |name, i| format!("{}-{i}", name.get(..4).unwrap_or(name))).collect())
        }),
        mistake: "names are cut to four bytes before they are hashed",
        caught_by: "collisions",
    },
    Control {
        entry: entry("control-joined-labels", |nodes| {
            // Of equal labels the last one stays.
            checked(nodes)?;
            ring(points(nodes, |name, i| format!("{name}{i}")).collect())
        }),
        mistake: "labels are joined without a separator, so that node1 and node11 share some; the last in the list wins",
        caught_by: "order",
    },
    Control {
        entry: entry("control-dropped-points", |nodes| {
            checked(nodes)?;
            let mut owners: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            for (point, owner) in points(nodes, separated) {
                owners.entry(point & !0 << 48).or_default().push(owner);
            }
            let alone = |(point, owners): (u64, Vec<u32>)| match owners[..] {
                [owner] => Some((point, owner)),
                _ => None,
            };
            ring(owners.into_iter().filter_map(alone).collect())
        }),
        mistake: "points that coincide are dropped, and one of them is back when the other's node leaves",
        caught_by: "removal",
    },
    Control {
        entry: Entry {
            promises: Promises { weights: Weights::Points(POINTS), ..Promises::CONSISTENT },
            ..entry("control-weightless", |nodes| {
                checked(nodes)?;
                ring(points(nodes, separated).collect())
            })
        },
        mistake: "weights are accepted and forgotten",
        caught_by: "weights",
    },
    Control {
        entry: entry("control-terminator", with_the_terminator),
        mistake: "the zero at the end of a key in memory is hashed with it, in a copy of lafikl's ring",
        caught_by: "recorded",
    },
];

/// The system whose answers an entry is to give: a control imitates one, all others are themselves.
pub(super) fn imitated(id: &'static str) -> &'static str {
    if id == "control-terminator" { lafikl::ENTRY.id } else { id }
}

/// A system that is right, and gets keys that are not.
struct Terminated(Box<dyn System>);

impl System for Terminated {
    fn node(&self, key: &[u8]) -> usize {
        self.0.node(&[key, &[0]].concat())
    }
}

fn with_the_terminator(nodes: &[Node]) -> Result<Box<dyn System>, SystemError> {
    Ok(Box::new(Terminated((lafikl::ENTRY.build)(nodes)?)))
}

/// What the controls have in common: they pretend to promise all that a consistent hash does.
const fn entry(id: &'static str, build: Build) -> Entry {
    Entry { id, name: id, version: "wrong on purpose", build, promises: Promises::CONSISTENT }
}

fn checked(nodes: &[Node]) -> Result<(), SystemError> {
    check_names(nodes, |node| node.name.clone())
}

/// The remainder of a signed sum.
struct SignedBytes(usize);

impl System for SignedBytes {
    fn node(&self, key: &[u8]) -> usize {
        let sum: i64 = key.iter().map(|&byte| i64::from(byte as i8)).sum();
        (sum % self.0 as i64) as usize
    }
}

/// One node after the other.
struct Turns {
    nodes: usize,
    next: AtomicUsize,
}

impl System for Turns {
    fn node(&self, _key: &[u8]) -> usize {
        self.next.fetch_add(1, Ordering::Relaxed) % self.nodes
    }
}

const POINTS: u32 = 100;

fn separated(name: &str, i: u32) -> String {
    format!("{name}-{i}")
}

fn hash(bytes: &[u8]) -> u64 {
    SipHasher24::new().hash(bytes)
}

/// The points of all nodes, each with the index of its node.
fn points(nodes: &[Node], label: fn(&str, u32) -> String) -> impl Iterator<Item = (u64, u32)> {
    let of = move |(owner, node): (u32, &Node)| {
        let name = node.name.clone();
        (0..POINTS).map(move |i| (hash(label(&name, i).as_bytes()), owner))
    };
    (0..).zip(nodes).flat_map(of)
}

/// A ring of points, the first at or after a key's hash being its owner's.
struct Ring(BTreeMap<u64, u32>);

fn ring(points: BTreeMap<u64, u32>) -> Result<Box<dyn System>, SystemError> {
    Ok(Box::new(Ring(points)))
}

impl System for Ring {
    fn node(&self, key: &[u8]) -> usize {
        let next = self.0.range(hash(key)..).next().or_else(|| self.0.first_key_value());
        next.map_or(usize::MAX, |(_, &owner)| owner as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::systems::{CHECKS, caught};
    use crate::verify::{Inputs, Outcome};

    fn is_caught(id: &str) {
        let control = CONTROLS.iter().find(|control| control.entry.id == id).expect("a control");
        assert!(caught(control, Inputs::default()), "{id} must fail {}", control.caught_by);
    }

    /// As correct as the controls are wrong: what catches them does not catch everything.
    #[test]
    fn a_ring_without_a_mistake_passes() {
        let right = Entry {
            build: |nodes| {
                checked(nodes)?;
                if let Some(Node { name, weight }) = nodes.iter().find(|node| node.weight != 1) {
                    return Err(SystemError::Weight { name: name.clone(), weight: *weight, allowed: "1" });
                }
                ring(points(nodes, separated).collect())
            },
            ..CONTROLS[0].entry
        };
        for check in &CHECKS {
            let outcome = check.outcome(&right, Inputs::default());
            assert!(
                matches!(outcome, Outcome::Passed | Outcome::Noted(_) | Outcome::NotPromised(_)),
                "{}: {outcome:?}",
                check.name
            );
        }
    }

    #[test]
    fn totality_catches_signed_bytes() {
        is_caught("control-signed-bytes");
    }

    #[test]
    fn recorded_catches_a_terminator() {
        is_caught("control-terminator");
    }

    #[test]
    fn determinism_catches_turns() {
        is_caught("control-turns");
    }

    #[test]
    fn errors_catches_what_is_unchecked() {
        is_caught("control-unchecked");
    }

    #[test]
    fn collisions_catches_short_names() {
        is_caught("control-short-names");
    }

    #[test]
    fn order_catches_joined_labels() {
        is_caught("control-joined-labels");
    }

    #[test]
    fn removal_catches_dropped_points() {
        is_caught("control-dropped-points");
    }

    #[test]
    fn weights_catches_forgotten_weights() {
        is_caught("control-weightless");
    }
}
