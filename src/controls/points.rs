//! Mistakes on rings.

use std::collections::BTreeMap;

use crate::algorithms::hash::{HashFamily, Mix, mix64};
use crate::algorithms::{
    Error, MultiProbe, Partitioner, Remove, Rendezvous, Replicas, RingSorted64, RingWeighted, Weighted,
};
use crate::catalog::{Build, BuildError};
use crate::measure::share_multi_probe::multi_probe_shares;

/// A ring whose search does not begin again at the first point.
pub(super) struct NoWrap {
    points: Vec<(u64, u32)>,
    buckets: u32,
    family: Mix,
}

impl NoWrap {
    pub(super) fn new(buckets: u32, points: u32, seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        let points = RingSorted64::new(buckets, points, family)?.ring().collect();
        Ok(Self { points, buckets, family })
    }
}

impl Partitioner for NoWrap {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key);
        let at = self.points.partition_point(|&(point, _)| point < position);
        self.points.get(at).map_or(u32::MAX, |&(_, bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// Multi-probe that wraps, but measures the way back to the first point instead of the way onwards.
pub(super) struct Distance {
    right: MultiProbe,
    points: Vec<(u64, u32)>,
}

/// Two probes of double hashing are independent, so that the shares are known.
const PROBES: u32 = 2;

/// What [`Distance`] should have.
pub(super) fn two_probe_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let right = MultiProbe::new(build.buckets, PROBES, Mix::new(build.seed))?;
    Ok(multi_probe_shares(right.ring(), build.buckets, PROBES)?)
}

impl Distance {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        let right = MultiProbe::new(buckets, PROBES, Mix::new(seed))?;
        let points = right.ring().collect();
        Ok(Self { right, points })
    }
}

impl Partitioner for Distance {
    fn bucket(&self, key: u64) -> u32 {
        let distances = self.right.probes(key).map(|probe| {
            let at = self.points.partition_point(|&(point, _)| point < probe);
            let (point, bucket) = self.points.get(at).copied().unwrap_or(self.points[0]);
            (point.abs_diff(probe), bucket)
        });
        distances.min().map_or(u32::MAX, |(_, bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

/// A map from positions of ten bits to buckets: the first point at a position stays, the last to leave takes it along.
pub(super) struct Collision {
    ring: BTreeMap<u64, u32>,
    /// Whose bookkeeping is right.
    members: Rendezvous,
    points: u32,
    family: Mix,
}

impl Collision {
    pub(super) fn new(buckets: u32, points: u32, seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        let members = Rendezvous::new(buckets, family)?;
        let mut ring = Self { ring: BTreeMap::new(), members, points, family };
        (0..buckets).for_each(|bucket| ring.place(bucket));
        Ok(ring)
    }

    fn positions(&self, bucket: u32) -> impl Iterator<Item = u64> + use<> {
        let family = self.family;
        (0..self.points).map(move |replica| family.point(bucket, replica) >> 54)
    }

    fn place(&mut self, bucket: u32) {
        for position in self.positions(bucket) {
            self.ring.entry(position).or_insert(bucket);
        }
    }
}

impl Partitioner for Collision {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key) >> 54;
        let next = self.ring.range(position..).next().or_else(|| self.ring.iter().next());
        next.map_or(u32::MAX, |(_, &bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.members.bucket_count()
    }
}

impl Remove for Collision {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)?;
        for position in self.positions(bucket) {
            self.ring.remove(&position);
        }
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.restore(bucket)?;
        self.place(bucket);
        Ok(())
    }
}

/// A ring whose points are hashes of 32-bit labels, made of the id of a bucket.
pub(super) struct Labels {
    points: Vec<(u64, u32)>,
    buckets: u32,
    family: Mix,
}

impl Labels {
    pub(super) fn new(buckets: u32, points: u32, seed: u64, id: fn(u32) -> u32) -> Result<Self, Error> {
        super::checked(buckets)?;
        let label = |bucket: u32, replica| id(bucket).wrapping_mul(4096).wrapping_add(replica);
        let point = |bucket, replica| (mix64(seed ^ u64::from(label(bucket, replica))), bucket);
        let mut points: Vec<_> =
            (0..buckets).flat_map(|bucket| (0..points).map(move |replica| point(bucket, replica))).collect();
        points.sort_unstable();
        Ok(Self { points, buckets, family: Mix::new(seed) })
    }
}

impl Partitioner for Labels {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key);
        let at = self.points.partition_point(|&(point, _)| point < position);
        self.points.get(at).unwrap_or(&self.points[0]).1
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// A weighted ring without the points of buckets whose number of them rounds to 0.
pub(super) struct Rounded {
    right: RingWeighted,
    ring: Vec<(u64, u32)>,
    points: u32,
    family: Mix,
}

impl Rounded {
    pub(super) fn new(weights: &[f64], points: u32, seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        let right = RingWeighted::new(weights, points, family)?;
        let mut ring = Self { right, ring: Vec::new(), points, family };
        ring.refresh();
        Ok(ring)
    }

    fn refresh(&mut self) {
        let points = |bucket| self.right.weight(bucket).unwrap_or(0.0) / self.right.unit() * f64::from(self.points);
        self.ring = self.right.ring().filter(|&(_, bucket)| points(bucket).round() > 0.0).collect();
    }
}

impl Partitioner for Rounded {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key);
        let at = self.ring.partition_point(|&(point, _)| point < position);
        self.ring.get(at).unwrap_or(&self.ring[0]).1
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

impl Weighted for Rounded {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.right.weight(bucket)
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.right.set_weight(bucket, weight)?;
        self.refresh();
        Ok(())
    }
}

/// A ring whose replicas are on the next points, whosever they are.
pub(super) struct Twice {
    right: RingSorted64,
    points: Vec<(u64, u32)>,
    family: Mix,
}

impl Twice {
    pub(super) fn new(buckets: u32, points: u32, seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        let right = RingSorted64::new(buckets, points, family)?;
        let points = right.ring().collect();
        Ok(Self { right, points, family })
    }
}

impl Partitioner for Twice {
    fn bucket(&self, key: u64) -> u32 {
        self.right.bucket(key)
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

impl Replicas for Twice {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        let position = self.family.key(key);
        let at = self.points.partition_point(|&(point, _)| point < position);
        let (before, after) = self.points.split_at(at);
        Box::new(after.iter().chain(before).map(|&(_, bucket)| bucket).take(self.bucket_count() as usize))
    }
}

/// A ring that passes over a point on which a key lies exactly.
pub(crate) struct Strict<H = Mix> {
    /// Whose bookkeeping and points are right.
    right: RingSorted64<H>,
    family: H,
}

impl<H: HashFamily> Strict<H> {
    pub(crate) fn new(buckets: u32, points: u32, family: H) -> Result<Self, Error> {
        Ok(Self { right: RingSorted64::new(buckets, points, family.clone())?, family })
    }
}

impl<H: HashFamily> Partitioner for Strict<H> {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key);
        let next = self.right.ring().find(|&(point, _)| point > position).or_else(|| self.right.ring().next());
        next.map_or(u32::MAX, |(_, bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.right.bucket_count()
    }
}

impl<H: HashFamily> Remove for Strict<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.right.remove(bucket)
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.right.restore(bucket)
    }
}

/// A map from 64-bit positions to buckets, where the last of two points at one position stays.
pub(crate) struct LostPoint<H = Mix> {
    ring: BTreeMap<u64, u32>,
    /// Whose bookkeeping is right.
    members: Rendezvous<H>,
    points: u32,
    family: H,
}

impl<H: HashFamily> LostPoint<H> {
    pub(crate) fn new(buckets: u32, points: u32, family: H) -> Result<Self, Error> {
        let members = Rendezvous::new(buckets, family.clone())?;
        let mut ring = Self { ring: BTreeMap::new(), members, points, family };
        (0..buckets).for_each(|bucket| ring.place(bucket));
        Ok(ring)
    }

    fn place(&mut self, bucket: u32) {
        let points = (0..self.points).map(|replica| (self.family.point(bucket, replica), bucket));
        self.ring.extend(points.collect::<Vec<_>>());
    }
}

impl<H: HashFamily> Partitioner for LostPoint<H> {
    fn bucket(&self, key: u64) -> u32 {
        let next = self.ring.range(self.family.key(key)..).next().or_else(|| self.ring.iter().next());
        next.map_or(u32::MAX, |(_, &bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.members.bucket_count()
    }
}

impl<H: HashFamily> Remove for LostPoint<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)?;
        self.ring.retain(|_, owner| *owner != bucket);
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.restore(bucket)?;
        self.place(bucket);
        Ok(())
    }
}
