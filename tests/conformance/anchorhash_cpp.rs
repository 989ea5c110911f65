//! The authors' C++ of AnchorHash, whose two classes give the same answers, as our two layouts do.

use anyhow::{Result, ensure};
use consistent_hash_lab::algorithms::hash::HashFamily;
use consistent_hash_lab::algorithms::{Anchor, CompactAnchor};

use crate::engine::{Failing, run};
use crate::vectors::{Fields, each_case, paired};

/// Its keys are pairs of numbers; a key's number here is its index. The hashes of a key are chained.
#[derive(Clone)]
struct Crc<'a> {
    first: &'a [u64],
    second: &'a [u64],
}

/// The SSE4.2 instruction `crc32q`: CRC-32C, reflected, of 8 little-endian bytes, without inversions.
fn crc32c(register: u64, value: u64) -> u64 {
    let mut state = (register & 0xffff_ffff) ^ value;
    for _ in 0..64 {
        state = (state >> 1) ^ if state & 1 == 1 { 0x82f6_3b78 } else { 0 };
    }
    state
}

impl HashFamily for Crc<'_> {
    fn key(&self, key: u64) -> u64 {
        crc32c(self.second[key as usize], self.first[key as usize])
    }

    fn point(&self, bucket: u32, replica: u32) -> u64 {
        crc32c(u64::from(bucket), u64::from(replica))
    }

    fn score(&self, key: u64, _: u32) -> u64 {
        self.key(key)
    }

    fn rehash(&self, key: u64, previous: u64, _: u32) -> u64 {
        let (first, second) = (self.first[key as usize], self.second[key as usize]);
        crc32c(second.wrapping_add(previous), first.wrapping_sub(previous))
    }
}

pub fn check(file: &mut Fields) -> Result<usize> {
    let (first, second): (Vec<u64>, Vec<u64>) = (file.get("key1")?, file.get("key2")?);
    let keys: Vec<u64> = (0..paired(&first, &second)? as u64).collect();
    let hash = Crc { first: &first, second: &second };
    each_case(file, |case| {
        let (slots, working) = (case.get("anchor_size")?, case.get("working")?);
        let mut positions = Failing(Anchor::new(working, slots, hash.clone())?);
        let mut chains = Failing(CompactAnchor::new(working, slots, hash.clone())?);
        let compared = run(&mut positions, case, &keys, |bucket| bucket)?;
        ensure!(compared == run(&mut chains, case, &keys, |bucket| bucket)?, "the layouts compare as many keys");
        Ok(compared)
    })
}
