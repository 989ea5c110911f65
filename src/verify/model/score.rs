//! Every bucket has a score for every key.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::{History, Model};
use crate::algorithms::hash::HashFamily;

/// Thaler & Ravishankar 1998: the highest score, of equal ones that of the lowest bucket.
pub fn rendezvous(family: impl HashFamily + 'static, history: &History) -> Model {
    let working = history.working();
    Box::new(move |key| {
        let best = working.iter().max_by_key(|&&bucket| (family.score(key, bucket), Reverse(bucket)));
        best.copied().unwrap_or(u32::MAX)
    })
}

/// Schindelhauer & Schomaker 2005, as a race by powers: u^(1/w) is largest where -w / ln u is.
pub(super) fn rendezvous_weighted(family: impl HashFamily + 'static, weights: BTreeMap<u32, u32>) -> Model {
    Box::new(move |key| {
        let race = weights.iter().map(|(&bucket, &weight)| {
            let u = ((family.score(key, bucket) >> 12) as f64 + 0.5) / 2_f64.powi(52);
            (u.powf(f64::from(weight).recip()), Reverse(bucket))
        });
        let best = race.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        best.map_or(u32::MAX, |(_, Reverse(bucket))| bucket)
    })
}
