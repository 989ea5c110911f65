//! Fowler, Noll and Vo's hash as libmemcached and twemproxy have it: bytes are sign-extended, and only 32 bits are
//! kept.
//!
//! "fnv1_64" and "fnv1a_64" are named after their constants; as only the lower half is ever used, they are 32-bit
//! functions with the lower halves of those constants. The prime is then 435: bytes spread little, and keys that differ
//! in their last digit stay neighbours.

use super::sign_extended;

const OFFSET_32: u32 = 0x811c_9dc5;
const PRIME_32: u32 = 0x0100_0193;
/// The lower half of 0xcbf29ce484222325.
const OFFSET_64: u32 = 0x8422_2325;
/// The lower half of 0x100000001b3.
const PRIME_64: u32 = 0x1b3;

/// "fnv1_32": multiplied before the byte enters.
#[must_use]
pub fn fnv1_32(data: &[u8]) -> u32 {
    multiply_first(data, OFFSET_32, PRIME_32)
}

/// "fnv1a_32": multiplied after the byte enters.
#[must_use]
pub fn fnv1a_32(data: &[u8]) -> u32 {
    multiply_last(data, OFFSET_32, PRIME_32)
}

/// "fnv1_64": multiplied before the byte enters.
#[must_use]
pub fn fnv1_64(data: &[u8]) -> u32 {
    multiply_first(data, OFFSET_64, PRIME_64)
}

/// "fnv1a_64": multiplied after the byte enters.
#[must_use]
pub fn fnv1a_64(data: &[u8]) -> u32 {
    multiply_last(data, OFFSET_64, PRIME_64)
}

fn multiply_first(data: &[u8], offset: u32, prime: u32) -> u32 {
    data.iter().fold(offset, |hash, &byte| hash.wrapping_mul(prime) ^ sign_extended(byte))
}

fn multiply_last(data: &[u8], offset: u32, prime: u32) -> u32 {
    data.iter().fold(offset, |hash, &byte| (hash ^ sign_extended(byte)).wrapping_mul(prime))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values_of_ascii() {
        // From the reference test suite of FNV: "foobar" in 32 bits, and the lower halves of its 64-bit values.
        assert_eq!([fnv1_32(b"foobar"), fnv1a_32(b"foobar")], [0x31f0_b262, 0xbf9c_f968]);
        assert_eq!([fnv1_64(b"foobar"), fnv1a_64(b"foobar")], [0xa4dd_a9c2, 0xf739_67e8]);
    }
}
