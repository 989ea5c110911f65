//! Maglev tables: shares that a crate does not show, and lists of nodes to build a table of again.

use super::nodes::absent;
use crate::algorithms::Error;
use crate::catalog::{Build, BuildError};

/// The shares of a table of `slots` that nodes fill in turns, one slot each, in the order of their numbers: the turn that
/// fills it ends with it, so that the first `slots mod n` nodes have one slot more than the others.
pub(super) fn shares_of_turns(slots: usize, build: Build) -> Result<Vec<f64>, BuildError> {
    let nodes = build.buckets as usize;
    Ok((0..nodes).map(|node| (slots / nodes + usize::from(node < slots % nodes)) as f64 / slots as f64).collect())
}

/// Nodes with one more, in the order of their numbers, as a list of nodes would be kept.
pub(super) fn with(mut numbers: Vec<u32>, bucket: u32) -> Vec<u32> {
    numbers.insert(numbers.partition_point(|&number| number < bucket), bucket);
    numbers
}

/// Nodes without one.
pub(super) fn without(mut numbers: Vec<u32>, bucket: u32) -> Result<Vec<u32>, Error> {
    let at = numbers.iter().position(|&number| number == bucket).ok_or(absent(bucket))?;
    numbers.remove(at);
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        assert_eq!(with(vec![0, 2], 1), [0, 1, 2]);
        assert_eq!((without(vec![0, 1, 2], 1), without(vec![0, 2], 1)), (Ok(vec![0, 2]), Err(absent(1))));
    }

    #[test]
    fn turns() {
        let shares = |slots, nodes| shares_of_turns(slots, Build::new(nodes, 1, 0)).expect("shares");
        assert_eq!(shares(7, 3), [3.0 / 7.0, 2.0 / 7.0, 2.0 / 7.0]);
        assert_eq!(shares(2, 3), [0.5, 0.5, 0.0]);
    }
}
