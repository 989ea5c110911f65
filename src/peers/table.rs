//! Maglev tables: shares that a crate does not show, and tables that are built again for every change.

use super::nodes::{Changing, Placing, absent};
use crate::algorithms::Error;
use crate::catalog::{Build, BuildError};

/// The shares of a table of `slots` that nodes fill in turns, one slot each, in the order of their numbers: the turn that
/// fills it ends with it, so that the first `slots mod n` nodes have one slot more than the others.
pub(super) fn shares_of_turns(slots: usize, build: Build) -> Result<Vec<f64>, BuildError> {
    let nodes = build.buckets as usize;
    Ok((0..nodes).map(|node| (slots / nodes + usize::from(node < slots % nodes)) as f64 / slots as f64).collect())
}

/// A table that is built again for every change, of a list of nodes in the order of their numbers.
pub(super) trait Rebuilt: Placing {
    /// The nodes that are in it.
    fn numbers(&self) -> Vec<u32>;

    /// Makes it one of these, with as many slots as before.
    fn rebuild(&mut self, numbers: Vec<u32>);
}

impl<T: Rebuilt> Changing for T {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.rebuild(with(self.numbers(), bucket));
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.rebuild(without(self.numbers(), bucket)?);
        Ok(())
    }
}

fn with(mut numbers: Vec<u32>, bucket: u32) -> Vec<u32> {
    numbers.insert(numbers.partition_point(|&number| number < bucket), bucket);
    numbers
}

fn without(mut numbers: Vec<u32>, bucket: u32) -> Result<Vec<u32>, Error> {
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
