//! Shares of a Maglev table that a crate does not show.

use crate::catalog::{Build, BuildError};

/// The shares of a table of `slots` that nodes fill in turns, one slot each, in the order of their numbers: the turn that
/// fills it ends with it, so that the first `slots mod n` nodes have one slot more than the others.
pub(super) fn shares_of_turns(slots: usize, build: Build) -> Result<Vec<f64>, BuildError> {
    let nodes = build.buckets as usize;
    Ok((0..nodes).map(|node| (slots / nodes + usize::from(node < slots % nodes)) as f64 / slots as f64).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns() {
        let shares = |slots, nodes| shares_of_turns(slots, Build::new(nodes, 1, 0)).expect("shares");
        assert_eq!(shares(7, 3), [3.0 / 7.0, 2.0 / 7.0, 2.0 / 7.0]);
        assert_eq!(shares(2, 3), [0.5, 0.5, 0.0]);
    }
}
