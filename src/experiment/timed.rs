//! From a clock's samples to rows: what [`interleaved`](crate::measure::time::interleaved()) measured, as a record
//! holds it.

use std::any::Any;
use std::hint::black_box;
use std::time::Duration;

use rand::Rng;
use rand::seq::SliceRandom;

use super::{Context, Environment, Parametrised, Record, Row, TimingRow};
use crate::catalog::{Build, Implementation};
use crate::implementations;
use crate::measure::memory::settle;
use crate::measure::time::{
    Around, Condition, Contender, Measured, Mode, Plan, SAMPLE, Samples, Timing, conditions, construction, interleaved,
};

/// The row of the loop without a look-up.
pub const EMPTY_LOOP: &str = "empty-loop";
/// The rows of the reference kernels.
pub const REFERENCE: &str = "reference";

const LINE_BYTES: u64 = 64;
/// Of the last-level cache, where the system does not tell its size.
const USUAL_CACHE_BYTES: u64 = 32 << 20;

/// Implementations built to be timed side by side, and a row for each that could not be built.
pub struct Built {
    build: Build,
    cache_bytes: u64,
    subjects: Vec<(&'static str, Box<dyn Measured>)>,
    /// Why some are not there.
    pub failed: Vec<Row>,
}

impl Built {
    /// Builds all of them from the same seed, outside of any clock, each on a heap without holes: the nodes of a tree
    /// that is built into what another left lie all over it, and its look-ups were measured up to four times as long.
    #[must_use]
    pub fn new(ids: &[&'static str], build: Build) -> Self {
        let cache_bytes = Environment::now().last_level_cache_bytes().unwrap_or(USUAL_CACHE_BYTES);
        let mut built = Self { build, cache_bytes, subjects: Vec::new(), failed: Vec::new() };
        for implementation in ids.iter().filter_map(|id| implementations::find(id)) {
            settle();
            match (implementation.build)(build) {
                Ok(subject) => built.subjects.push((implementation.id, subject)),
                Err(error) => built.failed.push(
                    Row::missing(implementation.id, "error", error)
                        .with("buckets", build.buckets)
                        .with("points", build.points),
                ),
            }
        }
        built
    }

    /// What to time.
    #[must_use]
    pub fn contenders(&self) -> Vec<Contender<'_>> {
        self.subjects.iter().map(|(id, subject)| Contender { id, subject: subject.as_ref() }).collect()
    }

    /// How long one of them has to be used before its samples are those of a structure that is used alone.
    ///
    /// The others have evicted it from the cache. Look-ups of random keys bring it back line by line: after as many as
    /// it has lines 37 % of those at the ends of the search paths are still missing, after three times as many 5 %. A
    /// look-up that misses takes about 150 ns. Of a structure larger than the cache only as much as fits can come back,
    /// and each look-up brings several of its lines: 100 ms are enough. (A sorted vector of 8 MB was measured 1.7 times
    /// as slow after 1 ms as after 80 ms.)
    #[must_use]
    pub fn warm_up(&self, id: &str) -> Duration {
        self.warm_up_for(
            implementations::find(id).map_or(0, |implementation| implementation.predicted_bytes(self.build)),
        )
    }

    /// The same of a structure of so many bytes.
    #[must_use]
    pub fn warm_up_for(&self, bytes: u64) -> Duration {
        let lines = bytes.min(self.cache_bytes) / LINE_BYTES;
        Duration::from_nanos(3 * lines * 150).clamp(Duration::from_millis(1), Duration::from_millis(100))
    }
}

/// The memory that implementations take together while they are built, at most.
#[must_use]
pub fn predicted_bytes(ids: &[&str], build: Build) -> u64 {
    ids.iter()
        .filter_map(|id| implementations::find(id))
        .map(|implementation| implementation.predicted_bytes(build))
        .sum()
}

/// The times of some builds in nanoseconds and what was seen around each: `repeats` of them, or as many as take `most`, but
/// one at least.
///
/// # Errors
/// What it could not be built or timed for.
pub fn build_times(
    implementation: &Implementation,
    build: Build,
    repeats: usize,
    most: Duration,
) -> anyhow::Result<Vec<(f64, Around)>> {
    let mut failure = None;
    let built = || (implementation.build)(black_box(build)).map_err(|error| failure = Some(error)).ok();
    let samples = construction(built, repeats, most)?;
    failure.map_or(Ok(samples), |error| Err(error.into()))
}

/// How the empty loop is subtracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subtract {
    /// Its median over all rounds: where it is small.
    Median,
    /// That of the same round: where it is most of the sample, and its own spread must show.
    SameRound,
}

/// A timing under the name of what was timed: `lookup` gives `lookup_ns` and so on.
pub struct Timed<'a> {
    /// What was measured.
    pub timing: &'a Timing,
    /// First part of the metrics' names.
    pub name: &'a str,
    /// How the empty loop is subtracted.
    pub subtract: Subtract,
}

impl Timed<'_> {
    fn net(&self, id: &str) -> Option<Vec<f64>> {
        match self.subtract {
            Subtract::Median => self.timing.net(id),
            Subtract::SameRound => self.timing.paired_net(id),
        }
    }

    /// For each contender the net time (`_ns`) and the gross one (`_gross_ns`), the gross time of the empty loop, and the
    /// reference kernels' means of each round.
    pub fn rows(&self, stream: &mut impl Rng) -> Vec<TimingRow> {
        let (net_name, gross_name) = (format!("{}_ns", self.name), format!("{}_gross_ns", self.name));
        let mut rows = Vec::new();
        for Samples { id, ns_per_key, conditions, .. } in &self.timing.contenders {
            let net = self.net(id).and_then(|net| self.row(id, &net_name, &net, &self.net_conditions(id)?, stream));
            let gross = self.row(id, &gross_name, ns_per_key, conditions, stream);
            rows.extend(net.into_iter().chain(gross));
        }
        let Samples { ns_per_key, conditions, .. } = &self.timing.empty_loop;
        rows.extend(self.row(EMPTY_LOOP, &gross_name, ns_per_key, conditions, stream));
        let kernels = || self.timing.kernels.iter();
        let chain: Vec<f64> = kernels().map(|it| it.chain).collect();
        let parallel: Vec<f64> = kernels().map(|it| it.parallel).collect();
        rows.extend([("chain", chain), ("parallel", parallel)].into_iter().filter_map(|(name, times)| {
            let metric = format!("{}_{name}_step_ns", self.name);
            self.row(REFERENCE, &metric, &times, &self.timing.worst_conditions(), stream)
        }));
        rows
    }

    /// Net time of one contender over that of another in the same rounds (`_ratio`, with the other as parameter `to`).
    /// None if one of them did not take part, or the other took no measurable time.
    pub fn ratio(&self, id: &str, to: &str, stream: &mut impl Rng) -> Option<TimingRow> {
        let (a, b) = (self.net(id)?, self.net(to)?);
        let (a_conditions, b_conditions) = (self.net_conditions(id)?, self.net_conditions(to)?);
        let metric = format!("{}_ratio", self.name);
        let row = TimingRow::ratio(id, &metric, (&a, &a_conditions), (&b, &b_conditions), stream)?;
        Some(self.noted(row.with("to", to)))
    }

    /// Under which conditions both the sample and what is subtracted from it were taken.
    fn net_conditions(&self, id: &str) -> Option<Vec<Condition>> {
        let of_sample = &self.timing.samples(id)?.conditions;
        Some(match self.subtract {
            Subtract::Median => of_sample.clone(),
            Subtract::SameRound => {
                of_sample.iter().zip(&self.timing.empty_loop.conditions).map(|(&a, &b)| a.max(b)).collect()
            }
        })
    }

    fn row(
        &self,
        id: &str,
        metric: &str,
        ns: &[f64],
        conditions: &[Condition],
        stream: &mut impl Rng,
    ) -> Option<TimingRow> {
        TimingRow::of(id, metric, picoseconds(ns), conditions, stream).map(|row| self.noted(row))
    }

    fn noted(&self, row: TimingRow) -> TimingRow {
        if self.timing.out_of_time { row.note("fewer rounds than planned: out of time") } else { row }
    }
}

/// Times look-ups of independent keys, of structures without tables: the net time of each contender, and the ratios of some
/// to others in the same rounds. The rows are those of [`Timed`] with the name `lookup`.
///
/// # Errors
/// What they could not be timed for.
pub fn side_by_side(
    cell: &Context,
    contenders: &[Contender<'_>],
    ratios: &[(&str, &str)],
) -> anyhow::Result<Vec<TimingRow>> {
    let plan = Plan {
        rounds: cell.scale.pick(3, 9, 11),
        sample_target: SAMPLE,
        warm_up: Duration::from_millis(1),
        mode: Mode::Throughput,
        most: Duration::from_secs(cell.scale.pick(1, 2, 5)),
        alone_ratio: cell.alone_ratio,
    };
    let mut stream = cell.stream();
    let timing = interleaved(contenders, &plan, &mut stream)?;
    let timed = Timed { timing: &timing, name: "lookup", subtract: Subtract::Median };
    let mut rows = timed.rows(&mut stream);
    for (id, to) in ratios {
        rows.extend(timed.ratio(id, to, &mut stream));
    }
    Ok(rows)
}

/// What is built in turns with others, and its name; what it returns is dropped outside of the clock.
pub type NamedBuild<'a> = (&'a str, &'a dyn Fn() -> Box<dyn Any>);

/// The times of some builds in turns, in shuffled rounds, and ratios of two in the same rounds: rows `build_ns` and `build_ratio`
/// (with the other as parameter `to`).
///
/// # Errors
/// What they could not be timed for.
pub fn builds_in_turns(
    cell: &Context,
    builds: &[NamedBuild<'_>],
    rounds: u32,
    ratios: &[(&str, &str)],
) -> anyhow::Result<Vec<TimingRow>> {
    let mut stream = cell.stream();
    let mut order: Vec<usize> = (0..builds.len()).collect();
    let mut samples = vec![Vec::new(); builds.len()];
    for _ in 0..rounds {
        order.shuffle(&mut stream);
        for &turn in &order {
            samples[turn].extend(construction(builds[turn].1, 1, Duration::ZERO)?);
        }
    }
    let around: Vec<Around> = samples.iter().flatten().map(|sample| sample.1).collect();
    let all = conditions(&around, cell.alone_ratio);
    let of = |id: &str| {
        let at = builds.iter().position(|build| build.0 == id)?;
        let times: Vec<f64> = samples[at].iter().map(|sample| sample.0).collect();
        // As many samples of each as there were rounds.
        Some((times, &all[at * rounds as usize..][..rounds as usize]))
    };
    let mut rows = Vec::new();
    for (id, _) in builds {
        rows.extend(of(id).and_then(|(times, is)| TimingRow::of(id, "build_ns", times, is, &mut stream)));
    }
    for (id, to) in ratios {
        let row = of(id).zip(of(to)).and_then(|((a, of_a), (b, of_b))| {
            TimingRow::ratio(id, "build_ratio", (&a, of_a), (&b, of_b), &mut stream)
        });
        rows.extend(row.map(|row| row.with("to", *to)));
    }
    Ok(rows)
}

/// What a reader of verdicts must know about the rows of some metrics; empty if nothing.
#[must_use]
pub fn caveat(record: &Record, metrics: &[&str]) -> String {
    let rows = || record.timing.iter().filter(|row| metrics.contains(&row.metric.as_str()));
    let (all, unstable) = (rows().count(), rows().filter(|row| row.unstable).count());
    let once = rows().filter(|row| !row.unstable && row.interval.is_none()).count();
    let mut caveat = Vec::new();
    if unstable > 0 {
        caveat.push(format!(
            "The machine was disturbed: {unstable} of {all} figures are of too few samples with the core alone and are not judged."
        ));
    }
    if once > 0 {
        caveat.push(format!(
            "{once} of {all} figures were measured in one run (n = 1), have no interval and are not judged."
        ));
    }
    caveat.join(" ")
}

/// The ratios of an implementation to another with a number of points per bucket, in ascending order of buckets.
#[must_use]
pub fn ratios<'a>(
    record: &'a Record,
    id: &'a str,
    metric: &'a str,
    to: &str,
    points: u32,
) -> Vec<(f64, &'a TimingRow)> {
    let to_it = |row: &&TimingRow| row.parameters.get("to").is_some_and(|other| other == to);
    let rows = record.timings(id, metric).filter(to_it).filter(|row| row.is_at(&[("points", points.into())]));
    let mut found: Vec<_> = rows.filter_map(|row| Some((row.parameter("buckets")?, row))).collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Digits beyond a picosecond are noise, and would be most of the record.
fn picoseconds(ns: &[f64]) -> Vec<f64> {
    ns.iter().map(|ns| (ns * 1e3).round() / 1e3).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::time::Kernels;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn samples(id: &str, ns_per_key: &[f64], conditions: &[Condition]) -> Samples {
        let conditions = conditions.to_vec();
        Samples { id: id.into(), keys_per_sample: 1, ns_per_key: ns_per_key.to_vec(), conditions, checksum: 0 }
    }

    fn timing() -> Timing {
        use Condition::{Alone, Shared};
        Timing {
            contenders: vec![
                samples("a", &[5.0, 7.0, 6.0, 9.0], &[Alone, Alone, Alone, Shared]),
                samples("b", &[3.0; 4], &[Alone; 4]),
            ],
            empty_loop: samples("empty loop", &[1.0, 3.0, 2.0, 2.5], &[Shared, Alone, Alone, Shared]),
            kernels: vec![Kernels { chain: 4.0, parallel: 1.5 }; 4],
            out_of_time: true,
            seed: 0,
        }
    }

    #[test]
    fn both_ways_to_subtract() {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(1);
        let timing = timing();
        let timed = |subtract| Timed { timing: &timing, name: "lookup", subtract };
        let rows = timed(Subtract::Median).rows(&mut stream);
        let names: Vec<_> = rows.iter().map(|row| (row.implementation.as_str(), row.metric.as_str())).collect();
        let (net, gross) = ("lookup_ns", "lookup_gross_ns");
        let kernels = [(REFERENCE, "lookup_chain_step_ns"), (REFERENCE, "lookup_parallel_step_ns")];
        let timed_rows = [("a", net), ("a", gross), ("b", net), ("b", gross), (EMPTY_LOOP, gross)];
        assert_eq!(names, [&timed_rows[..], &kernels[..]].concat());
        // Less the empty loop's median with the core alone, 2.5; a sample beside a neighbour is kept and does not count.
        assert_eq!((rows[0].value, rows[0].samples.as_slice()), (3.5, &[2.5, 4.5, 3.5, 6.5][..]));
        assert!(rows[0].note.as_ref().is_some_and(|note| note.contains("1 beside") && note.contains("out of time")));
        let paired = &timed(Subtract::SameRound).rows(&mut stream)[0];
        assert_eq!(
            (paired.samples.as_slice(), paired.runs[0].conditions.as_str()),
            (&[4.0, 4.0, 4.0, 6.5][..], "saas")
        );
        let ratio = timed(Subtract::Median).ratio("a", "b", &mut stream).expect("both took part");
        assert_eq!((ratio.value, ratio.samples), (7.0, vec![5.0, 9.0, 7.0, 13.0]));
        assert!(timed(Subtract::Median).ratio("a", "c", &mut stream).is_none());
    }
}
