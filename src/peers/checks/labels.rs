//! What a program with names of its own sees: how many nodes there are, and whether it matters how they are called.

use anyhow::{bail, ensure};

use super::labelled::{Labelled, empty};
use crate::catalog::Implementation;
use crate::verify::{Inputs, Outcome};

const KEYS: u32 = 10_000;
/// Some begin as others do, end as others do, or are what others and a number make.
const ALIKE: [&str; 9] = ["a", "a-1", "a-11", "n1", "n11", "1n", "11n", "n", "n1-1"];

pub(super) fn lengths(implementation: &Implementation, _: Inputs) -> anyhow::Result<Outcome> {
    let Some(mut nodes) = empty(implementation.id).filter(|nodes| nodes.length().is_some()) else {
        return Ok(Outcome::NotPromised("it does not say how many nodes there are, or is another entry's"));
    };
    let agrees = |nodes: &dyn Labelled, what: &str, right: usize| {
        let (length, empty) = nodes.length().unwrap_or_default();
        ensure!(length == right, "{what}: says that there are {length} nodes, {right} is right");
        ensure!(empty == (right == 0), "{what}: says {empty} when asked whether it is empty");
        Ok(())
    };
    agrees(&*nodes, "without nodes", 0)?;
    ["x", "y", "z"].iter().for_each(|name| nodes.add(name));
    agrees(&*nodes, "with x, y, z", 3)?;
    nodes.remove("y");
    agrees(&*nodes, "y removed", 2)?;
    ["x", "z"].iter().for_each(|name| nodes.remove(name));
    agrees(&*nodes, "all removed", 0)?;
    Ok(Outcome::Passed)
}

pub(super) fn look_alikes(implementation: &Implementation, _: Inputs) -> anyhow::Result<Outcome> {
    let of = |names: &mut dyn Iterator<Item = &str>| {
        let mut nodes = empty(implementation.id)?;
        names.for_each(|name| nodes.add(name));
        Some(nodes)
    };
    let Some((mut forward, mut backward)) = of(&mut ALIKE.into_iter()).zip(of(&mut ALIKE.into_iter().rev())) else {
        return Ok(Outcome::NotPromised("its nodes are no names, do not come and go, or are another entry's"));
    };
    same("added in the opposite order", &mut *backward, &mut *forward)?;
    for gone in ALIKE {
        let mut without = of(&mut ALIKE.into_iter().filter(|name| *name != gone)).expect("as before");
        let mut removed = of(&mut ALIKE.into_iter()).expect("as before");
        removed.remove(gone);
        same(&format!("{gone} removed, against never there"), &mut *removed, &mut *without)?;
    }
    Ok(Outcome::Passed)
}

fn same(what: &str, found: &mut dyn Labelled, right: &mut dyn Labelled) -> anyhow::Result<()> {
    let keys = (0..KEYS).map(|key| format!("key-{key}"));
    let differ: Vec<_> = keys
        .map(|key| (found.owner(&key), right.owner(&key), key))
        .filter(|(found, right, _)| found != right)
        .collect();
    if let Some((found, right, key)) = differ.first() {
        bail!("of {ALIKE:?} {what}: {} of {KEYS} keys, {key} has {found:?}, not {right:?}", differ.len());
    }
    Ok(())
}
