//! `jump-consistent-hash`: a bucket out of none.

pub fn main() {
    let bucket = jump_consistent_hash::hash(7, 0);
    assert_eq!(bucket, 0, "another answer");
    println!("found: `hash(7, 0)` is bucket 0, of no buckets");
}
