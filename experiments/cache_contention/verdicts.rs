//! What `cache_contention` answers: jump becomes only slightly slower, and the rings' knee moves to fewer buckets.
//!
//! Both are worded without a number. "Slightly" is read as at most a quarter of jump's own time. The knee is read as the
//! size at which a look-up takes the time halfway between those at the smallest and at the largest size: a slowdown by
//! the same factor, or by the same time, at all sizes leaves it where it was.

use consistent_hash_lab::experiment::{Parametrised, Record, Rule, Verdict, timed};
use consistent_hash_lab::published::{Comparison, Parts};
use consistent_hash_lab::statistics::Interval;

use super::{JUMP, RINGS, WITH, WITHOUT};

/// Where the rings are held against jump: a ring of this many buckets is no toy.
const JUDGED_AT: f64 = 1_000.0;
/// Below it jump hardly takes longer than the loop.
const SMALLEST: f64 = 10.0;
/// What "slightly" allows, as a part of jump's time alone.
const SLIGHTLY: f64 = 0.25;

/// A value between the ends of its interval.
type Measured = (f64, Interval);

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let measured = |id| record.timings(id, WITH).next().is_some();
    let parts = Parts::default().timed("what the reads add to jump", slightly(record), measured(JUMP));
    let parts =
        RINGS.into_iter().fold(parts, |parts, (name, ring)| {
            parts
                .timed(&format!("what the reads add to {name}"), more_than_to_jump(record, ring), measured(ring))
                .timed(&format!("the knee of {name}"), knee(record, ring), measured(ring))
        });
    let explanation = format!(
        "Jump: what the reads add, on average over the sizes from {SMALLEST} buckets, is at most {:.0}% of its time alone, \
         with its 95% interval. Rings: at {JUDGED_AT} buckets the reads add more than to jump, intervals apart. Knee: \
         the size at which the time is halfway between those at the smallest and the largest size is smaller with the \
         reads, by more than the errors of all times together. {}",
        100.0 * SLIGHTLY,
        timed::caveat(record, &[WITHOUT, WITH])
    );
    vec![parts.verdict("jump.contention.method", Rule::Shape, explanation.trim(), "")]
}

/// The times of an implementation that may be judged, by size, in ascending order.
fn times(record: &Record, id: &str, metric: &str) -> Vec<(f64, Measured)> {
    let rows = record.timings(id, metric);
    let mut times: Vec<_> =
        rows.filter_map(|row| Some((row.parameter("buckets")?, (row.value, row.judged()?)))).collect();
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    times
}

/// A value of several measured ones, and how far their independent errors carry it.
fn propagated(values: &[Measured], of: impl Fn(&[f64]) -> Option<f64>) -> Option<Measured> {
    let mut at: Vec<f64> = values.iter().map(|value| value.0).collect();
    let middle = of(&at)?;
    let (mut below, mut above) = (0.0_f64, 0.0_f64);
    for (index, (value, interval)) in values.iter().enumerate() {
        let mut moved = |end: f64| {
            at[index] = end;
            of(&at)
        };
        let ends = [moved(interval.low)?, moved(interval.high)?];
        at[index] = *value;
        below = below.hypot(ends.iter().map(|end| middle - end).fold(0.0, f64::max));
        above = above.hypot(ends.iter().map(|end| end - middle).fold(0.0, f64::max));
    }
    let level = values.first()?.1.level;
    Some((middle, Interval { low: middle - below, high: middle + above, level }))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Times without the reads and with them, at the sizes that have both and are wanted; first all without.
fn both(record: &Record, id: &str, wanted: impl Fn(f64) -> bool) -> (Vec<f64>, Vec<Measured>) {
    let (without, with) = (times(record, id, WITHOUT), times(record, id, WITH));
    let size_of = |size: f64| move |other: &&(f64, Measured)| other.0 == size;
    let pairs = without.iter().filter(|time| wanted(time.0));
    let pairs: Vec<_> = pairs.filter_map(|time| Some((time.1, with.iter().find(size_of(time.0))?.1, time.0))).collect();
    let times = pairs.iter().map(|pair| pair.0).chain(pairs.iter().map(|pair| pair.1)).collect();
    (pairs.iter().map(|pair| pair.2).collect(), times)
}

fn slightly(record: &Record) -> Option<(String, Comparison)> {
    let (sizes, times) = both(record, JUMP, |size| size >= SMALLEST);
    let part = |times: &[f64]| Some(mean(&times[sizes.len()..]) / mean(&times[..sizes.len()]) - 1.0);
    let (found, interval) = if sizes.is_empty() { None } else { propagated(&times, part) }?;
    let comparison = match (interval.high <= SLIGHTLY, interval.low > SLIGHTLY) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    let [found, low, high] = [found, interval.low, interval.high].map(|part| 100.0 * part);
    Some((format!("{found:.0}% ({low:.0}% to {high:.0}%)"), comparison))
}

fn more_than_to_jump(record: &Record, ring: &str) -> Option<(String, Comparison)> {
    let added = |id| propagated(&both(record, id, |size| size == JUDGED_AT).1, |times| Some(times.get(1)? - times[0]));
    let ((jump, of_jump), (ring, of_ring)) = (added(JUMP)?, added(ring)?);
    let comparison = match (of_jump.high < of_ring.low, of_ring.high < of_jump.low) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    Some((format!("{ring:.0} ns at {JUDGED_AT} buckets, {jump:.0} ns to jump"), comparison))
}

/// How many times as many buckets the knee has with the reads as without.
fn knee(record: &Record, ring: &str) -> Option<(String, Comparison)> {
    let (sizes, times) = both(record, ring, |_| true);
    let halfway_of = |times: &[f64]| halfway(&sizes, times);
    let (without, with) = times.split_at(sizes.len());
    let bare = |times: &[Measured]| times.iter().map(|time| time.0).collect::<Vec<f64>>();
    let (before, after) = (halfway_of(&bare(without))?, halfway_of(&bare(with))?);
    let moved = |times: &[f64]| {
        let (without, with) = times.split_at(sizes.len());
        Some((halfway_of(with)? / halfway_of(without)?).ln())
    };
    let text = format!("moves from {before:.0} to {after:.0} buckets");
    let Some((_, interval)) = propagated(&times, moved) else {
        return Some((text, Comparison::Undecided));
    };
    let comparison = match (interval.high < 0.0, interval.low > 0.0) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    Some((text, comparison))
}

/// The size at which the time is halfway between the first and the last, on straight lines over the logarithm of the size.
fn halfway(sizes: &[f64], times: &[f64]) -> Option<f64> {
    if sizes.len() < 4 {
        return None;
    }
    let half = (times.first()? + times.last()?) / 2.0;
    let at = (1..times.len()).find(|&at| times[at - 1] < half && half <= times[at])?;
    let part = (half - times[at - 1]) / (times[at] - times[at - 1]);
    Some(sizes[at - 1] * (sizes[at] / sizes[at - 1]).powf(part))
}
