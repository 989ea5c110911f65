//! The hash functions of the systems, one family a file. Well-kept crates do MD5, CRC-32, SipHash and xxHash64; the
//! others have no crate that is exact, because the systems changed them.

pub mod crc;
pub mod fnv;
pub mod haproxy;
pub mod hsieh;
pub mod jenkins;
pub mod md5;
pub mod mt19937;
pub mod murmur;

/// A byte as C programs on x86 see it in a `char`: bytes from 0x80 become negative before they enter the arithmetic.
const fn sign_extended(byte: u8) -> u32 {
    byte.cast_signed() as u32
}
