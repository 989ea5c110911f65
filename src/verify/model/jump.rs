//! Jump in integers, and the walks that draw from a stream: answers of the definitions, without floating point.

use super::places::inverse;
use crate::algorithms::hash::{Draws, SplitMix64, mix64};

const MULTIPLIER: u64 = 2_862_933_555_777_941_757;

/// Figure 1 of Lamping & Veach in integers: both roundings of IEEE 754 (to nearest, ties to even) done by hand, so that a
/// compiler's excess precision, a fused operation or an overflow in the floating-point version shows.
#[must_use]
pub fn jump(key: u64, buckets: u32) -> u32 {
    walk(key, 0, buckets)
}

/// The same, if the walk begins at bucket `from`.
pub(super) fn walk(key: u64, from: u64, buckets: u32) -> u32 {
    let (mut state, mut bucket, mut next) = (key, from, from);
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
    let product = round53(divide53(numerator, divisor) * u128::from(steps));
    (product >> (scale + 1)) as u64
}

/// Twice a quotient of at least 54 bits, rounded to 53.
fn divide53(numerator: u128, divisor: u128) -> u128 {
    // One sticky bit below stands for the rest of the division.
    round53(((numerator / divisor) << 1) | u128::from(!numerator.is_multiple_of(divisor)))
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

/// Section 3 of Lamping & Veach, the linear version: the last of all jumps, of which number j happens if a uniform draw
/// of 2^64 values lies below 2^64 / (j + 1).
pub(super) fn linear(key: u64, buckets: u32) -> u32 {
    let mut stream = SplitMix64::new(mix64(key));
    let jumps = (1..buckets).map(|j| (j, stream.draw()));
    jumps.filter(|&(j, draw)| draw <= u64::MAX / u64::from(j + 1)).last().map_or(0, |(j, _)| j)
}

/// The walk of Figure 1 by draws of 53 bits: trunc((b + 1) / r), one operation, rounded by hand.
pub(super) fn draws(mut stream: impl Draws, buckets: u32) -> u32 {
    let mut bucket = 0_u32;
    loop {
        // r is this over 2^53, and nothing is beyond the jump of r = 0.
        let draw = u128::from(stream.draw() >> 11);
        let steps = u128::from(bucket) + 1;
        // As many bits as there are: far more than 54 in the quotient.
        let scale = steps.leading_zeros() - 1;
        let next = if draw == 0 { u128::MAX } else { divide53(steps << scale, draw) >> (scale - 53 + 1) };
        if next >= u128::from(buckets) {
            return bucket;
        }
        bucket = next as u32;
    }
}

/// JumpBackHash (Ertl 2024) forwards: the active indices of the key, octave by octave from the lowest, and the largest
/// of them below the number of buckets. `draw_bits` are those used of each draw, 32 or 64.
pub(super) fn jump_back(stream: &mut impl Draws, draw_bits: u32, buckets: u32) -> u32 {
    let mut upper = None;
    let mut half = || match upper.take() {
        Some(half) => half,
        None => {
            let draw = stream.draw();
            upper = (draw_bits == 64).then_some(draw >> 32);
            draw % (1 << 32)
        }
    };
    let buckets = u64::from(buckets);
    let halves = [half(), half()];
    let with_active_index =
        (0..32).map(|octave| 1_u64 << octave).filter(|&octave| (halves[0] ^ halves[1]) & octave > 0);
    let mut active = vec![0];
    for (rank, octave) in with_active_index.take_while(|&octave| octave < buckets).enumerate() {
        // Neighbouring octaves of the key take their positions from different halves.
        active.push(octave + halves[(rank + 1) % 2] % octave);
        // The next lower index of an octave is uniform below it, and outside of the octave if there is none. One at or
        // above the last is a draw that was refused.
        while active.last().is_some_and(|&index| index >= buckets) {
            active.push(half() % (2 * octave));
        }
        // Outside.
        if active.last().is_some_and(|&index| index < octave) {
            active.pop();
        }
    }
    active.into_iter().filter(|&index| index < buckets).max().unwrap_or(0) as u32
}

/// A key whose draw number `draw` (from 1) in Figure 1 is `value`: the generator run backwards. `low` are the 33 bits of
/// the state that the draw does not show.
#[must_use]
pub fn key_with_draw(draw: u32, value: u32, low: u64) -> u64 {
    let inverse = inverse(MULTIPLIER);
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
