//! Austin Appleby's MurmurHash, in the versions and with the deviations that systems have.

/// MurmurHash2 (32 bits) as libmemcached and twemproxy seed it: with 0xdeadbeef times the length of the key.
#[must_use]
pub fn murmur2_by_length(data: &[u8]) -> u32 {
    const M: u32 = 0x5bd1_e995;
    let (blocks, tail) = data.as_chunks::<4>();
    // Lengths enter modulo 2^32.
    let length = data.len() as u32;
    let mut h = 0xdead_beef_u32.wrapping_mul(length) ^ length;
    for block in blocks {
        let k = u32::from_le_bytes(*block).wrapping_mul(M);
        h = h.wrapping_mul(M) ^ (k ^ (k >> 24)).wrapping_mul(M);
    }
    if !tail.is_empty() {
        h = (h ^ little_endian(tail) as u32).wrapping_mul(M);
    }
    h = (h ^ (h >> 13)).wrapping_mul(M);
    h ^ (h >> 15)
}

/// MurmurHash64A (MurmurHash2, 64 bits). Envoy seeds it with 0xc70f6907, as libstdc++'s `std::hash` does.
#[must_use]
pub fn murmur2_64a(data: &[u8], seed: u64) -> u64 {
    const M: u64 = 0xc6a4_a793_5bd1_e995;
    let (blocks, tail) = data.as_chunks::<8>();
    let mut h = seed ^ (data.len() as u64).wrapping_mul(M);
    for block in blocks {
        let k = u64::from_le_bytes(*block).wrapping_mul(M);
        h = (h ^ (k ^ (k >> 47)).wrapping_mul(M)).wrapping_mul(M);
    }
    if !tail.is_empty() {
        h = (h ^ little_endian(tail)).wrapping_mul(M);
    }
    h = (h ^ (h >> 47)).wrapping_mul(M);
    h ^ (h >> 47)
}

/// MurmurHash3_x86_32.
#[must_use]
pub fn murmur3_32(data: &[u8], seed: u32) -> u32 {
    let scrambled = |k: u32| k.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
    let (blocks, tail) = data.as_chunks::<4>();
    let mut h = seed;
    for block in blocks {
        h ^= scrambled(u32::from_le_bytes(*block));
        h = h.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    // An empty tail contributes 0.
    h ^= scrambled(little_endian(tail) as u32);
    h ^= data.len() as u32;
    h = (h ^ (h >> 16)).wrapping_mul(0x85eb_ca6b);
    h = (h ^ (h >> 13)).wrapping_mul(0xc2b2_ae35);
    h ^ (h >> 16)
}

/// The first half of MurmurHash3_x64_128 with seed 0 as Cassandra computes it: the bytes of the tail are *signed*, so
/// that one of 0x80 or more sets every bit above it.
#[must_use]
pub fn murmur3_cassandra(data: &[u8]) -> u64 {
    const C1: u64 = 0x87c3_7b91_1142_53d5;
    const C2: u64 = 0x4cf5_ad43_2745_937f;
    let scrambled1 = |k: u64| k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2);
    let scrambled2 = |k: u64| k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1);
    let finished = |h: u64| {
        let h = (h ^ (h >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        let h = (h ^ (h >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
        h ^ (h >> 33)
    };
    let (blocks, tail) = data.as_chunks::<16>();
    let (mut h1, mut h2) = (0_u64, 0_u64);
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        h1 ^= scrambled1(block as u64);
        h1 = h1.rotate_left(27).wrapping_add(h2).wrapping_mul(5).wrapping_add(0x52dc_e729);
        h2 ^= scrambled2((block >> 64) as u64);
        h2 = h2.rotate_left(31).wrapping_add(h1).wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }
    let signed = |byte: u8| byte.cast_signed() as u64;
    let signed = |part: &[u8]| (0..).zip(part).fold(0, |word, (i, &byte)| word ^ (signed(byte) << (8 * i)));
    let (low, high) = tail.split_at(tail.len().min(8));
    h2 ^= scrambled2(signed(high));
    h1 ^= scrambled1(signed(low));
    h1 ^= data.len() as u64;
    h2 ^= data.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finished(h1).wrapping_add(finished(h2))
}

/// At most eight bytes as a number.
fn little_endian(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| (word << 8) | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tail_length_of_murmur3_32() {
        // Outputs of pymemcache 4.0.0's murmur3_32, which is the standard function on characters below 256.
        let cases: [(&[u8], u32, u32); 8] = [
            (b"", 0, 0),
            (b"", 1337, 1_665_038_756),
            (b"a", 0, 1_009_084_850),
            (b"ab", 0, 2_613_040_991),
            (b"abc", 0, 3_017_643_002),
            (b"abcd", 0, 1_139_631_978),
            (b"abcd\xe9", 0, 557_277_528),
            (b"abc\xe9", 1337, 1_731_940_832),
        ];
        for (bytes, seed, expected) in cases {
            assert_eq!(murmur3_32(bytes, seed), expected, "{bytes:?}");
        }
    }

    #[test]
    fn the_tail_of_cassandra_is_signed_and_its_body_is_not() {
        // As long as no byte of the tail has its highest bit set it is the published function: the first half of the
        // hash of "hello" in MurmurHash3_x64_128.
        assert_eq!(murmur3_cassandra(b"hello"), 0xcbd8_a7b3_41bd_9b02);
        assert_eq!(murmur3_cassandra(b""), 0);
    }
}
