//! What the files of Go libraries have in common.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use consistent_hash_lab::systems::Node;

use crate::fields::Fields;
use crate::servers::unweighted;

/// The nodes at the end, in order; checked to be those that the case says were given, added and removed.
pub fn final_nodes(case: &mut Fields) -> Result<Vec<Node>> {
    let mut names = |field: &str| case.get::<Vec<String>>(field);
    let (given, added, removed, last) = (names("nodes")?, names("added")?, names("removed")?, names("final_nodes")?);
    let mut count = BTreeMap::new();
    for (names, change) in [(&given, 1), (&added, 1), (&removed, -1), (&last, -1)] {
        names.iter().for_each(|name| *count.entry(name).or_insert(0) += change);
    }
    count.retain(|_, count| *count != 0);
    ensure!(count.is_empty(), "final_nodes are not nodes + added - removed: {count:?}");
    Ok(unweighted(&last))
}

/// [`final_nodes`] of a library that has no dead ones.
pub fn living_nodes(case: &mut Fields) -> Result<Vec<Node>> {
    let dead: Vec<usize> = case.get("dead")?;
    ensure!(dead.is_empty(), "dead nodes {dead:?}: the library has none");
    final_nodes(case)
}

/// The parameters of a library that has none.
pub fn no_params(case: &mut Fields) -> Result<()> {
    case.object("params", |_| Ok(()))
}
