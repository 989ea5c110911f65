//! What `init_time` answers. Seconds are those of a machine: the published ones are shown beside ours and not judged. What
//! can be tested on any machine is how they grow: a ring's in proportion to its buckets or faster, jump's not at all.

use consistent_hash_lab::experiment::{Outcome, Parametrised, Record, Rule, Verdict};
use consistent_hash_lab::published::{Comparison, Parts};
use consistent_hash_lab::text::table::nanoseconds;

use super::{MAP, PAPER_SIZE, PUBLISHED, VECTOR};

/// A time that grows with the number of buckets to this power or a greater one grows in proportion: caches and the
/// constant part of a small build take a little off.
const IN_PROPORTION: f64 = 0.9;
/// What jump may take: a table of even one bucket's points takes longer.
const NO_TABLE_NS: f64 = 1_000.0;

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let rings = [("A (C++ std::map)", MAP), ("B (C++ sorted vector)", VECTOR)];
    let parts = rings.into_iter().fold(Parts::at_best(Outcome::AnotherMachine), |parts, (name, ring)| {
        let parts = match record.time(ring, "build_ns", &[("buckets", PAPER_SIZE)]) {
            Some(row) => parts.shown(format!("{name} here: {}", row.written(nanoseconds))),
            None => parts,
        };
        let name = record.left_out(ring).map_or(name.to_owned(), |reason| format!("{name} ({reason})"));
        let measured = record.timings(ring, "build_ns").next().is_some();
        parts.timed(&format!("growth of {name} power of n:"), growth(record, ring), measured)
    });
    let of_rings = rings.iter().any(|(_, ring)| growth(record, ring).is_some());
    // That jump has no table says nothing of the published time where no ring was built.
    let parts = if of_rings { parts.compared("jump at each size:", no_table(record)) } else { parts };
    vec![parts.verdict(
        PUBLISHED,
        Rule::Shape,
        "The paper's table is of both rings; its seconds are known second hand, and are those of another machine. Judged is \
         the growth: the time to build a ring of n buckets grows with n to the power of at least 0.9, between the smallest \
         and the largest size that have an interval, and jump takes less than 1 µs at each.",
        "",
    )]
}

/// The power of the number of buckets with which the time grows, between the ends of the sizes that may be judged.
fn growth(record: &Record, ring: &str) -> Option<(String, Comparison)> {
    let rows = record.timings(ring, "build_ns");
    let mut rows: Vec<_> = rows.filter_map(|row| Some((row.parameter("buckets")?, row.value, row.judged()?))).collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (first, last) = (rows.first()?, rows.last().filter(|last| last.0 >= 16.0 * rows[0].0)?);
    let power = |small: f64, large: f64| (large / small).ln() / (last.0 / first.0).ln();
    let [found, low, high] = [power(first.1, last.1), power(first.2.high, last.2.low), power(first.2.low, last.2.high)];
    let comparison = match (low >= IN_PROPORTION, high < IN_PROPORTION) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    Some((format!("{found:.2} ({low:.2} to {high:.2}) from {} to {} buckets", first.0, last.0), comparison))
}

fn no_table(record: &Record) -> Option<(String, Comparison)> {
    let times = record.timings("jump", "build_ns").filter_map(|row| row.judged());
    let ends: Vec<(f64, f64)> = times.map(|interval| (interval.low, interval.high)).collect();
    let most = ends.iter().map(|end| end.1).fold(0.0, f64::max);
    let comparison = match (most < NO_TABLE_NS, ends.iter().any(|end| end.0 >= NO_TABLE_NS)) {
        (true, _) => Comparison::Holds,
        (_, true) => Comparison::Fails,
        _ => Comparison::Undecided,
    };
    (!ends.is_empty()).then(|| (format!("at most {most:.0} ns"), comparison))
}
