//! A table of partitions on buckets of bounded loads, as in the Go library buraksezer/consistent.
//!
//! A key belongs to partition h mod P for good; the partitions are spread over the buckets as the keys of
//! [`BoundedLoads`] are, none with more than ⌈c P/n⌉ of them. Look-up O(1), a change O(P log V), memory 4 bytes a
//! partition for look-ups besides that of [`BoundedLoads`].

use super::bounded_loads::BoundedLoads;
use super::hash::{HashFamily, Mix};
use super::{Error, Partitioner, Remove};

/// A table of partitions whose buckets have bounded loads.
#[derive(Debug, Clone)]
pub struct PartitionTable<H = Mix> {
    loads: BoundedLoads<H>,
    table: Vec<u32>,
    hash: H,
}

impl<H: HashFamily> PartitionTable<H> {
    /// `partitions` partitions on `buckets` buckets with `points` points each; the load is c, at least 1.
    ///
    /// # Errors
    /// As [`BoundedLoads::new`]; [`Error::OutOfRange`] for 0 or more than 2^24 partitions.
    pub fn new(buckets: u32, points: u32, partitions: u32, load: f64, hash: H) -> Result<Self, Error> {
        if !(1..=1 << 24).contains(&partitions) {
            let value = partitions.to_string();
            return Err(Error::OutOfRange { what: "a number of partitions", value, accepted: "1..=2^24" });
        }
        let mut loads = BoundedLoads::new(buckets, points, load, hash.clone())?;
        loads.arrive_all(0..u64::from(partitions));
        let table = loads.owners().map(|(_, bucket)| bucket).collect();
        Ok(Self { loads, table, hash })
    }

    /// The bucket of each partition.
    #[must_use]
    pub fn table(&self) -> &[u32] {
        &self.table
    }

    /// The most partitions that a bucket may have, ⌈c P/n⌉.
    #[must_use]
    pub fn capacity(&self) -> u64 {
        self.loads.capacity()
    }

    fn refresh(&mut self) {
        self.table.clear();
        self.table.extend(self.loads.owners().map(|(_, bucket)| bucket));
    }
}

impl<H: HashFamily> Partitioner for PartitionTable<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.table[(self.hash.key(key) % self.table.len() as u64) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.loads.bucket_count()
    }
}

impl<H: HashFamily> Remove for PartitionTable<H> {
    /// Partitions of other buckets may move too: the capacity and who is full change.
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.loads.remove(bucket)?;
        self.refresh();
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.loads.restore(bucket)?;
        self.refresh();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(table: &PartitionTable, bucket: u32) -> u64 {
        table.table().iter().filter(|&&owner| owner == bucket).count() as u64
    }

    #[test]
    fn two_members_have_room_for_five_partitions() {
        // 1.5 · 5/2 = 3.75: a capacity of 4, where an average of 2 in integers would have given 3.
        for seed in 0..20 {
            let table = PartitionTable::new(2, 20, 5, 1.5, Mix::new(seed)).expect("room for all");
            assert_eq!((table.capacity(), table.table().len()), (4, 5));
            assert!(parts(&table, 0) <= 4 && parts(&table, 1) <= 4);
        }
        let tight = PartitionTable::new(2, 20, 5, 1.0, Mix::new(0)).expect("room for all");
        assert_eq!(tight.capacity(), 3);
    }

    #[test]
    fn a_table_is_the_first_bucket_with_room_in_order_of_partitions() {
        let hash = Mix::new(7);
        let table = PartitionTable::new(9, 6, 271, 1.25, hash).expect("a table");
        let mut points: Vec<(u64, u32)> =
            (0..9).flat_map(|bucket| (0..6).map(move |replica| (hash.point(bucket, replica), bucket))).collect();
        points.sort_unstable();
        let mut loads = [0; 9];
        for (partition, &owner) in (0..).zip(table.table()) {
            let (before, after): (Vec<&(u64, u32)>, Vec<_>) =
                points.iter().partition(|point| point.0 < hash.key(partition));
            // ⌈1.25 · 271/9⌉ = ⌈37.6⌉.
            let first = after.into_iter().chain(before).find(|point| loads[point.1 as usize] < 38).expect("room");
            assert_eq!(first.1, owner);
            loads[owner as usize] += 1;
        }
        assert!((0..1000).all(|key| table.bucket(key) == table.table()[(hash.key(key) % 271) as usize]));
    }

    #[test]
    fn failures() {
        let mut table = PartitionTable::new(3, 10, 31, 1.1, Mix::new(1)).expect("a table");
        let before = table.table().to_vec();
        table.remove(1).expect("working");
        assert_eq!((parts(&table, 1), parts(&table, 0) + parts(&table, 2)), (0, 31));
        table.restore(1).expect("removed");
        assert_eq!(table.table(), before);
        table.remove(0).expect("working");
        table.remove(1).expect("working");
        assert_eq!(table.remove(2), Err(Error::LastBucket { bucket: 2 }));
        assert_eq!((table.bucket_count(), parts(&table, 2)), (1, 31));
    }

    #[test]
    fn bad_input_is_named() {
        for load in [0.99, 0.0, -1.0, f64::NAN, f64::INFINITY] {
            let error = PartitionTable::new(2, 1, 5, load, Mix::new(0)).unwrap_err();
            assert!(matches!(error, Error::OutOfRange { what: "a load", .. }));
        }
        assert!(matches!(PartitionTable::new(2, 1, 0, 1.0, Mix::new(0)), Err(Error::OutOfRange { .. })));
        assert!(matches!(PartitionTable::new(2, 1, u32::MAX, 1.0, Mix::new(0)), Err(Error::OutOfRange { .. })));
        assert_eq!(PartitionTable::new(0, 1, 5, 1.0, Mix::new(0)).unwrap_err(), Error::NoBuckets { asked: 0 });
    }
}
