//! `ringhash`: no nodes are asked for.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use ringhash::Consistent;

pub fn main() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let ring = Consistent::new();
        ["cacheA", "cacheB", "cacheC"].into_iter().for_each(|name| ring.add(name));
        for key in 0..1000 {
            let named = ring.get_n(format!("key-{key}"), 0).map_or(0, |names| names.len());
            let _ = sender.send(named);
        }
    });
    let mut named = Vec::new();
    while let Ok(nodes) = receiver.recv_timeout(Duration::from_secs(2)) {
        named.push(nodes);
    }
    assert!(named.len() < 1000, "all return");
    println!("found: `get_n(key, 0)` returns for {} keys, and for the next it never does", named.len());
}
