//! Which keys move when buckets come and go (Lamping & Veach 2014, Introduction; Karger et al. 1997, Theorem 4.4; the
//! worked article; the article on jump).
//!
//! 1. *Changes at the end.* Random keys before and after 10 → 11, 10 → 12 and 11 → 10 buckets: how many move, how many
//!    had to, from where to where. What moves is also known exactly: from the shares of the buckets that come or go, and
//!    for h mod n from the residues.
//! 2. *A server is deleted from the middle.* Jump only numbers buckets. With servers in an array, deleting one shifts all
//!    after it; a ring and a rendezvous just lose a bucket.
//! 3. *The worked article.* Its 100,000 keys and its nodes, to the key.
//! 4. *Two views.* Theorem 4.4: of the keys a fraction |V1 ∩ V2| / |V1 ∪ V2| has the same bucket in both views.

use std::collections::BTreeSet;
use std::ops::Range;
use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::{Jump, Partitioner};
use consistent_hash_lab::catalog::{self, Algorithm, Build, Implementation, Shares};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Outcome, Parametrised, Record, Row, Rule, Settings, Verdict,
};
use consistent_hash_lab::measure::movement::{Movement, modulo_moves, overlap};
use consistent_hash_lab::published::{self, Comparison, Parts};
use consistent_hash_lab::statistics::{Moments, mean_interval, normal_error, sidak, z_test};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::{article, random_keys};

// The path is given because this file is a program of its own and a module of `chlab`.
#[path = "key_movement/charts.rs"]
mod charts;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "key_movement",
            title: "Which keys move when buckets come and go",
            paper: "Lamping & Veach 2014, Introduction; Karger et al. 1997, Theorem 4.4; two articles",
            method: "Random keys before and after 10 to 11, 10 to 12 and 11 to 10 buckets, built anew and grown in place: \
                     keys moved against the least possible, donors, receivers, strays. A server deleted from the middle \
                     of an array that jump indexes. The worked article's keys. Theorem 4.4 for five pairs of views.",
            grid,
        },
        verdicts,
        charts: charts::charts,
        summary,
        section: None,
    }
}

/// Buckets before and after.
const CHANGES: [(u32, u32); 3] = [(10, 11), (10, 12), (11, 10)];
/// Points per bucket of the rings of parts 1 and 2: as many as the worked article's.
const POINTS: u32 = 200;
/// Of ten servers the one that is deleted.
const DELETED: u32 = 3;
/// Family-wise error of the tests of part 4.
const ALPHA: f64 = 0.001;

fn grid(settings: &Settings) -> Vec<Cell> {
    let keys = settings.scale.pick(20_000, 1_000_000, 10_000_000);
    // The keys, and their buckets before, after, and after growing in place.
    let bytes = keys as u64 * 20;
    let all: Vec<&'static str> = settings.implementations().map(|entry| entry.id).collect();
    let removers = settings.implementations().filter(|entry| entry.remove.is_some() && entry.promises.monotone_removal);
    let removers: Vec<&'static str> = removers.map(|entry| entry.id).collect();
    let array: Vec<&'static str> = settings.choose(["jump"]).into_iter().chain(removers.iter().copied()).collect();

    let mut cells: Vec<Cell> = Vec::new();
    for (from, to) in CHANGES {
        let ids = all.clone();
        let measure = move |cell: &Context| change(cell, &ids, from, to, keys);
        cells.push(Cell::statistical(format!("{from} to {to}"), all.clone(), measure).bytes(bytes));
    }
    let ids = array.clone();
    cells.push(Cell::statistical("delete from the middle", array, move |cell| deletion(cell, &ids, keys)).bytes(bytes));
    cells.push(Cell::statistical("residues", settings.choose(["modulo"]), |_| residues()));
    cells.push(Cell::statistical("article", [], |_| worked_article()));
    let rings = settings.scale.pick(200, 500, 5_000);
    for views in VIEWS {
        let ids = removers.clone();
        let key = format!("views {}", views.name);
        let measure = move |cell: &Context| two_views(cell, &ids, &views, rings);
        cells.push(Cell::statistical(key, removers.clone(), measure));
    }
    cells
}

fn entries(ids: &[&'static str]) -> impl Iterator<Item = &'static Implementation> {
    ids.iter().filter_map(|id| catalog::find(id))
}

fn assigned(partitioner: &(impl Partitioner + ?Sized), keys: &[u64]) -> Vec<u32> {
    let mut buckets = vec![0; keys.len()];
    partitioner.buckets(keys, &mut buckets);
    buckets
}

/// Part 1. All implementations get the same keys, and all rings the same points.
fn change(cell: &Context, ids: &[&'static str], from: u32, to: u32, keys: usize) -> anyhow::Result<Findings> {
    let keys = random_keys(keys, &mut cell.stream());
    let build = |buckets| Build::new(buckets, POINTS, cell.repetition(0));
    let mut rows = Vec::new();
    for entry in entries(ids) {
        let before = assigned(&*(entry.build)(build(from))?, &keys);
        let after = assigned(&*(entry.build)(build(to))?, &keys);
        let movement = Movement::resized(&before, &after, from, to)?;
        let all = movement.keys as f64;
        let of = |metric, value: serde_json::Value| Row::new(entry.id, metric, value);
        let mut found = vec![
            Row::fraction(entry.id, "moved_fraction", movement.moved, movement.keys),
            of("exact_moved_fraction", exactly_moved(entry, build, from, to)?.into()),
            of("least_fraction", (movement.least_for_loads() as f64 / all).into()),
            of("even_least_fraction", (movement.least / all).into()),
            of("stray_keys", movement.stray.into()),
            of("donor_buckets", movement.donors.len().into()),
            of("receiver_buckets", movement.receivers.len().into()),
        ];
        for (metric, counts) in [("lost_fraction", &movement.donors), ("gained_fraction", &movement.receivers)] {
            found.extend((0..from.max(to)).map(|bucket| {
                let count = counts.get(&bucket).copied().unwrap_or(0);
                Row::fraction(entry.id, metric, count, movement.keys).with("bucket", bucket)
            }));
        }
        if let Some(resize) = entry.resize {
            let mut resized = resize(build(from))?;
            while resized.bucket_count() != to {
                if from < to {
                    resized.grow()?
                } else {
                    resized.shrink()?
                };
            }
            let differ = assigned(&*resized, &keys).iter().zip(&after).filter(|(a, b)| a != b).count();
            found.push(of("resized_in_place_differs_keys", differ.into()));
        }
        rows.extend(found.into_iter().map(|row| row.with("from", from).with("to", to)));
    }
    Ok(rows.into())
}

/// The fraction of all possible keys that moves. Where the algorithm is monotone, these are the keys of the buckets that
/// come or go: their share.
fn exactly_moved(
    entry: &Implementation,
    build: impl Fn(u32) -> Build,
    from: u32,
    to: u32,
) -> anyhow::Result<Option<f64>> {
    let (fewer, more) = (from.min(to), from.max(to));
    if entry.algorithm == Algorithm::Modulo {
        return Ok(Some(modulo_moves(from, to)?.moved_fraction()));
    }
    match entry.shares {
        Shares::Exact(shares) if entry.promises.monotone_growth => {
            Ok(Some(shares(build(more))?.iter().skip(fewer as usize).sum()))
        }
        _ => Ok(None),
    }
}

fn residues() -> anyhow::Result<Findings> {
    let rows = CHANGES.iter().map(|&(from, to)| {
        let movement = modulo_moves(from, to)?;
        let row = Row::new("modulo", "moved_residues", movement.moved);
        Ok(row.with("residues", movement.keys).with("from", from).with("to", to))
    });
    Ok(rows.collect::<anyhow::Result<Vec<Row>>>()?.into())
}

/// Part 2.
fn deletion(cell: &Context, ids: &[&'static str], keys: usize) -> anyhow::Result<Findings> {
    let keys = random_keys(keys, &mut cell.stream());
    let before: Vec<u32> = (0..10).collect();
    let after: Vec<u32> = before.iter().copied().filter(|&server| server != DELETED).collect();
    let sets: [BTreeSet<u32>; 2] = [&before, &after].map(|servers| servers.iter().copied().collect());
    let mut rows = Vec::new();
    for entry in entries(ids) {
        let movement = match entry.remove {
            None => {
                // servers[jump(key, servers.len())]
                let indices = [&before, &after].map(|servers| Jump::new(servers.len() as u32));
                let [old, new] = indices;
                let (old, new) = (assigned(&old?, &keys), assigned(&new?, &keys));
                let changed = old.iter().zip(&new).filter(|(old, new)| old != new).count();
                rows.push(Row::fraction(entry.id, "changed_index_fraction", changed as u64, keys.len() as u64));
                let server = |servers: &[u32], index: &u32| servers.get(*index as usize).copied();
                let old: Option<Vec<u32>> = old.iter().map(|index| server(&before, index)).collect();
                let new: Option<Vec<u32>> = new.iter().map(|index| server(&after, index)).collect();
                let (old, new) = old.zip(new).context("an index beyond the array")?;
                Movement::between(&old, &new, &sets[0], &sets[1])?
            }
            Some(remove) => {
                let mut servers = remove(Build::new(10, POINTS, cell.repetition(0)))?;
                let old = assigned(&*servers, &keys);
                servers.remove(DELETED)?;
                Movement::between(&old, &assigned(&*servers, &keys), &sets[0], &sets[1])?
            }
        };
        rows.push(Row::fraction(entry.id, "changed_server_fraction", movement.moved, movement.keys));
        rows.push(Row::new(entry.id, "changed_server_stray_keys", movement.stray));
        let least = movement.least_for_loads() as f64 / movement.keys as f64;
        rows.push(Row::new(entry.id, "changed_server_least_fraction", least));
    }
    Ok(rows.into())
}

const ARTICLE_MODULO: &str = "article, hash mod n";
const ARTICLE_RING: &str = "article, ring";

/// Part 3.
fn worked_article() -> anyhow::Result<Findings> {
    let keys = article::keys();
    let modulo = |n: u64| keys.iter().map(|key| (key % n) as u32).collect::<Vec<u32>>();
    let ring = |nodes| -> anyhow::Result<Vec<u32>> {
        let ring = article::ring(nodes, 200)?;
        // A node is known by its name, because sorted names are not in the order of the nodes.
        let number = |&key: &u64| ring.owner(key).trim_start_matches("node-").parse().context("a node's number");
        keys.iter().map(number).collect()
    };
    let found = [
        (ARTICLE_MODULO, Movement::resized(&modulo(10), &modulo(11), 10, 11)?),
        (ARTICLE_RING, Movement::resized(&ring(10)?, &ring(11)?, 10, 11)?),
    ];
    let rows = found.iter().flat_map(|(who, movement)| {
        let row =
            |metric, keys| Row::new(who, metric, keys).with("keys", movement.keys).with("from", 10).with("to", 11);
        [row("moved_keys", movement.moved), row("stray_keys", movement.stray)]
    });
    Ok(rows.collect::<Vec<Row>>().into())
}

/// Two sets of working buckets among 16.
#[derive(Clone)]
struct Views {
    name: &'static str,
    first: Range<u32>,
    second: Range<u32>,
}

const VIEWS: [Views; 5] = [
    Views { name: "0-9 and 0-11", first: 0..10, second: 0..12 },
    Views { name: "0-9 and 1-10", first: 0..10, second: 1..11 },
    Views { name: "0-9 and 5-14", first: 0..10, second: 5..15 },
    Views { name: "0-3 and 0-15", first: 0..4, second: 0..16 },
    Views { name: "0-8 and 7-15", first: 0..9, second: 7..16 },
];

impl Views {
    fn overlap(&self) -> f64 {
        overlap(&self.first.clone().collect(), &self.second.clone().collect())
    }
}

/// Part 4. The theorem is about the expectation over the hash function: each repetition has another, and other keys.
fn two_views(cell: &Context, ids: &[&'static str], views: &Views, repetitions: u64) -> anyhow::Result<Findings> {
    const KEYS: usize = 200;
    let mut rows = Vec::new();
    for entry in entries(ids) {
        let remove = entry.remove.context("buckets that can be removed")?;
        let mut stream = cell.stream();
        let unchanged = (0..repetitions).map(|repetition| -> anyhow::Result<f64> {
            let keys = random_keys(KEYS, &mut stream);
            let seen = |view: &Range<u32>| -> anyhow::Result<Vec<u32>> {
                // Few points: arcs differ most, and only the expectation is promised.
                let mut buckets = remove(Build::new(16, 5, cell.repetition(repetition)))?;
                for gone in (0..16).filter(|bucket| !view.contains(bucket)) {
                    buckets.remove(gone)?;
                }
                Ok(assigned(&*buckets, &keys))
            };
            let (first, second) = (seen(&views.first)?, seen(&views.second)?);
            Ok(first.iter().zip(&second).filter(|(a, b)| a == b).count() as f64 / KEYS as f64)
        });
        let unchanged = unchanged.collect::<anyhow::Result<Vec<f64>>>()?;
        let moments = Moments::of(&unchanged).context("repetitions")?;
        let error = (moments.variance_population / repetitions as f64).sqrt();
        let row = |metric, value: serde_json::Value| {
            let row = Row::new(entry.id, metric, value).with("overlap", views.overlap());
            row.with("views", views.name).with("repetitions", repetitions)
        };
        rows.push(Row { interval: mean_interval(&unchanged, 0.99), ..row("unchanged_fraction", moments.mean.into()) });
        rows.push(row("unchanged_p", z_test(moments.mean, views.overlap(), error).into()));
    }
    Ok(rows.into())
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    vec![
        jump_verdict(record),
        article_verdict(record, "article.movement.mod", ARTICLE_MODULO),
        article_verdict(record, "article.movement.ring", ARTICLE_RING),
        residues_verdict(record),
        array_verdict(record),
        views_verdict(record),
    ]
}

fn value(id: &str) -> f64 {
    published::find(id).and_then(|published| published.value.as_f64()).unwrap_or(f64::NAN)
}

/// A sample tells one sixth from what two digits of it stand for, if its interval is no longer than this.
const TWO_DIGITS: f64 = 0.01;

/// Exactly from the draws, and by random keys.
fn jump_verdict(record: &Record) -> Verdict {
    let (id, at) = ("jump.move.10to12", [("from", 10.0), ("to", 12.0)]);
    let sixth = value(id);
    let exactly = record.number("jump", "exact_moved_fraction", &at).map(|exactly| {
        // Each of the 12 shares is a whole number of 2^-31.
        (format!("{exactly:.10}"), (exactly - sixth).abs() <= 12.0 * 2_f64.powi(-31))
    });
    let sampled = record.row("jump", "moved_fraction", &at).and_then(|row| Some((row.number()?, row.interval?)));
    let sampled = sampled.map(|(moved, interval)| {
        let comparison = match interval.contains(sixth) {
            false => Comparison::Fails,
            true if interval.high - interval.low <= TWO_DIGITS => Comparison::Holds,
            true => Comparison::Undecided,
        };
        (format!("{moved:.4} ({:.4} to {:.4})", interval.low, interval.high), comparison)
    });
    Parts::default().part("from the 31-bit draws", exactly).compared("random keys", sampled).verdict(
        id,
        Rule::Exact,
        "The draws may miss 1/6 by 12/2^31, since each share is a whole number of 2^-31. The exact binomial 99% interval of \
         the random keys has to hold 1/6 and to be no longer than 0.01.",
        "",
    )
}

fn article_verdict(record: &Record, id: &str, who: &str) -> Verdict {
    let published = published::find(id);
    let count = |field: &str| published?.recomputed.as_ref()?.get(field)?.as_f64();
    let moved = record.row(who, "moved_keys", &[]).and_then(|row| Some((row.number()?, row.parameter("keys")?)));
    let stray = record.number(who, "stray_keys", &[]);
    let part = moved.zip(stray).map(|((moved, keys), stray)| {
        let (low, high) = published::rounding(value(id));
        let equal = count("moved") == Some(moved) && count("of") == Some(keys);
        let digits = (low..=high).contains(&(moved / keys));
        // A ring moves keys to the new node only; h mod n promises nothing.
        (format!("{moved} of {keys}, {stray} stray"), equal && digits && (who != ARTICLE_RING || stray == 0.0))
    });
    Parts::default().part("", part).verdict(
        id,
        Rule::Exact,
        "The article's keys and nodes: the fraction rounds to the printed one, and the count is the one on file, \
         recomputed from the article's inputs. Stray: moved between two nodes that were there before and after.",
        "",
    )
}

fn residues_verdict(record: &Record) -> Verdict {
    let id = "jumparticle.mod_10_to_12";
    let row = record.row("modulo", "moved_residues", &[("from", 10.0), ("to", 12.0)]);
    let part = row.and_then(|row| Some((row.number()?, row.parameter("residues")?))).map(|(moved, residues)| {
        (format!("{moved} of {residues} residues = {:.4}", moved / residues), moved / residues == value(id))
    });
    let why = "h mod n on one period of h, every residue once: arithmetic, which no machine could do otherwise.";
    Parts::at_best(Outcome::ByDefinition).part("", part).verdict(id, Rule::Exact, why, "")
}

fn array_verdict(record: &Record) -> Verdict {
    let found = |metric| record.row("jump", metric, &[]).and_then(|row| Some((row.number()?, row.interval?)));
    let part = found("changed_server_fraction").zip(found("changed_index_fraction")).map(|(server, index)| {
        let text = format!("server changes for {:.4}, jump's result for {:.4}", server.0, index.0);
        (text, server.1.low > 0.5 && index.1.high < 0.2)
    });
    let others: Vec<String> = record
        .implementations("changed_server_fraction")
        .into_iter()
        .filter(|&id| id != "jump")
        .filter_map(|id| Some(format!("{id} {:.4}", record.number(id, "changed_server_fraction", &[])?)))
        .collect();
    let others =
        if others.is_empty() { String::new() } else { format!(" Removing that bucket: {}.", others.join(", ")) };
    let note =
        format!("Least possible: 0.1. \"Most\" is read as more than half, \"hardly\" as less than a fifth.{others}");
    Parts::default().part("", part).verdict("jumparticle.servers_array", Rule::Shape, &note, "")
}

/// Of functions of the view: where owners also depend on the order of removals, two views that were reached by different
/// ways have less in common, which is no matter of the theorem.
fn views_verdict(record: &Record) -> Verdict {
    let mut ids = record.implementations("unchanged_fraction");
    ids.retain(|id| catalog::find(id).is_none_or(|entry| !entry.promises.history_dependent));
    if ids.is_empty() {
        return published::not_measured("karger97.thm44", Rule::Statistical, "Not in this run.");
    }
    // What gives equal answers, as three storages of one ring do, is named and tested once.
    let mut alike: Vec<(Vec<&str>, Vec<&Row>)> = Vec::new();
    for id in ids {
        let rows: Vec<&Row> = record.rows(id, "unchanged_fraction").collect();
        let same = |others: &Vec<&Row>| others.iter().map(|row| &row.value).eq(rows.iter().map(|row| &row.value));
        match alike.iter_mut().find(|(_, others)| same(others)) {
            Some((names, _)) => names.push(id),
            None => alike.push((vec![id], rows)),
        }
    }
    let tests: usize = alike.iter().map(|(_, rows)| rows.len()).sum();
    let threshold = sidak(ALPHA, tests.max(1) as u64).unwrap_or(ALPHA);
    let parts = alike.iter().fold(Parts::default(), |parts, (names, rows)| {
        // A test that could not be made fails.
        let least = rows.iter().map(|row| fits_overlap(row).unwrap_or(0.0)).fold(1.0, f64::min);
        let comparison = match least >= threshold {
            false => Comparison::Fails,
            true if rows.iter().all(|row| told_apart(row)) => Comparison::Holds,
            true => Comparison::Undecided,
        };
        parts.compared(&names.join(" = "), Some((format!("{} pairs, least p {least:.2}", rows.len()), comparison)))
    });
    parts.verdict(
        "karger97.thm44",
        Rule::Statistical,
        "Mean over independent hash functions of the fraction of keys with the same bucket in both views (two-sided \
         z-tests, Sidak-corrected, family-wise 0.001). Decided where the 99% interval of each pair of views excludes what \
         the theorem gives for every other pair. Names joined by = gave equal answers.",
        "",
    )
}

/// How probable a mean as far from the overlap is, from the 99% interval of the mean.
fn fits_overlap(row: &Row) -> Option<f64> {
    let (mean, interval) = row.range()?;
    z_test(mean, row.parameter("overlap")?, normal_error(interval)?)
}

/// Whether the mean is sharp enough to tell its pair of views from all others.
fn told_apart(row: &Row) -> bool {
    let here = row.parameter("overlap");
    let mut others = VIEWS.iter().map(Views::overlap).filter(|&overlap| Some(overlap) != here);
    row.interval.is_some_and(|interval| others.all(|overlap| !interval.contains(overlap)))
}

/// The least that has to move for the loads that an implementation had before and after: what its buckets gained on balance.
fn least_for_loads(record: &Record, id: &str, from: u32, to: u32) -> Option<f64> {
    let at = [("from", f64::from(from)), ("to", f64::from(to))];
    let gained = record.rows(id, "gained_fraction").filter(|row| row.is_at(&at));
    let least = gained.filter_map(|row| {
        let here = [("bucket", row.parameter("bucket")?), at[0], at[1]];
        Some((row.number()? - record.number(id, "lost_fraction", &here)?).max(0.0))
    });
    record.number(id, "moved_fraction", &at).map(|_| least.sum())
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "change",
        "implementation",
        "moved",
        "exactly",
        "least for its shares",
        "stray",
        "donors",
        "receivers",
        "wrong in place",
    ]);
    for (from, to) in CHANGES {
        let at = [("from", f64::from(from)), ("to", f64::from(to))];
        for id in record.implementations("moved_fraction") {
            let number = |metric| record.number(id, metric, &at);
            let Some(moved) = number("moved_fraction") else { continue };
            let written = |metric, decimals| number(metric).map_or(String::new(), |x| format!("{x:.decimals$}"));
            table.row([
                format!("{from} to {to}"),
                id.to_owned(),
                format!("{moved:.5}"),
                written("exact_moved_fraction", 5),
                least_for_loads(record, id, from, to).map_or(String::new(), |least| format!("{least:.5}")),
                written("stray_keys", 0),
                written("donor_buckets", 0),
                written("receiver_buckets", 0),
                written("resized_in_place_differs_keys", 0),
            ]);
        }
    }
    table
}
