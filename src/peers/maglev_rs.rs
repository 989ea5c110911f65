//! `maglev_rs` 0.1.0: Maglev over `DefaultHasher`, nodes that are `String`s; the size of the table is the caller's and must
//! be prime (here the paper's 65,537 or what is asked for), and so is the slot of a key: the key modulo that size. The
//! answer is a new `String`, which a map takes back to its number: both are in the time. Every permutation is kept while
//! it is built. Without nodes it never returns; that is a panic here.
//!
//! It promises what the paper does.

use maglev_rs::Maglev;

use super::name;
use super::names::{Numbers, names};
use super::nodes::{Changing, Nodes, Placing, absent, present};
use super::table::shares_of_turns;
use crate::algorithms::{Error, maglev::TABLE_SIZE};
use crate::can;
use crate::catalog::{Algorithm, Build, BuildError, Costs, Implementation, Limits, Promises, Shares, Shown, Source};

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev_rs",
    name: "maglev_rs",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.1.0" },
    paper: "Eisenbud et al. 2016",
    limits: Limits::NONE,
    promises: Promises::NOT_MONOTONE.of_hashed_keys().with_own_hash(),
    // A permutation of the table.
    costs: Costs::new("O(1)", 8 * TABLE_SIZE + 64),
    shares: Shares::Exact(shares),
    can: can!(b => build(b, name), resize, remove).named(names!(build => host_port, short)),
    shown: Shown::on_request(0),
}];

fn build(build: Build, name: fn(u32) -> String) -> Result<Nodes<Table>, Error> {
    assert!(build.buckets > 0, "maglev_rs 0.1.0 never returns without nodes");
    let mut numbers = Numbers::new(name);
    let names: Vec<String> = (0..build.buckets).map(|bucket| numbers.name(bucket)).collect();
    let slots = slots(build);
    let refused = |_| Error::OutOfRange { what: "table size", value: slots.to_string(), accepted: "a prime" };
    let table = Maglev::new(&names, slots).map_err(refused)?;
    Ok(Nodes::within(Table { table, slots, numbers, working: build.buckets }, build.buckets))
}

fn slots(build: Build) -> u64 {
    build.slots_or(TABLE_SIZE as u32).into()
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(slots(of) as usize, of)
}

struct Table {
    table: Maglev,
    slots: u64,
    numbers: Numbers,
    /// The crate does not say.
    working: u32,
}

impl Placing for Table {
    #[inline]
    fn owner(&self, key: u64) -> u32 {
        self.numbers.of(self.table.get_backend((key % self.slots) as usize))
    }
}

impl Changing for Table {
    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        self.table.put_backend(&self.numbers.name(bucket)).map_err(|_| present(bucket))?;
        self.working += 1;
        Ok(())
    }

    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        assert!(self.working > 1, "maglev_rs 0.1.0 never returns without nodes");
        self.table.remove_backend(&(self.numbers.name)(bucket)).map_err(|_| absent(bucket))?;
        self.working -= 1;
        Ok(())
    }
}
