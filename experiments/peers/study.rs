//! The crates that people would pick: are they right, and how fast are they?
//!
//! Each crate is used as its documentation shows, at a pinned version. Two things are asked of it, in processes of their
//! own, twice: as it is released, and with the assertions and overflow checks of a debug build. The checks of `chlab verify`
//! and some for crates only look for faults; the programs of `peers/programs` show those that were found, each as a reader
//! can. A check that does not end within our limit is slow, which is no fault. All crates, and some implementations of this
//! project beside them, are then built and timed side by side, for one number of buckets after the other.

use std::collections::BTreeMap;
use std::env;
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use consistent_hash_lab::catalog::{Build, Implementation};
use consistent_hash_lab::chart::{
    Axis, Chart, Line, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::timed::{Built, EMPTY_LOOP, Subtract, Timed, build_times};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, LEGEND, Parametrised, Record, Row, Settings, TimingRow,
};
use consistent_hash_lab::implementations;
use consistent_hash_lab::measure::memory::Heap;
use consistent_hash_lab::measure::time::{
    Around, Contender, Measured, Mode, Plan, SAMPLE, conditions, interleaved_warmed,
};
use consistent_hash_lab::statistics::Interval;
use consistent_hash_lab::study::{Section, Study};
use consistent_hash_lab::verify::{CHECKS, Check};
use consistent_hash_lab::verify::{Finding, isolated};

#[path = "tables.rs"]
mod tables;

use tables::{accused, in_short, page, summary, text, timed};

/// The argument by which the binary starts itself to check one implementation.
pub const CHECK: &str = "--check-alone";
/// The argument by which the binary starts itself to run the program of a finding.
pub const REPRODUCE: &str = "--reproduce-alone";

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "peers",
            title: "The crates that people would pick",
            paper: "a survey at pinned versions",
            method: "Each crate is checked as it is released and with the assertions and overflow checks of a debug build, in \
                     processes of their own; each fault that is known is shown by its program. All are built and timed \
                     side by side with some implementations of this project.",
            grid,
        },
        verdicts: |_| Vec::new(),
        charts,
        summary,
        section: Some(Section { name: "peers", short: in_short, page: ("CRATES", page) }),
    }
}

/// Of this project, as a measure for the others.
const OURS: [&str; 5] = ["jump", "ring-sorted64", "rendezvous", "anchor", "maglev"];
/// Points per bucket of our ring; each crate has its own default.
const POINTS: u32 = 100;
const SIZES: [u32; 4] = [10, 100, 1_000, 10_000];
/// What takes longer to build at a tenth of a size is not built at that size.
const LONGEST_BUILD: Duration = Duration::from_millis(500);
/// For all builds of one size after the first.
const LONGEST: Duration = Duration::from_millis(500);
/// A look-up that takes longer is not timed.
const LONGEST_LOOK_UP: Duration = Duration::from_millis(2);
/// For one check, and for one program: most need less than a second. What takes longer is slow.
const MOST: Duration = Duration::from_secs(20);
/// The same at the smallest scale.
const MOST_OF_SMOKE: Duration = Duration::from_secs(2);

fn grid(settings: &Settings) -> Vec<Cell> {
    let peers: Vec<&'static Implementation> =
        implementations::surveyed().filter(|peer| settings.chosen(peer.id)).collect();
    let mut cells: Vec<Cell> = peers
        .iter()
        .map(|peer| Cell::statistical(format!("checks of {}", peer.id), [peer.id], |cell| found_by_checks(cell, peer)))
        .collect();
    let mut packages: Vec<&str> = peers.iter().map(|peer| tables::package(peer.id)).collect();
    packages.dedup();
    cells.extend(packages.into_iter().map(|package| {
        let ids: Vec<&'static str> =
            peers.iter().map(|peer| peer.id).filter(|id| tables::package(id) == package).collect();
        Cell::statistical(format!("programs of {package}"), ids, move |_| reproduced(package))
    }));
    let ids: Vec<&'static str> = peers.iter().map(|peer| peer.id).chain(settings.choose(OURS)).collect();
    let sizes = settings.scale.pick(&SIZES[..1], &SIZES[..3], &SIZES);
    cells.extend(sizes.iter().map(|&buckets| {
        let ids = ids.clone();
        Cell::timed(format!("n={buckets}"), ids.clone(), move |cell| times(cell, &ids, buckets))
            .runs(settings.scale.runs().min(3))
    }));
    cells
}

/// How a crate was compiled.
const PROFILES: [&str; 2] = ["release", "checked"];

/// This program as it was compiled in a profile, if it was.
fn program(profile: &str) -> anyhow::Result<Option<PathBuf>> {
    let this = env::current_exe().context("where this program lies")?;
    let other = this.parent().and_then(|folder| folder.parent()).zip(this.file_name());
    let path = match (profile, other) {
        ("release", _) => this,
        (_, Some((target, name))) => target.join(profile).join(name),
        (_, None) => return Ok(None),
    };
    Ok(path.exists().then_some(path))
}

/// The checks of `chlab verify`, and those for crates only.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    #[cfg(feature = "peers")]
    let own = consistent_hash_lab::peers::checks::CHECKS;
    #[cfg(not(feature = "peers"))]
    let own: &[Check] = &[];
    CHECKS.iter().chain(own)
}

fn found_by_checks(cell: &Context, peer: &'static Implementation) -> anyhow::Result<Findings> {
    let names: Vec<&str> = checks().map(|check| check.name).collect();
    let most = cell.scale.pick(MOST_OF_SMOKE, MOST, MOST);
    let mut rows = Vec::new();
    for profile in PROFILES {
        let Some(program) = program(profile)? else {
            rows.push(Row::missing(peer.id, "checked_build", "not compiled: `make peers` does").with("build", profile));
            continue;
        };
        let found = isolated::findings(&program, &[CHECK, peer.id], &names, most)?;
        let passed = found.iter().filter(|finding| finding.passed()).count();
        rows.push(Row::new(peer.id, "checks_passed", passed).with("build", profile));
        let odd = found.iter().filter(|finding| finding.failed() || finding.slow());
        rows.extend(odd.map(|finding| row(peer.id, profile, finding)));
    }
    rows.push(Row::new(peer.id, "version", peer.source.to_string()));
    rows.push(Row::new(peer.id, "algorithm", peer.algorithm.name()));
    Ok(rows.into())
}

fn row(id: &str, profile: &str, finding: &Finding) -> Row {
    let row = Row::new(id, "check", finding.outcome.as_str()).with("check", finding.check.as_str());
    let row = row.with("build", profile).with("explained", explained(id, &finding.check));
    match &finding.reason {
        // Where each instance draws a seed, the example is another in every run.
        Some(_) if finding.at_odds() => row.note("two instances that are built alike disagree"),
        // The adapters write no bucket as the number that none has.
        reason => reason.iter().map(|why| why.replace("bucket 4294967295", "no bucket")).fold(row, Row::note),
    }
}

#[cfg(feature = "peers")]
fn explained(id: &str, check: &str) -> bool {
    consistent_hash_lab::peers::findings::explained(id, check)
}

#[cfg(not(feature = "peers"))]
fn explained(_: &str, _: &str) -> bool {
    false
}

/// Runs the programs of a crate: a row for each that shows what it is to show, and for each that does not.
#[cfg(feature = "peers")]
fn reproduced(package: &str) -> anyhow::Result<Findings> {
    use std::process::Command;

    use consistent_hash_lab::peers::findings::{self, Profile};
    use consistent_hash_lab::peers::programs::FOUND;
    use consistent_hash_lab::verify::limited;
    let mut rows = Vec::new();
    for accusation in findings::accusations(package) {
        let profile = match accusation.kind.profile() {
            Profile::Release => PROFILES[0],
            Profile::Debug => PROFILES[1],
        };
        let entries: Vec<&str> = accusation.explains.iter().map(|(id, _)| *id).collect();
        let of = |metric, value: Option<String>| {
            let row = value
                .map_or_else(|| Row::missing(package, metric, "not shown"), |value| Row::new(package, metric, value));
            row.with("program", accusation.program)
                .with("kind", accusation.kind.word())
                .with("entries", entries.join(","))
        };
        let Some(program) = program(profile)? else {
            rows.push(of("not_reproduced", None).note("not compiled: `make peers` does"));
            continue;
        };
        let ended = limited::run(Command::new(program).args([REPRODUCE, accusation.program]), MOST)?;
        let shown = ended
            .as_ref()
            .filter(|ended| ended.status.success())
            .and_then(|ended| ended.stdout.lines().find_map(|line| line.strip_prefix(FOUND)).map(str::to_owned));
        rows.push(match (shown, ended) {
            (Some(shown), _) => of("finding", Some(shown)),
            (None, Some(ended)) => of("not_reproduced", None).note(format!("its program ended with {}", ended.status)),
            (None, None) => {
                of("not_reproduced", None).note(format!("its program had not ended after {} s", MOST.as_secs()))
            }
        });
    }
    rows.extend(findings::documented(package).map(|documented| {
        let quotation = documented.quotation.split_whitespace().collect::<Vec<_>>().join(" ");
        Row::new(package, "documented", documented.says).with("quotation", quotation).with("place", documented.place)
    }));
    Ok(rows.into())
}

#[cfg(not(feature = "peers"))]
fn reproduced(_: &str) -> anyhow::Result<Findings> {
    Ok(Findings::default())
}

fn times(cell: &Context, ids: &[&'static str], buckets: u32) -> anyhow::Result<Findings> {
    let build = Build::new(buckets, POINTS, cell.seed);
    let mut stream = cell.stream();
    let mut findings = Findings::default();
    let (mut heaps, mut contenders) = (BTreeMap::new(), Vec::new());
    for entry in ids.iter().filter_map(|id| implementations::find(id)) {
        // A crate may panic where it is asked for so many nodes.
        let alone = catch_unwind(AssertUnwindSafe(|| alone(entry, build, cell.scale.pick(3, 5, 5))));
        match alone.unwrap_or_else(|_| Err(anyhow::anyhow!("its build panics"))) {
            Ok(None) => {}
            Ok(Some((samples, heap))) => {
                let (ns, around): (Vec<f64>, Vec<Around>) = samples.into_iter().unzip();
                let conditions = conditions(&around, cell.alone_ratio);
                findings.timing.extend(TimingRow::of(entry.id, "build_ns", ns, &conditions, &mut stream));
                findings.data.push(Row::new(entry.id, "heap_live_bytes", heap.live_bytes));
                findings.data.push(Row::new(entry.id, "heap_peak_bytes", heap.peak_bytes));
                heaps.insert(entry.id, heap.live_bytes);
                if look_up_takes(entry, build)? <= LONGEST_LOOK_UP {
                    contenders.push(entry.id);
                }
            }
            Err(error) => findings.data.push(Row::missing(entry.id, "error", format!("{error:#}"))),
        }
    }
    let built = Built::new(&contenders, build);
    let plan = Plan {
        rounds: cell.scale.pick(3, 7, 7),
        sample_target: SAMPLE,
        warm_up: Duration::from_millis(1),
        mode: Mode::Throughput,
        most: Duration::from_secs(cell.scale.pick(5, 30, 60)),
        alone_ratio: cell.alone_ratio,
    };
    let warm_up = |id: &str| built.warm_up_for(heaps.get(id).copied().unwrap_or(0));
    let conversions = conversions(buckets);
    let mut contenders = built.contenders();
    contenders.extend(conversions.iter().map(|(id, subject)| Contender { id, subject: subject.as_ref() }));
    let measured = interleaved_warmed(&contenders, &plan, warm_up, &mut stream)?;
    let timed = Timed { timing: &measured, name: "lookup", subtract: Subtract::Median };
    // The gross times are the net ones and the empty loop's, of which one row is enough.
    let rows = timed.rows(&mut stream);
    findings
        .timing
        .extend(rows.into_iter().filter(|row| row.metric == "lookup_ns" || row.implementation == EMPTY_LOOP));
    findings.data.extend(built.failed);
    findings.data.extend(converted());
    findings.data = findings.data.into_iter().map(|row| row.with("buckets", buckets)).collect();
    findings.timing = findings.timing.into_iter().map(|row| row.with("buckets", buckets)).collect();
    Ok(findings)
}

/// What our adapters add to look-ups, by itself.
#[cfg(feature = "peers")]
fn conversions(buckets: u32) -> Vec<(&'static str, Box<dyn Measured>)> {
    let all = consistent_hash_lab::peers::conversions::CONVERSIONS.iter();
    all.map(|conversion| (conversion.id, (conversion.of)(buckets))).collect()
}

#[cfg(not(feature = "peers"))]
fn conversions(_: u32) -> Vec<(&'static str, Box<dyn Measured>)> {
    Vec::new()
}

/// The entries with a conversion of ours in their look-ups, in rows of the record.
#[cfg(feature = "peers")]
fn converted() -> Vec<Row> {
    let all = consistent_hash_lab::peers::conversions::CONVERSIONS.iter();
    all.map(|conversion| {
        Row::new(conversion.id, "conversion", conversion.says).with("entries", conversion.entries.join(", "))
    })
    .collect()
}

#[cfg(not(feature = "peers"))]
fn converted() -> Vec<Row> {
    Vec::new()
}

/// What a structure takes to build: each time in nanoseconds with what was around it, and its heap.
type Alone = (Vec<(f64, Around)>, Heap);

/// The times of some builds, and the heap of one; none where they would take too long.
fn alone(entry: &Implementation, build: Build, repeats: usize) -> anyhow::Result<Option<Alone>> {
    let tenth = Build { buckets: (build.buckets / 10).max(entry.limits.least_buckets), ..build };
    if build_times(entry, tenth, 1, LONGEST)?.iter().any(|&(ns, _)| ns > LONGEST_BUILD.as_nanos() as f64) {
        return Ok(None);
    }
    Ok(Some((build_times(entry, build, repeats, LONGEST)?, (entry.heap)(build)?)))
}

/// The second of two look-ups.
fn look_up_takes(entry: &Implementation, build: Build) -> anyhow::Result<Duration> {
    let subject = (entry.build)(build)?;
    black_box(subject.bucket(1));
    let start = Instant::now();
    black_box(subject.bucket(2));
    Ok(start.elapsed())
}

/// Crates that can be compared: a name, and the algorithms in it.
const FAMILIES: [(&str, &[&str]); 3] = [
    ("jump and other algorithms without a table", &["jump", "PowerCH", "FlipHash", "JumpBackHash", "AnchorHash"]),
    ("rings", &["ring", "ring, weighted", "multi-probe"]),
    ("rendezvous and tables", &["rendezvous", "rendezvous, weighted", "Maglev"]),
];

fn charts(record: &Record) -> Vec<Chart> {
    let panel = |&(title, algorithms): &(&str, &[&str])| {
        let member = |id: &&str| {
            let algorithm =
                implementations::find(id).map_or(text(record, id, "algorithm"), |entry| entry.algorithm.name());
            algorithms.contains(&algorithm)
        };
        let line = |(at, id): (usize, &str)| {
            let ours = OURS.contains(&id);
            let (marker, line) = if ours { (Marker::Square, Line::Dashed) } else { (Marker::Circle, Line::Solid) };
            let label = if ours { format!("{id}, this project") } else { id.to_owned() };
            let rows = record.timings(id, "lookup_ns").filter_map(|row| {
                let seconds = |it: Interval| Interval { low: it.low / 1e9, high: it.high / 1e9, ..it };
                Some(records::point(row.parameter("buckets")?, row.value / 1e9, row.interval.map(seconds)))
            });
            Series { label, style: Style { color: at, marker, line, band: false }, points: rows.collect() }
        };
        let shown = || timed(record).into_iter().filter(|id| !accused(record, id)).filter(member);
        let mut series: Vec<Series> = shown().enumerate().map(line).collect();
        let rows = shown().flat_map(|id| record.timings(id, "lookup_ns"));
        let marks = records::marked(rows.filter_map(|row| Some((row.parameter("buckets")?, row))));
        series.extend(records::scaled(marks, 1e-9));
        Panel::Plot(Plot {
            title: title.to_owned(),
            x: Axis { label: "buckets".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Number },
            y: Axis { label: "time of a look-up".into(), scale: AxisScale::Log10, range: None, ticks: Ticks::Seconds },
            series,
            marks: vec![],
            guides: vec![],
        })
    };
    vec![Chart {
        stem: "peers".into(),
        title: "Crates in which no fault was found: time of a look-up".into(),
        subtitle: "Random 64-bit keys; each crate with its default points; medians and their 95% intervals.".into(),
        panels: FAMILIES.iter().map(panel).collect(),
        footnotes: vec![
            format!(
                "The legend follows the panels, and colours begin anew in each. Where a crate wants text, the time to write the key as 16 digits is in its look-up. Not built at a size: what \
             took more than {} ms at a tenth of it.",
                LONGEST_BUILD.as_millis()
            ),
            LEGEND.into(),
        ],
    }]
}
