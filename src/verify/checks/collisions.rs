//! Points that coincide, keys that lie exactly on them and scores that are equal: with 64 bits they do not occur, so a hash
//! family is given in which hardly anything else does.

use anyhow::{bail, ensure};

use super::inputs::{Inputs, answers, first_difference};
use crate::algorithms::hash::{HashFamily, Mix};
use crate::algorithms::{
    Error, MultiProbe, Remove, Rendezvous, RendezvousWeighted, RingBTree, RingNearest, RingSorted32, RingSorted64,
    RingWeighted,
};
use crate::catalog::parameters::{PROBES, equal};
use crate::catalog::{Build, Implementation};
use crate::controls::{LostPoint, Strict};
use crate::verify::Outcome;
use crate::verify::model::{History, of_family};

/// [`Mix`] with positions of seven bits and scores of four.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Coarse(Mix);

impl HashFamily for Coarse {
    fn key(&self, key: u64) -> u64 {
        self.0.key(key) & (0x7f << 57)
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        self.0.point(bucket, replica) & (0x7f << 57)
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        self.0.score(key, bucket) & (0xf << 60)
    }
}

/// Builds an implementation with such a family.
type Coarsely = fn(Build, Coarse) -> Result<Box<dyn Remove>, Error>;

fn boxed<R: Remove + 'static>(built: Result<R, Error>) -> Result<Box<dyn Remove>, Error> {
    Ok(Box::new(built?))
}

/// Whatever takes a family of points or scores, by its id. What is not listed is not asked.
const COARSE: &[(&str, Coarsely)] = &[
    ("ring-btree", |b, family| boxed(RingBTree::new(b.buckets, b.points, family))),
    ("ring-sorted32", |b, family| boxed(RingSorted32::new(b.buckets, b.points, family))),
    ("ring-sorted64", |b, family| boxed(RingSorted64::new(b.buckets, b.points, family))),
    ("ring-nearest", |b, family| boxed(RingNearest::new(b.buckets, b.points, family))),
    ("ring-weighted", |b, family| boxed(RingWeighted::new(&equal(b), b.points, family))),
    ("multi-probe", |b, family| boxed(MultiProbe::new(b.buckets, PROBES, family))),
    ("rendezvous", |b, family| boxed(Rendezvous::new(b.buckets, family))),
    ("rendezvous-weighted", |b, family| boxed(RendezvousWeighted::new(&equal(b), family))),
    ("control-strict", |b, family| boxed(Strict::new(b.buckets, b.points, family))),
    ("control-lost-point", |b, family| boxed(LostPoint::new(b.buckets, b.points, family))),
];

pub(super) fn collisions(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some((_, constructor)) = COARSE.iter().find(|(id, _)| *id == implementation.id) else {
        return Ok(Outcome::NotPromised("not in this check's list: no points or scores, or a hash of its own"));
    };
    let keys = inputs.keys(200);
    for buckets in [1, 2, 9, 30] {
        let build = inputs.build(buckets);
        let family = Coarse(Mix::new(build.seed));
        let mut history = History::new(implementation.algorithm, build);
        let mut subject = constructor(build, family)?;
        let order = inputs.shuffled(buckets);
        let gone = &order[..buckets as usize / 2];
        let mut changes: Vec<(&str, u32)> = gone.iter().map(|&bucket| ("removed", bucket)).collect();
        changes.extend(gone.iter().map(|&bucket| ("restored", bucket)));
        let mut what = format!("n = {buckets}, positions of 7 bits");
        for step in 0..=changes.len() {
            let Some(model) = of_family(implementation.algorithm, family, build, &history) else {
                bail!("no model of {} takes a hash family", implementation.algorithm.name());
            };
            let right: Vec<u32> = keys.iter().map(|&key| model(key)).collect();
            if let Some((key, found, right)) = first_difference(&keys, &answers(&*subject, &keys), &right) {
                bail!("{what}: key {key} has bucket {found}, right is {right}");
            }
            let Some(&(change, bucket)) = changes.get(step) else { break };
            let changed = match change {
                "removed" => [subject.remove(bucket), history.remove(bucket)],
                _ => [subject.restore(bucket), history.restore(bucket)],
            };
            what = format!("n = {buckets}, positions of 7 bits, {bucket} {change}");
            ensure!(changed == [Ok(()), Ok(())], "{what}: {changed:?}, both are right to do so");
        }
    }
    Ok(Outcome::Passed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::catalog;
    use crate::controls::CONTROLS;

    #[test]
    fn all_that_is_named_is_there() {
        let ids: Vec<&str> =
            catalog().iter().chain(CONTROLS.iter().map(|control| &control.implementation)).map(|one| one.id).collect();
        assert!(COARSE.iter().all(|(id, _)| ids.contains(id)));
    }
}
