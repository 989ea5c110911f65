//! Weighted rendezvous hashing, the logarithmic method: Schindelhauer & Schomaker 2005 (SPAA).
//!
//! A bucket of weight w scores -w / ln u for a key, where u is a draw from (0, 1) that depends on key and bucket; the
//! highest score owns the key, ties go to the lower bucket. As -ln(u)/w is exponential of rate w, bucket i wins with
//! probability w_i / Σw exactly, up to the 52 bits of the draw. A change of one weight moves keys to or from that
//! bucket only. Look-up O(n) with a logarithm for each bucket, memory 16 bytes a bucket.

use std::collections::BinaryHeap;

use super::hash::{HashFamily, Mix};
use super::weights::Weights;
use super::{Error, Partitioner, Remove, Replicas, Weighted};

/// The bucket whose weighted score for the key is highest.
#[derive(Debug, Clone)]
pub struct RendezvousWeighted<H = Mix> {
    weights: Weights,
    /// The working buckets, ascending: the loop of a look-up wants them side by side.
    working: Vec<(u32, f64)>,
    hash: H,
}

/// A score, ordered so that the highest is the greatest and of equal ones that of the lowest bucket.
#[derive(PartialEq)]
struct Score(f64, u32);

impl Eq for Score {}

impl Ord for Score {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// -w / ln u. The 2^52 values of u are the middles of equal cells of (0, 1): neither end is among them.
fn score(hash: u64, weight: f64) -> f64 {
    const CELL: f64 = 1.0 / (1_u64 << 52) as f64;
    let u = ((hash >> 12) as f64 + 0.5) * CELL;
    -weight / u.ln()
}

impl<H: HashFamily> RendezvousWeighted<H> {
    /// A partitioner in which bucket i has weight `weights[i]`, in any unit.
    ///
    /// # Errors
    /// [`Error::NoBuckets`], [`Error::Weight`].
    pub fn new(weights: &[f64], hash: H) -> Result<Self, Error> {
        let weights = Weights::new(weights)?;
        let working = weights.iter().collect();
        Ok(Self { weights, working, hash })
    }

    /// Adds a bucket after the highest working one, and returns its number.
    ///
    /// # Errors
    /// [`Error::Weight`], [`Error::TooManyBuckets`]; unchanged.
    pub fn add(&mut self, weight: f64) -> Result<u32, Error> {
        let new = self.weights.add(weight)?;
        self.working.push((new, weight));
        Ok(new)
    }

    fn scores(&self, key: u64) -> impl Iterator<Item = Score> {
        self.working.iter().map(move |&(bucket, weight)| Score(score(self.hash.score(key, bucket), weight), bucket))
    }

    fn refresh(&mut self) {
        self.working.clear();
        self.working.extend(self.weights.iter());
    }
}

impl<H: HashFamily> Partitioner for RendezvousWeighted<H> {
    fn bucket(&self, key: u64) -> u32 {
        self.scores(key).max().expect("one bucket is always working").1
    }

    fn bucket_count(&self) -> u32 {
        self.weights.count()
    }
}

impl<H: HashFamily> Weighted for RendezvousWeighted<H> {
    fn weight(&self, bucket: u32) -> Result<f64, Error> {
        self.weights.get(bucket)
    }

    fn set_weight(&mut self, bucket: u32, weight: f64) -> Result<(), Error> {
        self.weights.set(bucket, weight)?;
        self.refresh();
        Ok(())
    }
}

impl<H: HashFamily> Remove for RendezvousWeighted<H> {
    fn remove(&mut self, bucket: u32) -> Result<(), Error> {
        self.weights.remove(bucket)?;
        self.refresh();
        Ok(())
    }

    fn restore(&mut self, bucket: u32) -> Result<(), Error> {
        self.weights.restore(bucket)?;
        self.refresh();
        Ok(())
    }
}

impl<H: HashFamily> Replicas for RendezvousWeighted<H> {
    fn preference(&self, key: u64) -> Box<dyn Iterator<Item = u32> + '_> {
        // A heap gives the first few without sorting the rest.
        let mut heap: BinaryHeap<Score> = self.scores(key).collect();
        Box::new(std::iter::from_fn(move || heap.pop().map(|Score(_, bucket)| bucket)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithms::{Rendezvous, testing};

    fn subject(weights: &[f64]) -> RendezvousWeighted {
        RendezvousWeighted::new(weights, Mix::new(11)).expect("weights")
    }

    #[test]
    fn shares_are_the_weights() {
        for weights in [&[1.0, 2.0, 3.0, 4.0][..], &[1e-100, 3e-100], &[1e100, 1e99], &[0.001, 1.0, 0.5, 0.01]] {
            let subject = subject(weights);
            let mut counts = vec![0; weights.len()];
            (0..200_000).for_each(|key| counts[subject.bucket(key) as usize] += 1);
            let shares: Vec<f64> = weights.iter().map(|weight| weight / weights.iter().sum::<f64>()).collect();
            testing::assert_fair(&counts, &shares);
        }
    }

    #[test]
    fn replicas_are_draws_without_replacement() {
        // P(second is j | first is i) = w_j / (Σw - w_i).
        let weights = [1.0, 2.0, 5.0];
        let subject = subject(&weights);
        let mut counts = [0; 9];
        for key in 0..200_000 {
            let pair = subject.replicas(key, 2).expect("two of three");
            assert_eq!(pair[0], subject.bucket(key));
            counts[(pair[0] * 3 + pair[1]) as usize] += 1;
        }
        let pair = |i: usize, j: usize| weights[i] / 8.0 * weights[j] / (8.0 - weights[i]);
        let shares: Vec<f64> = (0..9).map(|at| if at / 3 == at % 3 { 0.0 } else { pair(at / 3, at % 3) }).collect();
        testing::assert_fair(&counts, &shares);
    }

    #[test]
    fn equal_weights_are_plain_rendezvous() {
        let (plain, weighted) = (Rendezvous::new(50, Mix::new(11)).expect("buckets"), subject(&[7.0; 50]));
        assert!((0..10_000).all(|key| plain.bucket(key) == weighted.bucket(key)));
    }

    #[test]
    fn a_weight_moves_keys_to_or_from_its_bucket_only() {
        let keys = 0..20_000;
        let before = subject(&[1.0, 2.0, 3.0]);
        for (weight, gains) in [(2.5, true), (2.0 + 1e-3, true), (1e-3, false)] {
            let mut after = before.clone();
            after.set_weight(1, weight).expect("a weight");
            let moves = keys.clone().map(|key| (before.bucket(key), after.bucket(key))).filter(|(old, new)| old != new);
            let moves: Vec<_> = moves.collect();
            assert!(!moves.is_empty() && moves.iter().all(|&(old, new)| if gains { new == 1 } else { old == 1 }));
        }
        let mut again = before.clone();
        again.remove(2).expect("working");
        assert!(keys.clone().all(|key| before.bucket(key) == 2 || before.bucket(key) == again.bucket(key)));
        again.restore(2).expect("removed");
        assert!(keys.clone().all(|key| before.bucket(key) == again.bucket(key)));
        assert_eq!(again.add(4.0), Ok(3));
        assert!(keys.clone().all(|key| again.bucket(key) == 3 || before.bucket(key) == again.bucket(key)));
    }

    #[test]
    fn a_draw_is_never_at_an_end() {
        for hash in [0, 1, u64::MAX, u64::MAX - 1] {
            for weight in [1e-100, 1.0, 1e100] {
                assert!(score(hash, weight).is_finite() && score(hash, weight) > 0.0);
            }
        }
    }

    #[test]
    fn bad_weights_are_named() {
        for (weight, text) in [(0.0, "0"), (-1.0, "-1"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-0.0, "-0")] {
            let error = RendezvousWeighted::new(&[1.0, weight], Mix::new(0)).unwrap_err();
            assert_eq!(subject(&[1.0, 1.0]).set_weight(1, weight), Err(error.clone()));
            assert!(matches!(error, Error::Weight { bucket: 1, weight, .. } if weight == text));
        }
        let mut subject = subject(&[1.0, 1.0]);
        assert!(matches!(subject.set_weight(0, 1e101), Err(Error::Weight { bucket: 0, .. })));
        assert!(matches!(subject.add(1e-101), Err(Error::Weight { bucket: 2, .. })));
        assert!(matches!(subject.set_weight(u32::MAX, 1.0), Err(Error::UnknownBucket { .. })));
        assert!(matches!(subject.restore(u32::MAX), Err(Error::UnknownBucket { .. })));
        assert_eq!(RendezvousWeighted::new(&[], Mix::new(0)).unwrap_err(), Error::NoBuckets { asked: 0 });
        assert_eq!(subject.replicas(1, 3), Err(Error::TooFewBuckets { asked: 3, working: 2 }));
        subject.remove(0).expect("working");
        assert_eq!(subject.remove(1), Err(Error::LastBucket { bucket: 1 }));
        assert_eq!((subject.bucket(5), subject.bucket_count()), (1, 1));
    }
}
