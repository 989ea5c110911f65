//! How many buckets are working: the bookkeeping of every algorithm in which they come and go at the end.

use super::Error;

/// Checks a number of buckets that came from outside (a command line, a file): `1..=most`.
///
/// # Errors
/// [`Error::NoBuckets`] for zero or a negative number, [`Error::TooManyBuckets`] above `most`.
pub fn checked_buckets(asked: i64, most: u32) -> Result<u32, Error> {
    match u32::try_from(asked) {
        Err(_) if asked > 0 => Err(Error::TooManyBuckets { asked: asked.unsigned_abs(), most }),
        Ok(0) | Err(_) => Err(Error::NoBuckets { asked }),
        Ok(n) if n > most => Err(Error::TooManyBuckets { asked: u64::from(n), most }),
        Ok(n) => Ok(n),
    }
}

/// [`Resize::grow`](super::Resize::grow) of a number of buckets.
pub(crate) fn grow_count(buckets: &mut u32, most: u32) -> Result<u32, Error> {
    let new = *buckets;
    if new >= most {
        return Err(Error::TooManyBuckets { asked: u64::from(new) + 1, most });
    }
    *buckets = new + 1;
    Ok(new)
}

/// [`Resize::shrink`](super::Resize::shrink) of a number of buckets.
pub(crate) fn shrink_count(buckets: &mut u32) -> Result<u32, Error> {
    if *buckets == 1 {
        return Err(Error::LastBucket { bucket: 0 });
    }
    *buckets -= 1;
    Ok(*buckets)
}

/// Implements [`Resize`](super::Resize) for a type that remembers nothing but its number of `buckets`. The names of traits
/// and errors are those that the calling file imports.
macro_rules! by_count {
    (impl $(<$hash:ident: $family:ident $(, const $flag:ident: bool)?>)? Resize for $type:ty, at most $most:expr) => {
        impl $(<$hash: $family $(, const $flag: bool)?>)? Resize for $type {
            fn grow(&mut self) -> Result<u32, Error> {
                $crate::algorithms::grow_count(&mut self.buckets, $most)
            }

            fn shrink(&mut self) -> Result<u32, Error> {
                $crate::algorithms::shrink_count(&mut self.buckets)
            }
        }
    };
}
pub(crate) use by_count;
