//! The constructor that a user calls first, with one node more.

use anyhow::ensure;

use super::owners;
use crate::catalog::{Build, Implementation};
use crate::verify::{Inputs, Outcome};

const KEYS: usize = 20_000;
const FEW: u32 = 10;

pub(super) fn default(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    if implementation.promises.history_dependent {
        return Ok(Outcome::NotPromised(
            "its capacity is the caller's, and its answers depend on the order of all changes",
        ));
    }
    // Slots are not asked for: the crate's own number of them.
    let of = |buckets| {
        let subject = (implementation.build)(Build::new(buckets, 100, inputs.seed()))?;
        anyhow::Ok(owners(&*subject, inputs.seed(), KEYS))
    };
    let (before, after) = (of(FEW)?, of(FEW + 1)?);
    let moved = before.iter().zip(&after).filter(|(old, new)| old != new).count();
    let part = KEYS / (FEW as usize + 1);
    // A ring's new node may have twice its part, a table moves some between others; a new table of another size nearly all.
    ensure!(
        moved < 4 * part,
        "from {FEW} to {} nodes by its default constructor {moved} of {KEYS} keys move, {part} would do",
        FEW + 1
    );
    Ok(Outcome::Passed)
}
