//! Disturbed rounds, and the reference kernel: work whose time is known not to change, so that a change shows that the
//! machine has.

use std::hint::black_box;

use super::clock::clocked;
use super::median;
use crate::algorithms::hash::mix64;

/// Length of the chain of [`mix64`] that is one run of the kernel: about half a millisecond, all of it in registers.
pub const REFERENCE_STEPS: u32 = 100_000;

/// A round is off if its reference lies this many median absolute deviations from the median: 3.4 standard deviations
/// of a normal distribution, which undisturbed rounds exceed once in 1400.
const DEVIATIONS: f64 = 5.0;

/// Within this fraction of the median no round is off, however quiet the others were.
const ALWAYS_USUAL: f64 = 0.02;

/// Beyond this fraction of the median a round is off, however unquiet the others were.
const NEVER_USUAL: f64 = 0.10;

/// A round is off if its thread waited for a processor for more than this fraction of it.
const MOST_WAITING: f64 = 0.01;

/// Runs the kernel once: nanoseconds a step.
pub(super) fn probe() -> f64 {
    let (_, time) = clocked(|| (0..REFERENCE_STEPS).fold(black_box(1), |value, _| mix64(value)));
    time.as_nanos() as f64 / f64::from(REFERENCE_STEPS)
}

/// Which rounds count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Screening {
    /// For each round whether it counts.
    pub kept: Vec<bool>,
    /// More than half of the rounds were off. Then there is nothing usual to compare with: all count, and their figures
    /// are not to be trusted.
    pub unstable: bool,
}

/// Screens rounds by the time of their reference kernel, in any unit, and by the fraction of each round that its thread
/// waited for a processor.
///
/// A round is off, slower or faster, if its reference is further from the median of all rounds than their usual spread:
/// 5 median absolute deviations, but at least 2 % and at most 10 % of the median. The lower bound keeps a quiet machine
/// from losing rounds over nothing; the upper one is what an unquiet machine fails, since the median absolute deviation
/// alone would call any spread usual.
///
/// A round is also off if its thread waited for more than 1 % of it. On a machine shared with others, the kernel, which
/// is much shorter than the time for which a thread may run, would often run through undisturbed where longer samples
/// are all interrupted.
#[must_use]
pub fn screen(reference: &[f64], waited: &[f64]) -> Screening {
    let middle = median(reference);
    let distances: Vec<f64> = reference.iter().map(|time| (time - middle).abs()).collect();
    let usual = (DEVIATIONS * median(&distances)).max(ALWAYS_USUAL * middle).min(NEVER_USUAL * middle);
    let kept: Vec<bool> =
        distances.iter().zip(waited).map(|(&distance, &waited)| distance <= usual && waited <= MOST_WAITING).collect();
    let off = kept.iter().filter(|&&kept| !kept).count();
    let unstable = 2 * off > reference.len();
    Screening { kept: if unstable { vec![true; reference.len()] } else { kept }, unstable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn off(reference: &[f64]) -> Vec<usize> {
        let screening = screen(reference, &vec![0.0; reference.len()]);
        assert!(!screening.unstable);
        (0..reference.len()).filter(|&round| !screening.kept[round]).collect()
    }

    #[test]
    fn outliers_go_on_both_sides() {
        let mut rounds: Vec<f64> = (0..20).map(|i| 4.0 + 0.001 * f64::from(i % 5)).collect();
        assert_eq!(off(&rounds), [0_usize; 0]);
        rounds[3] = 5.0;
        rounds[11] = 3.5;
        assert_eq!(off(&rounds), [3, 11]);
    }

    #[test]
    fn a_quiet_machine_keeps_small_differences() {
        assert_eq!(off(&[1.0, 1.0, 1.0, 1.0, 1.019]), [0_usize; 0]);
        assert_eq!(off(&[1.0, 1.0, 1.0, 1.0, 1.021]), [4]);
    }

    #[test]
    fn a_usual_spread_is_kept() {
        // 1 % of median absolute deviation: 5 of them reach to 5 %.
        assert_eq!(off(&[0.98, 0.99, 1.0, 1.01, 1.045]), [0_usize; 0]);
        assert_eq!(off(&[0.98, 0.99, 1.0, 1.01, 1.055]), [4]);
    }

    #[test]
    fn never_more_than_half() {
        // Half may go.
        assert_eq!(off(&[1.0, 1.0, 1.5, 0.5]), [2, 3]);
        // Two speeds, and the median between them: nothing is usual.
        let two_speeds = screen(&[1.0, 1.0, 1.0, 1.5, 1.5, 1.5], &[0.0; 6]);
        assert_eq!(two_speeds, Screening { kept: vec![true; 6], unstable: true });
        let scattered = screen(&[1.0, 1.2, 1.4, 1.6, 1.8], &[0.0; 5]);
        assert_eq!(scattered, Screening { kept: vec![true; 5], unstable: true });
    }

    #[test]
    fn waiting_rounds_go() {
        let one = screen(&[1.0; 3], &[0.0, 0.02, 0.005]);
        assert_eq!(one, Screening { kept: vec![true, false, true], unstable: false });
        let most = screen(&[1.0; 3], &[0.5, 0.02, 0.005]);
        assert_eq!(most, Screening { kept: vec![true; 3], unstable: true });
    }

    #[test]
    fn few_rounds() {
        assert_eq!(screen(&[], &[]), Screening { kept: vec![], unstable: false });
        assert_eq!(off(&[7.0]), [0_usize; 0]);
    }
}
