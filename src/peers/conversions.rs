//! What our adapters add to a look-up, by itself: its time is shown beside those of the crates.

use std::hint::black_box;

use super::names::{Numbers, name};
use super::text;
use crate::algorithms::Partitioner;
use crate::measure::time::Measured;

/// A conversion.
pub struct Conversion {
    /// Names it in a record.
    pub id: &'static str,
    /// What it is.
    pub says: &'static str,
    /// The entries whose look-ups it is part of.
    pub entries: &'static [&'static str],
    /// The conversion alone, among so many nodes.
    pub of: fn(u32) -> Box<dyn Measured>,
}

/// All of them.
pub static CONVERSIONS: &[Conversion] = &[
    Conversion {
        id: "adapter/text",
        says: "a key as 16 digits",
        entries: &["consistent_hasher", "consistent-rs", "ring-rs", "ringhash", "rustyhash"],
        of: |nodes| Box::new(Text(nodes)),
    },
    Conversion {
        id: "adapter/owned-text",
        says: "a key as 16 digits, in a string of its own",
        entries: &["consistent-hashing-rs", "hash_ring", "rsbalancer"],
        of: |nodes| Box::new(OwnedText(nodes)),
    },
    Conversion {
        id: "adapter/number-of-name",
        says: "the number of a name, from a hash map",
        entries: &[
            "consistent-hashing-rs",
            "consistent-rs",
            "maglev_rs",
            "ring-rs",
            "ringhash",
            "rsbalancer",
            "rustyhash",
        ],
        of: |nodes| Box::new(NumberOfName::new(nodes)),
    },
];

struct Text(u32);

impl Partitioner for Text {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        u32::from(black_box(text(key)).as_str().as_bytes()[15])
    }

    fn bucket_count(&self) -> u32 {
        self.0
    }
}

struct OwnedText(u32);

impl Partitioner for OwnedText {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        u32::from(black_box(text(key).as_str().to_owned()).as_bytes()[15])
    }

    fn bucket_count(&self) -> u32 {
        self.0
    }
}

struct NumberOfName {
    numbers: Numbers,
    names: Vec<String>,
}

impl NumberOfName {
    fn new(nodes: u32) -> Self {
        let mut numbers = Numbers::new(name);
        let names = (0..nodes).map(|node| numbers.name(node)).collect();
        Self { numbers, names }
    }
}

impl Partitioner for NumberOfName {
    #[inline]
    fn bucket(&self, key: u64) -> u32 {
        self.numbers.of(self.names.get((key % self.names.len() as u64) as usize))
    }

    fn bucket_count(&self) -> u32 {
        self.names.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::peers;

    #[test]
    fn entries_are_of_the_survey() {
        let known = |id: &&str| peers().any(|peer| peer.id == *id);
        assert!(CONVERSIONS.iter().all(|conversion| conversion.entries.iter().all(known)));
    }

    #[test]
    fn conversions_do_what_they_say() {
        let of = |id| (CONVERSIONS.iter().find(|conversion| conversion.id == id).expect("there").of)(10);
        assert_eq!(of("adapter/text").bucket(0x0f), u32::from(b'f'));
        assert_eq!(of("adapter/owned-text").bucket(0x0e), u32::from(b'e'));
        assert_eq!(of("adapter/number-of-name").bucket(27), 7);
    }
}
