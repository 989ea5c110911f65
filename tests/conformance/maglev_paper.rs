//! Maglev table population: the worked example of the paper.

use anyhow::{Context, Result};
use consistent_hash_lab::algorithms::maglev::{Backend, populate};

use crate::vectors::{Fields, each_case, paired};

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let size = case.get("M")?;
        let (offsets, skips): (Vec<u64>, Vec<u64>) = (case.get("offsets")?, case.get("skips")?);
        paired(&offsets, &skips)?;
        // A skip is its hash value modulo M - 1, plus 1.
        let backend = |(&offset, skip): (&u64, &u64)| Some(Backend::new(offset, skip.checked_sub(1)?));
        let backends: Option<Vec<Backend>> = offsets.iter().zip(&skips).map(backend).collect();
        let mut backends = backends.context("a skip of 0")?;
        let permutations = backends.iter().map(|backend| Ok(backend.permutation(size)?.collect()));
        let permutations: Vec<Vec<u32>> = permutations.collect::<Result<_>>()?;
        for dead in case.get::<Vec<usize>>("dead")? {
            backends.get_mut(dead).context("dead: no such backend")?.weight = 0.0;
        }
        Ok(case.compare_if_given("permutations", permutations)? + case.compare("result", populate(size, &backends)?)?)
    })
}
