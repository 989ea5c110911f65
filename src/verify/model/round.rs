//! Round-hashing (Grossi & Versari 2018) by its story: servers come one after the other, each into one more arc of the
//! next group, and groups are split when they have twice as many arcs as at the beginning.

use super::Model;
use crate::algorithms::hash::{HashFamily, Mix};
use crate::catalog::parameters::ROUND_SPLIT;

pub(super) fn round(family: Mix, buckets: u32) -> Model {
    // The servers of each group in the order of its arcs, which are equal.
    let mut groups: Vec<Vec<u32>> = vec![Vec::new()];
    let (mut next, full) = (0, 2 * ROUND_SPLIT as usize);
    for server in 0..buckets {
        if next == groups.len() {
            next = 0;
            if groups[0].len() == full {
                let halves = |group: Vec<u32>| group.chunks(full / 2).map(<[u32]>::to_vec).collect::<Vec<_>>();
                groups = groups.into_iter().flat_map(halves).collect();
            }
        }
        groups[next].push(server);
        next += 1;
    }
    Box::new(move |key| {
        // The group, and the place in it, of a 60-bit hash.
        let (hash, circle) = (u128::from(family.key(key) >> 4), 1_u128 << 60);
        let (group, within) = (hash * groups.len() as u128 / circle, hash * groups.len() as u128 % circle);
        let group = &groups[group as usize];
        group[(within * group.len() as u128 / circle) as usize]
    })
}
