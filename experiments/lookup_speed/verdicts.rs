//! What `lookup_speed` answers: the published ratios and shapes, and what the record tells about why ours differ.
//!
//! Figures of a machine that was disturbed in most rounds are not judged.

use consistent_hash_lab::experiment::{Parametrised, Record, Rule, TimingRow, Verdict, timed};
use consistent_hash_lab::published::{self, Parts};
use consistent_hash_lab::statistics::{geometric_mean, harmonic, linear_fit};

use super::{A, B, PAPER_POINTS};

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let caveat = timed::caveat(record, &["lookup_ns", "lookup_ratio"]);
    let cause = cause(record);
    vec![
        band(record, "jump.speed.le1000", (3.0, 4.0), (10.0, 1_000.0), &caveat, &cause),
        band(record, "jump.speed.le100000", (5.0, 8.0), (3_000.0, 100_000.0), &caveat, &cause),
        ten_points(record, &caveat),
        shapes(record, &caveat),
        machine(record),
    ]
}

/// The ratios of a C++ ring to the C++ jump that can be judged.
fn ratios<'a>(record: &'a Record, ring: &'a str, points: u32) -> Vec<(f64, &'a TimingRow)> {
    let all = timed::ratios(record, ring, "lookup_ratio", "jump-cpp", points);
    all.into_iter().filter(|(_, row)| row.judged().is_some()).collect()
}

/// A band that was published for a range of sizes: the interval of the geometric mean over these sizes has to meet it.
fn band(record: &Record, id: &str, band: (f64, f64), sizes: (f64, f64), caveat: &str, cause: &str) -> Verdict {
    let parts = [("A", A), ("B", B)].into_iter().fold(Parts::default(), |parts, (name, ring)| {
        let rows: Vec<_> = ratios(record, ring, PAPER_POINTS)
            .into_iter()
            .filter(|(buckets, row)| (sizes.0..=sizes.1).contains(buckets) && row.value > 0.0)
            .collect();
        let values: Vec<_> = rows.iter().filter_map(|(_, row)| Some((row.value, row.judged()?))).collect();
        let least = values.iter().map(|value| value.0).fold(f64::INFINITY, f64::min);
        let most = values.iter().map(|value| value.0).fold(0.0, f64::max);
        let found = geometric_mean(&values).map(|(mean, interval)| {
            let text = format!(
                "{mean:.1}x ({:.1} to {:.1}; {least:.1} to {most:.1} over the sizes)",
                interval.low, interval.high
            );
            (text, interval.low <= band.1 && band.0 <= interval.high)
        });
        let reached = rows.last().map(|(buckets, _)| *buckets);
        let parts = parts.part(name, found);
        match reached {
            Some(reached) if reached < sizes.1 => parts.part(&format!("{name} beyond {reached} buckets"), None),
            _ => parts,
        }
    });
    let explanation = format!(
        "Time of the C++ ring over that of the C++ jump in the same rounds, {PAPER_POINTS} points per bucket: the 95% \
         interval of the geometric mean over the sizes from {} to {} buckets has to meet the band. {caveat}",
        sizes.0, sizes.1
    );
    parts.verdict(id, Rule::Ratio, explanation.trim(), cause)
}

/// What the record tells about why a ratio is as it is.
fn cause(record: &Record) -> String {
    let time = |id: &str, points: u32, buckets: u32| {
        let row = record.time(id, "lookup_ns", &[("points", points.into()), ("buckets", buckets.into())]);
        row.filter(|row| !row.unstable).map(|row| row.value)
    };
    let over = |a: &str, b: &str, points, buckets| Some(time(a, points, buckets)? / time(b, points, buckets)?);
    let of = |what: &str, points: u32, sizes: &[u32], ratio: &dyn Fn(u32, u32) -> Option<f64>| {
        let found = sizes.iter().filter_map(|&n| Some(format!("{:.1}x at {n}", ratio(points, n)?)));
        let found: Vec<String> = found.collect();
        (!found.is_empty()).then(|| format!("{what} {}", found.join(", ")))
    };
    let cache = record.environment.last_level_cache_bytes().map_or(String::new(), |bytes| {
        format!(" (last-level cache {} MiB, the paper's Xeon E5-1650 had 12 MB)", bytes >> 20)
    });
    let latency = |ring| {
        let rows = timed::ratios(record, ring, "lookup_latency_ratio", "jump-cpp", PAPER_POINTS);
        rows.into_iter().find(|(buckets, row)| *buckets == 1_000.0 && !row.unstable).map(|(_, row)| row.value)
    };
    let mispredictions = "B's search, as compiled, branches at every comparison; our ring of the same 8-byte points \
                          does not, and with 10 points a bucket B takes of its time";
    let facts = [
        of(
            &format!(
                "A and B make about as many comparisons, so what A takes over B is its nodes' scattered memory{cache}:"
            ),
            PAPER_POINTS,
            &[1, 10, 100, 1_000, 10_000],
            &|points, n| over(A, B, points, n),
        ),
        of(mispredictions, 10, &[10, 1_000, 100_000], &|points, n| over(B, "ring-sorted32", points, n)),
        latency(A).zip(latency(B)).map(|(a, b)| {
            format!(
                "If each look-up waits for the last, the ratios at 1000 buckets are {a:.1}x for A and {b:.1}x for B"
            )
        }),
    ];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if facts.is_empty() { String::new() } else { format!("Checked here: {}.", facts.join(". ")) }
}

/// Jump against both rings of 10 points. A ratio whose interval holds 1 decides nothing.
fn ten_points(record: &Record, caveat: &str) -> Verdict {
    let parts = [("A", A), ("B", B)].into_iter().fold(Parts::default(), |parts, (name, ring)| {
        let rows = ratios(record, ring, 10);
        let of = |wanted: &dyn Fn(&TimingRow) -> bool| -> Vec<String> {
            rows.iter().filter(|(_, row)| wanted(row)).map(|(buckets, _)| buckets.to_string()).collect()
        };
        let faster = of(&|row| row.judged().is_some_and(|interval| interval.low > 1.0));
        let slower = of(&|row| row.judged().is_some_and(|interval| interval.high < 1.0));
        let unclear = of(&|row| row.judged().is_some_and(|interval| interval.contains(1.0)));
        let at = |sizes: &[String]| if sizes.is_empty() { String::new() } else { format!(" ({})", sizes.join(", ")) };
        let decided = faster.len() + slower.len();
        let text = format!(
            "slower than jump at {} of {} sizes, faster at {}{}",
            faster.len(),
            rows.len(),
            slower.len(),
            at(&slower)
        );
        let parts = parts.part(name, (decided > 0).then_some((text, slower.is_empty())));
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

/// Why a small ring can win: what one step of each costs. Jump takes H_n steps, each with a division that waits for the
/// last; a search takes about log2 of the number of points.
fn steps(record: &Record) -> String {
    let each = |id: &str, points: f64, steps: &dyn Fn(f64) -> f64| {
        let times = record.timings(id, "lookup_ns").filter(|row| !row.unstable && row.is_at(&[("points", points)]));
        let times = times.filter_map(|row| Some((row.parameter("buckets")?, row.value)));
        let small = times.filter(|&(buckets, _)| (10.0..=100.0).contains(&buckets));
        let found: Vec<String> = small.map(|(n, time)| format!("{:.1} at {n}", time / steps(n))).collect();
        (!found.is_empty()).then(|| found.join(", "))
    };
    let comparisons = |n: f64| (10.0 * n).log2();
    let jump = each("jump-cpp", 10.0, &|n| harmonic(n as u64));
    match jump.zip(each(A, 10.0, &comparisons)).zip(each(B, 10.0, &comparisons)) {
        Some(((jump, a), b)) => format!(
            "Checked here, in ns for one step: a division of jump (H_n of them) {jump} buckets; a comparison (log2 of the \
             points) of A {a}, of B {b}. While the points lie in the first caches a comparison is the cheaper step, and the \
             two are nearly even."
        ),
        None => String::new(),
    }
}

/// A time that grows as the logarithm of n lies on a line over ln n; a knee is a slope that changes.
fn shapes(record: &Record, caveat: &str) -> Verdict {
    let mut jump: Vec<(f64, f64)> = record
        .timings("jump-cpp", "lookup_ns")
        .filter(|row| !row.unstable && row.parameter("points") != Some(PAPER_POINTS.into()))
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
            .filter(|row| !row.unstable)
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
    Parts::default().part("jump", logarithmic).part("A", knee(A, 64.0)).part("B", knee(B, 8.0)).verdict(
        "jump.speed.shape",
        Rule::Shape,
        explanation.trim(),
        "The slopes on both sides of the last-level cache are what was checked: without a knee there, the time grew as \
         fast while the data still fit.",
    )
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
