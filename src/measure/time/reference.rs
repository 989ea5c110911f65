//! The reference kernels: work whose time is known not to change, so that a change shows that the machine has.
//!
//! There are two, because there are two ways to be disturbed. A chain of dependent steps leaves most of a core unused: it
//! shows the clock rate and interruptions, and hardly notices another hardware thread on the same core. Steps side by side, of
//! loads and additions, take as many instructions a cycle as the core can begin: beside a neighbour, which begins half of them,
//! they take up to twice as long, as does any look-up that runs much side by side.
//!
//! (Eight chains of multiplications side by side do not show it: they wait for the multiplier, which a neighbour leaves alone. On a
//! Xeon of 2023 they took 0.40 of a chain's time in both states, while look-ups took 1.3 to 2 times as long in one of them.)

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::Condition;
use super::clock::{clocked, waited};
use super::median;
use crate::algorithms::hash::mix64;

/// Steps of [`mix64`] of one run of a kernel: about ten microseconds, all of it in registers.
pub const CHAIN_STEPS: u32 = 2_048;
/// Steps of one run of the kernel side by side: about five microseconds, all of it in the first cache.
pub const PARALLEL_STEPS: u32 = 16_384;
/// Its keys and the entries of its table.
const ENTRIES: usize = 256;

/// Beyond this fraction of the usual time a chain was interrupted, or the clock rate was another.
const MOST_SLOWED: f64 = 0.10;
/// Beyond this fraction of its time alone the parallel kernel, in units of the chain, had a neighbour on the core. Alone it
/// was within 1 % (virtual machine, Xeon); beside a neighbour between 90 and 120 % slower.
const MOST_SHARED: f64 = 0.10;
/// A thread waited if it did for more than this fraction of the sample.
const MOST_WAITING: f64 = 0.01;

/// Both kernels, run once one after the other: nanoseconds a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kernels {
    /// Of dependent steps.
    pub chain: f64,
    /// Of steps side by side.
    pub parallel: f64,
}

impl Kernels {
    fn run() -> Self {
        let (_, chain) = clocked(|| (0..CHAIN_STEPS).fold(black_box(1), |value, _| mix64(value)));
        let keys: [u8; ENTRIES] = black_box(std::array::from_fn(|at| (at * 77) as u8));
        let table: [u32; ENTRIES] = black_box(std::array::from_fn(|at| at as u32));
        let (_, parallel) = clocked(|| side_by_side(&keys, &table));
        let each = |time: Duration, steps: u32| time.as_nanos() as f64 / f64::from(steps);
        Self { chain: each(chain, CHAIN_STEPS), parallel: each(parallel, PARALLEL_STEPS) }
    }
}

/// Looks each key up in the table, and does it again with another number for each pass, so that no pass can be left out.
fn side_by_side(keys: &[u8; ENTRIES], table: &[u32; ENTRIES]) -> u32 {
    let passes = PARALLEL_STEPS / ENTRIES as u32;
    (0..passes).fold(0, |sum, pass| keys.iter().fold(sum, |sum, &key| sum.wrapping_add(table[usize::from(key)] ^ pass)))
}

/// What was seen around one sample.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Around {
    /// The kernels before it and after it.
    pub kernels: [Kernels; 2],
    /// The fraction of the sample for which its thread waited for a processor that others used.
    pub waited_ratio: f64,
}

impl Around {
    /// Does some work between two runs of the kernels.
    pub(super) fn work<T>(work: impl FnOnce() -> T) -> (T, Self) {
        let (start, waited_before, before) = (Instant::now(), waited(), Kernels::run());
        let done = work();
        let after = Kernels::run();
        let waited_ratio = waited().saturating_sub(waited_before).as_secs_f64() / start.elapsed().as_secs_f64();
        (done, Self { kernels: [before, after], waited_ratio })
    }
}

/// How many times as long as a step of the chain a parallel step takes with the core alone: a constant of the processor,
/// whatever its clock rate. The least of what is seen in `long`, and in at least 16 tries.
#[must_use]
pub fn alone_ratio(long: Duration) -> f64 {
    let begun = Instant::now();
    let mut seen = Vec::new();
    while seen.len() < 16 || begun.elapsed() < long {
        seen.push(Kernels::run());
    }
    least_ratio(&seen)
}

/// From the least of each kernel: in a ratio of the same moment an interrupted chain would pass for an idle core.
fn least_ratio(seen: &[Kernels]) -> f64 {
    let least = |of: fn(&Kernels) -> f64| seen.iter().map(of).fold(f64::INFINITY, f64::min);
    least(|kernels| kernels.parallel) / least(|kernels| kernels.chain)
}

/// Under which condition each sample was taken, given the [`alone_ratio`] of this machine as far as it is known.
///
/// * *Waited*: the thread waited for the core for more than 1 % of the sample.
/// * *Slowed*: before or after it the chain was more than 10 % off the median of all.
/// * *Shared*: before or after it the parallel kernel, in units of the chain, took more than 10 % longer than with the core
///   alone.
#[must_use]
pub fn conditions(around: &[Around], alone_ratio: f64) -> Vec<Condition> {
    let all: Vec<Kernels> = around.iter().flat_map(|around| around.kernels).collect();
    let usual = median(&all.iter().map(|kernels| kernels.chain).collect::<Vec<_>>());
    let alone = alone_ratio.min(least_ratio(&all));
    let slowed = |kernels: &Kernels| (kernels.chain / usual - 1.0).abs() > MOST_SLOWED;
    let shared = |kernels: &Kernels| kernels.parallel / kernels.chain > alone * (1.0 + MOST_SHARED);
    let condition = |around: &Around| {
        if around.waited_ratio > MOST_WAITING {
            Condition::Waited
        } else if around.kernels.iter().any(slowed) {
            Condition::Slowed
        } else if around.kernels.iter().any(shared) {
            Condition::Shared
        } else {
            Condition::Alone
        }
    };
    around.iter().map(condition).collect()
}

#[cfg(test)]
mod tests {
    use super::Condition::{Alone, Shared, Slowed, Waited};
    use super::*;

    fn around(chain: f64, parallel: f64) -> Around {
        Around { kernels: [Kernels { chain: 4.0, parallel: 1.5 }, Kernels { chain, parallel }], waited_ratio: 0.0 }
    }

    #[test]
    fn each_kernel_shows_what_it_can() {
        let quiet = around(4.0, 1.5);
        let seen = [
            quiet,
            around(4.2, 1.6),
            around(4.0, 1.6),
            // A neighbour slows what runs side by side, and not the chain.
            around(4.0, 1.7),
            // Another clock rate slows both.
            around(4.8, 1.8),
            around(3.5, 1.3),
            Around { waited_ratio: 0.02, ..quiet },
            Around { waited_ratio: 0.005, ..quiet },
            quiet,
            quiet,
        ];
        let expected = [Alone, Alone, Alone, Shared, Slowed, Slowed, Waited, Alone, Alone, Alone];
        assert_eq!(conditions(&seen, f64::INFINITY), expected);
    }

    /// The old screen, of a chain alone, called a run undisturbed that had a neighbour from its first round to its last.
    #[test]
    fn a_neighbour_that_never_leaves() {
        let shared = Kernels { chain: 4.0, parallel: 2.1 };
        let seen = [Around { kernels: [shared; 2], waited_ratio: 0.0 }; 5];
        assert_eq!(conditions(&seen, 0.375), [Shared; 5]);
        assert_eq!(conditions(&seen, f64::INFINITY), [Alone; 5], "nothing to compare with");
    }

    #[test]
    fn few_samples() {
        assert_eq!(conditions(&[], 1.0), []);
        assert_eq!(conditions(&[around(4.0, 1.5)], f64::INFINITY), [Alone]);
    }

    #[test]
    #[cfg(not(debug_assertions))]
    fn steps_side_by_side_are_cheaper() {
        // A step of the chain waits for two multiplications of 3 cycles and more; one side by side takes 1 to 3 cycles. The least
        // of many runs.
        let ratio = alone_ratio(Duration::from_millis(20));
        assert!((0.02..0.5).contains(&ratio), "{ratio}");
    }
}
