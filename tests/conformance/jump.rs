//! Jump consistent hash: Figure 1 in Rust, as an integer model and as the C++ of the paper, and Guava's variant.

use anyhow::{Context, Result, ensure};
use consistent_hash_lab::algorithms::{Jump, Partitioner};
use consistent_hash_lab::references::{self, CppError};
use consistent_hash_lab::systems::guava::Guava;
use consistent_hash_lab::verify::model;

use crate::vectors::{Fields, each_case, paired};

/// The bucket of a key among a number of buckets.
type Answer = fn(u64, u32) -> Result<u32>;

/// Everything that answers as Figure 1 does, if there is a C++ compiler.
const FIGURE_1: [(&str, Answer); 4] = [
    ("Jump", |key, n| Ok(Jump::new(n)?.bucket(key))),
    ("Jump in batches", |key, n| {
        let mut out = [u32::MAX];
        Jump::new(n)?.buckets(&[key], &mut out);
        Ok(out[0])
    }),
    ("the integer model", |key, n| Ok(model::jump(key, n))),
    ("the C++ of Figure 1", |key, n| Ok(references::figure_1(key, n.try_into()?)?.try_into()?)),
];

pub fn check(file: &mut Fields) -> Result<usize> {
    let answers = match references::COMPILER {
        Some(_) => &FIGURE_1[..],
        None => {
            ensure!(references::figure_1(0, 1) == Err(CppError::NoCompiler), "there is C++ without a compiler");
            &FIGURE_1[..3]
        }
    };
    each_case(file, |case| {
        let (keys, sizes): (Vec<u64>, Vec<u32>) = (case.get("keys")?, case.get("n")?);
        let pairs = paired(&keys, &sizes)?;
        let of =
            |answer: Answer| -> Result<Vec<u32>> { keys.iter().zip(&sizes).map(|(&key, &n)| answer(key, n)).collect() };
        for &(name, answer) in answers {
            case.compare("result", of(answer)?).context(name)?;
        }
        let (jump, guava) = (of(FIGURE_1[0].1)?, of(|key, n| Ok(Guava::new(n)?.bucket(key)))?);
        let differing = jump.iter().zip(&guava).filter(|(jump, guava)| jump != guava).count();
        Ok(pairs + case.compare("guava_result", guava)? + case.compare_number_if_given("guava_differs", differing)?)
    })
}
