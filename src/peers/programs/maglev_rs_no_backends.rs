//! `maglev_rs`: without backends its table is filled for ever.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use maglev_rs::Maglev;

pub fn main() {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let only = "backend-0".to_owned();
        let mut table = Maglev::new(&vec![only.clone()], 101).expect("a prime");
        let removed = table.remove_backend(&only).is_ok();
        let _ = sender.send(removed);
    });
    assert!(receiver.recv_timeout(Duration::from_secs(2)).is_err(), "it returns");
    println!("found: `remove_backend` of the last backend does not return");
}
