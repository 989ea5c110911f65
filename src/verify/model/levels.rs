//! The algorithms whose places are consistent among powers of two: PowerCH, FlipHash, BinomialHash, by recursion.

use std::iter::successors;

use super::jump::walk;
use crate::algorithms::FlipFamily;
use crate::algorithms::hash::{HashFamily, Mix};

/// The place of a hash among `size` places, a power of two: that among half of them if the bit says so, and else one
/// drawn `again` in the upper half.
fn place(hash: u64, size: u64, again: &impl Fn(u64) -> u64) -> u64 {
    match size / 2 {
        0 => 0,
        half if hash & half == 0 => place(hash, half, again),
        half => half + again(half) % half,
    }
}

/// The smallest power of two that is not below.
fn power_at_or_above(number: u32) -> u64 {
    (0..).map(|bits| 1 << bits).find(|&power: &u64| power >= u64::from(number)).unwrap_or(1)
}

/// Leu 2023, the function of section 3 with its three results r1, r2, r3.
pub(super) fn power(family: Mix, key: u64, buckets: u32) -> u32 {
    let hash = family.key(key);
    let among = |size| place(hash, size, &|top| family.score(hash, top as u32));
    let size = power_at_or_above(buckets);
    let (first, half) = (among(size), size / 2);
    if first < u64::from(buckets) {
        return first as u32;
    }
    match walk(hash, half - 1, buckets) {
        end if u64::from(end) >= half => end,
        _ => among(half) as u32,
    }
}

/// Masson & Lee 2024: of 64 hashes the first within the range decides, if it lies in the upper half of the power of two.
pub(super) fn flip(family: Mix, key: u64, buckets: u32) -> u32 {
    let (size, hash) = (power_at_or_above(buckets), |level, attempt| FlipFamily::hash(&family, key, level, attempt));
    let flipped = |size: u64| {
        let value = hash(0, 0) % size;
        let top = (0..64).rev().find(|&level| value >> level == 1);
        top.map_or(0, |level| (1 << level) + ((value - (1 << level)) ^ (hash(level, 0) % (1 << level))))
    };
    let (first, in_range) = (flipped(size), |bucket: &u64| *bucket < u64::from(buckets));
    if in_range(&first) {
        return first as u32;
    }
    // The level of the last bucket, which is that of the upper half.
    let level = (0..64).find(|&level| 2 << level == size).unwrap_or(0);
    let decides = (1..=64).map(|attempt| hash(level, attempt) % size).find(in_range);
    decides.filter(|&bucket| bucket >= size / 2).unwrap_or_else(|| flipped(size / 2)) as u32
}

/// Coluzzi et al. 2024, ω = 4: of a hash and its four rehashes the first with a node of the range decides, if that lies
/// in the upper half of the tree.
pub(super) fn binomial(family: Mix, key: u64, buckets: u32) -> u32 {
    let (size, first) = (power_at_or_above(buckets), family.key(key));
    let node = |hash, size| place(hash, size, &|top| family.score(hash, (top - 1) as u32));
    let hashes = successors(Some(first), |&hash| Some(family.score(hash, (size - 1) as u32))).take(1 + 4);
    let decides = hashes.map(|hash| node(hash, size)).find(|&node| node < u64::from(buckets));
    decides.filter(|&node| node >= size / 2).unwrap_or_else(|| node(first, size / 2)) as u32
}
