//! What `maglev_table` answers.

use consistent_hash_lab::experiment::{Outcome, Parametrised, Record, Row, Rule, Verdict};
use consistent_hash_lab::published::{
    self, Comparison, Parts, digits, exact, in_band, not_measured, shape, statistical, written,
};
use consistent_hash_lab::statistics::Interval;
use consistent_hash_lab::text::table::nanoseconds;

use super::{ENVOY_RING, ENVOY_TABLE, FAILED, KARGER, LARGE, MAGLEV, RENDEZVOUS, SIZES, SMALL};

/// Numbers of one digit that were printed as "about": those that round to it.
const ABOUT_TEN: (f64, f64) = (9.5, 15.0);
const ABOUT_FIVE: (f64, f64) = (4.5, 5.5);
const ABOUT_TWO: (f64, f64) = (1.5, 2.5);

/// Of fewer tables the range is not one of 99%.
const FEWEST: f64 = 100.0;

/// All of them.
pub fn verdicts(record: &Record) -> Vec<Verdict> {
    let mut all = vec![table_1(record), balance(record), m100n(record), complexity(record), resilience(record)];
    for (who, id) in [(KARGER, "karger"), (RENDEZVOUS, "rendezvous")] {
        all.extend(SIZES.map(|size| overload(record, who, &format!("maglev.overprov.{id}.{size}"), size)));
    }
    all.extend([time(record, SIZES[0], SMALL), time(record, SIZES[1], LARGE)]);
    all.extend([weights(record), ring_sizes(record), moves(record)]);
    all.extend([
        ratio(record, "envoy.maglev.vs.ring.build", "build_ratio", ABOUT_TEN),
        ratio(record, "envoy.maglev.vs.ring.select", "lookup_ratio", ABOUT_FIVE),
    ]);
    all
}

fn table_1(record: &Record) -> Verdict {
    let id = "maglev.table1";
    match record.row(MAGLEV, "table_1", &[]) {
        None => not_measured(id, Rule::Exact, "The example was not built in this run."),
        Some(row) => {
            let equal = published::find(id).is_some_and(|published| published.value == row.value);
            exact(id, &written(&row.value), equal, "Permutations and both tables, slot by slot.", "")
        }
    }
}

/// (backends, slots, least, most) of each table that was counted.
fn shares(record: &Record) -> Vec<(f64, f64, f64, f64)> {
    let of = |row: &Row| {
        let (n, size) = (row.parameter("backends")?, row.parameter("table")?);
        Some((n, size, row.number()?, record.number(MAGLEV, "most_slots", &[("backends", n), ("table", size)])?))
    };
    record.rows(MAGLEV, "least_slots").filter_map(of).collect()
}

fn balance(record: &Record) -> Verdict {
    let parts = shares(record).into_iter().fold(Parts::default(), |parts, (n, size, least, most)| {
        let holds = least == (size / n).floor() && most == (size / n).ceil();
        parts.part(&format!("{size} slots of {n}:"), Some((format!("{least} to {most}"), holds)))
    });
    parts.verdict("maglev.balance", Rule::Exact, "The least and the most slots of a backend, counted.", "")
}

fn m100n(record: &Record) -> Verdict {
    let wanted = shares(record).into_iter().filter(|&(n, size, ..)| size > 100.0 * n);
    let parts = wanted.fold(Parts::default(), |parts, (n, size, least, most)| {
        // In slots, so that exactly one percent is not lost to a rounding.
        let holds = 100.0 * (most - least) <= least;
        let found = format!("{} between the least and the most", digits(most / least - 1.0));
        parts.part(&format!("{size} slots of {n}:"), Some((found, holds)))
    });
    parts.verdict(
        "maglev.m100n",
        Rule::Exact,
        "Counted at the least table with more than 100 slots a backend, and beyond.",
        "",
    )
}

fn complexity(record: &Record) -> Verdict {
    let part = |size: u64| {
        let at = [("table", size as f64)];
        let row = record.row(MAGLEV, "mean_probes", &at)?;
        let (found, interval) = (row.number()?, row.interval?);
        let expected = record.number("sum of M/n", "mean_probes", &at)?;
        let comparison = if interval.contains(expected) { Comparison::Consistent } else { Comparison::Fails };
        let range = format!("{} ({} to {})", digits(found), digits(interval.low), digits(interval.high));
        Some((format!("{range}, the sum is {}", digits(expected)), comparison))
    };
    let parts = SIZES.into_iter().fold(Parts::at_best(Outcome::ConsistentWith), |parts, size| {
        parts.compared(&format!("{size} slots:"), part(size))
    });
    let without_repetition = |size: u64| {
        let at = [("table", size as f64)];
        let interval = record.row(MAGLEV, "mean_probes", &at)?.interval?;
        Some(interval.contains(record.number("sum of (M + 1)/(n + 1)", "mean_probes", &at)?))
    };
    let cause = if SIZES.iter().all(|&size| without_repetition(size) == Some(true)) {
        "The sum is of slots that are drawn anew each time. A backend that looks for one of n free slots looks at none twice, which takes \
         (M + 1)/(n + 1) on average instead of M/n; the sum of these lies in both intervals."
    } else {
        ""
    };
    parts.verdict(
        "maglev.complexity",
        Rule::Statistical,
        "Mean probes over repetitions, 99% interval of the mean, against the printed sum. That the work grows like M log M is not touched by \
         it. The worst case is not tried.",
        cause,
    )
}

/// More failures change more slots, and fewer of a larger table.
fn resilience(record: &Record) -> Verdict {
    let changed = |size: u64, failed: u32| {
        record.number(MAGLEV, "changed_percent", &[("table", size as f64), ("failed", failed.into())])
    };
    let curves = SIZES.map(|size| FAILED.iter().filter_map(|&failed| changed(size, failed)).collect::<Vec<f64>>());
    let whole = curves.iter().all(|curve| curve.len() == FAILED.len());
    let rises = |curve: &Vec<f64>| curve.windows(2).all(|pair| pair[0] < pair[1]);
    let holds = curves.iter().all(rises) && curves[0].iter().zip(&curves[1]).all(|(small, large)| large < small);
    let ends = |curve: &[f64]| match curve {
        [first, .., last] => format!("{}% to {}%", digits(*first), digits(*last)),
        _ => String::new(),
    };
    shape(
        "maglev.resilience.method",
        &format!("{} of {} slots, {} of {}", ends(&curves[0]), SIZES[0], ends(&curves[1]), SIZES[1]),
        whole.then_some(holds),
        "Slots that change although their backend stays, as a part of all slots, when 5 to 100 of 1000 backends fail: the medians rise with \
         the failures, and are lower with the larger table. Of which slots the paper's percentage is, is not stated.",
        "",
    )
}

fn overload(record: &Record, who: &str, id: &str, size: u64) -> Verdict {
    let range = record.row(who, "overload_percent", &[("table", size as f64)]).and_then(Row::range);
    let explanation = if who == KARGER {
        "What the paper calls Karger is not defined in it: that each of 1000 views claims one slot for each backend was inferred from its \
         four numbers, so that a match says little."
    } else {
        "A slot belongs to the backend with the largest hash of both. The paper's number is one table's."
    };
    let few =
        record.row(who, "overload_percent", &[("table", size as f64)]).and_then(|row| row.parameter("repetitions"));
    if few.is_some_and(|few| few < FEWEST) {
        let found = range.map(|(median, range)| {
            let text = format!("{} ({} to {})", digits(median), digits(range.low), digits(range.high));
            (text, Comparison::Undecided)
        });
        return Parts::default().compared("", found).verdict(id, Rule::Statistical, explanation, "");
    }
    statistical(id, published::number(id).unwrap_or(f64::NAN), range, explanation, "")
}

/// Milliseconds are another machine's; the time of ten times the slots is more than ten times as long.
fn time(record: &Record, size: u64, who: &str) -> Verdict {
    let parts = match record.time(who, "build_ns", &[]) {
        Some(row) => Parts::at_best(Outcome::AnotherMachine).shown(format!("here {}", row.written(nanoseconds))),
        None => Parts::at_best(Outcome::AnotherMachine),
    };
    let row = record.time(LARGE, "build_ratio", &[]);
    let found = row.and_then(|row| {
        let interval = row.judged()?;
        let comparison = match (interval.low > 10.0, interval.high <= 10.0) {
            (true, _) => Comparison::Holds,
            (_, true) => Comparison::Fails,
            _ => Comparison::Undecided,
        };
        Some((row.written(digits), comparison))
    });
    parts.timed("ten times the slots, times", found, row.is_some()).verdict(
        &format!("maglev.gentime.{size}"),
        Rule::Ratio,
        "Judged is the growth: the paper's 22.9 ms are 12.7 times its 1.8 ms, M log M gives 12.1, and the time of ten times the slots must \
         be more than ten times as long.",
        "",
    )
}

fn weights(record: &Record) -> Verdict {
    let id = "envoy.maglev.weights";
    let slots = |weight: f64| record.number(ENVOY_TABLE, "slots", &[("weight", weight)]);
    match (slots(1.0).zip(slots(2.0)), published::ends(id)) {
        (Some(found), Some(printed)) => exact(
            id,
            &format!("{} and {}", found.0, found.1),
            found == printed,
            "Counted in the table of two hosts.",
            "",
        ),
        _ => not_measured(id, Rule::Exact, "The table was not built in this run."),
    }
}

fn ring_sizes(record: &Record) -> Verdict {
    let value = |field: &str| published::find("envoy.ring.sizes")?.value.get(field)?.as_f64();
    let part = |metric: &str, field: &str| {
        let found = record.number(ENVOY_RING, metric, &[])?;
        Some((found.to_string(), Some(found) == value(field)))
    };
    Parts::at_best(Outcome::ByDefinition)
        .part("least", part("least_ring_size", "min_default"))
        .part("largest", part("largest_ring_size", "max_default"))
        .verdict("envoy.ring.sizes", Rule::Exact, "The defaults with which its outputs were met bit for bit.", "")
}

/// The mean over the losses of each host, of the table over the ring.
fn moves(record: &Record) -> Verdict {
    let of = |who| {
        let row = record.row(who, "mean_moved_fraction", &[])?;
        Some((row.number()?, row.interval?))
    };
    let found = of(ENVOY_TABLE).zip(of(ENVOY_RING)).map(|((table, of_table), (ring, of_ring))| {
        let level = of_table.level;
        let interval = Interval { low: of_table.low / of_ring.high, high: of_table.high / of_ring.low, level };
        let text = format!(
            "{} times ({} to {}): {}% of the keys against {}%",
            digits(table / ring),
            digits(interval.low),
            digits(interval.high),
            digits(100.0 * table),
            digits(100.0 * ring)
        );
        (text, in_band(ABOUT_TWO, table / ring, Some(interval)))
    });
    Parts::default().compared("", found).verdict(
        "envoy.maglev.moves",
        Rule::Ratio,
        "Keys that move when one host of 500 (assumed) is lost, over the losses of each of them (of some at \
         smaller scales); a ring of 256K entries (assumed). The \
         least is 0.2%. The documentation says \"about\" and not how many hosts: 1.5 to 2.5 times is taken for it.",
        "",
    )
}

fn ratio(record: &Record, id: &str, metric: &str, band: (f64, f64)) -> Verdict {
    let row = record.time(ENVOY_RING, metric, &[]);
    let found = row.and_then(|row| {
        let interval = row.judged()?;
        Some((row.written(digits), in_band(band, row.value, Some(interval))))
    });
    Parts::default().timed("ring over table", found, row.is_some()).verdict(
        id,
        Rule::Ratio,
        &format!(
            "Our code of both, bit for bit Envoy's answers and not its programs: 500 hosts (assumed), a table of 65,537 slots, a ring of 256K \
             entries. The documentation says \"approximately\": {} to {} times is taken for it.",
            band.0, band.1
        ),
        "",
    )
}
