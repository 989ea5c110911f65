//! The check against slow models: as it was built, at many sizes, and after removals.

use rand::Rng as _;

use super::inputs::{Inputs, SIZES, answers, first_difference};
use crate::algorithms::Partitioner;
use crate::algorithms::hash::Mix;
use crate::algorithms::maglev::TABLE_SIZE;
use crate::catalog::parameters::MAGLEV_LARGE;
use crate::catalog::{Algorithm, Build, Implementation};
use crate::verify::Outcome;
use crate::verify::model::{History, key_at, model, points};

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
    for check in [as_built, tables, halved, wandering] {
        if let Some(outcome) = check(implementation, inputs)? {
            return Ok(outcome);
        }
    }
    Ok(Outcome::Passed)
}

/// As it was built, at many sizes.
fn as_built(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Option<Outcome>> {
    let most = most(implementation.algorithm).min(implementation.limits.most_buckets);
    let sizes = SIZES.into_iter().filter(|&n| (implementation.limits.least_buckets..=100).contains(&n)).chain(LARGE);
    for buckets in sizes.filter(|&n| n <= most) {
        let (build, history) = (inputs.build(buckets), History::new(implementation.algorithm, inputs.build(buckets)));
        let mut keys = inputs.keys(1_000);
        if buckets <= 100 {
            keys.extend(placed_keys(build, &history));
        }
        let (subject, what) = ((implementation.build)(build)?, format!("n = {buckets}"));
        if let Some(outcome) = differs(implementation, build, &history, &*subject, &keys, &what) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

/// Keys where it matters which side of a boundary they are on: at and around points, half-way between two of them, and where
/// a circle or interval is divided into equal parts.
fn placed_keys(build: Build, history: &History) -> impl Iterator<Item = u64> + use<> {
    let mut places: Vec<u64> =
        points(Mix::new(build.seed), history, build.points).iter().map(|point| point.0).collect();
    places.truncate(200);
    places.sort_unstable();
    let between: Vec<u64> = places.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2).collect();
    let (lower, parts) = (u64::from(u32::MAX), u128::from(build.buckets.max(1)));
    let ends = places.clone().into_iter().flat_map(move |place| [place & !lower, place | lower]);
    let divided = (0..parts).map(move |part| ((part << 64) / parts) as u64);
    let all = places.into_iter().chain(between).chain(divided);
    all.flat_map(|place| [place.wrapping_sub(1), place, place.wrapping_add(1)]).chain(ends).map(key_at)
}

/// In tables of the sizes that the Maglev paper has, in which it differs from all others what overflows.
fn tables(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Option<Outcome>> {
    if implementation.algorithm != Algorithm::Maglev {
        return Ok(None);
    }
    for slots in [TABLE_SIZE as u32, MAGLEV_LARGE] {
        let build = Build { slots, ..inputs.build(3) };
        let history = History::new(implementation.algorithm, build);
        let (subject, what) = ((implementation.build)(build)?, format!("n = 3 in {slots} slots"));
        if let Some(outcome) = differs(implementation, build, &history, &*subject, &inputs.keys(5_000), &what) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

/// With half of the buckets removed.
fn halved(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Option<Outcome>> {
    let Some(removable) = implementation.remove else { return Ok(None) };
    let (most, keys) = (most(implementation.algorithm), inputs.keys(1_000));
    for buckets in [2, 9, 64, 100].into_iter().filter(|&n| n <= most) {
        let build = inputs.build(buckets);
        let (mut subject, mut history) = (removable(build)?, History::new(implementation.algorithm, build));
        let order = inputs.shuffled(buckets);
        let gone = &order[..buckets as usize / 2];
        for &bucket in gone {
            subject.remove(bucket)?;
            history.remove(bucket)?;
        }
        let what = format!("n = {buckets}, {} of them removed", gone.len());
        if let Some(outcome) = differs(implementation, build, &history, &*subject, &keys, &what) {
            return Ok(Some(outcome));
        }
    }
    Ok(None)
}

/// After each of many removals and restorations: what a restoration leaves wrong may show at a later removal only.
fn wandering(implementation: &Implementation, inputs: Inputs) -> anyhow::Result<Option<Outcome>> {
    const STEPS: u32 = 40;
    let Some(removable) = implementation.remove else { return Ok(None) };
    let keys = inputs.random_keys(200);
    for buckets in [9, 24] {
        let build = inputs.build(buckets);
        let (mut subject, mut history) = (removable(build)?, History::new(implementation.algorithm, build));
        let (mut stream, mut gone) = (inputs.stream(), Vec::new());
        let mut working: Vec<u32> = (0..buckets).collect();
        for step in 1..=STEPS {
            let draw = stream.next_u64();
            // The last removed is the first to be restored, which all promise.
            if let Some(back) = gone.pop_if(|_| draw % 5 < 2 || working.len() == 1) {
                subject.restore(back)?;
                history.restore(back)?;
                working.push(back);
            } else {
                let bucket = working.swap_remove((draw >> 8) as usize % working.len());
                subject.remove(bucket)?;
                history.remove(bucket)?;
                gone.push(bucket);
            }
            let what = format!("n = {buckets}, {step} removals and restorations");
            if let Some(outcome) = differs(implementation, build, &history, &*subject, &keys, &what) {
                return Ok(Some(outcome));
            }
        }
    }
    Ok(None)
}

/// Why an implementation does not pass, if so.
fn differs(
    implementation: &Implementation,
    build: Build,
    history: &History,
    subject: &(impl Partitioner + ?Sized),
    keys: &[u64],
    what: &str,
) -> Option<Outcome> {
    let model = match model(implementation.algorithm, build, history) {
        Ok(model) => model,
        Err(reason) => return Some(Outcome::NotPromised(reason)),
    };
    let right: Vec<u32> = keys.iter().map(|&key| model(key)).collect();
    let (key, found, right) = first_difference(keys, &answers(subject, keys), &right)?;
    Some(Outcome::Failed(format!("{what}, key {key}: bucket {found}, right is {right}")))
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
                let outcome = differs(&posing, inputs.build(9), &history, &*subject, &keys, "");
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
            let outcome = differs(implementation, inputs.build(9), &history, &*subject, &inputs.keys(100), "");
            assert!(matches!(outcome, Some(Outcome::Failed(_))), "{}: {outcome:?}", implementation.id);
        }
    }
}
