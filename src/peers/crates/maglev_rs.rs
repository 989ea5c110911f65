//! `maglev_rs` 0.1.0: Maglev over `DefaultHasher`, nodes that are `String`s; the size of the table is the caller's and must
//! be prime (here the paper's 65,537 or what is asked for), and so is the slot of a key: the key modulo that size. The
//! answer is a new `String`, which a map takes back to its number: both are in the time. Every permutation is kept while
//! it is built. Without nodes it never returns; that is a panic here.
//!
//! It promises what the paper does.

use std::collections::HashMap;

use maglev_rs::Maglev;

use super::NOBODY;
use super::nodes::{Address, Members, Naming, Nodes, Plain, Short};
use super::table::shares_of_turns;
use crate::algorithms::{Error, maglev::TABLE_SIZE};
use crate::catalog::{Algorithm, Build, BuildError, Implementation, Shares, Source};
use crate::ours;

pub(super) static ENTRIES: &[Implementation] = &[Implementation {
    id: "maglev_rs",
    name: "maglev_rs",
    algorithm: Algorithm::Maglev,
    source: Source::Crate { version: "0.1.0" },
    paper: "Eisenbud et al. 2016",
    monotone: false,
    hashes_keys: false,
    own_hash: true,
    in_figures: false,
    // A permutation of the table.
    build_bytes: 8 * TABLE_SIZE + 64,
    shares: Shares::Exact(shares),
    names: &[("host:port", |b| Ok(Box::new(build::<Address>(b)?))), ("short", |b| Ok(Box::new(build::<Short>(b)?)))],
    ..ours!(b => build::<Plain>(b), resize, remove)
}];

fn build<N: Naming>(build: Build) -> Result<Members<Table>, Error> {
    assert!(build.buckets > 0, "maglev_rs 0.1.0 never returns without nodes");
    let names: Vec<String> = (0..build.buckets).map(N::name).collect();
    let slots = u64::from(build.slots_or(TABLE_SIZE as u32));
    let refused = |_| Error::OutOfRange { what: "table size", value: slots.to_string(), accepted: "a prime" };
    let table = Maglev::new(&names, slots).map_err(refused)?;
    let numbers = (0..build.buckets).map(|bucket| (N::name(bucket), bucket)).collect();
    let nodes = Table { table, slots, numbers, working: build.buckets, name: N::name };
    Ok(Members::new(nodes, build.buckets))
}

fn shares(of: Build) -> Result<Vec<f64>, BuildError> {
    shares_of_turns(build::<Plain>(of)?.nodes.slots as usize, of)
}

struct Table {
    table: Maglev,
    slots: u64,
    numbers: HashMap<String, u32>,
    /// The crate does not say.
    working: u32,
    name: fn(u32) -> String,
}

/// The crate's only word on what was wrong.
fn refused(bucket: u32) -> impl Fn(&str) -> Error {
    move |_| Error::UnknownBucket { bucket, choices: "what the crate says" }
}

impl Nodes for Table {
    fn look_up(&self, key: u64) -> u32 {
        let name = self.table.get_backend((key % self.slots) as usize);
        name.and_then(|name| self.numbers.get(&name).copied()).unwrap_or(NOBODY)
    }

    fn count(&self) -> u32 {
        self.working
    }

    fn add(&mut self, bucket: u32) -> Result<(), Error> {
        let name = (self.name)(bucket);
        self.table.put_backend(&name).map_err(refused(bucket))?;
        self.numbers.insert(name, bucket);
        self.working += 1;
        Ok(())
    }

    fn take(&mut self, bucket: u32) -> Result<(), Error> {
        assert!(self.working > 1, "maglev_rs 0.1.0 never returns without nodes");
        self.table.remove_backend(&(self.name)(bucket)).map_err(refused(bucket))?;
        self.working -= 1;
        Ok(())
    }
}
