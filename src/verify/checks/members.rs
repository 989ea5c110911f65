//! Requests about buckets that are not there.

use anyhow::ensure;

use super::inputs::{Inputs, answers, none_left, refused, same};
use super::removal::LAST_ONLY;
use crate::catalog::{Build, Implementation};
use crate::verify::Outcome;

pub(super) fn members(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(removable) = implementation.remove else { return Ok(LAST_ONLY) };
    // As many slots as buckets, a prime: none is spare, so that no other bucket exists.
    const BUCKETS: u32 = 11;
    let mut subject = removable(Build { slots: BUCKETS, ..inputs.build(BUCKETS) })?;
    let keys = inputs.keys(500);
    let all = answers(&*subject, &keys);
    let unknown = [BUCKETS, BUCKETS + 1, i32::MAX as u32, 1 << 31, u32::MAX];
    for bucket in unknown {
        refused(implementation, &format!("removing bucket {bucket} of 0..11"), &mut *subject, &keys, |subject| {
            subject.remove(bucket)
        })?;
    }
    // Where buckets have names, to add one again may well make two of it.
    for bucket in (0..BUCKETS).filter(|_| implementation.strict()) {
        let what = format!("restoring bucket {bucket}, which works");
        refused(implementation, &what, &mut *subject, &keys, |subject| subject.restore(bucket))?;
    }
    subject.remove(4)?;
    subject.remove(7)?;
    // Where buckets have names, any may be added.
    for bucket in unknown.into_iter().filter(|_| implementation.strict()) {
        let what = format!("restoring bucket {bucket}, which never existed");
        refused(implementation, &what, &mut *subject, &keys, |subject| subject.restore(bucket))?;
    }
    refused(implementation, "removing bucket 4 again", &mut *subject, &keys, |subject| subject.remove(4))?;
    if implementation.strict() {
        refused(implementation, "restoring bucket 0, which works", &mut *subject, &keys, |subject| subject.restore(0))?;
    }
    if implementation.promises.history_dependent {
        if implementation.strict() {
            let what = "restoring bucket 4, removed before 7, which is still away";
            refused(implementation, what, &mut *subject, &keys, |subject| subject.restore(4))?;
        }
        subject.restore(7)?;
        subject.restore(4)?;
    } else {
        subject.restore(4)?;
        subject.restore(7)?;
    }
    if implementation.strict() {
        refused(implementation, "restoring bucket 7 again", &mut *subject, &keys, |subject| subject.restore(7))?;
    }
    ensure!(subject.bucket_count() == BUCKETS, "all are back: says that {} of 11 work", subject.bucket_count());
    same("buckets 4 and 7 removed and restored", &keys, &answers(&*subject, &keys), &all)?;
    for bucket in 1..BUCKETS {
        subject.remove(bucket)?;
    }
    none_left(implementation, "bucket 0, the last one, removed", &keys, || {
        subject.remove(0).is_ok().then_some(subject)
    })?;
    Ok(Outcome::Passed)
}
