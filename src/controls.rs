//! Wrong on purpose: partitioners with mistakes that were published or shipped. Each must fail the check that is meant for
//! it, or the checks are worth nothing.

use crate::algorithms::hash::{HashFamily, Mix};
use crate::algorithms::{self, Error, JUMP_MAX_BUCKETS, Partitioner, RingSorted64};
use crate::catalog::{Algorithm, Implementation, Source, ring};
use crate::ours;

/// A wrong implementation and the check that must catch it.
pub struct Control {
    /// What it pretends to be.
    pub implementation: Implementation,
    /// What is wrong with it.
    pub mistake: &'static str,
    /// The name of the check.
    pub caught_by: &'static str,
}

/// What the controls have in common.
const fn control(of: Implementation) -> Implementation {
    Implementation { source: Source::Control, paper: "none: wrong on purpose", most_buckets: JUMP_MAX_BUCKETS, ..of }
}

/// All controls.
pub static CONTROLS: [Control; 4] = [
    Control {
        implementation: Implementation {
            id: "control-one-bucket",
            name: "one bucket gets everything",
            ..control(ours!(b => OneBucket::new(b.buckets)))
        },
        mistake: "one bucket gets everything",
        caught_by: "balance",
    },
    Control {
        implementation: Implementation {
            id: "control-no-wrap",
            name: "ring that forgets to wrap",
            ..control(ring(64, ours!(b => NoWrap::new(b.buckets, b.points, b.seed))))
        },
        mistake: "a key past the last point finds no bucket",
        caught_by: "totality",
    },
    Control {
        implementation: Implementation {
            id: "control-jump-overflow",
            name: "jump with an overflow",
            algorithm: Algorithm::Jump,
            ..control(ours!(b => JumpOverflow::new(b.buckets)))
        },
        mistake: "the draw 2^31 - 1 plus 1 is computed in 32 bits and becomes negative",
        caught_by: "reference",
    },
    Control {
        implementation: Implementation {
            id: "control-reshuffle",
            name: "moves keys between old buckets",
            ..control(ours!(b => Reshuffle::new(b.buckets)))
        },
        mistake: "growth moves keys between buckets that stay",
        caught_by: "growth",
    },
];

fn checked(buckets: u32) -> Result<u32, Error> {
    algorithms::checked_buckets(buckets.into(), JUMP_MAX_BUCKETS)
}

/// One bucket gets everything.
struct OneBucket(u32);

impl OneBucket {
    fn new(buckets: u32) -> Result<Self, Error> {
        checked(buckets).map(Self)
    }
}

impl Partitioner for OneBucket {
    fn bucket(&self, _key: u64) -> u32 {
        0
    }

    fn bucket_count(&self) -> u32 {
        self.0
    }
}

/// A ring whose search does not begin again at the first point.
struct NoWrap {
    points: Vec<(u64, u32)>,
    buckets: u32,
    family: Mix,
}

impl NoWrap {
    fn new(buckets: u32, points: u32, seed: u64) -> Result<Self, Error> {
        let family = Mix::new(seed);
        let points = RingSorted64::new(buckets, points, family)?.ring().collect();
        Ok(Self { points, buckets, family })
    }
}

impl Partitioner for NoWrap {
    fn bucket(&self, key: u64) -> u32 {
        let position = self.family.key(key);
        let at = self.points.partition_point(|&(point, _)| point < position);
        self.points.get(at).map_or(u32::MAX, |&(_, bucket)| bucket)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

/// Figure 1 with `int32_t` where the draw is increased.
struct JumpOverflow(u32);

impl JumpOverflow {
    fn new(buckets: u32) -> Result<Self, Error> {
        checked(buckets).map(Self)
    }
}

impl Partitioner for JumpOverflow {
    fn bucket(&self, key: u64) -> u32 {
        let (mut state, mut bucket, mut next) = (key, -1_i64, 0_i64);
        while next < i64::from(self.0) {
            bucket = next;
            state = state.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
            let draw = ((state >> 33) as i32).wrapping_add(1);
            next = ((bucket + 1) as f64 * (f64::from(1_u32 << 31) / f64::from(draw))) as i64;
        }
        bucket as u32
    }

    fn bucket_count(&self) -> u32 {
        self.0
    }
}

/// Rendezvous whose scores depend on the number of buckets.
struct Reshuffle {
    buckets: u32,
    family: Mix,
}

impl Reshuffle {
    fn new(buckets: u32) -> Result<Self, Error> {
        Ok(Self { buckets: checked(buckets)?, family: Mix::new(u64::from(buckets)) })
    }
}

impl Partitioner for Reshuffle {
    fn bucket(&self, key: u64) -> u32 {
        (0..self.buckets).max_by_key(|&bucket| self.family.score(key, bucket)).unwrap_or(0)
    }

    fn bucket_count(&self) -> u32 {
        self.buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify;

    fn is_caught(id: &str) {
        let control = CONTROLS.iter().find(|control| control.implementation.id == id).expect("a control");
        assert!(verify::caught(control), "{id} must fail {}", control.caught_by);
    }

    #[test]
    fn balance_catches_one_bucket() {
        is_caught("control-one-bucket");
    }

    #[test]
    fn totality_catches_no_wrap() {
        is_caught("control-no-wrap");
    }

    #[test]
    fn reference_catches_jump_overflow() {
        is_caught("control-jump-overflow");
    }

    #[test]
    fn growth_catches_reshuffle() {
        is_caught("control-reshuffle");
    }
}
