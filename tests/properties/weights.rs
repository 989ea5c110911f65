//! Weights that change while buckets come and go.

use std::collections::BTreeMap;

use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{Error, Remove, RendezvousWeighted, RingWeighted, Weighted};
use consistent_hash_lab::catalog::{Algorithm, Build, catalog};
use consistent_hash_lab::verify::model::{History, weighted};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::follow::same;

/// Weights are small integers: with four points a bucket, and a power of two of buckets at first, no half of a point is
/// rounded before it is rounded.
const BUILD: Build = Build::new(0, 4, 7);

trait Subject: Weighted + Remove {
    fn add(&mut self, weight: f64) -> Result<u32, Error>;
}

impl Subject for RingWeighted {
    fn add(&mut self, weight: f64) -> Result<u32, Error> {
        Self::add(self, weight)
    }
}

impl Subject for RendezvousWeighted {
    fn add(&mut self, weight: f64) -> Result<u32, Error> {
        Self::add(self, weight)
    }
}

#[derive(Debug, Clone, Copy)]
enum Change {
    Add(u32),
    Set(u32, u32),
    Remove(u32),
    Restore(u32),
}

/// A weight, now and then one that is refused.
fn weight() -> impl Strategy<Value = u32> {
    prop_oneof![9 => 1..10_u32, 1 => Just(0)]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let change = prop_oneof![
        weight().prop_map(Change::Add),
        (0..12_u32, weight()).prop_map(|(bucket, weight)| Change::Set(bucket, weight)),
        (0..12_u32).prop_map(Change::Remove),
        (0..12_u32).prop_map(Change::Restore),
    ];
    vec(change, 0..30)
}

fn first_weights() -> impl Strategy<Value = Vec<u32>> {
    (0..4_u32).prop_flat_map(|bits| vec(1..10_u32, 1 << bits))
}

fn floats(weights: &[u32]) -> Vec<f64> {
    weights.iter().copied().map(f64::from).collect()
}

/// What it must answer: a history, and the weights that all buckets had last.
struct Truth {
    history: History,
    weights: BTreeMap<u32, u32>,
}

impl Truth {
    fn new(algorithm: Algorithm, first: &[u32]) -> Self {
        let history = History::new(algorithm, Build { buckets: first.len() as u32, ..BUILD });
        Self { history, weights: (0..).zip(first.iter().copied()).collect() }
    }

    fn now(&self) -> BTreeMap<u32, u32> {
        self.history.working().into_iter().map(|bucket| (bucket, self.weights[&bucket])).collect()
    }

    /// Unless the weight is zero.
    fn weigh(&mut self, bucket: u32, weight: u32) -> bool {
        if weight > 0 {
            self.weights.insert(bucket, weight);
        }
        weight > 0
    }

    fn set(&mut self, bucket: u32, weight: u32) -> Result<(), &'static str> {
        match self.history.working().contains(&bucket) {
            false => Err("unknown"),
            true => self.weigh(bucket, weight).then_some(()).ok_or("weight"),
        }
    }

    fn add(&mut self, weight: u32) -> Result<u32, &'static str> {
        let mut grown = self.history.clone();
        let new = grown.grow().map_err(|_| "full")?;
        if !self.weigh(new, weight) {
            return Err("weight");
        }
        self.history = grown;
        Ok(new)
    }
}

/// The kind of an error, as [`Truth`] has it.
fn kind<T>(done: Result<T, Error>) -> Result<T, &'static str> {
    done.map_err(|error| match error {
        Error::UnknownBucket { .. } => "unknown",
        Error::Weight { .. } => "weight",
        _ => "another",
    })
}

fn follow(
    mut subject: impl Subject,
    algorithm: Algorithm,
    first: &[u32],
    changes: &[Change],
    keys: &[u64],
) -> Result<(), TestCaseError> {
    let mut truth = Truth::new(algorithm, first);
    for change in std::iter::once(None).chain(changes.iter().copied().map(Some)) {
        match change {
            None => {}
            Some(Change::Add(weight)) => prop_assert_eq!(kind(subject.add(weight.into())), truth.add(weight)),
            Some(Change::Set(bucket, weight)) => {
                prop_assert_eq!(kind(subject.set_weight(bucket, weight.into())), truth.set(bucket, weight));
            }
            Some(Change::Remove(bucket)) => {
                prop_assert!(same(&subject.remove(bucket), &truth.history.remove(bucket)), "{:?}", change);
            }
            Some(Change::Restore(bucket)) => {
                prop_assert!(same(&subject.restore(bucket), &truth.history.restore(bucket)), "{:?}", change);
            }
        }
        let now = truth.now();
        prop_assert_eq!(subject.bucket_count() as usize, now.len());
        for bucket in 0..12 {
            let right = now.get(&bucket).copied().map(f64::from).ok_or("unknown");
            prop_assert_eq!(kind(subject.weight(bucket)), right, "bucket {} after {:?}", bucket, change);
        }
        let model = weighted(algorithm, BUILD, first, &now).map_err(TestCaseError::fail)?;
        for &key in keys {
            prop_assert_eq!(subject.bucket(key), model(key), "key {} after {:?}", key, change);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn weights_and_buckets_come_and_go(
        first in first_weights(), changes in changes(), keys in vec(any::<u64>(), 1..20),
    ) {
        let (weights, hash) = (floats(&first), Mix::new(BUILD.seed));
        follow(RingWeighted::new(&weights, BUILD.points, hash)?, Algorithm::RingWeighted, &first, &changes, &keys)?;
        follow(RendezvousWeighted::new(&weights, hash)?, Algorithm::RendezvousWeighted, &first, &changes, &keys)?;
    }

    /// As the catalogue builds them.
    #[test]
    fn one_weight_after_the_other(
        first in first_weights(), sets in vec((0..8_u32, 1..10_u32), 0..10), keys in vec(any::<u64>(), 1..20),
    ) {
        for entry in catalog() {
            let Some(weigh) = entry.weigh else { continue };
            let mut subject = weigh(&floats(&first), BUILD).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let mut truth = Truth::new(entry.algorithm, &first);
            for &(bucket, weight) in &sets {
                let found = kind(subject.set_weight(bucket, weight.into()));
                prop_assert_eq!(found, truth.set(bucket, weight), "{}: {}", entry.id, bucket);
            }
            let model = weighted(entry.algorithm, BUILD, &first, &truth.now()).map_err(TestCaseError::fail)?;
            for &key in &keys {
                prop_assert_eq!(subject.bucket(key), model(key), "{}: key {}", entry.id, key);
            }
        }
    }
}
