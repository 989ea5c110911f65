//! `maglev_rs`: the permutation of a backend depends on those before it in the list, and a removal reorders the list.

use maglev_rs::Maglev;

pub fn main() {
    const SLOTS: u64 = 65_537;
    let backends: Vec<String> = (0..10).map(|backend| format!("backend-{backend}")).collect();
    let before = Maglev::new(&backends, SLOTS).expect("a prime");
    let mut after = Maglev::new(&backends, SLOTS).expect("a prime");
    after.remove_backend(&backends[0]).expect("it is there");
    let owners = (0..SLOTS as usize).map(|slot| (before.get_backend(slot), after.get_backend(slot)));
    let stayed: Vec<_> = owners.filter(|(owner, _)| owner.as_ref() != Some(&backends[0])).collect();
    let moved = stayed.iter().filter(|(owner, new)| owner != new).count();
    let percent = 100.0 * moved as f64 / stayed.len() as f64;
    assert!(percent > 20.0, "{percent:.1} % move");
    println!("found: `remove_backend` of the first of ten moves {percent:.0} % of the slots of the other nine");
}
