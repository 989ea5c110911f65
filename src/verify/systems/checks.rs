//! The checks of systems, one function each.
//!
//! Movement is measured between systems built anew, as a client does that reads a new list of nodes. Empty keys, which
//! nginx gives out by turns, are among the keys of totality and determinism only.

use std::collections::BTreeSet;

use rand::Rng;

use super::super::checks::threshold;
use super::{Check, controls, nginx, recorded};
use crate::statistics::z_test;
use crate::systems::{
    Assignment, Entry, Move, Movement, Node, Promise, SystemError, Weights, equal, systems, weighted,
};
use crate::verify::{Inputs, Outcome};

/// All checks, in the order of the table's columns.
pub const CHECKS: [Check; 10] = [
    Check { name: "totality", promise: "every key has an owner in the list, whatever its bytes", run: totality },
    Check { name: "determinism", promise: "two instances, and one asked twice, answer alike", run: determinism },
    Check { name: "errors", promise: "no node, and two of one name, are typed errors", run: errors },
    Check { name: "order", promise: "the same nodes in another order own the same keys", run: order },
    Check { name: "removal", promise: "when a node leaves, only its keys move", run: removal },
    Check { name: "growth", promise: "when a node is added at the end, keys move to it only", run: growth },
    Check {
        name: "collisions",
        promise: "nodes whose labels look alike all own keys; where points coincide a removal moves no other node's keys",
        run: collisions,
    },
    Check {
        name: "model",
        promise: "nginx: answers equal those of a slow model, also where servers are down and points coincide",
        run: model,
    },
    Check {
        name: "recorded",
        promise: "answers are those that were given when all outputs of the original were met",
        run: recorded,
    },
    Check {
        name: "weights",
        promise: "a node of twice the weight owns twice the keys: z-test against the exact share, two-sided, \
                  Sidak-corrected",
        run: weights,
    },
];

const SIZES: [usize; 5] = [1, 2, 3, 10, 100];
/// Sizes at which what is mostly kept must be: the descendants of ketama round down at 7, 25, 61, 100 and others.
const ORDINARY: [usize; 4] = [2, 3, 10, 40];
/// Weights of a list in which no two neighbours have the same.
const UNEVEN: [u32; 7] = [1, 2, 3, 5, 10, 2, 1];

/// Keys of all shapes.
fn shapes() -> Vec<Vec<u8>> {
    let mut keys = vec![Vec::new(), vec![b'x'; 300], vec![0xff; 300], vec![0; 300], "é日\u{1f600}".into()];
    keys.extend((0..=u8::MAX).map(|byte| vec![byte]));
    keys.extend((0..=u8::MAX).map(|byte| vec![byte; 9]));
    keys.extend(texts(500));
    keys
}

/// Texts that count upwards.
fn texts(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|i| format!("user:{i}").into_bytes()).collect()
}

/// Random bytes, which are hardly ever text.
pub(super) fn random_keys(count: usize, inputs: Inputs) -> Vec<Vec<u8>> {
    let mut stream = inputs.stream();
    (0..count).map(|_| [stream.next_u64().to_le_bytes(), stream.next_u64().to_le_bytes()].concat()).collect()
}

/// Texts and random bytes.
fn keys(inputs: Inputs) -> Vec<Vec<u8>> {
    [texts(3000), random_keys(2000, inputs)].concat()
}

fn takes_weights(entry: &Entry) -> bool {
    !matches!(entry.promises.weights, Weights::Refused)
}

/// Lists such as people have, with weights where the system accepts them.
fn lists(entry: &Entry) -> Vec<Vec<Node>> {
    let mut lists: Vec<Vec<Node>> = SIZES.map(equal).into();
    lists.extend(takes_weights(entry).then(|| weighted(&UNEVEN)));
    lists
}

/// Names that give equal labels where a number is put before or behind them without care.
fn alike() -> Vec<Node> {
    let names = ["node", "node1", "node11", "node-1", "node1-1", "node_1", "node:1", "1node", "1:node", "11"];
    names.map(|name| Node::new(name, 1)).into()
}

fn text(key: &[u8]) -> String {
    format!("key \"{}\"", key.escape_ascii())
}

fn totality(entry: &Entry, _: Inputs) -> Result<Outcome, SystemError> {
    let keys = shapes();
    for nodes in lists(entry) {
        let system = (entry.build)(&nodes)?;
        for key in &keys {
            let owner = system.node(key);
            if owner >= nodes.len() {
                return Ok(Outcome::Failed(format!("{} nodes, {}: number {owner}", nodes.len(), text(key))));
            }
        }
    }
    Ok(Outcome::Passed)
}

fn determinism(entry: &Entry, _: Inputs) -> Result<Outcome, SystemError> {
    let keys = shapes();
    for nodes in lists(entry) {
        let (one, other) = ((entry.build)(&nodes)?, (entry.build)(&nodes)?);
        for key in &keys {
            let answers = [one.node(key), one.node(key), other.node(key)];
            if answers != [answers[0]; 3] {
                return Ok(Outcome::Failed(format!("{} nodes, {}: {answers:?}", nodes.len(), text(key))));
            }
        }
    }
    Ok(Outcome::Passed)
}

fn errors(entry: &Entry, _: Inputs) -> Result<Outcome, SystemError> {
    let refusal = |nodes: &[Node]| (entry.build)(nodes).err();
    if refusal(&[]) != Some(SystemError::NoNodes) {
        return Ok(Outcome::Failed(format!("no node: {:?}", refusal(&[]))));
    }
    let twice = [equal(2), equal(1)].concat();
    match refusal(&twice) {
        Some(SystemError::DuplicateName { name }) if name == twice[0].name => Ok(Outcome::Passed),
        other => Ok(Outcome::Failed(format!("a name given twice: {other:?}"))),
    }
}

/// A change from one list to another.
struct Change {
    what: String,
    before: Vec<Node>,
    after: Vec<Node>,
    /// Whether a key may move so.
    may_move: Box<dyn Fn(&Move) -> bool>,
}

/// The list in the opposite order: no key may move.
fn reversed(nodes: &[Node]) -> Vec<Change> {
    let after = nodes.iter().rev().cloned().collect();
    let what = format!("{} nodes in the opposite order", nodes.len());
    vec![Change { what, before: nodes.to_vec(), after, may_move: Box::new(|_| false) }]
}

/// The list without one node: its keys may move. A list of one stays as it is.
fn without(nodes: &[Node], index: usize) -> Option<Change> {
    let mut after = nodes.to_vec();
    let gone = after.remove(index).name;
    let what = format!("{} nodes without {gone:?}", nodes.len());
    let before = nodes.to_vec();
    (!after.is_empty()).then(|| Change { what, before, after, may_move: Box::new(move |one| one.from == gone) })
}

/// The first, the last and one between leave.
fn without_one(nodes: &[Node]) -> Vec<Change> {
    let indices = BTreeSet::from([0, nodes.len() / 2, nodes.len() - 1]);
    indices.into_iter().filter_map(|index| without(nodes, index)).collect()
}

/// The last node is added: keys may move to it.
fn grown(nodes: &[Node]) -> Vec<Change> {
    let change = without(nodes, nodes.len() - 1).map(|Change { before, after, .. }| {
        let new = before[after.len()].name.clone();
        let what = format!("{new:?} added to {} nodes", after.len());
        Change { what, before: after, after: before, may_move: Box::new(move |one| one.to == new) }
    });
    change.into_iter().collect()
}

/// How many keys stray: move where they may not.
fn strays(entry: &Entry, change: &Change, keys: &[Vec<u8>]) -> Result<usize, SystemError> {
    let before = Assignment::new(entry, &change.before, keys)?;
    let after = Assignment::new(entry, &change.after, keys)?;
    let movement = Movement::between(&before, &after);
    Ok(movement.moves.iter().filter(|one| !(change.may_move)(one)).count())
}

/// Of the changes of a list the one with the most strays: their number, and what it is.
fn worst(entry: &Entry, changes: Vec<Change>, keys: &[Vec<u8>]) -> Result<(usize, String), SystemError> {
    let mut worst = (0, String::new());
    for change in changes {
        worst = worst.max((strays(entry, &change, keys)?, change.what));
    }
    Ok(worst)
}

fn percent(count: usize, keys: &[Vec<u8>]) -> String {
    format!("{:.2}%", 100.0 * count as f64 / keys.len() as f64)
}

/// Holds a system against a promise about the changes of a list; `broken` is what one is called that does not make it.
fn kept(
    entry: &Entry,
    promise: Promise,
    changes: fn(&[Node]) -> Vec<Change>,
    broken: &str,
    inputs: Inputs,
) -> Result<Outcome, SystemError> {
    let keys = keys(inputs);
    let lists = match promise {
        Promise::Kept => [lists(entry), vec![alike()]].concat(),
        Promise::Mostly { .. } => ORDINARY.map(equal).into(),
        Promise::NotMade(_) => {
            return Ok(match worst(entry, changes(&equal(10)), &keys)? {
                (0, _) => Outcome::Failed("the promise is said not to be made, but 10 nodes keep it".into()),
                (count, _) => Outcome::Noted(format!("{broken} {}", percent(count, &keys))),
            });
        }
    };
    for nodes in lists {
        let (count, what) = worst(entry, changes(&nodes), &keys)?;
        if count > 0 {
            return Ok(Outcome::Failed(format!("{what}: {} of the keys stray", percent(count, &keys))));
        }
    }
    let Promise::Mostly { example, .. } = promise else {
        return Ok(Outcome::Passed);
    };
    Ok(match worst(entry, changes(&example()), &keys)? {
        (0, _) => Outcome::Failed("the list that is said to break the promise keeps it".into()),
        (count, _) => Outcome::Noted(format!("except {}", percent(count, &keys))),
    })
}

fn order(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    kept(entry, entry.promises.order, reversed, "order-dependent", inputs)
}

fn removal(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    kept(entry, entry.promises.removal, without_one, "strays", inputs)
}

fn growth(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    kept(entry, entry.promises.growth, grown, "strays", inputs)
}

fn collisions(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    let keys = keys(inputs);
    let nodes = alike();
    let assignment = Assignment::new(entry, &nodes, &keys)?;
    if let Some((name, _)) = assignment.counts().into_iter().find(|&(_, count)| count == 0) {
        return Ok(Outcome::Failed(format!("{name:?} of {} nodes owns none of {} keys", nodes.len(), keys.len())));
    }
    if matches!(entry.promises.removal, Promise::NotMade(_)) {
        return Ok(Outcome::Passed);
    }
    let mut lists = vec![nodes];
    // Where order matters because points coincide, the list on which it does has such points.
    if let Promise::Mostly { example, .. } = entry.promises.order {
        lists.push(example());
    }
    for nodes in lists {
        let changes = (0..nodes.len()).filter_map(|index| without(&nodes, index)).collect();
        let (count, what) = worst(entry, changes, &keys)?;
        if count > 0 {
            return Ok(Outcome::Failed(format!("{what}: {} of the keys stray", percent(count, &keys))));
        }
    }
    Ok(Outcome::Passed)
}

fn model(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    nginx::outcome(entry.id, inputs)
        .unwrap_or(Ok(Outcome::NotPromised("its options have no servers that are down; see tests/conformance")))
}

/// The lists and the keys whose owners are recorded: of all shapes, and the same under every seed. (The empty key, which nginx gives
/// out by turns, is the first that a system is asked for.)
pub(super) fn recorded_work(entry: &Entry) -> (Vec<Vec<Node>>, Vec<Vec<u8>>) {
    ([lists(entry), vec![alike()]].concat(), shapes())
}

fn recorded(entry: &Entry, _: Inputs) -> Result<Outcome, SystemError> {
    let (lists, keys) = recorded_work(entry);
    recorded::outcome(entry, controls::imitated(entry.id), &lists, &keys)
}

fn weights(entry: &Entry, inputs: Inputs) -> Result<Outcome, SystemError> {
    let uneven = weighted(&UNEVEN);
    match entry.promises.weights {
        Weights::Refused => Ok(match (entry.build)(&uneven).err() {
            Some(SystemError::Weight { .. }) => Outcome::Noted("refused".into()),
            other => Outcome::Failed(format!("weights are said to be refused, but: {other:?}")),
        }),
        Weights::Ignored(_) => {
            let keys = keys(inputs);
            let with = Assignment::new(entry, &uneven, &keys)?;
            let without = Assignment::new(entry, &equal(uneven.len()), &keys)?;
            Ok(match Movement::between(&with, &without).moves.len() {
                0 => Outcome::Noted("ignored".into()),
                count => Outcome::Failed(format!("weights are said to be ignored, but move {}", percent(count, &keys))),
            })
        }
        Weights::Exact => proportion(entry, None, inputs),
        Weights::Points(points) => proportion(entry, Some(points), inputs),
    }
}

/// Sixteen nodes of weight 2 and as much weight in nodes of weight 1: each half is to own half of the keys.
///
/// The sum of the weights is a power of two and the number of points of every system whole, so that nothing is rounded.
/// The count of n keys is binomial. On a ring the share itself is random: that of k among V independent points is
/// Beta(k, V - k), of mean p = k/V, so that the count is beta-binomial, of variance n·p·(1 - p)·(V + n)/(V + 1).
fn proportion(entry: &Entry, points: Option<u32>, inputs: Inputs) -> Result<Outcome, SystemError> {
    const KEYS: usize = 20_000;
    const SHARE: f64 = 0.5;
    let nodes = weighted(&[1, 2, 1].repeat(16));
    let keys = random_keys(KEYS, inputs);
    let assignment = Assignment::new(entry, &nodes, &keys)?;
    let counts = assignment.counts();
    let heavy: u64 = nodes.iter().filter(|node| node.weight == 2).map(|node| counts[node.name.as_str()]).sum();
    let total = KEYS as f64;
    let spread = points.map_or(1.0, |points| {
        let points = f64::from(points) * nodes.len() as f64;
        (points + total) / (points + 1.0)
    });
    let found = heavy as f64 / total;
    let error = (SHARE * (1.0 - SHARE) * spread / total).sqrt();
    let tested = systems().iter().filter(|entry| matches!(entry.promises.weights, Weights::Exact | Weights::Points(_)));
    let threshold = threshold(tested.count(), 1).ok();
    Ok(match z_test(found, SHARE, error).zip(threshold) {
        Some((p, threshold)) if p >= threshold => Outcome::Passed,
        test => Outcome::Failed(format!(
            "nodes of twice the weight own {found:.4} of the keys instead of {SHARE}; standard error {error:.4}, \
             (p, threshold) {test:?}"
        )),
    })
}
