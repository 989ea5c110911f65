//! `maglev-hash`: "up to `k` distinct nodes" for k = 0.

use maglev_hash::MaglevTable;

pub fn main() {
    let table = MaglevTable::new(vec!["node-a", "node-b", "node-c"]);
    let named = table.get_top_k(&"key", 0).len();
    assert!(named > 0, "none, as was asked");
    println!("found: `get_top_k(key, 0)` of three nodes names {named}");
}
