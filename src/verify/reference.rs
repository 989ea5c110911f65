//! Answers against those of a slow model.

use super::Outcome;
use super::checks::{SIZES, answers, build, first_difference, keys};
use super::model::model;
use crate::catalog::{Algorithm, Implementation};

pub(super) fn reference(implementation: &Implementation) -> anyhow::Result<Outcome> {
    let keys = keys(1_000);
    let large = [2048, 65_536, 1_000_000, i32::MAX as u32];
    let large = large.into_iter().filter(|_| implementation.algorithm == Algorithm::Jump);
    for buckets in SIZES.into_iter().filter(|&n| n <= 100).chain(large) {
        let Some(model) = model(implementation.algorithm, build(buckets)) else {
            return Ok(Outcome::NotPromised("the algorithm is as simple as a model of it would be"));
        };
        let subject = (implementation.build)(build(buckets))?;
        let right: Vec<u32> = keys.iter().map(|&key| model(key)).collect();
        if let Some((key, found, right)) = first_difference(&keys, &answers(&*subject, &keys), &right) {
            return Ok(Outcome::Failed(format!("n = {buckets}, key {key}: bucket {found}, right is {right}")));
        }
    }
    Ok(Outcome::Passed)
}
