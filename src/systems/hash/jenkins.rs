//! Two hash functions of Bob Jenkins as libmemcached and twemproxy have them.

use super::sign_extended;

/// One-at-a-time (Dr. Dobb's, 1997), over sign-extended bytes.
#[must_use]
pub fn one_at_a_time(data: &[u8]) -> u32 {
    let mut hash = 0_u32;
    for &byte in data {
        hash = hash.wrapping_add(sign_extended(byte));
        hash = hash.wrapping_add(hash << 10);
        hash ^= hash >> 6;
    }
    hash = hash.wrapping_add(hash << 3);
    hash ^= hash >> 11;
    hash.wrapping_add(hash << 15)
}

/// lookup3 (2006), the little-endian form, with 13 as its initial value.
#[must_use]
pub fn lookup3(data: &[u8]) -> u32 {
    seeded(data, 13)
}

fn seeded(data: &[u8], initial: u32) -> u32 {
    let start = 0xdead_beef_u32.wrapping_add(data.len() as u32).wrapping_add(initial);
    let mut state = [start; 3];
    if data.is_empty() {
        return start;
    }
    let mut rest = data;
    while rest.len() > 12 {
        let (block, after) = rest.split_at(12);
        absorb(&mut state, block);
        mix(&mut state);
        rest = after;
    }
    absorb(&mut state, rest);
    finish(&mut state);
    state[2]
}

/// Adds up to 12 bytes as three little-endian words; what is missing is zero.
fn absorb(state: &mut [u32; 3], bytes: &[u8]) {
    for (i, &byte) in bytes.iter().enumerate() {
        let word = &mut state[i / 4];
        *word = word.wrapping_add(u32::from(byte) << (8 * (i % 4)));
    }
}

/// Six rounds of x -= z, x ^= z rotated, z += y, over a, b and c in turn.
fn mix(state: &mut [u32; 3]) {
    for (round, rotation) in [4, 6, 8, 16, 19, 4].into_iter().enumerate() {
        let (x, y, z) = (round % 3, (round + 1) % 3, (round + 2) % 3);
        state[x] = state[x].wrapping_sub(state[z]) ^ state[z].rotate_left(rotation);
        state[z] = state[z].wrapping_add(state[y]);
    }
}

/// Seven rounds of x ^= y, x -= y rotated, over c, a and b in turn.
fn finish(state: &mut [u32; 3]) {
    for (round, rotation) in [14, 11, 25, 16, 4, 14, 24].into_iter().enumerate() {
        let (x, y) = ((round + 2) % 3, (round + 1) % 3);
        state[x] = (state[x] ^ state[y]).wrapping_sub(state[y].rotate_left(rotation));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // From the comments and the driver of lookup3.c.
        assert_eq!([seeded(b"", 0), seeded(b"", 0xdead_beef)], [0xdead_beef, 0xbd5b_7dde]);
        let phrase = b"Four score and seven years ago";
        assert_eq!([seeded(phrase, 0), seeded(phrase, 1)], [0x1777_0551, 0xcd62_8161]);
        assert_eq!(
            [one_at_a_time(b"a"), one_at_a_time(b"The quick brown fox jumps over the lazy dog")],
            [0xca2e_9442, 0x519e_91f5]
        );
    }
}
