//! A node is added again while it is there, and removed once.

use anyhow::bail;

use super::owners;
use crate::catalog::{Build, Implementation};
use crate::verify::{Inputs, Outcome, panic_caught};

const KEYS: usize = 20_000;
const NODES: u32 = 10;
const NODE: u32 = 3;

pub(super) fn twice(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    let Some(remove) = implementation.remove else {
        return Ok(Outcome::NotPromised("nodes do not come and go"));
    };
    if implementation.promises.history_dependent {
        return Ok(Outcome::NotPromised("its answers depend on the order of all changes"));
    }
    let build = Build::new(NODES, 20, inputs.seed());
    let mut subject = remove(build)?;
    let with = owners(&*subject, inputs.seed(), KEYS);
    match panic_caught(|| subject.restore(NODE)) {
        Ok(Ok(())) => {}
        Ok(Err(_)) | Err(_) => return Ok(Outcome::Noted("refuses".into())),
    }
    subject.remove(NODE)?;
    let found = owners(&*subject, inputs.seed(), KEYS);
    let mut other = remove(build)?;
    other.remove(NODE)?;
    let without = owners(&*other, inputs.seed(), KEYS);
    if found != with && found != without {
        let still = found.iter().filter(|&&bucket| bucket == NODE).count();
        let before = with.iter().filter(|&&bucket| bucket == NODE).count();
        let others = found.iter().zip(&without).filter(|(bucket, right)| **bucket != NODE && bucket != right).count();
        bail!(
            "node {NODE} of {NODES} added twice and removed once: it has {still} of the {before} keys that it had, and \
             {others} keys of others are elsewhere than without it"
        );
    }
    Ok(Outcome::Passed)
}
