//! Cyclic redundancy checks as key hashes.

/// CRC-32 of IEEE 802.3 and zlib.
#[must_use]
pub fn crc32(data: &[u8]) -> u32 {
    crc32fast::hash(data)
}

/// CRC-32 cut to 15 bits, as Cache::Memcached began: "crc32" of twemproxy, "crc" of libmemcached, plain `hash` of
/// nginx.
#[must_use]
pub fn crc32_15(data: &[u8]) -> u32 {
    cut(crc32(data))
}

/// What Cache::Memcached leaves of a CRC-32.
#[must_use]
pub const fn cut(crc: u32) -> u32 {
    (crc >> 16) & 0x7fff
}

/// CRC-16 of twemproxy: polynomial 0x1021, initially 0, in a 32-bit register that is never cut to 16 bits, so that the
/// bytes before the last two are still in its upper half.
#[must_use]
pub fn crc16(data: &[u8]) -> u32 {
    data.iter().fold(0, |crc, &byte| (crc << 8) ^ remainder((crc >> 8) as u8 ^ byte))
}

/// The remainder of one byte, shifted by 16 bits, modulo the polynomial.
fn remainder(byte: u8) -> u32 {
    let remainder =
        (0..8).fold(u16::from(byte) << 8, |rest, _| if rest & 0x8000 == 0 { rest << 1 } else { (rest << 1) ^ 0x1021 });
    u32::from(remainder)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn check_values() {
        // The catalogue's check string: CRC-32/ISO-HDLC and CRC-16/XMODEM.
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc16(b"123456789") & 0xffff, 0x31c3);
        assert_eq!(crc32_15(b"123456789"), 0x4bf4);
    }

    #[test]
    fn crc16_keeps_what_is_above_its_16_bits() {
        assert!(crc16(b"123456789") > 0xffff);
    }
}
