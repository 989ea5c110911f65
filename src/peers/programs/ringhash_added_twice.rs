//! `ringhash`: a name that is added twice counts as two nodes, which a list of all of them never finds.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ringhash::Consistent;

pub fn main() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let ring = Consistent::new();
        ["cacheA", "cacheB", "cacheB"].into_iter().for_each(|name| ring.add(name));
        for key in 0..1000 {
            let _ = ring.get_n(format!("key-{key}"), 3);
            let _ = sender.send(key);
        }
    });
    let mut returned = 0;
    while receiver.recv_timeout(Duration::from_secs(2)).is_ok() {
        returned += 1;
    }
    assert!(returned < 1000, "all return");
    println!("found: after `add(\"cacheB\")` twice, beside cacheA, `get_n(key, 3)` returns for {returned} keys, and for the next it never does");
}
