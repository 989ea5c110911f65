//! Which buckets are working: the bookkeeping of every algorithm in which any bucket may fail.

use std::collections::BTreeSet;

use super::room::collected;
use super::{Error, checked_removal};

/// A set of working buckets that is never empty, and those that were removed from it: only they can come back. Memory is
/// taken for the removed ones only.
#[derive(Debug, Clone)]
pub(crate) struct Members {
    /// How many numbers were ever given: each of `0..ever` is working or removed.
    ever: u32,
    removed: BTreeSet<u32>,
    /// The highest working bucket.
    last: u32,
}

impl Members {
    /// Buckets `0..buckets`.
    pub(crate) fn new(buckets: u32) -> Result<Self, Error> {
        match buckets {
            0 => Err(Error::NoBuckets { asked: 0 }),
            ever => Ok(Self { ever, removed: BTreeSet::new(), last: ever - 1 }),
        }
    }

    pub(crate) fn count(&self) -> u32 {
        self.ever - self.removed.len() as u32
    }

    /// The working buckets, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.ever).filter(|bucket| !self.removed.contains(bucket))
    }

    /// The working buckets, ascending.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub(crate) fn to_vec(&self) -> Result<Vec<u32>, Error> {
        collected(self.count() as usize, self.iter())
    }

    /// The highest working bucket.
    pub(crate) fn last(&self) -> u32 {
        self.last
    }

    /// Adds the bucket after the highest.
    pub(crate) fn grow(&mut self) -> Result<u32, Error> {
        let new = self.last + 1;
        if new == u32::MAX {
            return Err(Error::TooManyBuckets { asked: 1 << 32, most: u32::MAX });
        }
        self.ever = self.ever.max(new + 1);
        self.removed.remove(&new);
        self.last = new;
        Ok(new)
    }

    /// Removes the highest bucket.
    pub(crate) fn shrink(&mut self) -> Result<u32, Error> {
        let last = self.last;
        self.remove(last)?;
        Ok(last)
    }

    pub(crate) fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        let works = bucket < self.ever && !self.removed.contains(&bucket);
        checked_removal(bucket, works, self.count())?;
        self.removed.insert(bucket);
        if bucket == self.last {
            let below = (0..bucket).rev().find(|other| !self.removed.contains(other));
            self.last = below.expect("another bucket works");
        }
        Ok(())
    }

    pub(crate) fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        if !self.removed.remove(&bucket) {
            return Err(Error::UnknownBucket { bucket, choices: "a bucket that was removed" });
        }
        self.last = self.last.max(bucket);
        Ok(())
    }
}

/// Implements [`Resize`](super::Resize) and [`Remove`](super::Remove) for a type that has `members` and a structure which
/// follows them: `insert` tells it of a bucket that works from now on, `withdraw` of one that no longer does, and `reserve`
/// makes room for one more, or is the error after which nothing has changed. The names of traits and errors are those
/// that the calling file imports.
macro_rules! by_members {
    (impl<$hash:ident: $family:ident> Resize + Remove for $type:ty) => {
        impl<$hash: $family> Resize for $type {
            fn grow(&mut self) -> Result<u32, Error> {
                self.reserve()?;
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
                self.reserve()?;
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
        // The highest that works, across a gap, and what comes back above it.
        assert_eq!((members.restore(0), members.remove(1), members.shrink()), (Ok(()), Ok(()), Ok(2)));
        assert_eq!((members.count(), members.last()), (1, 0));
        assert_eq!((members.remove(0), members.restore(2)), (Err(Error::LastBucket { bucket: 0 }), Ok(())));
        assert!(members.iter().eq([0, 2]) && members.last() == 2);
    }

    #[test]
    fn no_number_after_the_last() {
        let mut all = Members::new(u32::MAX).expect("no memory is taken for what works");
        assert_eq!(all.grow(), Err(Error::TooManyBuckets { asked: 1 << 32, most: u32::MAX }));
        assert_eq!((all.count(), all.last()), (u32::MAX, u32::MAX - 1));
    }
}
