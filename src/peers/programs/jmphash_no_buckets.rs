//! `jmphash`: a bucket out of none, and of fewer.

use jmphash::jump_hash;

pub fn main() {
    assert_eq!((jump_hash(7, 0), jump_hash(7, -5)), (0, 0), "other answers");
    println!("found: `jump_hash(7, 0)` and `jump_hash(7, -5)` are bucket 0, of no buckets");
}
