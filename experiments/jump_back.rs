//! JumpBackHash: random values for a look-up, and its time (Ertl 2024, arXiv 2403.18682, data files of both figures).
//!
//! 1. *Consumption.* Random keys are looked up from streams that count their draws: mean and variance of the draws of jump
//!    and of JumpBackHash from draws of 64 and of 32 bits, at the paper's sizes and, at paper scale, for as many keys.
//! 2. *Time.* Modulo, jump and JumpBackHash side by side, at powers of two and one above. Both jump and JumpBackHash draw
//!    from SplitMix64, as the paper's Java does, so that they differ in the algorithm alone.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::hash::Mix;
use consistent_hash_lab::algorithms::{JumpBack, JumpBack32, JumpDraws};
use consistent_hash_lab::catalog::Build;
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::timed::{self, Built};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Row, Settings,
};
use consistent_hash_lab::measure::steps::{Counted, steps};
use consistent_hash_lab::published::{self, digits};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use rand::Rng;

#[path = "jump_back/theory.rs"]
mod theory;
#[path = "jump_back/verdicts.rs"]
mod verdicts;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "jump_back",
            title: "What a look-up with JumpBackHash takes",
            paper: "Ertl 2024, arXiv 2403.18682, data of the consumption and of the benchmark figure",
            method: "Mean and variance of the random values that jump and JumpBackHash draw for a key, from 64-bit and from \
                     32-bit draws, at the paper's sizes. Times of modulo, jump and JumpBackHash side by side, at powers of \
                     two and one above; jump and JumpBackHash draw from the same generator. ICWS, of which the paper gives times too, is not implemented.",
            grid,
        },
        verdicts: verdicts::verdicts,
        charts,
        summary,
        section: None,
    }
}

const JUMP: &str = "jump-draws";
const BACK: &str = "jump-back";
const BACK32: &str = "jump-back32";
const MODULO: &str = "modulo";
const TIMED: [&str; 4] = [MODULO, JUMP, BACK, BACK32];
/// Of the paper's sizes in which a look-up was timed.
const TIMED_SIZES: [u32; 15] = [1, 2, 10, 16, 17, 64, 65, 128, 256, 1024, 1025, 8192, 65_536, 65_537, 1 << 20];
/// Of those in which draws were counted.
const COUNTED_SIZES: [u32; 18] =
    [2, 3, 5, 10, 16, 17, 33, 64, 65, 100, 128, 129, 257, 513, 1000, 1024, 4097, 1_000_000];

/// The family-wise error of all comparisons of draws.
const ALPHA: f64 = 0.001;

fn grid(settings: &Settings) -> Vec<Cell> {
    let keys = settings.scale.pick(20_000, 1_000_000, 10_000_000);
    let counted = [JUMP, BACK, BACK32];
    let mut cells: Vec<Cell> = COUNTED_SIZES
        .map(|n| Cell::statistical(format!("draws n={n}"), counted, move |cell| draws(cell, n, keys)))
        .into();
    let sizes = settings.scale.pick(&TIMED_SIZES[2..5], &TIMED_SIZES, &TIMED_SIZES);
    cells.extend(sizes.iter().map(|&n| {
        let ids = settings.choose(TIMED);
        Cell::timed(format!("time n={n}"), ids.clone(), move |cell| time(cell, &ids, n)).runs(settings.scale.runs())
    }));
    cells
}

/// Part 1.
fn draws(cell: &Context, n: u32, keys: u64) -> anyhow::Result<Findings> {
    let family = Counted(Mix::new(cell.seed));
    let mut stream = cell.stream();
    let jump = steps(&JumpDraws::new(n, family)?, (0..keys).map(|_| stream.next_u64()));
    let back = steps(&JumpBack::new(n, family)?, (0..keys).map(|_| stream.next_u64()));
    let counted = [
        (JUMP, jump),
        (BACK, back),
        (BACK32, steps(&JumpBack32::new(n, family)?, (0..keys).map(|_| stream.next_u64()))),
    ];
    let mut rows = Vec::new();
    for (id, found) in counted {
        let found = found.context("no keys")?;
        rows.push(Row::new(id, "draws_mean", found.mean).interval(found.interval()));
        rows.push(Row::new(id, "draws_variance", found.variance));
    }
    Ok(rows.into_iter().map(|row| row.with("buckets", n).with("keys", keys)).collect::<Vec<_>>().into())
}

/// Part 2.
fn time(cell: &Context, ids: &[&'static str], n: u32) -> anyhow::Result<Findings> {
    let built = Built::new(ids, Build::new(n, 0, cell.seed));
    let timing = timed::side_by_side(cell, &built.contenders(), &[(JUMP, BACK), (MODULO, BACK)])?;
    Ok(Findings { data: built.failed, timing: timing.into_iter().map(|row| row.with("buckets", n)).collect() })
}

/// The draws at the largest size.
fn title(record: &Record) -> Option<String> {
    let n = record.rows(JUMP, "draws_mean").filter_map(|row| row.parameter("buckets")).fold(0.0, f64::max);
    let mean = |id| record.number(id, "draws_mean", &[("buckets", n)]);
    Some(format!(
        "At {n} buckets a look-up draws {:.1} random values with jump hash, {:.2} with JumpBackHash",
        mean(JUMP)?,
        mean(BACK)?
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    let points = |column: &'static str, of: fn(&serde_json::Value, &str) -> Option<f64>, prefix: &'static str| {
        let values = published::published().iter().filter(move |value| value.id.starts_with(prefix));
        values.filter_map(move |value| {
            Some(records::point(value.parameters.get("n")?.as_f64()?, of(&value.value, column)?, None))
        })
    };
    let plain = |value: &serde_json::Value, column: &str| value.get(column)?.as_f64();
    let net = |value: &serde_json::Value, column: &str| {
        Some(value.get(column)?.as_f64()? - value.get("DummyOperation")?.as_f64()?).filter(|&net| net > 0.1)
    };
    let drawn = |label: &str, color, marker, points| Series {
        label: label.into(),
        style: Style { color, marker, line: Line::None, band: false },
        points,
    };
    let published_draws = ["meanJumpHash", "meanJumpBackHash64", "meanJumpBackHash32"]
        .into_iter()
        .flat_map(|column| points(column, plain, "jumpback.consumption"));
    let published_draws = drawn("published", 8, Marker::Plus, published_draws.collect());
    let published_times = [("JumpHash", JUMP), ("JumpBackHash", BACK), ("ModuloMapper", MODULO)].map(|(column, id)| {
        let of_java = points(column, net, "jumpback.time").collect();
        drawn(&format!("published: {column}"), records::style(id).color, Marker::Diamond, of_java)
    });
    let ours = |metric| records::lines(record, metric, "buckets", &[]).into_iter().map(Series::unjoined);
    let guide = |label: &str, id: &str| Guide {
        label: label.into(),
        points: theory::curve().into_iter().filter_map(|n| Some((f64::from(n), theory::draws(id, n)?.mean))).collect(),
    };
    let draws = Plot {
        title: "random values drawn".into(),
        x: Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
        y: Axis {
            label: "mean per look-up".into(),
            scale: AxisScale::Linear,
            range: Some((0.0, 16.0)),
            ticks: Ticks::Number,
        },
        series: ours("draws_mean").chain([published_draws]).collect(),
        marks: vec![],
        guides: vec![guide("theory", JUMP), guide("theory", BACK), guide("theory", BACK32)],
    };
    let times = Plot {
        title: "time of a look-up".into(),
        x: Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
        y: Axis {
            label: "time per look-up (ns)".into(),
            scale: AxisScale::Log10,
            range: Some((0.1, 300.0)),
            ticks: Ticks::Number,
        },
        series: ours("lookup_ns").chain(published_times).collect(),
        marks: vec![],
        guides: vec![],
    };
    vec![Chart {
        stem: "jump_back".into(),
        title: title(record).unwrap_or_else(|| "What a look-up with JumpBackHash takes".into()),
        subtitle: "Left: random keys, as many as the paper's at paper scale. Right: the loop subtracted; published times are of Java on another machine, less its DummyOperation."
            .into(),
        panels: vec![Panel::Plot(draws), Panel::Plot(times)],
        footnotes: vec![format!("ICWS, some 155 ns in the paper, is not implemented. {LEGEND}")],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["buckets", "", "mean draws", "theory", "variance", "theory"]);
    for id in [JUMP, BACK, BACK32] {
        for row in record.rows(id, "draws_mean") {
            let n = row.parameter("buckets").unwrap_or(f64::NAN);
            let shown = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.5}"));
            let theory = theory::draws(id, n as u32);
            table.row([
                n.to_string(),
                id.to_owned(),
                shown(row.number()),
                shown(theory.map(|theory| theory.mean)),
                shown(record.number(id, "draws_variance", &[("buckets", n)])),
                shown(theory.map(|theory| theory.variance)),
            ]);
        }
    }
    for row in record.timings(JUMP, "lookup_ratio") {
        let n = row.parameter("buckets").unwrap_or(f64::NAN);
        table.row([
            n.to_string(),
            "time jump / JumpBackHash".into(),
            row.written(digits),
            String::new(),
            String::new(),
            String::new(),
        ]);
    }
    table
}
