//! `hash-rings`: `maglev::Ring::new` without nodes fills its table for ever.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use hash_rings::maglev::Ring;

pub fn main() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let ring = Ring::<&str>::with_capacity_hint(Vec::new(), 101);
        let _ = sender.send(ring.nodes());
    });
    assert!(receiver.recv_timeout(Duration::from_secs(2)).is_err(), "it returns");
    println!("found: `maglev::Ring::with_capacity_hint(vec![], 101)` does not return");
}
