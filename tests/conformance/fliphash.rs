//! Datadog's crate fliphash, with its hash of integers and its xxh3 of bytes.

use anyhow::{Result, bail, ensure};
use consistent_hash_lab::algorithms::{Flip, FlipFamily, Partitioner, flip_hash};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::vectors::{Fields, each_case, paired};

/// The crate's hash of 64-bit keys. A key that is the seed always hashes to 0.
#[derive(Clone)]
struct Integers {
    seed: u64,
}

impl FlipFamily for Integers {
    fn hash(&self, key: u64, level: u32, attempt: u32) -> u64 {
        let odd = |number: u32| u64::from(2 * number + 1);
        let x = (key ^ self.seed).wrapping_mul(odd(level));
        let x = (x ^ (x >> 27)).wrapping_mul(0x3C79_AC49_2BA7_B653).wrapping_mul(odd(attempt));
        let x = (x ^ (x >> 33)).wrapping_mul(0x1C69_B3F7_4AC4_AE35);
        x ^ (x >> 27)
    }
}

/// Keys of bytes; a key's number is its index.
#[derive(Clone)]
struct Bytes<'a> {
    seed: u64,
    keys: &'a [String],
}

impl FlipFamily for Bytes<'_> {
    fn hash(&self, key: u64, level: u32, attempt: u32) -> u64 {
        let seed = self.seed ^ (u64::from(level) + (u64::from(attempt) << 32));
        xxh3_64_with_seed(self.keys[key as usize].as_bytes(), seed)
    }
}

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let seed = case.get("seed")?;
        match case.get("fn")? {
            "fliphash_64_with_seed" => {
                let keys: Vec<u64> = case.get("keys")?;
                compare(&Integers { seed }, &keys, case)
            }
            "fliphash_xxh3_64_with_seed" => {
                let keys: Vec<String> = case.get("keys")?;
                let indices: Vec<u64> = (0..keys.len() as u64).collect();
                compare(&Bytes { seed, keys: &keys }, &indices, case)
            }
            other => bail!("function {other:?} maps to nothing here"),
        }
    })
}

fn compare(family: &impl FlipFamily, keys: &[u64], case: &mut Fields) -> Result<usize> {
    let ends: Vec<u64> = case.get("range_end_inclusive")?;
    paired(keys, &ends)?;
    let answers = keys.iter().zip(&ends).map(|(&key, &end)| {
        let answer = flip_hash(family, key, end);
        // The partitioner is the same function wherever a number of buckets can say it.
        if let Some(buckets) = u32::try_from(end).ok().and_then(|end| end.checked_add(1)) {
            let bucket = Flip::new(buckets, family.clone())?.bucket(key);
            ensure!(u64::from(bucket) == answer, "0..{buckets}: bucket {bucket}, not {answer}");
        }
        Ok(answer)
    });
    let answers: Vec<u64> = answers.collect::<Result<_>>()?;
    case.compare("result", answers)
}
