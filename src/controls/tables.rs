//! Mistakes in tables.

use super::checked;
use crate::algorithms::hash::{HashFamily, Mix};
use crate::algorithms::maglev::{Backend, populate};
use crate::algorithms::{Error, Maglev, Partitioner, Remove, Rendezvous};
use crate::catalog::{Build, BuildError, of_table, parameters};

/// Partitions on buckets of at most the average load, an integer division.
pub(super) struct IntegerAverage {
    table: Vec<u32>,
    buckets: u32,
    family: Mix,
}

/// A prime, so that no number of buckets but one divides it.
const PARTITIONS: u32 = 2053;

impl IntegerAverage {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        let (buckets, family) = (checked(buckets)?, Mix::new(seed));
        let mut room = vec![PARTITIONS / buckets; buckets as usize];
        let mut owner = |partition: u32| {
            let first = (family.key(partition.into()) % u64::from(buckets)) as u32;
            let open = (first..buckets).chain(0..first).find(|&bucket| room[bucket as usize] > 0)?;
            room[open as usize] -= 1;
            Some(open)
        };
        let table = (0..PARTITIONS).map(|partition| owner(partition).unwrap_or(u32::MAX)).collect();
        Ok(Self { table, buckets, family })
    }
}

impl Partitioner for IntegerAverage {
    fn bucket(&self, key: u64) -> u32 {
        self.table[(self.family.key(key) % u64::from(PARTITIONS)) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// The paper's larger table: from about 2^16 slots on the products pass 2^32.
const SIZE: u32 = 655_373;

/// Maglev whose permutations are no permutations.
pub(super) struct Maglev32 {
    table: Vec<u32>,
    buckets: u32,
    family: Mix,
}

impl Maglev32 {
    pub(super) fn new(buckets: u32, seed: u64) -> Result<Self, Error> {
        let (buckets, family) = (checked(buckets)?, Mix::new(seed));
        let hash = |bucket, replica, modulus: u32| (family.point(bucket, replica) % u64::from(modulus)) as u32;
        let mut wanted: Vec<_> = (0..buckets)
            .map(|bucket| {
                let (offset, skip) = (hash(bucket, 0, SIZE), hash(bucket, 1, SIZE - 1) + 1);
                (0..SIZE).map(move |j| (offset.wrapping_add(j.wrapping_mul(skip)) % SIZE) as usize)
            })
            .collect();
        let (mut table, mut claimed) = (vec![0; SIZE as usize], vec![false; SIZE as usize]);
        let mut progress = true;
        while progress {
            progress = false;
            for (bucket, wanted) in (0..).zip(&mut wanted) {
                if let Some(slot) = wanted.find(|&slot| !claimed[slot]) {
                    (table[slot], claimed[slot], progress) = (bucket, true, true);
                }
            }
        }
        Ok(Self { table, buckets, family })
    }
}

impl Partitioner for Maglev32 {
    fn bucket(&self, key: u64) -> u32 {
        self.table[(self.family.key(key) % u64::from(SIZE)) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// What [`Maglev32`] should have: those of the right table.
pub(super) fn maglev_shares(build: Build) -> Result<Vec<f64>, BuildError> {
    let right = Maglev::new(build.buckets, SIZE.into(), Mix::new(build.seed))?;
    Ok(of_table(right.table(), build.buckets))
}

/// Maglev whose buckets take turns in the order in which they came.
pub(super) struct InsertionOrder {
    order: Vec<u32>,
    /// Whose bookkeeping is right.
    members: Rendezvous,
    table: Vec<u32>,
    family: Mix,
}

impl InsertionOrder {
    pub(super) fn new(build: Build) -> Result<Self, Error> {
        let family = Mix::new(build.seed);
        let members = Rendezvous::new(build.buckets, family)?;
        let table = vec![0; build.slots_or(SIZE) as usize];
        let mut subject = Self { order: (0..build.buckets).collect(), members, table, family };
        subject.refresh()?;
        Ok(subject)
    }

    fn refresh(&mut self) -> Result<(), Error> {
        let point = |bucket, replica| self.family.point(bucket, replica);
        let backends: Vec<Backend> =
            self.order.iter().map(|&bucket| Backend::new(point(bucket, 0), point(bucket, 1))).collect();
        let ranks = populate(self.table.len() as u64, &backends)?;
        self.table = ranks.into_iter().map(|rank| self.order[rank as usize]).collect();
        Ok(())
    }
}

impl Partitioner for InsertionOrder {
    fn bucket(&self, key: u64) -> u32 {
        self.table[(self.family.key(key) % self.table.len() as u64) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.members.bucket_count()
    }
}

impl Remove for InsertionOrder {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.remove(bucket)?;
        self.order.retain(|&other| other != bucket);
        self.refresh()
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.members.restore(bucket)?;
        self.order.push(bucket);
        self.refresh()
    }
}

/// A table that is indexed by a hash scaled in floating point.
pub(super) struct Scaled(Vec<u32>);

impl Scaled {
    pub(super) fn new(buckets: u32) -> Result<Self, Error> {
        Ok(Self((0..checked(buckets)?).collect()))
    }
}

impl Partitioner for Scaled {
    fn bucket(&self, key: u64) -> u32 {
        // 2^64 - 1 rounds to 2^64, which is not below the length.
        self.0[(key as f64 / 2_f64.powi(64) * self.0.len() as f64) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.0.len() as u32
    }
}

/// A family by which Maglev's steps are one slot too long.
#[derive(Debug, Clone, Copy)]
pub(super) struct LongStep {
    right: Mix,
    extra: u64,
}

impl HashFamily for LongStep {
    fn key(&self, key: u64) -> u64 {
        self.right.key(key)
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        self.right.point(bucket, replica).wrapping_add(self.extra * u64::from(replica))
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        self.right.score(key, bucket)
    }
}

/// Maglev whose steps are wrong in tables of one size only.
pub(super) fn long_step(build: Build, size: u32) -> Result<Maglev<LongStep>, Error> {
    let slots = parameters::maglev_slots(build);
    let family = LongStep { right: Mix::new(build.seed), extra: u64::from(slots == size) };
    Maglev::new(build.buckets, slots.into(), family)
}
