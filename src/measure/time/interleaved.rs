//! Contenders timed side by side, in rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::block::{Block, MOST_BLOCKS, sample};
use super::clock::clocked;
use super::plan::check;
use super::reference::{Around, Kernels, conditions};
use super::{Condition, Contender, EmptyLoop, Measured, Mode, Plan, Samples, TimeError, Timing};
use crate::algorithms::hash::mix64;

/// Most keys in one timed call.
///
/// A sample consists of such calls, and the clock stands still between them while the next keys are made. So the keys
/// of any sample lie in the same 32 KiB and reading them costs the empty loop what it costs a contender: a sample's
/// keys in one piece would be some 30 MB for the empty loop, read from memory, and a few KB for a slow contender.
/// Starting and stopping the clock adds some 0.01 ns a key, to both.
pub const KEYS_PER_CALL: usize = 4096;

/// The keys with which contender number `contender` is timed in `round`: the outputs of this generator, as many as
/// [`Samples::keys_per_sample`], in up to 32 equal blocks, each in calls of at most [`KEYS_PER_CALL`]. The empty loop comes after
/// the last contender.
///
/// Every round and contender has its own. A key that is used twice finds in the cache exactly the lines that it needs,
/// and the largest ring would look as fast as a small one.
#[must_use]
pub fn timed_keys(seed: u64, round: u32, contender: usize) -> Xoshiro256PlusPlus {
    let stream = mix64(seed.wrapping_add(u64::from(round))).wrapping_add(contender as u64);
    Xoshiro256PlusPlus::seed_from_u64(mix64(stream))
}

/// Times contenders side by side: in every round each once, in a new order, so that whatever the machine does meanwhile
/// it does to all.
///
/// A turn is: a warm-up; then the blocks of a sample, each between two runs of the reference kernels, on fresh keys made
/// before the clock starts. The sample's time is the median of the blocks that had the core alone. The empty loop takes turns
/// as a contender does. How many keys make a sample long enough is found before the first round. All samples are kept, each
/// with the condition under which it was taken, as [`conditions`] decides of its blocks.
///
/// Takes the same few numbers from `rng` whatever the clock says, so that its later ones can be repeated.
///
/// # Errors
/// [`TimeError::DebugBuild`], [`TimeError::ClockTooCoarse`], [`TimeError::SampleTooShort`], [`TimeError::NoRounds`],
/// [`TimeError::NoContender`], [`TimeError::DuplicateContender`].
pub fn interleaved(
    contenders: &[Contender<'_>],
    plan: &Plan<'_>,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Timing, TimeError> {
    interleaved_warmed(contenders, plan, |_| plan.warm_up, rng)
}

/// The same with a warm-up for each contender, by id, in place of the plan's: what has no table needs none to speak of.
/// The empty loop has the plan's.
///
/// # Errors
/// As [`interleaved`].
pub fn interleaved_warmed(
    contenders: &[Contender<'_>],
    plan: &Plan<'_>,
    warm_up: impl Fn(&str) -> Duration,
    rng: &mut Xoshiro256PlusPlus,
) -> Result<Timing, TimeError> {
    check(contenders, plan)?;
    let begun = Instant::now();
    let seed = rng.next_u64();
    let mut untimed = Xoshiro256PlusPlus::seed_from_u64(rng.next_u64());
    let mut shuffle = Xoshiro256PlusPlus::seed_from_u64(rng.next_u64());
    let mut track = Track { mode: plan.mode, keys: vec![0; KEYS_PER_CALL] };

    let empty_loop = Contender { id: "empty loop", subject: &EmptyLoop };
    let warm_ups: Vec<Duration> = contenders.iter().map(|it| warm_up(it.id)).chain([plan.warm_up]).collect();
    let contenders: Vec<Contender<'_>> = contenders.iter().copied().chain([empty_loop]).collect();
    let samples = |contender: &Contender<'_>| Samples {
        id: contender.id.to_owned(),
        keys_per_sample: calibrate(plan.sample_target, |keys| track.time(contender.subject, keys, &mut untimed).0),
        ns_per_key: Vec::new(),
        conditions: Vec::new(),
        checksum: 0,
    };
    let mut results: Vec<Samples> = contenders.iter().map(samples).collect();

    let mut blocks: Vec<Vec<Vec<Block>>> = vec![Vec::new(); contenders.len()];
    let mut order: Vec<usize> = (0..contenders.len()).collect();
    let mut rounds = 0;
    while rounds < plan.rounds && (rounds == 0 || begun.elapsed() < plan.most) {
        order.shuffle(&mut shuffle);
        for &turn in &order {
            let (subject, samples) = (contenders[turn].subject, &mut results[turn]);
            track.warm_up(subject, samples.keys_per_sample, warm_ups[turn], &mut untimed);
            let mut keys = timed_keys(seed, rounds, turn);
            let (of_sample, checksum) = track.sample(subject, samples.keys_per_sample, &mut keys);
            blocks[turn].push(of_sample);
            samples.checksum = samples.checksum.wrapping_add(checksum);
        }
        rounds += 1;
    }

    let all: Vec<Around> = blocks.iter().flatten().flatten().map(|block| block.around).collect();
    let mut sorted = conditions(&all, plan.alone_ratio).into_iter();
    for (samples, rounds) in results.iter_mut().zip(&blocks) {
        for of_sample in rounds {
            let conditions: Vec<Condition> = sorted.by_ref().take(of_sample.len()).collect();
            let (ns_per_key, condition) = sample(of_sample, &conditions);
            samples.ns_per_key.push(ns_per_key);
            samples.conditions.push(condition);
        }
    }
    let mean = |round: usize, of: fn(&Kernels) -> f64| {
        let around = blocks.iter().flat_map(|rounds| &rounds[round]).flat_map(|block| &block.around.kernels);
        let seen: Vec<f64> = around.map(of).collect();
        seen.iter().sum::<f64>() / seen.len() as f64
    };
    let kernels = (0..rounds as usize)
        .map(|round| Kernels { chain: mean(round, |it| it.chain), parallel: mean(round, |it| it.parallel) })
        .collect();
    Ok(Timing {
        empty_loop: results.pop().expect("the empty loop took part"),
        contenders: results,
        kernels,
        out_of_time: rounds < plan.rounds,
        seed,
    })
}

/// The smallest power of two of keys that lasts `target`, given the time of a number of keys.
fn calibrate(target: Duration, mut time: impl FnMut(usize) -> Duration) -> usize {
    let mut keys = 1;
    // The faster of two: a single run may be long only because it was cold or interrupted.
    while time(keys).min(time(keys)) < target {
        keys *= 2;
    }
    keys
}

/// Where all contenders run: one loop, one buffer of keys.
struct Track<'a> {
    mode: Mode<'a>,
    keys: Vec<u64>,
}

impl Track<'_> {
    /// Time and checksum of look-ups of the next `count` keys of `stream`.
    fn time(&mut self, subject: &dyn Measured, count: usize, stream: &mut Xoshiro256PlusPlus) -> (Duration, u64) {
        let (mut time, mut sum, mut left) = (Duration::ZERO, 0_u64, count);
        while left > 0 {
            let keys = &mut self.keys[..left.min(KEYS_PER_CALL)];
            keys.fill_with(|| stream.next_u64());
            let (checksum, elapsed) = clocked(|| self.mode.run(black_box(subject), black_box(keys)));
            time += elapsed;
            sum = sum.wrapping_add(checksum);
            left -= keys.len();
        }
        (time, sum)
    }

    /// The blocks of a sample of a power of two of keys, which are the next ones of `stream`, and their checksum.
    fn sample(&mut self, subject: &dyn Measured, keys: usize, stream: &mut Xoshiro256PlusPlus) -> (Vec<Block>, u64) {
        let count = MOST_BLOCKS.min(keys);
        let each = keys / count;
        let mut sum = 0_u64;
        let mut block = || {
            let ((time, checksum), around) = Around::work(|| self.time(subject, each, stream));
            sum = sum.wrapping_add(checksum);
            Block { ns_per_key: time.as_nanos() as f64 / each as f64, around }
        };
        ((0..count).map(|_| block()).collect(), sum)
    }

    /// Look-ups for `long`, at least one call.
    fn warm_up(&mut self, subject: &dyn Measured, count: usize, long: Duration, stream: &mut Xoshiro256PlusPlus) {
        let begun = Instant::now();
        loop {
            self.time(subject, count.min(KEYS_PER_CALL), stream);
            if begun.elapsed() >= long {
                break;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::measure::time::SHORTEST_SAMPLE;

    fn plan() -> Plan<'static> {
        Plan {
            rounds: 5,
            sample_target: SHORTEST_SAMPLE,
            warm_up: Duration::from_micros(200),
            mode: Mode::Throughput,
            most: Duration::from_secs(60),
            alone_ratio: f64::INFINITY,
        }
    }

    fn timing(contenders: &[Contender<'_>], plan: &Plan<'_>) -> Result<Timing, TimeError> {
        interleaved(contenders, plan, &mut Xoshiro256PlusPlus::seed_from_u64(1))
    }

    #[test]
    #[cfg(debug_assertions)]
    fn debug_builds_are_refused() {
        let contenders = [Contender { id: "empty", subject: &EmptyLoop }];
        assert_eq!(timing(&contenders, &plan()).unwrap_err(), TimeError::DebugBuild);
    }

    #[test]
    fn calibration_reaches_the_target() {
        let target = Duration::from_millis(1);
        let linear = |ns| calibrate(target, |keys| Duration::from_nanos(ns * keys as u64));
        assert_eq!([linear(2_000_000), linear(1_000_000), linear(999_999), linear(10)], [1, 1, 2, 1 << 17]);
        // A first run that was cold does not count.
        let mut runs = 0;
        let cold = calibrate(target, |keys| {
            runs += 1;
            if runs % 2 == 1 { target } else { Duration::from_nanos(10 * keys as u64) }
        });
        assert_eq!(cold, 1 << 17);
    }

    #[test]
    fn no_two_streams_of_keys_are_equal() {
        let mut firsts = HashSet::new();
        for round in 0..100 {
            for contender in 0..100 {
                assert!(firsts.insert(timed_keys(9, round, contender).next_u64()));
            }
        }
    }

    #[cfg(not(debug_assertions))]
    mod release {
        use super::*;
        use crate::algorithms::{Jump, Partitioner};
        use crate::measure::time::Contention;

        /// So many chained mixes a look-up.
        struct Chain(u32);

        impl Partitioner for Chain {
            fn bucket(&self, key: u64) -> u32 {
                (0..self.0).fold(key, |value, _| mix64(value)) as u32
            }

            fn bucket_count(&self) -> u32 {
                u32::MAX
            }
        }

        #[test]
        fn nonsense_is_refused() {
            let empty = Contender { id: "empty", subject: &EmptyLoop };
            assert_eq!(timing(&[], &plan()).unwrap_err(), TimeError::NoContender);
            assert_eq!(timing(&[empty], &Plan { rounds: 0, ..plan() }).unwrap_err(), TimeError::NoRounds);
            let short = Plan { sample_target: Duration::from_micros(1), ..plan() };
            assert!(matches!(timing(&[empty], &short), Err(TimeError::SampleTooShort { .. })));
            assert!(matches!(timing(&[empty, empty], &plan()), Err(TimeError::DuplicateContender { .. })));
        }

        #[test]
        fn every_contender_is_timed_once_a_round_on_the_keys_of_its_own() {
            let (jump, chain) = (Jump::new(1000).expect("a valid count"), Chain(7));
            let contention = Contention::new(1 << 20, 1).expect("a megabyte");
            let contenders = [Contender { id: "jump", subject: &jump }, Contender { id: "chain", subject: &chain }];
            for mode in [Mode::Throughput, Mode::Latency, Mode::Contended(&contention)] {
                let timing = timing(&contenders, &Plan { mode, ..plan() }).expect("a release build");
                assert_eq!(timing.kernels.len(), 5);
                let subjects: [(&dyn Measured, &Samples); 3] =
                    [(&jump, &timing.contenders[0]), (&chain, &timing.contenders[1]), (&EmptyLoop, &timing.empty_loop)];
                for (index, (subject, samples)) in subjects.into_iter().enumerate() {
                    assert_eq!((samples.ns_per_key.len(), samples.conditions.len()), (5, 5));
                    let mut sum = 0_u64;
                    for round in 0..5 {
                        let mut stream = timed_keys(timing.seed, round, index);
                        let keys: Vec<u64> = (0..samples.keys_per_sample).map(|_| stream.next_u64()).collect();
                        let block = keys.len() / MOST_BLOCKS.min(keys.len());
                        for keys in keys.chunks(block).flat_map(|block| block.chunks(KEYS_PER_CALL)) {
                            sum = sum.wrapping_add(mode.run(subject, keys));
                        }
                    }
                    assert_eq!(samples.checksum, sum, "{}", samples.id);
                }
            }
        }

        /// Whatever disturbs the machine may disturb one attempt, or several: what is true shows in one of many, and what is
        /// false in none.
        const ATTEMPTS: usize = 20;

        fn in_some_attempt<T: std::fmt::Debug>(attempt: impl Fn() -> T, holds: impl Fn(&T) -> bool) {
            let mut seen = Vec::new();
            for _ in 0..ATTEMPTS {
                let found = attempt();
                if holds(&found) {
                    return;
                }
                seen.push(found);
            }
            panic!("in no attempt: {seen:?}");
        }

        #[test]
        fn more_work_takes_longer() {
            let contenders =
                [Contender { id: "once", subject: &Chain(10) }, Contender { id: "tenfold", subject: &Chain(100) }];
            for mode in [Mode::Throughput, Mode::Latency] {
                let ratio = || {
                    let timing = timing(&contenders, &Plan { mode, ..plan() }).expect("a release build");
                    assert_eq!(timing.net("unknown"), None);
                    timing.minimum("tenfold").expect("timed") / timing.minimum("once").expect("timed")
                };
                // 10, but overlapping chains of different lengths do not overlap alike.
                in_some_attempt(ratio, |ratio| (3.0..30.0).contains(ratio));
            }
        }

        #[test]
        fn latency_is_a_chain() {
            // Out-of-order execution overlaps short independent chains, and cannot overlap dependent ones.
            let contenders = [Contender { id: "chain", subject: &Chain(4) }];
            let least = |mode| timing(&contenders, &Plan { mode, ..plan() }).expect("a release build").minimum("chain");
            let both = || (least(Mode::Throughput).expect("timed"), least(Mode::Latency).expect("timed"));
            in_some_attempt(both, |(throughput, latency)| *latency > 1.5 * throughput);
        }

        #[test]
        fn samples_last_and_the_loop_is_cheap() {
            let jump = Jump::new(100).expect("a valid count");
            let contenders = [Contender { id: "jump", subject: &jump }];
            let attempt = || {
                let timing = timing(&contenders, &plan()).expect("a release build");
                for samples in [&timing.contenders[0], &timing.empty_loop] {
                    let longest = samples.ns_per_key.iter().copied().fold(0.0, f64::max);
                    assert!(longest * samples.keys_per_sample as f64 > 0.5e6, "{samples:?}");
                }
                timing.empty_loop_ns()
            };
            // Five times what is asked for, because tests run beside others.
            in_some_attempt(attempt, |empty_loop_ns| *empty_loop_ns < 5.0 * Timing::EMPTY_LOOP_MOST_NS);
        }

        #[test]
        fn the_time_allowed_ends_after_a_round() {
            let contenders = [Contender { id: "empty", subject: &EmptyLoop }];
            let timing = timing(&contenders, &Plan { most: Duration::ZERO, ..plan() }).expect("a release build");
            assert!(timing.out_of_time && timing.kernels.len() == 1 && timing.contenders[0].ns_per_key.len() == 1);
        }

        /// What the harness adds to a loop by hand. Run alone: `cargo test --release -- --ignored --nocapture by_hand`.
        #[test]
        #[ignore = "prints figures, which mean something on a quiet machine only"]
        fn beside_a_loop_by_hand() {
            let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
            let plan = Plan { rounds: 101, ..plan() };
            for buckets in [1, 10, 1000, 1_000_000] {
                let jump = Jump::new(buckets).expect("a valid count");
                let contenders = [Contender { id: "jump", subject: &jump }];
                let mut stream = Xoshiro256PlusPlus::seed_from_u64(2);
                let by_hand = (0..101).map(|_| {
                    let keys: Vec<u64> = (0..10 * KEYS_PER_CALL).map(|_| stream.next_u64()).collect();
                    let sum = || black_box(&keys).iter().fold(0, |sum, &key| sum + u64::from(jump.bucket(key)));
                    clocked(sum).1.as_nanos() as f64 / keys.len() as f64
                });
                println!("jump {buckets}: by hand {:.3} ns a key", least(&by_hand.collect::<Vec<_>>()));
                for (name, mode) in [("throughput", Mode::Throughput), ("latency", Mode::Latency)] {
                    let timing = timing(&contenders, &Plan { mode, ..plan }).expect("a release build");
                    let (gross, empty) = (&timing.contenders[0].ns_per_key, &timing.empty_loop.ns_per_key);
                    println!("  {name}: gross {:.3} ns, empty loop {:.3} ns", least(gross), least(empty));
                }
            }
        }
    }
}
