//! Allocated tokens for one replica, from a list of ranges that is searched for every split.
//!
//! The fractions are in 64-bit floating point, as those of the algorithm: donors are brought down to one load, so that
//! the last bit decides which of them is the most loaded next time. Integers would place other tokens.

use std::cmp::Reverse;

use crate::algorithms::hash::{HashFamily, Mix};

/// How many positions a token owns up to itself, and whose it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Range {
    length: u128,
    token: u64,
    unit: u32,
}

/// The tokens of all units, which join one after the other: (token, unit).
pub(super) fn allocated(family: Mix, units: u32, tokens: u32) -> Vec<(u64, u32)> {
    let mut ranges: Vec<Range> = Vec::new();
    for unit in 0..units {
        let all = ranges.len() + tokens as usize;
        if ranges.len() >= tokens as usize {
            share_out(&mut ranges, unit, tokens);
        }
        // All those of the first units; of others what their donors had too few ranges for.
        for missing in 0..(all - ranges.len()) as u32 {
            split_largest(&mut ranges, unit, family.point(unit, missing));
        }
    }
    ranges.into_iter().map(|Range { token, unit, .. }| (token, unit)).collect()
}

/// Gives a unit the lower part of a range.
fn split(ranges: &mut Vec<Range>, whole: Range, part: f64, unit: u32) {
    let length = ((whole.length as f64 * part) as u128).min(whole.length - 1).max(1);
    let rest = Range { length: whole.length - length, ..whole };
    ranges.retain(|&other| other != whole);
    ranges.extend([rest, Range { length, token: whole.token.wrapping_sub(rest.length as u64), unit }]);
}

/// Splits the largest range: 1 - 1/√5 of it, and up to 0.075 more, are given away.
fn split_largest(ranges: &mut Vec<Range>, unit: u32, draw: u64) {
    let part = 1.0 - 0.2_f64.sqrt() + 0.075 * (draw as f64 / 2_f64.powi(64));
    match ranges.iter().copied().max() {
        Some(largest) => split(ranges, largest, part, unit),
        None => ranges.push(Range { length: 1 << 64, token: draw, unit }),
    }
}

/// Brings the most loaded units down to the average of themselves and the new one.
fn share_out(ranges: &mut Vec<Range>, unit: u32, tokens: u32) {
    let of = |owner| ranges.iter().copied().filter(move |range| range.unit == owner).collect::<Vec<Range>>();
    let mut units: Vec<(u128, Vec<Range>)> =
        (0..unit).map(of).map(|own| (own.iter().map(|range| range.length).sum(), own)).collect();
    units.sort_by_key(|&(load, _)| Reverse(load));
    let sum = |count: usize| units[..count].iter().map(|&(load, _)| load as f64).sum::<f64>();
    let above = |&count: &usize| units[count].0 as f64 > sum(count + 1) / (count as f64 + 2.0);
    let donors = (0..units.len().min(tokens as usize)).take_while(above).count();
    let target = sum(donors) / (donors as f64 + 1.0);
    let mut left = tokens as usize;
    for (donor, (load, mut own)) in units.into_iter().take(donors).enumerate() {
        own.sort_unstable_by_key(|&range| Reverse(range));
        let count = left.div_ceil(donors - donor);
        left -= count;
        own.truncate(count);
        let work: f64 = own.iter().map(|range| range.length as f64).sum();
        let part = ((load as f64 - target) / work).clamp(0.1, 0.9);
        for range in own {
            split(ranges, range, part, unit);
        }
    }
}
