//! Slow, obvious models of the algorithms: what an implementation must answer, computed another way.

use crate::algorithms::hash::{HashFamily, Mix};
use crate::catalog::{Algorithm, Build};

/// A function from keys to buckets.
pub type Model = Box<dyn Fn(u64) -> u32>;

/// The model of an algorithm; none where the algorithm is as obvious as a model would be.
#[must_use]
pub fn model(algorithm: Algorithm, build: Build) -> Option<Model> {
    let family = Mix::new(build.seed);
    match algorithm {
        Algorithm::Jump => Some(Box::new(move |key| jump(key, build.buckets))),
        Algorithm::Ring { position_bits } => {
            let drop = 64 - position_bits;
            let points: Vec<(u64, u32)> = (0..build.buckets)
                .flat_map(|bucket| (0..build.points).map(move |replica| (bucket, replica)))
                .map(|(bucket, replica)| (family.point(bucket, replica) >> drop, bucket))
                .collect();
            let circle = u64::MAX >> drop;
            Some(Box::new(move |key| {
                let key = family.key(key) >> drop;
                // The shortest way clockwise; of equal ways the lowest bucket.
                let nearest = points.iter().min_by_key(|&&(point, bucket)| (point.wrapping_sub(key) & circle, bucket));
                nearest.map_or(u32::MAX, |&(_, bucket)| bucket)
            }))
        }
        Algorithm::Rendezvous => Some(Box::new(move |key| {
            let best = (0..build.buckets).max_by_key(|&bucket| (family.score(key, bucket), std::cmp::Reverse(bucket)));
            best.unwrap_or(u32::MAX)
        })),
        _ => None,
    }
}

const MULTIPLIER: u64 = 2_862_933_555_777_941_757;

/// Figure 1 of Lamping & Veach in integers: both roundings of IEEE 754 (to nearest, ties to even) done by hand, so that a
/// compiler's excess precision, a fused operation or an overflow in the floating-point version shows.
#[must_use]
pub fn jump(key: u64, buckets: u32) -> u32 {
    let (mut state, mut bucket, mut next) = (key, 0, 0_u64);
    while next < u64::from(buckets) {
        bucket = next;
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(1);
        next = leap(bucket + 1, (state >> 33) + 1);
    }
    bucket as u32
}

/// trunc(steps · (2^31 / divisor)), each operation rounded to 53 bits.
fn leap(steps: u64, divisor: u64) -> u64 {
    let divisor = u128::from(divisor);
    // Scale the quotient to at least 53 bits and at most 54: 2^31/divisor lies in (2^-1, 2^31].
    let scale = 54 + divisor.ilog2() - 31;
    let numerator = 1_u128 << (31 + scale);
    // One sticky bit below stands for the rest of the division.
    let quotient = ((numerator / divisor) << 1) | u128::from(!numerator.is_multiple_of(divisor));
    let quotient = round53(quotient);
    let product = round53(quotient * u128::from(steps));
    (product >> (scale + 1)) as u64
}

/// The nearest number with 53 significant bits, ties to the even one.
fn round53(number: u128) -> u128 {
    let drop = (128 - number.leading_zeros()).saturating_sub(53);
    if drop == 0 {
        return number;
    }
    let half = 1_u128 << (drop - 1);
    let (kept, rest) = (number >> drop, number & ((1 << drop) - 1));
    let up = rest > half || (rest == half && kept & 1 == 1);
    (kept + u128::from(up)) << drop
}

/// A key whose draw number `draw` (from 1) in Figure 1 is `value`: the generator run backwards. `low` are the 33 bits of
/// the state that the draw does not show.
#[must_use]
pub fn key_with_draw(draw: u32, value: u32, low: u64) -> u64 {
    // The inverse of an odd number modulo 2^64 by Newton's iteration: each step doubles the bits that are right.
    let inverse = (0..6).fold(MULTIPLIER, |x, _| x.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(x))));
    let state = (u64::from(value) << 33) | (low & ((1 << 33) - 1));
    (0..draw).fold(state, |state, _| state.wrapping_sub(1).wrapping_mul(inverse))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_runs_backwards() {
        for (draw, value) in [(1, 0), (1, i32::MAX as u32), (3, 12_345)] {
            let key = key_with_draw(draw, value, 99);
            let state = (0..draw).fold(key, |state, _| state.wrapping_mul(MULTIPLIER).wrapping_add(1));
            assert_eq!(state >> 33, u64::from(value));
        }
    }

    #[test]
    fn roundings_are_those_of_the_machine() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(MULTIPLIER).wrapping_add(1);
            let (steps, divisor) = ((state >> 33) % (1 << 31) + 1, (state.rotate_left(17) >> 33) + 1);
            let float = (steps as f64 * ((1_u64 << 31) as f64 / divisor as f64)) as u64;
            assert_eq!(leap(steps, divisor), float, "{steps} x 2^31/{divisor}");
        }
    }
}
