//! `hash-rings` against the code of Lamping and Veach (2014, Figure 1): rare keys where the order of rounding matters.

/// Figure 1 of the paper.
fn paper(mut key: u64, buckets: i64) -> i64 {
    let (mut bucket, mut next) = (-1, 0);
    while next < buckets {
        bucket = next;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        next = ((bucket + 1) as f64 * ((1_i64 << 31) as f64 / ((key >> 33) + 1) as f64)) as i64;
    }
    bucket
}

/// The number that is hashed is its hash.
#[derive(Default)]
struct Same(u64);

impl std::hash::Hasher for Same {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {}

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

pub fn main() {
    const KEY: u64 = 1_673_232_497_983_283_878;
    let hasher = std::hash::BuildHasherDefault::<Same>::default();
    let theirs = hash_rings::jump::Ring::with_hasher(hasher, 64).get_node(&KEY);
    let right = paper(KEY, 64);
    assert_ne!(i64::from(theirs), right, "they agree");
    println!("found: `jump::Ring::get_node` of the hash {KEY} among 64 is {theirs}, the paper's code gives {right}");
}
