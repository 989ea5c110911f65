//! `consistent-rs`: `get_n` of one node passes one by if the next point is another node's, and then looks for it for ever.

use std::collections::BTreeSet;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use consistent_rs::Consistant;

pub fn main() {
    const KEYS: usize = 50;
    let (sender, receiver) = mpsc::channel();
    for key in 0..KEYS {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut ring = Consistant::default();
            (0..10).for_each(|node| ring.add(format!("node-{node}")));
            ring.get(format!("key-{key}")).expect("ten nodes");
            ring.get_n(format!("key-{key}"), 1).expect("ten nodes");
            let _ = sender.send(key);
        });
    }
    // Those that return need a microsecond; the others keep the processors busy.
    let end = Instant::now() + Duration::from_secs(3);
    let mut returned = BTreeSet::new();
    while let Ok(key) = receiver.recv_timeout(end.saturating_duration_since(Instant::now())) {
        returned.insert(key);
    }
    let hang = KEYS - returned.len();
    assert!(hang > 0, "all return");
    println!("found: `get_n(key, 1)` does not return for {hang} of {KEYS} keys, among ten nodes");
}
