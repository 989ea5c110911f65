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
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Settings, TimingRow,
};
use consistent_hash_lab::measure::time::{Contention, Mode, PAPER_BYTES, Plan, SAMPLE, interleaved_warmed};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;

#[path = "cache_contention/verdicts.rs"]
mod verdicts;

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
        verdicts: verdicts::verdicts,
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
        sample_target: SAMPLE,
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
