//! Keys at given places: the hash of the experiments run backwards.

use crate::algorithms::hash::GOLDEN;

/// The key whose position under [`Mix`](crate::algorithms::hash::Mix) is this one.
#[must_use]
pub fn key_at(position: u64) -> u64 {
    let x = unfolded(position, 31).wrapping_mul(inverse(0x94d0_49bb_1331_11eb));
    let x = unfolded(x, 27).wrapping_mul(inverse(0xbf58_476d_1ce4_e5b9));
    unfolded(x, 30).wrapping_sub(GOLDEN)
}

/// x of x ^ (x >> shift): the upper bits are there, and show those below them.
fn unfolded(folded: u64, shift: u32) -> u64 {
    (0..64 / shift + 1).fold(folded, |x, _| folded ^ (x >> shift))
}

/// The inverse of an odd number modulo 2^64 by Newton's iteration: each step doubles the bits that are right.
pub(super) fn inverse(odd: u64) -> u64 {
    (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::hash::{HashFamily, Mix};

    #[test]
    fn a_key_lies_where_it_should() {
        for position in [0, 1, 1 << 31, u64::MAX, 0x0123_4567_89ab_cdef] {
            assert_eq!(Mix::new(5).key(key_at(position)), position);
        }
    }
}
