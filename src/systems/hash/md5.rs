//! MD5 (RFC 1321) in the forms in which rings use it.

use md5::{Digest, Md5};

/// The digest as four little-endian words: the four points of ketama.
#[must_use]
pub fn words(data: &[u8]) -> [u32; 4] {
    let digest: [u8; 16] = Md5::digest(data).into();
    let (words, _) = digest.as_chunks::<4>();
    [0, 1, 2, 3].map(|i| u32::from_le_bytes(words[i]))
}

/// The first little-endian word: the key hash of ketama.
#[must_use]
pub fn word(data: &[u8]) -> u32 {
    words(data)[0]
}

/// The digest as one big-endian number, as hexadecimal digits read.
#[must_use]
pub fn number(data: &[u8]) -> u128 {
    u128::from_be_bytes(Md5::digest(data).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc_1321() {
        assert_eq!(number(b"abc"), 0x9001_5098_3cd2_4fb0_d696_3f7d_28e1_7f72);
        assert_eq!(words(b"abc"), [0x9850_0190, 0xb04f_d23c, 0x7d3f_96d6, 0x727f_e128]);
        assert_eq!(word(b""), 0xd98c_1dd4);
    }
}
