//! What `lookup_speed` answers: the published ratios and shapes. What differs has no cause here that was tested: the
//! verdict says so, and gives what was measured besides.
//!
//! A row without an interval, or of a disturbed machine, is not judged.

use std::ops::RangeInclusive;

use consistent_hash_lab::experiment::{Parametrised, Record, Rule, Verdict, timed};
use consistent_hash_lab::published::{self, Parts, in_band};
use consistent_hash_lab::statistics::{Interval, geometric_mean, harmonic, linear_fit};

use super::{A, B, PAPER_POINTS, SIZES};

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let caveat = timed::caveat(record, &["lookup_ns", "lookup_ratio"]);
    vec![
        band(record, "jump.speed.le1000", 1..=1_000, &caveat),
        band(record, "jump.speed.le100000", 1_001..=100_000, &caveat),
        ten_points(record, &caveat),
        shapes(record, &caveat),
        machine(record),
    ]
}

/// The ratios of a C++ ring to the C++ jump that can be judged, with their intervals.
fn ratios(record: &Record, ring: &str, points: u32) -> Vec<(f64, f64, Interval)> {
    let all = timed::ratios(record, ring, "lookup_ratio", "jump-cpp", points);
    all.into_iter().filter_map(|(buckets, row)| Some((buckets, row.value, row.judged()?))).collect()
}

/// Whether there are ratios of a ring, judged or not.
fn measured_at_all(record: &Record, ring: &str, points: u32) -> bool {
    !timed::ratios(record, ring, "lookup_ratio", "jump-cpp", points).is_empty()
}

/// A band that was published for a range of sizes, against the geometric mean over the sizes of the grid in this range.
fn band(record: &Record, id: &str, range: RangeInclusive<u32>, caveat: &str) -> Verdict {
    let band = published::ends(id).unwrap_or((f64::NAN, f64::NAN));
    let sizes = || SIZES.into_iter().filter(|size| range.contains(size));
    let parts = [("A", A), ("B", B)].into_iter().fold(Parts::default(), |parts, (name, ring)| {
        let rows: Vec<_> = ratios(record, ring, PAPER_POINTS)
            .into_iter()
            .filter(|&(buckets, ratio, _)| ratio > 0.0 && sizes().any(|size| f64::from(size) == buckets))
            .collect();
        let least = rows.iter().map(|row| row.1).fold(f64::INFINITY, f64::min);
        let most = rows.iter().map(|row| row.1).fold(0.0, f64::max);
        let values: Vec<(f64, Interval)> = rows.iter().map(|&(_, ratio, interval)| (ratio, interval)).collect();
        let found = geometric_mean(&values).map(|(mean, interval)| {
            let text = format!(
                "{mean:.1}x ({:.1} to {:.1}; {least:.1} to {most:.1} over the sizes)",
                interval.low, interval.high
            );
            (text, in_band(band, mean, Some(interval)))
        });
        let measured = |size: u32| rows.iter().any(|row| row.0 == f64::from(size));
        let missing: Vec<String> = sizes().filter(|&size| !measured(size)).map(|size| size.to_string()).collect();
        let parts = parts.timed(name, found, measured_at_all(record, ring, PAPER_POINTS));
        if missing.is_empty() || rows.is_empty() {
            parts
        } else {
            parts.compared(&format!("{name} at {} buckets", missing.join(" and ")), None)
        }
    });
    let explanation = format!(
        "Time of the C++ ring over that of the C++ jump in the same rounds, {PAPER_POINTS} points per bucket: geometric \
         mean over the sizes of the grid from {} to {} buckets. It has to lie in the band, with a 95% interval no wider \
         than the band. {caveat}",
        sizes().min().unwrap_or(0),
        sizes().max().unwrap_or(0)
    );
    parts.verdict(id, Rule::Ratio, explanation.trim(), &measured_besides(record))
}

/// What the record tells about ratios that differ; no cause, since none was switched off.
fn measured_besides(record: &Record) -> String {
    let time = |id: &str, points: u32, buckets: u32| {
        let row = record.time(id, "lookup_ns", &[("points", points.into()), ("buckets", buckets.into())]);
        row.filter(|row| row.judged().is_some()).map(|row| row.value)
    };
    let over = |a: &str, b: &str, points: u32, sizes: &[u32]| {
        let at =
            sizes.iter().filter_map(|&n| Some(format!("{:.1}x at {n}", time(a, points, n)? / time(b, points, n)?)));
        let at: Vec<String> = at.collect();
        (!at.is_empty()).then(|| at.join(", "))
    };
    let latency = |ring| {
        let rows = timed::ratios(record, ring, "lookup_latency_ratio", "jump-cpp", PAPER_POINTS);
        let row = rows.into_iter().find(|(buckets, row)| *buckets == 1_000.0 && row.judged().is_some());
        row.map(|(_, row)| row.value)
    };
    let cache = record.environment.last_level_cache_bytes();
    let facts = [
        over(A, B, PAPER_POINTS, &[10, 1_000, 10_000]).map(|at| format!("A takes {at} buckets of what B takes")),
        over(B, "ring-sorted32", PAPER_POINTS, &[10, 1_000, 10_000])
            .map(|at| format!("B takes {at} of what our ring of the same points takes")),
        latency(A).zip(latency(B)).map(|(a, b)| {
            format!(
                "where each look-up waits for the last, the ratios at 1000 buckets are {a:.1}x for A and {b:.1}x for B"
            )
        }),
        cache.map(|bytes| {
            format!("the last-level cache here has {} MiB, that of the paper's Xeon E5-1650 12 MB", bytes >> 20)
        }),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    format!("{} Measured besides: {}.", published::CAUSE_NOT_KNOWN, facts.join("; "))
}

/// Jump against both rings of 10 points. A ratio whose interval holds 1 decides nothing.
fn ten_points(record: &Record, caveat: &str) -> Verdict {
    let parts = [("A", A), ("B", B)].into_iter().fold(Parts::default(), |parts, (name, ring)| {
        let rows = ratios(record, ring, 10);
        let of = |wanted: &dyn Fn(&Interval) -> bool| -> Vec<String> {
            rows.iter().filter(|row| wanted(&row.2)).map(|row| row.0.to_string()).collect()
        };
        let faster = of(&|interval| interval.low > 1.0);
        let slower = of(&|interval| interval.high < 1.0);
        let unclear = of(&|interval| interval.contains(1.0));
        let at = |sizes: &[String]| if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
        let decided = faster.len() + slower.len();
        let text = format!(
            "slower than jump at {} of {} sizes, faster at {}{}",
            faster.len(),
            rows.len(),
            slower.len(),
            at(&slower)
        );
        let found = (decided > 0).then_some((text, slower.is_empty().into()));
        let parts = parts.timed(name, found, measured_at_all(record, ring, 10));
        if unclear.is_empty() {
            parts
        } else {
            parts.part(&format!("{name} at{}: the interval holds 1", at(&unclear)), None)
        }
    });
    let explanation = format!(
        "C++ rings of 10 points per bucket against the C++ jump in the same rounds: at no size the 95% interval of the \
         ratio lies below 1. {caveat}"
    );
    parts.verdict("jump.speed.k10", Rule::Shape, explanation.trim(), &steps(record))
}

/// Where a small ring wins: what one step of each costs. Jump takes H_n steps, each with a division that waits for the
/// last; a search takes about log2 of the number of points.
fn steps(record: &Record) -> String {
    let each = |id: &str, points: f64, steps: &dyn Fn(f64) -> f64| {
        let times =
            record.timings(id, "lookup_ns").filter(|row| row.judged().is_some() && row.is_at(&[("points", points)]));
        let times = times.filter_map(|row| Some((row.parameter("buckets")?, row.value)));
        let small = times.filter(|&(buckets, _)| (10.0..=100.0).contains(&buckets));
        let found: Vec<String> = small.map(|(n, time)| format!("{:.1} at {n}", time / steps(n))).collect();
        (!found.is_empty()).then(|| found.join(", "))
    };
    let comparisons = |n: f64| (10.0 * n).log2();
    let jump = each("jump-cpp", 10.0, &|n| harmonic(n as u64));
    match jump.zip(each(A, 10.0, &comparisons)).zip(each(B, 10.0, &comparisons)) {
        Some(((jump, a), b)) => format!(
            "{} Measured besides, in ns for one step: a division of jump (H_n of them) {jump} buckets; a comparison (log2 \
             of the points) of A {a}, of B {b}.",
            published::CAUSE_NOT_KNOWN
        ),
        None => String::new(),
    }
}

/// A time that grows as the logarithm of n lies on a line over ln n; a knee is a slope that changes.
fn shapes(record: &Record, caveat: &str) -> Verdict {
    let mut jump: Vec<(f64, f64)> = record
        .timings("jump-cpp", "lookup_ns")
        .filter(|row| row.judged().is_some() && row.parameter("points") != Some(PAPER_POINTS.into()))
        .filter_map(|row| Some((row.parameter("buckets")?.ln(), row.value)))
        .filter(|&(ln_n, _)| ln_n > 2.0)
        .collect();
    jump.sort_by(|a, b| a.0.total_cmp(&b.0));
    let fit = linear_fit(&jump).filter(|_| jump.len() >= 5);
    let logarithmic = fit.map(|fit| {
        (
            format!("{:.1} ns per factor e of buckets, R² {:.3}", fit.slope, fit.r_squared),
            fit.slope > 0.0 && fit.r_squared > 0.98,
        )
    });
    let cache = record.environment.last_level_cache_bytes();
    let knee = |ring: &str, bytes_per_point: f64| {
        let cache = cache? as f64;
        let points: Vec<(f64, f64)> = record
            .timings(ring, "lookup_ns")
            .filter(|row| row.judged().is_some())
            .filter_map(|row| Some((row.parameter("buckets")? * row.parameter("points")?, row.value)))
            .collect();
        let slope = |inside: bool| {
            let of = points.iter().filter(|point| (point.0 * bytes_per_point <= cache) == inside);
            linear_fit(&of.map(|&(points, time)| (points.log2(), time)).collect::<Vec<_>>()).map(|fit| fit.slope)
        };
        let (inside, outside) = (slope(true)?, slope(false)?);
        Some((
            format!("{inside:.1} ns per doubling while it fits in {} MiB, {outside:.1} beyond", cache as u64 >> 20),
            outside >= 2.0 * inside && outside > 0.0,
        ))
    };
    let explanation = format!(
        "Jump: a line of time over ln n, from 10 buckets to the largest size, has R² > 0.98. Rings: each doubling of \
         the points costs at least twice as much where the data exceed the last-level cache as where they fit (A at 64 \
         bytes a node, B at 8). {caveat}"
    );
    let decided = |found: Option<(String, bool)>| found.map(|(text, holds)| (text, holds.into()));
    let measured = |id| record.timings(id, "lookup_ns").next().is_some();
    let parts = Parts::default().timed("jump", decided(logarithmic), measured("jump-cpp"));
    let parts = parts.timed("A", decided(knee(A, 64.0)), measured(A)).timed("B", decided(knee(B, 8.0)), measured(B));
    parts.verdict("jump.speed.shape", Rule::Shape, explanation.trim(), "")
}

fn machine(record: &Record) -> Verdict {
    let here = format!("{}; {}", record.environment.summary(), record.environment.cxx);
    published::followed(
        "jump.machine",
        &format!(
            "The same: 64-bit, GNU C++ and its standard library for A and B, nanoseconds without the loop, a \
             pseudorandom sequence of integer keys. Different: {here}. Ratios are compared, not nanoseconds."
        ),
    )
}
