//! `jmphash` against the code of Lamping and Veach (2014, Figure 1): rare keys where the order of rounding matters.

/// Figure 1 of the paper.
fn paper(mut key: u64, buckets: i64) -> i64 {
    let (mut bucket, mut next) = (-1, 0);
    while next < buckets {
        bucket = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        next = ((bucket + 1) as f64 * ((1_i64 << 31) as f64 / ((key >> 33) + 1) as f64)) as i64;
    }
    bucket
}

pub fn main() {
    const KEY: u64 = 1_673_232_497_983_283_878;
    let theirs = jmphash::jump_hash(KEY, 64);
    let right = paper(KEY, 64);
    assert_ne!(theirs, right, "they agree");
    println!("found: `jump_hash({KEY}, 64)` is {theirs}, the paper's code gives {right}");
}
