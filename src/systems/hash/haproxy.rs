//! The hash functions of HAProxy's `hash-type`, and its avalanche.

/// sdbm, after the database library: h = c + 65599 h.
#[must_use]
pub fn sdbm(data: &[u8]) -> u32 {
    data.iter().fold(0, |hash: u32, &byte| hash.wrapping_mul(65_599).wrapping_add(u32::from(byte)))
}

/// Bernstein's second, in its additive form: h = 33 h + c, from 5381.
#[must_use]
pub fn djb2(data: &[u8]) -> u32 {
    data.iter().fold(5381, |hash: u32, &byte| hash.wrapping_mul(33).wrapping_add(u32::from(byte)))
}

/// wt6, of HAProxy itself: two registers that rotate each other by amounts that depend on the data.
#[must_use]
pub fn wt6(data: &[u8]) -> u32 {
    let (mut h0, mut h1) = (0xa53c_965a_u32, 0x5ca6_953a_u32);
    let (mut s0, mut s1) = (6_u32, 18_u32);
    for &byte in data {
        let byte = u32::from(byte);
        h0 = !(h0 ^ byte);
        h1 = !h1.wrapping_add(byte);
        (h0, h1) = (h1.rotate_left(s0), h0.rotate_left(s1));
        let shifts = ((h0 >> 16) ^ h1) & 0xffff;
        (s0, s1) = (shifts & 31, shifts >> 11);
    }
    h0 ^ h1
}

/// The avalanche, which also places the points of the ring: Jenkins' six-shift hash of an integer, then a
/// multiplication. It is a bijection, so that different inputs never share a point.
#[must_use]
pub const fn full_hash(a: u32) -> u32 {
    let a = a.wrapping_add(0x7ed5_5d16).wrapping_add(a << 12);
    let a = (a ^ 0xc761_c23c) ^ (a >> 19);
    let a = a.wrapping_add(0x1656_67b1).wrapping_add(a << 5);
    let a = a.wrapping_add(0xd3a2_646c) ^ (a << 9);
    let a = a.wrapping_add(0xfd70_46c5).wrapping_add(a << 3);
    let a = (a ^ 0xb55a_4f09) ^ (a >> 16);
    a.wrapping_mul(3_221_225_473)
}
