//! Points, each looked at for every key.

use std::collections::BTreeMap;

use super::{History, Model};
use crate::algorithms::hash::{HashFamily, Mix};
use crate::catalog::parameters::PROBES;

const CIRCLE: u128 = 1 << 64;

/// The points of all working buckets: (position, bucket).
#[must_use]
pub fn points(family: impl HashFamily, history: &History, count: u32) -> Vec<(u64, u32)> {
    let family = &family;
    let of = |bucket| (0..count).map(move |replica| (family.point(bucket, replica), bucket));
    history.working().into_iter().flat_map(of).collect()
}

/// Points in proportion to weights: the mean of the `first` has `points`. Halves are rounded up, in integers.
pub(super) fn weighted_points(
    family: impl HashFamily + Copy,
    points: u32,
    first: &[u32],
    now: &BTreeMap<u32, u32>,
) -> Vec<(u64, u32)> {
    let sum: u64 = first.iter().copied().map(u64::from).sum();
    let count =
        |weight: u32| ((2 * u64::from(points) * u64::from(weight) * first.len() as u64 + sum) / (2 * sum)).max(1);
    let of = |(&bucket, &weight)| (0..count(weight)).map(move |replica| (family.point(bucket, replica as u32), bucket));
    now.iter().flat_map(of).collect()
}

/// The ring, clockwise: the shortest way from a key to a point, of equal ways the lowest bucket. Positions are the upper
/// `position_bits` of 64.
pub fn clockwise(family: impl HashFamily + 'static, points: Vec<(u64, u32)>, position_bits: u32) -> Model {
    let (drop, circle) = (64 - position_bits, u64::MAX >> (64 - position_bits));
    Box::new(move |key| {
        let key = family.key(key) >> drop;
        let nearest =
            points.iter().min_by_key(|&&(point, bucket)| ((point >> drop).wrapping_sub(key) & circle, bucket));
        nearest.map_or(u32::MAX, |&(_, bucket)| bucket)
    })
}

/// Karger et al. 1997: the least |r_B - r_I| on an interval, of equally near points the lower.
pub(super) fn nearest(family: impl HashFamily + 'static, points: Vec<(u64, u32)>) -> Model {
    Box::new(move |key| {
        let distance = |point| (i128::from(point) - i128::from(family.key(key))).abs();
        let nearest = points.iter().min_by_key(|&&(point, bucket)| (distance(point), point, bucket));
        nearest.map_or(u32::MAX, |&(_, bucket)| bucket)
    })
}

/// Appleton & O'Reilly 2015: the shortest of all ways clockwise from a probe to a point, of equal ways the first probe's.
pub(super) fn multi_probe(family: impl HashFamily + 'static, points: Vec<(u64, u32)>) -> Model {
    Box::new(move |key| {
        let (first, step) = (u128::from(family.key(key)), u128::from(family.score(key, 0)));
        let probes = (0..PROBES).map(|probe| (probe, (first + u128::from(probe) * step) % CIRCLE));
        let ways = probes.flat_map(|(probe, at)| {
            points.iter().map(move |&(point, bucket)| ((u128::from(point) + CIRCLE - at) % CIRCLE, probe, bucket))
        });
        ways.min().map_or(u32::MAX, |(_, _, bucket)| bucket)
    })
}

/// Strategy 3 of DeCandia et al. 2007: as many equal partitions as there are tokens, in the tokens' order.
pub(super) fn equal_shares(family: Mix, mut tokens: Vec<(u64, u32)>) -> Model {
    tokens.sort_unstable();
    Box::new(move |key| tokens[(u128::from(family.key(key)) * tokens.len() as u128 / CIRCLE) as usize].1)
}
