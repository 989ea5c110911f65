//! The engines of SUPSI's Java benchmark of consistent hashes, each over four hash functions.

use anyhow::{Result, bail};
use consistent_hash_lab::algorithms::hash::{Draws, HashFamily, SplitMix64, StreamFamily};
use consistent_hash_lab::algorithms::{
    Anchor, Binomial, CompactAnchor, Dx, JumpBack, Memento, Partitioner, Power, Remove,
};
use consistent_hash_lab::systems::guava;
use consistent_hash_lab::systems::hash::{crc, md5, murmur};

use crate::engine::{Engine, Failing, Growing, run};
use crate::vectors::{Fields, each_case, keys};

/// Its hash functions of bytes: all are cut to 32 bits.
#[derive(Clone, Copy)]
enum Function {
    XxHash32,
    /// The absolute value of the signed result.
    Murmur3,
    Crc32,
    /// The first four bytes, the most significant first.
    Md5,
}

impl Function {
    fn named(name: &str) -> Result<Self> {
        Ok(match name {
            "XX" => Self::XxHash32,
            "MURMUR3" => Self::Murmur3,
            "CRC32" => Self::Crc32,
            "MD5" => Self::Md5,
            _ => bail!("hash {name:?} maps to nothing here"),
        })
    }

    fn of(self, bytes: &[u8]) -> u64 {
        u64::from(match self {
            Self::XxHash32 => xxhash_rust::xxh32::xxh32(bytes, 0),
            Self::Murmur3 => murmur::murmur3_32(bytes, 0).cast_signed().unsigned_abs(),
            Self::Crc32 => crc::crc32(bytes),
            Self::Md5 => (md5::number(bytes) >> 96) as u32,
        })
    }

    /// Of a text and a seed; a seed of 0 is none.
    fn seeded(self, text: &str, seed: u32) -> u64 {
        match seed {
            0 => self.of(text.as_bytes()),
            seed => self.of(&[text.as_bytes(), &seed.to_be_bytes()].concat()),
        }
    }

    fn of_numbers(self, value: u64, others: &[u32]) -> u64 {
        let others = others.iter().flat_map(|other| other.to_be_bytes());
        self.of(&value.to_be_bytes().into_iter().chain(others).collect::<Vec<u8>>())
    }
}

/// The hashes of one engine; a key's number is its index.
#[derive(Clone)]
struct Hashes<'a> {
    function: Function,
    keys: &'a [String],
    seed: u32,
    score: fn(&Self, u64, u32) -> u64,
}

const ANCHOR_SEED: u32 = 0xDEAD_BEEF;

impl HashFamily for Hashes<'_> {
    fn key(&self, key: u64) -> u64 {
        self.function.seeded(&self.keys[key as usize], self.seed)
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        self.function.of_numbers(u64::from(bucket), &[replica])
    }

    fn score(&self, key: u64, bucket: u32) -> u64 {
        (self.score)(self, key, bucket)
    }

    fn rehash(&self, _: u64, previous: u64, bucket: u32) -> u64 {
        self.function.of_numbers(previous, &[bucket, self.seed])
    }

    /// Its jump is that of Guava.
    fn jump(&self, hash: u64, from: u32, buckets: u32) -> u32 {
        guava::walk(hash, from, buckets)
    }
}

/// Memento: the key with the bucket as its seed.
fn of_key(hashes: &Hashes, key: u64, bucket: u32) -> u64 {
    hashes.function.seeded(&hashes.keys[key as usize], bucket)
}

/// Power: the hash with the level as its seed.
fn of_hash(hashes: &Hashes, hash: u64, level: u32) -> u64 {
    hashes.function.of_numbers(hash, &[level])
}

/// Binomial: the upper half of a square, no hash function at all.
fn squared(_: &Hashes, hash: u64, seed: u32) -> u64 {
    let x = hash.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
    x.wrapping_mul(x).wrapping_mul(u64::from(seed)) >> 32
}

/// `java.util.Random`: a linear congruential generator of 48 bits.
struct JavaRandom(u64);

impl JavaRandom {
    fn new(seed: u64) -> Self {
        Self((seed ^ 0x5_DEEC_E66D) & ((1 << 48) - 1))
    }
}

impl Draws for JavaRandom {
    /// The 31 bits of its `next(31)`.
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(0x5_DEEC_E66D).wrapping_add(0xB) & ((1 << 48) - 1);
        self.0 >> 17
    }

    fn below(&mut self, bound: u32) -> u32 {
        let bound = u64::from(bound);
        if bound.is_power_of_two() {
            return ((bound * self.draw()) >> 31) as u32;
        }
        loop {
            let draw = self.draw();
            let value = draw % bound;
            if draw - value + bound <= 1 << 31 {
                return value as u32;
            }
        }
    }
}

/// Its Dx keeps the slots that are not working on a stack, the lowest of those never used on top.
struct DxEngine<H> {
    dx: Dx<H>,
    removed: Vec<u32>,
}

impl<H: StreamFamily> Engine for DxEngine<H> {
    fn add(&mut self) -> Result<u32> {
        let Some(slot) = self.removed.pop() else { bail!("no slot is left") };
        self.dx.restore(slot)?;
        Ok(slot)
    }

    fn remove(&mut self, bucket: u32) -> Result<()> {
        self.dx.remove(bucket)?;
        self.removed.push(bucket);
        Ok(())
    }

    fn bucket(&self, key: u64) -> Result<u32> {
        Ok(self.dx.bucket(key))
    }
}

pub fn check(file: &mut Fields) -> Result<usize> {
    each_case(file, |case| {
        let (size, slots): (u32, u32) =
            case.object("params", |params| Ok((params.get("size")?, params.get("capacity")?)))?;
        let function = Function::named(case.get("hash")?)?;
        let keys = keys(case)?;
        let indices: Vec<u64> = (0..keys.len() as u64).collect();
        let hashes = |seed, score| Hashes { function, keys: &keys, seed, score };
        let plain = |key: u64| function.of(keys[key as usize].as_bytes());
        match case.get("algorithm")? {
            "anchor" => {
                let hash = hashes(ANCHOR_SEED, of_key);
                run_on(Failing(CompactAnchor::new(size, slots, hash.clone())?), case, &indices)?;
                run_on(Failing(Anchor::new(size, slots, hash)?), case, &indices)
            }
            "dx" => {
                let dx = Dx::new(size, slots, |key| JavaRandom::new(plain(key)))?;
                run_on(DxEngine { dx, removed: (size..slots).rev().collect() }, case, &indices)
            }
            "memento" => run_on(Failing(Memento::new(size, hashes(0, of_key))?), case, &indices),
            "power" => run_on(Growing(Power::new(size, hashes(0, of_hash))?), case, &indices),
            "binomial" => run_on(Growing(Binomial::new(size, hashes(0, squared))?), case, &indices),
            "jumpback" => run_on(Growing(JumpBack::new(size, |key| SplitMix64::new(plain(key)))?), case, &indices),
            other => bail!("algorithm {other:?} maps to nothing here"),
        }
    })
}

/// A removal returns the bucket.
fn run_on(mut engine: impl Engine, case: &mut Fields, keys: &[u64]) -> Result<usize> {
    run(&mut engine, case, keys, |bucket| bucket)
}
