//! Maglev hashing: Eisenbud et al., "Maglev: A Fast and Reliable Software Network Load Balancer",
//! NSDI 2016, section 3.4.
//!
//! A look-up table of M slots, M prime. Every backend has its own permutation of the slots, (offset + j·skip) mod M
//! with offset = h1 mod M and skip = h2 mod (M - 1) + 1; the backends take turns, each claiming the next slot of its
//! permutation that is still free, until no slot is. The owner of a key is table\[h mod M\]. Shares differ by at most
//! one slot; a change of membership also moves a few keys between backends that stay.
//!
//! Look-up O(1), memory 4 bytes a slot, construction O(M log M) on average.
//!
//! Weights are those of Envoy: in turn t = 1, 2, ... a backend of weight w that claimed c slots waits while
//! t·w < c·(largest weight). The paper has none. A dead backend is one of weight 0.

use super::hash::{HashFamily, Mix};
use super::members::Members;
use super::room::{collected, room};
use super::{Error, Partitioner, Remove, Resize};

/// The most slots of a table, half a gigabyte: the largest prime below 2^27. The paper's largest has 655,373.
pub const MAX_TABLE_SIZE: u64 = 134_217_689;

/// The paper's small table: the default of most implementations.
pub const TABLE_SIZE: u64 = 65_537;

/// A slot that nobody claimed yet; more backends than this do not fit in memory.
const FREE: u32 = u32::MAX;

/// One backend: two hash values of its name, and its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Backend {
    /// Decides where its permutation begins.
    pub offset: u64,
    /// Decides its step, from 1 to M - 1.
    pub skip: u64,
    /// How often it gets a turn, relative to the largest weight; 0 for a dead backend.
    pub weight: f64,
}

impl Backend {
    /// A working backend, as heavy as all others.
    #[must_use]
    pub const fn new(offset: u64, skip: u64) -> Self {
        Self { offset, skip, weight: 1.0 }
    }

    /// The slots in the order in which this backend wants them.
    ///
    /// # Errors
    /// [`Error::TableNotPrime`]; [`Error::OutOfRange`] above [`MAX_TABLE_SIZE`].
    pub fn permutation(&self, size: u64) -> Result<impl Iterator<Item = u32> + use<>, Error> {
        let size = checked_size(size)?;
        let offset = self.offset % size;
        let skip = self.skip % (size - 1) + 1;
        // 64 bits, because (M - 1)^2 has more than 32 from the paper's small table on.
        Ok((0..size).map(move |j| ((offset + j * skip) % size) as u32))
    }
}

/// A table size that was checked: a prime of at most [`MAX_TABLE_SIZE`].
fn checked_size(size: u64) -> Result<u64, Error> {
    if size > MAX_TABLE_SIZE {
        let (value, accepted) = (size.to_string(), "a prime of at most 134217689");
        return Err(Error::OutOfRange { what: "a table size", value, accepted });
    }
    if !is_prime(size) {
        let next = (size..).find(|&candidate| is_prime(candidate)).expect("there are infinitely many primes");
        return Err(Error::TableNotPrime { size, next });
    }
    Ok(size)
}

fn is_prime(n: u64) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

/// Checks backends and returns the largest weight and how many work.
fn checked_weights(backends: &[Backend]) -> Result<(f64, usize), Error> {
    if backends.is_empty() {
        return Err(Error::NoNodes);
    }
    for (backend, &Backend { weight, .. }) in backends.iter().enumerate() {
        if !(weight.is_finite() && weight >= 0.0) {
            let (bucket, weight) = (backend as u32, weight.to_string());
            return Err(Error::Weight { bucket, weight, accepted: "a positive number, or 0 for a dead backend" });
        }
    }
    match backends.iter().filter(|backend| backend.weight > 0.0).count() {
        0 => Err(Error::NoneWorks { buckets: backends.len() }),
        working => Ok((backends.iter().map(|backend| backend.weight).fold(0.0, f64::max), working)),
    }
}

/// A working backend while the table is filled.
struct Claimant<P> {
    backend: u32,
    weight: f64,
    /// The largest weight, added up over the slots claimed: a sum and not a product, because Envoy rounds it so.
    due: f64,
    wanted: P,
}

/// Fills a table of `size` slots: the number of the backend, an index into `backends`, that owns each.
///
/// The backends take turns in the order given, so that the table depends on it; see [`populate_by_name`].
///
/// # Errors
/// [`Error::NoNodes`] for an empty list, [`Error::NoneWorks`] if all are dead, [`Error::Weight`] for a weight that is
/// negative or not finite; [`Error::TableNotPrime`], [`Error::TableTooSmall`]; [`Error::OutOfRange`] for a table above
/// [`MAX_TABLE_SIZE`]; [`Error::OutOfMemory`].
pub fn populate(size: u64, backends: &[Backend]) -> Result<Vec<u32>, Error> {
    let (heaviest, working) = checked_weights(backends)?;
    let mut free = checked_size(size)?;
    if working as u64 > size {
        return Err(Error::TableTooSmall { size, buckets: working });
    }
    let mut claimants = room(working)?;
    for (number, backend) in (0..).zip(backends).filter(|(_, backend)| backend.weight > 0.0) {
        let wanted = backend.permutation(size)?;
        claimants.push(Claimant { backend: number, weight: backend.weight, due: 0.0, wanted });
    }
    let mut table = collected(size as usize, std::iter::repeat_n(FREE, size as usize))?;
    for turn in 1_u64.. {
        for claimant in &mut claimants {
            if turn as f64 * claimant.weight < claimant.due {
                continue;
            }
            claimant.due += heaviest;
            // A permutation passes every slot, so that the search finds one as long as one is free.
            let Some(slot) = claimant.wanted.find(|&slot| table[slot as usize] == FREE) else { return Ok(table) };
            table[slot as usize] = claimant.backend;
            free -= 1;
            // Inside the turn: those after the last claimant get one slot fewer.
            if free == 0 {
                return Ok(table);
            }
        }
    }
    Ok(table)
}

/// As [`populate`], with turns in the order of the names, so that the table does not depend on the order given. The
/// numbers in it are still indices into `backends`.
///
/// # Errors
/// As [`populate`], and [`Error::DuplicateName`].
pub fn populate_by_name<N: AsRef<str>>(size: u64, backends: &[(N, Backend)]) -> Result<Vec<u32>, Error> {
    let name = |index: usize| backends[index].0.as_ref();
    let mut order: Vec<usize> = (0..backends.len()).collect();
    order.sort_by_key(|&index| name(index));
    if let Some(pair) = order.windows(2).find(|pair| name(pair[0]) == name(pair[1])) {
        return Err(Error::DuplicateName { name: name(pair[0]).to_owned() });
    }
    let sorted: Vec<Backend> = order.iter().map(|&index| backends[index].1).collect();
    let table = populate(size, &sorted)?;
    Ok(table.into_iter().map(|rank| order[rank as usize] as u32).collect())
}

/// Maglev over numbered buckets; they take turns in the order of their numbers.
#[derive(Debug, Clone)]
pub struct Maglev<H = Mix> {
    table: Vec<u32>,
    members: Members,
    hash: H,
}

impl<H: HashFamily> Maglev<H> {
    /// A table of `size` slots for `buckets` buckets.
    ///
    /// # Errors
    /// [`Error::NoBuckets`] for zero; [`Error::TableNotPrime`], [`Error::TableTooSmall`]; [`Error::OutOfRange`] above
    /// [`MAX_TABLE_SIZE`]; [`Error::OutOfMemory`].
    pub fn new(buckets: u32, size: u64, hash: H) -> Result<Self, Error> {
        // Before anything is as long as the number of buckets.
        if u64::from(buckets) > checked_size(size)? {
            return Err(Error::TableTooSmall { size, buckets: buckets as usize });
        }
        let members = Members::new(buckets)?;
        let table = table(size, &members, &hash)?;
        Ok(Self { table, members, hash })
    }

    /// The bucket that owns each slot.
    #[must_use]
    pub fn table(&self) -> &[u32] {
        &self.table
    }

    /// Changes the membership and fills the table anew; keeps everything as it was if either fails.
    fn changed<T>(&mut self, change: impl FnOnce(&mut Members) -> Result<T, Error>) -> Result<T, Error> {
        let mut members = self.members.clone();
        let result = change(&mut members)?;
        self.table = table(self.table.len() as u64, &members, &self.hash)?;
        self.members = members;
        Ok(result)
    }
}

fn table<H: HashFamily>(size: u64, members: &Members, hash: &H) -> Result<Vec<u32>, Error> {
    let buckets = members.to_vec()?;
    let backend = |&bucket| Backend::new(hash.point(bucket, 0), hash.point(bucket, 1));
    let mut table = populate(size, &collected(buckets.len(), buckets.iter().map(backend))?)?;
    table.iter_mut().for_each(|owner| *owner = buckets[*owner as usize]);
    Ok(table)
}

impl<H: HashFamily> Partitioner for Maglev<H> {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.table[(self.hash.key(key) % self.table.len() as u64) as usize]
    }

    fn bucket_count(&self) -> u32 {
        self.members.count()
    }
}

impl<H: HashFamily> Resize for Maglev<H> {
    fn grow(&mut self) -> Result<u32, Error> {
        self.changed(Members::grow)
    }

    fn shrink(&mut self) -> Result<u32, Error> {
        self.changed(Members::shrink)
    }
}

impl<H: HashFamily> Remove for Maglev<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.changed(|members| members.remove(bucket))
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.changed(|members| members.restore(bucket))
    }
}

#[cfg(test)]
mod tests;
