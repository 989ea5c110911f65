//! Dynatrace's Java library hash4j: JumpBackHash, its set, and jump over its generator.

use anyhow::{Context, Result};
use consistent_hash_lab::algorithms::hash::{Draws, SplitMix64};
use consistent_hash_lab::algorithms::{Error, JumpBack, JumpBackAnchor, JumpDraws, Partitioner, Remove, Resize};
use serde_json::Value;

use crate::engine::{Engine, run};
use crate::vectors::{Fields, each_case, paired};

/// Its test generator: two steps of the xorshift family, the first value being the seed itself.
struct XorShift(u64);

impl Draws for XorShift {
    fn draw(&mut self) -> u64 {
        let value = self.0;
        self.0 ^= self.0 << 7;
        self.0 ^= self.0 >> 9;
        value
    }
}

type Streams = fn(u64) -> SplitMix64;

/// Its set begins without buckets.
struct Set(Option<JumpBackAnchor<Streams>>);

impl Engine for Set {
    fn add(&mut self) -> Result<u32> {
        match &mut self.0 {
            Some(set) => Ok(set.grow()?),
            empty => {
                *empty = Some(JumpBackAnchor::new(1, SplitMix64::new as Streams)?);
                Ok(0)
            }
        }
    }

    fn remove(&mut self, bucket: u32) -> Result<()> {
        Ok(self.0.as_mut().context("an empty set")?.remove(bucket)?)
    }

    fn bucket(&self, key: u64) -> Result<u32> {
        Ok(self.0.as_ref().context("an empty set")?.bucket(key))
    }
}

/// The bucket of a key among a number of buckets.
type Hash = fn(u64, u32) -> Result<u32, Error>;

const HASHES: [(&str, Hash); 3] = [
    ("jumpback_splitmix64", |key, n| Ok(JumpBack::new(n, SplitMix64::new)?.bucket(key))),
    ("jumpback_xorshiftL7R9", |key, n| Ok(JumpBack::new(n, XorShift)?.bucket(key))),
    ("jumpHash_splitmix64", |key, n| Ok(JumpDraws::new(n, SplitMix64::new)?.bucket(key))),
];

pub fn check(file: &mut Fields) -> Result<usize> {
    // The checksum of a million answers in one of its own tests: to which keys is not recorded.
    file.maybe::<Value>("own_test_facts")?;
    each_case(file, |case| {
        let keys: Vec<u64> = case.get("keys")?;
        if case.has("steps") {
            // A removal returns whether it did anything.
            return run(&mut Set(None), case, &keys, |_| 1);
        }
        let sizes: Vec<u32> = case.get("n")?;
        paired(&keys, &sizes)?;
        let mut compared = 0;
        for (name, hash) in HASHES {
            let buckets = keys.iter().zip(&sizes).map(|(&key, &n)| hash(key, n));
            compared += case.compare(name, buckets.collect::<Result<Vec<u32>, Error>>()?)?;
        }
        Ok(compared)
    })
}
