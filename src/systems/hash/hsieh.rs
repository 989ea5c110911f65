//! Hsieh's SuperFastHash (2004) as libmemcached and twemproxy have it: it begins with 0 instead of the length, and the
//! last byte of a tail of three is sign-extended.

use super::sign_extended;

/// SuperFastHash of the bytes; 0 of none.
#[must_use]
pub fn hsieh(data: &[u8]) -> u32 {
    if data.is_empty() {
        return 0;
    }
    let (blocks, tail) = data.as_chunks::<4>();
    let mut hash = 0_u32;
    for &[a, b, c, d] in blocks {
        hash = hash.wrapping_add(pair(a, b));
        hash = (hash << 16) ^ (pair(c, d) << 11) ^ hash;
        hash = hash.wrapping_add(hash >> 11);
    }
    match *tail {
        [a, b, c] => {
            hash = hash.wrapping_add(pair(a, b));
            hash ^= hash << 16;
            hash ^= sign_extended(c) << 18;
            hash = hash.wrapping_add(hash >> 11);
        }
        [a, b] => {
            hash = hash.wrapping_add(pair(a, b));
            hash ^= hash << 11;
            hash = hash.wrapping_add(hash >> 17);
        }
        [a] => {
            hash = hash.wrapping_add(u32::from(a));
            hash ^= hash << 10;
            hash = hash.wrapping_add(hash >> 1);
        }
        _ => {}
    }
    for (left, right) in [(3, 5), (4, 17), (25, 6)] {
        hash ^= hash << left;
        hash = hash.wrapping_add(hash >> right);
    }
    hash
}

fn pair(low: u8, high: u8) -> u32 {
    u32::from(u16::from_le_bytes([low, high]))
}
