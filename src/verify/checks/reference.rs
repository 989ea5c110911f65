//! The check against slow models: as it was built, at many sizes, and after removals.

use super::inputs::{Inputs, SIZES, answers, first_difference};
use crate::algorithms::Partitioner;
use crate::catalog::{Algorithm, Build, Implementation};
use crate::verify::Outcome;
use crate::verify::model::{History, model};

/// Sizes at which nothing is built that grows with them: around powers of two, and the limits of types.
const LARGE: [u32; 20] = [
    127,
    128,
    129,
    1000,
    1023,
    1024,
    1025,
    2048,
    65_535,
    65_536,
    65_537,
    1_000_000,
    (1 << 20) - 1,
    (1 << 30) - 1,
    1 << 30,
    (1 << 30) + 1,
    (1 << 31) - 2,
    (1 << 31) - 1,
    (1 << 31) + 1,
    u32::MAX,
];

/// The largest size at which a model answers in little time.
fn most(algorithm: Algorithm) -> u32 {
    match algorithm {
        Algorithm::Jump
        | Algorithm::JumpDraws
        | Algorithm::JumpBack { .. }
        | Algorithm::JumpBackAnchor
        | Algorithm::Memento
        | Algorithm::Power
        | Algorithm::Flip
        | Algorithm::Binomial => u32::MAX,
        Algorithm::Round => 1 << 20,
        Algorithm::JumpLinear => 1025,
        _ => 100,
    }
}

/// Answers equal those of a slow model.
pub(super) fn reference(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Outcome> {
    if implementation.promises.own_hash {
        return Ok(Outcome::NotPromised("hashes with its own function"));
    }
    let keys = inputs.keys(1_000);
    let most = most(implementation.algorithm).min(implementation.limits.most_buckets);
    let sizes = SIZES.into_iter().filter(|&n| (implementation.limits.least_buckets..=100).contains(&n)).chain(LARGE);
    for buckets in sizes.filter(|&n| n <= most) {
        let (build, history) = (inputs.build(buckets), History::new(implementation.algorithm, inputs.build(buckets)));
        let subject = (implementation.build)(build)?;
        if let Some(outcome) = differs(implementation, build, &history, &*subject, &keys) {
            return Ok(outcome);
        }
    }
    let Some(removable) = implementation.remove else { return Ok(Outcome::Passed) };
    for buckets in [2, 9, 64, 100].into_iter().filter(|&n| n <= most) {
        let (build, mut history) =
            (inputs.build(buckets), History::new(implementation.algorithm, inputs.build(buckets)));
        let mut subject = removable(build)?;
        let order = inputs.shuffled(buckets);
        for &bucket in &order[..buckets as usize / 2] {
            subject.remove(bucket)?;
            history.remove(bucket)?;
        }
        if let Some(outcome) = differs(implementation, build, &history, &*subject, &keys) {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Passed)
}

/// Why an implementation does not pass, if so.
fn differs(
    implementation: &Implementation,
    build: Build,
    history: &History,
    subject: &(impl Partitioner + ?Sized),
    keys: &[u64],
) -> Option<Outcome> {
    let model = match model(implementation.algorithm, build, history) {
        Ok(model) => model,
        Err(reason) => return Some(Outcome::NotPromised(reason)),
    };
    let right: Vec<u32> = keys.iter().map(|&key| model(key)).collect();
    let (key, found, right) = first_difference(keys, &answers(subject, keys), &right)?;
    let of = match build.buckets - history.count() {
        0 => String::new(),
        removed => format!(", {removed} of them removed"),
    };
    Some(Outcome::Failed(format!("n = {}{of}, key {key}: bucket {found}, right is {right}", build.buckets)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Source, catalog};

    #[test]
    fn every_algorithm_but_the_control_has_a_model() {
        let inputs = Inputs::default();
        for implementation in catalog() {
            let history = History::new(implementation.algorithm, inputs.build(5));
            let has_model = model(implementation.algorithm, inputs.build(5), &history).is_ok();
            assert_eq!(has_model, implementation.algorithm != Algorithm::Modulo, "{}", implementation.id);
        }
    }

    #[test]
    fn what_poses_as_another_algorithm_is_caught() {
        let inputs = Inputs::default();
        // With equal weights, without removals, and as long as no points meet in 32 bits.
        let plain = |algorithm| match algorithm {
            Algorithm::RingWeighted | Algorithm::Ring { .. } => Algorithm::Ring { position_bits: 64 },
            Algorithm::RendezvousWeighted => Algorithm::Rendezvous,
            Algorithm::JumpBackAnchor => Algorithm::JumpBack { draw_bits: 64 },
            other => other,
        };
        let keys = inputs.keys(100);
        for implementation in catalog().iter().filter(|implementation| implementation.source == Source::Ours) {
            let subject = (implementation.build)(inputs.build(9)).expect("nine buckets");
            for other in catalog().iter().filter(|other| plain(other.algorithm) != plain(implementation.algorithm)) {
                let history = History::new(other.algorithm, inputs.build(9));
                let posing = Implementation { algorithm: other.algorithm, ..*implementation };
                let outcome = differs(&posing, inputs.build(9), &history, &*subject, &keys);
                let caught = matches!(outcome, Some(Outcome::Failed(_))) || other.algorithm == Algorithm::Modulo;
                assert!(caught, "{} as {}: {outcome:?}", implementation.id, other.id);
            }
        }
    }

    #[test]
    fn a_removal_that_is_forgotten_is_caught() {
        let inputs = Inputs::default();
        let removable = catalog().iter().filter(|implementation| implementation.remove.is_some());
        for implementation in removable.filter(|implementation| implementation.algorithm != Algorithm::Modulo) {
            let mut history = History::new(implementation.algorithm, inputs.build(9));
            let subject = (implementation.build)(inputs.build(9)).expect("nine buckets");
            history.remove(4).expect("one of nine");
            let outcome = differs(implementation, inputs.build(9), &history, &*subject, &inputs.keys(100));
            assert!(matches!(outcome, Some(Outcome::Failed(_))), "{}: {outcome:?}", implementation.id);
        }
    }
}
