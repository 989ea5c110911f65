//! Which buckets are working: the bookkeeping of every algorithm in which any bucket may fail.

use std::collections::BTreeSet;

use super::{Error, checked_removal};

/// A set of working buckets that is never empty, and those that were removed from it: only they can come back.
#[derive(Debug, Clone)]
pub(crate) struct Members {
    working: BTreeSet<u32>,
    removed: BTreeSet<u32>,
}

impl Members {
    /// Buckets `0..buckets`.
    pub(crate) fn new(buckets: u32) -> Result<Self, Error> {
        match buckets {
            0 => Err(Error::NoBuckets { asked: 0 }),
            buckets => Ok(Self { working: (0..buckets).collect(), removed: BTreeSet::new() }),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        self.working.len() as u32
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.working.iter().copied()
    }

    /// The highest working bucket.
    pub(crate) fn last(&self) -> u32 {
        self.working.last().copied().expect("remove() keeps at least one")
    }

    /// Adds the bucket after the highest.
    pub(crate) fn grow(&mut self) -> Result<u32, Error> {
        let new = self.last().checked_add(1).ok_or(Error::TooManyBuckets { asked: 1 << 32, most: u32::MAX })?;
        self.removed.remove(&new);
        self.working.insert(new);
        Ok(new)
    }

    /// Removes the highest bucket.
    pub(crate) fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.last();
        self.remove(last)?;
        Ok(last)
    }

    pub(crate) fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        checked_removal(bucket, self.working.contains(&bucket), self.count())?;
        self.working.remove(&bucket);
        self.removed.insert(bucket);
        Ok(())
    }

    pub(crate) fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if !self.removed.remove(&bucket) {
            return Err(Error::UnknownBucket { bucket, choices: "a bucket that was removed" });
        }
        self.working.insert(bucket);
        Ok(())
    }
}

/// Implements [`Resize`](super::Resize) and [`Remove`](super::Remove) for a type that has `members` and a structure which
/// follows them: `insert` tells it of a bucket that works from now on, `withdraw` of one that no longer does. The names
/// of traits and errors are those that the calling file imports.
macro_rules! by_members {
    (impl<$hash:ident: $family:ident> Resize + Remove for $type:ty) => {
        impl<$hash: $family> Resize for $type {
            fn grow(&mut self) -> Result<u32, Error> {
                let new = self.members.grow()?;
                self.insert(new);
                Ok(new)
            }

            fn shrink(&mut self) -> Result<u32, Error> {
                let last = self.members.shrink()?;
                self.withdraw(last);
                Ok(last)
            }
        }

        impl<$hash: $family> Remove for $type {
            fn remove(&mut self, bucket: u32) -> Result<(), Error> {
                self.members.remove(bucket)?;
                self.withdraw(bucket);
                Ok(())
            }

            fn restore(&mut self, bucket: u32) -> Result<(), Error> {
                self.members.restore(bucket)?;
                self.insert(bucket);
                Ok(())
            }
        }
    };
}
pub(crate) use by_members;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_removed_comes_back() {
        let mut members = Members::new(3).expect("three buckets");
        let refused = |bucket| Err(Error::UnknownBucket { bucket, choices: "a bucket that was removed" });
        assert_eq!([members.restore(1), members.restore(3), members.restore(u32::MAX)], [1, 3, u32::MAX].map(refused));
        assert_eq!([members.remove(2), members.remove(0), members.restore(2)], [Ok(()), Ok(()), Ok(())]);
        assert!(members.iter().eq([1, 2]));
        // The number of a removed bucket that growth gives anew is working, not removed.
        assert_eq!((members.remove(2), members.grow()), (Ok(()), Ok(2)));
        assert_eq!(members.restore(2), refused(2));
        assert_eq!((members.count(), members.last()), (2, 2));
    }

    #[test]
    fn no_number_after_the_last() {
        let mut highest = Members { working: [u32::MAX].into(), removed: BTreeSet::new() };
        assert_eq!(highest.grow(), Err(Error::TooManyBuckets { asked: 1 << 32, most: u32::MAX }));
        assert!(highest.iter().eq([u32::MAX]));
    }
}
