//! A map from buckets: the records of the few that were removed.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::Error;
use super::hash::{GOLDEN, mix64};

/// The standard map under a hash that suits 32-bit numbers: a look-up of a key asks it at least once.
pub(crate) type BucketMap<V> = HashMap<u32, V, BuildHasherDefault<BucketHasher>>;

/// Makes room for one more bucket.
///
/// # Errors
/// [`Error::OutOfMemory`]; the map is unchanged.
pub(crate) fn reserve_one<V>(map: &mut BucketMap<V>) -> Result<(), Error> {
    let bytes = (map.len() + 1).saturating_mul(size_of::<(u32, V)>());
    map.try_reserve(1).map_err(|_| Error::OutOfMemory { bytes })
}

/// [`mix64`] of a bucket.
#[derive(Debug, Clone, Default)]
pub(crate) struct BucketHasher(u64);

impl Hasher for BucketHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(u32::from(byte)));
    }

    #[inline]
    fn write_u32(&mut self, bucket: u32) {
        self.0 = mix64((self.0 ^ u64::from(bucket)).wrapping_add(GOLDEN));
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}
