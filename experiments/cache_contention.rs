//! What a look-up costs when a program uses the caches for something else (Lamping & Veach 2014, "Execution Time",
//! second benchmark).
//!
//! Beside each look-up 16 single bytes anywhere and one block of 64 KiB are read from 1 GiB of extra memory, so that a
//! ring has to come from memory again and again. All implementations are timed side by side in shuffled rounds, first
//! without these reads and then with them. The empty loop makes the same reads and is subtracted round by round: some
//! microseconds less some microseconds, so that the intervals are wide, and a difference that they do not show is not
//! claimed.

use std::process::ExitCode;
use std::time::Duration;

use consistent_hash_lab::catalog::Build;
use consistent_hash_lab::chart::{Axis, Chart, Panel, Plot, Scale as AxisScale, Ticks, records};
use consistent_hash_lab::experiment::timed::{self, Built, Subtract, Timed};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Rule, Settings, TimingRow, Verdict,
};
use consistent_hash_lab::measure::time::{Contention, Mode, PAPER_BYTES, Plan, interleaved_warmed};
use consistent_hash_lab::published::Parts;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "cache_contention",
            title: "Look-ups beside other use of the caches",
            paper: "Lamping & Veach 2014, \"Execution Time\", second benchmark",
            method: "All implementations side by side, in shuffled rounds, on fresh random keys, without and with 16 \
                     random bytes and one block of 64 KiB read from 1 GiB of extra memory beside each look-up. The \
                     same reads without a look-up are subtracted. 1000 points per bucket.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const IDS: [&str; 7] =
    ["jump", "jump-cpp", "ring-btree", "ring-map-cpp", "ring-sorted32", "ring-sorted-cpp", "ring-sorted64"];
/// Those of the paper: its implementations A and B.
const RINGS: [(&str, &str); 2] = [("A", "ring-map-cpp"), ("B", "ring-sorted-cpp")];
const JUMP: &str = "jump-cpp";
const POINTS: u32 = 1_000;
/// Without the reads, and with them.
const WITHOUT: &str = "alone_ns";
const WITH: &str = "contended_ns";
/// Where the paper's claim about jump is judged: a ring of this many buckets is no toy.
const JUDGED_AT: u32 = 1_000;

fn grid(settings: &Settings) -> Vec<Cell> {
    let sizes: &[u32] = settings.scale.pick(&[10, 100], &[1, 10, 100, 1_000], &[1, 10, 100, 1_000, 3_000]);
    let extra = settings.scale.pick(64 << 20, PAPER_BYTES, PAPER_BYTES);
    let cell = |&buckets: &u32| {
        let ids = settings.choose(IDS);
        let build = move |seed| Build::new(buckets, POINTS, seed);
        let bytes = extra as u64 + timed::predicted_bytes(&ids, build(0));
        let measure = {
            let ids = ids.clone();
            move |cell: &Context| measure(cell, &ids, build(cell.seed), extra)
        };
        Cell::timed(format!("n={buckets}"), ids, measure).bytes(bytes).runs(settings.scale.runs())
    };
    sizes.iter().map(cell).collect()
}

fn measure(cell: &Context, ids: &[&'static str], build: Build, extra: usize) -> anyhow::Result<Findings> {
    let contention = Contention::new(extra, cell.seed)?;
    let built = Built::new(ids, build);
    let contenders = built.contenders();
    let ms = Duration::from_millis;
    let alone = Plan {
        rounds: cell.scale.pick(3, 7, 9),
        sample_target: ms(1),
        warm_up: ms(1),
        mode: Mode::Throughput,
        most: Duration::from_secs(cell.scale.pick(1, 3, 6)),
        alone_ratio: cell.alone_ratio,
    };
    // With the reads a look-up takes some 6 microseconds, so that 5 ms of them read 50 MiB, more than a usual cache:
    // what is then still cached of a structure is what stays there beside the reads.
    let contended = Plan {
        rounds: cell.scale.pick(3, 9, 13),
        sample_target: ms(cell.scale.pick(2, 5, 10)),
        warm_up: ms(cell.scale.pick(1, 5, 5)),
        mode: Mode::Contended(&contention),
        most: Duration::from_secs(cell.scale.pick(1, 4, 10)),
        alone_ratio: cell.alone_ratio,
    };
    let mut stream = cell.stream();
    let without = interleaved_warmed(&contenders, &alone, |id| built.warm_up(id), &mut stream)?;
    let with = interleaved_warmed(&contenders, &contended, |_| contended.warm_up, &mut stream)?;
    let without = Timed { timing: &without, name: "alone", subtract: Subtract::Median }.rows(&mut stream);
    let with = Timed { timing: &with, name: "contended", subtract: Subtract::SameRound }.rows(&mut stream);
    let at = |row: TimingRow| {
        row.with("buckets", build.buckets).with("points", build.points).with("extra_bytes", contention.bytes())
    };
    Ok(Findings { data: built.failed, timing: without.into_iter().chain(with).map(at).collect() })
}

/// What the reads add to a look-up: the difference of the medians between the ends of its interval.
fn added(record: &Record, id: &str, buckets: f64) -> Option<(f64, f64, f64)> {
    let at = [("buckets", buckets)];
    let judged = |metric| record.time(id, metric, &at).and_then(|row| Some((row.value, row.judged()?)));
    let ((without, without_range), (with, with_range)) = (judged(WITHOUT)?, judged(WITH)?);
    let difference = with - without;
    // The errors of the two are independent.
    let below = (with - with_range.low).hypot(without_range.high - without);
    let above = (with_range.high - with).hypot(without - without_range.low);
    Some((difference - below, difference, difference + above))
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    let parts = RINGS.into_iter().fold(Parts::default(), |parts, (name, ring)| {
        let parts = less_slowed(record, parts, name, ring);
        knee(record, parts, name, ring)
    });
    let explanation = format!(
        "Jump slows down less: at {JUDGED_AT} buckets the reads add less to the C++ jump than to the C++ ring, and the \
         two 95% intervals do not overlap. The knee moves: the time that the ring takes without the reads at the largest \
         size measured is exceeded with them at a smaller one, intervals apart. {}",
        timed::caveat(record, &[WITHOUT, WITH])
    );
    let cause = "A negative addition means that the look-up ran while the processor waited for the extra reads: \
                 independent of them, it fits into their time. The intervals show what this machine can tell apart.";
    vec![parts.verdict("jump.contention.method", Rule::Shape, explanation.trim(), cause)]
}

fn less_slowed(record: &Record, parts: Parts, name: &str, ring: &str) -> Parts {
    let found = added(record, JUMP, JUDGED_AT.into()).zip(added(record, ring, JUDGED_AT.into()));
    let Some(((jump_low, jump, jump_high), (ring_low, more, ring_high))) = found else {
        return parts.part(&format!("what the reads add to {name}"), None);
    };
    if jump_high >= ring_low && ring_high >= jump_low {
        return parts.part(&format!("what the reads add to {name} and to jump: the intervals overlap"), None);
    }
    let text = format!("the reads add {more:.0} ns to {name}, {jump:.0} ns to jump");
    parts.part("", Some((text, jump_high < ring_low)))
}

/// Where the ring with the reads takes what it takes without them at the largest size.
fn knee(record: &Record, parts: Parts, name: &str, ring: &str) -> Parts {
    let rows = |metric| record.timings(ring, metric).filter(|row| row.judged().is_some());
    let size = |row: &TimingRow| row.parameter("buckets").unwrap_or(f64::NAN);
    let last = rows(WITHOUT).max_by(|a, b| size(a).total_cmp(&size(b)));
    let smaller: Vec<&TimingRow> = rows(WITH).filter(|row| last.is_some_and(|last| size(row) < size(last))).collect();
    let Some(last) = last.filter(|_| !smaller.is_empty()) else {
        return parts.part(&format!("the knee of {name}"), None);
    };
    let (level, largest) = (last.value, size(last));
    let beyond = |row: &TimingRow| row.judged().zip(last.judged()).is_some_and(|(row, last)| row.low > last.high);
    let overlaps = |row: &TimingRow| row.judged().zip(last.judged()).is_some_and(|(row, last)| row.meets(&last));
    let above = smaller.iter().filter(|row| beyond(row));
    let text = match above.map(|row| size(row)).min_by(f64::total_cmp) {
        Some(reached) => {
            let text = format!(
                "{name} takes with the reads at n = {reached} more than without them at {largest} ({level:.0} ns)"
            );
            return parts.part("", Some((text, true)));
        }
        None if smaller.iter().any(|row| overlaps(row)) => None,
        None => Some(format!(
            "{name} takes with the reads below n = {largest} less than without them there ({level:.0} ns)"
        )),
    };
    let what = if text.is_none() { format!("the knee of {name}: the intervals overlap") } else { String::new() };
    parts.part(&what, text.map(|text| (text, false)))
}

fn charts(record: &Record) -> Vec<Chart> {
    let panel = |title: &str, metric: &str| {
        Panel::Plot(Plot {
            title: title.into(),
            x: Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
            y: Axis {
                label: "time per look-up (ns)".into(),
                // A difference of two long times can lie below zero, where a logarithmic axis ends.
                scale: AxisScale::Linear,
                range: None,
                ticks: Ticks::Number,
            },
            series: records::lines(record, metric, "buckets", &[]),
            marks: vec![],
            guides: vec![],
        })
    };
    vec![Chart {
        stem: "cache_contention".into(),
        title: "Look-ups alone, and beside other use of the caches".into(),
        subtitle: format!(
            "{POINTS} points per bucket; medians with 95% intervals, the same loop without a look-up subtracted."
        ),
        panels: vec![panel("alone", WITHOUT), panel("beside each: 16 random bytes and a block of 64 KiB", WITH)],
        footnotes: vec![LEGEND.into()],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["buckets", "implementation", "alone", "with the reads"]);
    for row in record.timing.iter().filter(|row| row.metric == WITH) {
        let buckets = row.parameter("buckets").unwrap_or(f64::NAN);
        let alone = record.time(&row.implementation, WITHOUT, &[("buckets", buckets)]);
        table.row([
            buckets.to_string(),
            row.implementation.clone(),
            alone.map_or(String::new(), |alone| alone.written(|ns| format!("{ns:.1} ns"))),
            row.written(|ns| format!("{ns:.0} ns")),
        ]);
    }
    table
}
