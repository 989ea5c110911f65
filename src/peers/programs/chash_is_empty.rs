//! `chash`: `is_empty` says the contrary.

use chash::HashRing;

pub fn main() {
    let ring = HashRing::default();
    let without = ring.is_empty();
    ring.add_nodes(vec!["a".to_owned(), "b".to_owned()]).expect("two nodes");
    assert_eq!((without, ring.is_empty()), (Ok(false), Ok(true)), "it says the truth");
    println!("found: `is_empty()` is false of a ring without nodes and true of one with two");
}
