//! Tables filled by the rule, without bookkeeping.

use std::collections::{BTreeMap, VecDeque};

use super::{History, Model, ring};
use crate::algorithms::hash::{HashFamily, Mix};
use crate::catalog::{Build, parameters};

/// Eisenbud et al. 2016, section 3.4: every bucket has a list of all slots, which is its permutation, and the buckets in
/// turn take the first of their list that is free.
pub(super) fn maglev(family: Mix, build: Build, history: &History) -> Model {
    let size = u64::from(parameters::maglev_slots(build));
    let mut lists: Vec<(u32, VecDeque<u64>)> = Vec::new();
    for bucket in history.working() {
        let (offset, skip) = (family.point(bucket, 0) % size, family.point(bucket, 1) % (size - 1) + 1);
        let list = std::iter::successors(Some(offset), |slot| Some((slot + skip) % size)).take(size as usize);
        lists.push((bucket, list.collect()));
    }
    let mut table: BTreeMap<u64, u32> = BTreeMap::new();
    while table.len() < size as usize {
        for (bucket, list) in &mut lists {
            let free = std::iter::from_fn(|| list.pop_front()).find(|slot| !table.contains_key(slot));
            table.extend(free.map(|slot| (slot, *bucket)));
        }
    }
    Box::new(move |key| table[&(family.key(key) % size)])
}

/// Partitions in their order, each on the first bucket clockwise that has room.
pub(super) fn partitions(family: Mix, build: Build, history: &History) -> Model {
    let (size, buckets) = (parameters::partition_slots(build), history.count());
    let enough = |room: &u32| f64::from(*room) * f64::from(buckets) >= parameters::LOAD * f64::from(size);
    let room = (1..size).find(enough).unwrap_or(size);
    let mut table: Vec<u32> = Vec::new();
    let mut points = ring::points(family, history, build.points);
    for partition in 0..u64::from(size) {
        let at = family.key(partition);
        let first = points.iter().min_by_key(|&&(point, bucket)| (point.wrapping_sub(at), bucket));
        let bucket = first.map_or(u32::MAX, |&(_, bucket)| bucket);
        table.push(bucket);
        if table.iter().filter(|&&owner| owner == bucket).count() == room as usize {
            points.retain(|&(_, other)| other != bucket);
        }
    }
    Box::new(move |key| table[(family.key(key) % u64::from(size)) as usize])
}
