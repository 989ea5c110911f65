//! How much of a skew is the hash's fault: keys and nodes of real shapes through the hash functions that systems use.
//!
//! 1. *Keys.* 100,000 keys of each shape are hashed and given to ten nodes in the two ways that systems do: by the remainder of the
//!    hash, as a list of servers is indexed, and by its place among all hash values, as a circle is cut. With a good hash the counts
//!    are those of random draws: chi-squared, corrected for the number of tests, says which are not. Numbers in sequence may also be
//!    more even than chance; what is tested is whether they are less.
//! 2. *Nodes.* A ring of ten nodes with 100 points each, whose points are the hashes of "name-number": its exact shares, beside the 99%
//!    range of random rings. What lies beyond it is the fault of hash and names, not of the ring.
//! 3. *A report from practice.* Zalando's Skipper once had rings of one point a server and FNV-1a; the counts that a user published
//!    (github.com/zalando/skipper, issue 1796) are those of this ring but for one key, which is missing in
//!    their sum of 99,999; beside them those of other hashes on the same names and keys.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{Cell, Context, Experiment, Findings, Record, Row, Settings};
use consistent_hash_lab::measure::share::{Balance, ring_shares64};
use consistent_hash_lab::published::digits;
use consistent_hash_lab::statistics::{chi_squared, sidak};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::systems::hash::{crc, fnv, haproxy, hsieh, jenkins, md5, murmur};
use consistent_hash_lab::text::table::Table;
use xxhash_rust::xxh64::xxh64;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "hash_quality",
            title: "How much of a skew is the hash's fault",
            paper: "the hash functions of deployed systems; zalando/skipper, issue 1796",
            method: "100,000 keys of each of several shapes, through each hash, to ten nodes by remainder and by place on the circle: \
                     largest share over the mean, chi-squared test. Rings of ten nodes with 100 points each, whose points are \
                     hashes of names: exact shares beside those of random rings. And the ring of a published complaint.",
            grid,
        },
        verdicts: |_| Vec::new(),
        charts,
        summary,
        section: None,
    }
}

const NODES: u32 = 10;
const POINTS: u32 = 100;
const KEYS: u64 = 100_000;
/// Family-wise error of all tests of keys.
const ALPHA: f64 = 0.001;
const RANDOM: &str = "random rings";

/// A hash, its width in bits, and who uses it.
struct Hash {
    name: &'static str,
    bits: u32,
    of: fn(&[u8]) -> u64,
}

const HASHES: [Hash; 10] = [
    Hash { name: "CRC-32", bits: 32, of: |data| crc::crc32(data).into() },
    Hash { name: "CRC-32, 15 bits", bits: 15, of: |data| crc::crc32_15(data).into() },
    Hash { name: "FNV-1a, 32", bits: 32, of: |data| fnv::fnv1a_32(data).into() },
    Hash { name: "fnv1a_64, lower half", bits: 32, of: |data| fnv::fnv1a_64(data).into() },
    Hash { name: "sdbm", bits: 32, of: |data| haproxy::sdbm(data).into() },
    Hash { name: "Hsieh", bits: 32, of: |data| hsieh::hsieh(data).into() },
    Hash { name: "one-at-a-time", bits: 32, of: |data| jenkins::one_at_a_time(data).into() },
    Hash { name: "MD5", bits: 32, of: |data| md5::word(data).into() },
    Hash { name: "murmur3", bits: 32, of: |data| murmur::murmur3_32(data, 0).into() },
    Hash { name: "xxh64", bits: 64, of: |data| xxh64(data, 0) },
];

impl Hash {
    /// Its place on a circle of 2^64 positions.
    fn place(&self, data: &[u8]) -> u64 {
        (self.of)(data) << (64 - self.bits)
    }
}

/// A shape of text, and the text with a number.
struct Shape {
    name: &'static str,
    of: fn(u64) -> String,
}

const KEY_SHAPES: [Shape; 6] = [
    Shape { name: "numbers", of: |i| i.to_string() },
    Shape { name: "key-N", of: |i| format!("key-{i}") },
    Shape { name: "padded", of: |i| format!("user:{i:012}") },
    Shape { name: "addresses", of: |i| format!("10.{}.{}.{}:{}", i >> 14, (i >> 6) & 255, i & 63, 40_000 + i % 1000) },
    Shape { name: "URLs", of: |i| format!("https://www.example.com/shop/article/{i}/images/large.jpg?v=2") },
    Shape { name: "UUIDs", of: uuid },
];

const NODE_SHAPES: [Shape; 3] = [
    Shape { name: "10.0.0.N:11211", of: |i| format!("10.0.0.{}:11211", i + 1) },
    Shape { name: "node-N", of: |i| format!("node-{i}") },
    Shape { name: "http://127.0.0.1:900N", of: endpoint },
];

/// A random UUID of version 4, from a generator that has nothing to do with the hashes.
fn uuid(i: u64) -> String {
    let half = |seed: u64| consistent_hash_lab::algorithms::hash::mix64(i ^ seed);
    let (a, b) = (half(0x9e37_79b9_7f4a_7c15), half(0xd1b5_4a32_d192_ed03));
    format!(
        "{:08x}-{:04x}-4{:03x}-{:04x}-{:012x}",
        a >> 32,
        (a >> 16) & 0xffff,
        a & 0xfff,
        (b >> 48) & 0x3fff | 0x8000,
        b & 0xffff_ffff_ffff
    )
}

fn endpoint(i: u64) -> String {
    format!("http://127.0.0.1:{}", 9001 + i)
}

fn grid(settings: &Settings) -> Vec<Cell> {
    let rings = settings.scale.pick(200, 2_000, 20_000);
    let keys = KEY_SHAPES
        .iter()
        .map(|shape| Cell::statistical(format!("keys {}", shape.name), [], move |_| Ok(of_keys(shape)?.into())));
    let nodes = NODE_SHAPES
        .iter()
        .map(|shape| Cell::statistical(format!("nodes {}", shape.name), [], move |_| Ok(of_nodes(shape)?.into())));
    let others = [
        Cell::statistical("random rings", [RING], move |cell| random_rings(cell, rings)),
        Cell::statistical("a report from practice", [], |_| Ok(complaint().into())),
    ];
    keys.chain(nodes).chain(others).collect()
}

/// From a key to its node.
type Way<'a> = &'a dyn Fn(&[u8]) -> u64;

/// Part 1: the counts of one shape.
fn of_keys(shape: &Shape) -> anyhow::Result<Vec<Row>> {
    let even = vec![1.0 / f64::from(NODES); NODES as usize];
    let keys: Vec<Vec<u8>> = (0..KEYS).map(|i| (shape.of)(i).into_bytes()).collect();
    let mut rows = Vec::new();
    for hash in &HASHES {
        let remainder = |key: &[u8]| (hash.of)(key) % u64::from(NODES);
        let place = |key: &[u8]| ((u128::from(hash.place(key)) * u128::from(NODES)) >> 64) as u64;
        let ways: [(&str, Way<'_>); 2] = [("remainder", &remainder), ("circle", &place)];
        for (way, of) in ways {
            let mut counts = vec![0_u64; NODES as usize];
            keys.iter().for_each(|key| counts[of(key) as usize] += 1);
            let at = |row: Row| row.with("keys", shape.name).with("by", way);
            let balance = Balance::of_counts(&counts)?;
            rows.push(at(Row::new(hash.name, "peak_ratio", balance.peak_to_average)));
            rows.push(at(Row::new(hash.name, "uneven_p", chi_squared(&counts, &even)?.p_high)));
        }
    }
    Ok(rows)
}

/// Part 2: the exact shares of rings whose nodes are named so.
fn of_nodes(shape: &Shape) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for hash in &HASHES {
        // Where points coincide the node that comes first keeps the place.
        let mut points: Vec<(u64, u32)> = (0..NODES)
            .flat_map(|node| {
                let name = (shape.of)(node.into());
                (0..POINTS).map(move |i| (hash.place(format!("{name}-{i}").as_bytes()), node))
            })
            .collect();
        points.sort_unstable();
        points.dedup_by_key(|point| point.0);
        let distinct = points.len();
        let balance = Balance::of_shares(&ring_shares64(points, NODES)?)?;
        let at = |row: Row| row.with("nodes", shape.name);
        rows.push(at(Row::new(hash.name, "ring_peak_ratio", balance.peak_to_average)));
        rows.push(at(Row::new(hash.name, "ring_cv", balance.cv)));
        rows.push(at(Row::new(hash.name, "distinct_points", distinct)));
    }
    Ok(rows)
}

const RING: &str = "ring-sorted64";

fn random_rings(cell: &Context, rings: u64) -> anyhow::Result<Findings> {
    let builds: Vec<Build> = (0..rings).map(|ring| Build::new(NODES, POINTS, cell.repetition(ring))).collect();
    let balances = catalog::find(RING).context("not in the catalogue")?.balances(&builds)?;
    let row = |metric, of: fn(&Balance) -> f64| {
        Row::of_repetitions(RANDOM, metric, &balances.iter().map(of).collect::<Vec<_>>()).context("no rings")
    };
    Ok(vec![row("ring_peak_ratio", |balance| balance.peak_to_average)?, row("ring_cv", |balance| balance.cv)?].into())
}

/// What the user published; they sum to 99,999.
const PUBLISHED_COUNTS: [u64; 10] = [1948, 384, 755, 397, 391, 377, 387, 435, 94_086, 839];

/// Part 3: servers of one point each, keys "sku-1" to "sku-100000".
fn complaint() -> Vec<Row> {
    let mut rows = Vec::new();
    for hash in &HASHES {
        let mut points: Vec<(u64, usize)> =
            (0..NODES as usize).map(|node| (hash.place(endpoint(node as u64).as_bytes()), node)).collect();
        points.sort_unstable();
        let mut counts = vec![0_u64; NODES as usize];
        for key in 1..=KEYS {
            let place = hash.place(format!("sku-{key}").as_bytes());
            let at = points.partition_point(|point| point.0 < place) % points.len();
            counts[points[at].1] += 1;
        }
        let largest = counts.iter().max().copied().unwrap_or(0) as f64 / KEYS as f64;
        rows.push(Row::new(hash.name, "largest_share", largest).with("report", "skipper 1796"));
        rows.push(Row::new(hash.name, "counts", counts).with("report", "skipper 1796"));
    }
    rows.push(Row::new("as published", "counts", PUBLISHED_COUNTS.to_vec()).with("report", "skipper 1796"));
    rows
}

/// Rows of one kind, in the order of the hashes: their place on the axis, and their value.
fn by_hash(record: &Record, metric: &str, wanted: &[(&str, &str)]) -> Vec<(f64, f64)> {
    let is_wanted = |row: &&Row| {
        wanted.iter().all(|&(name, value)| row.parameters.get(name).is_some_and(|found| found.as_str() == Some(value)))
    };
    let of = |hash: &Hash| record.rows(hash.name, metric).find(is_wanted).and_then(Row::number);
    (0..).zip(&HASHES).filter_map(|(at, hash)| Some((f64::from(at), of(hash)?))).collect()
}

/// How many pairs of hash and shape are less even than chance.
fn uneven(record: &Record, by: &str) -> Option<(usize, usize)> {
    let rows = || {
        let all = HASHES.iter().flat_map(|hash| record.rows(hash.name, "uneven_p"));
        all.filter(|row| row.parameters.get("by").is_some_and(|way| way.as_str() == Some(by))).filter_map(Row::number)
    };
    let threshold = sidak(ALPHA, 2 * (HASHES.len() * KEY_SHAPES.len()) as u64)?;
    let all = rows().count();
    (all > 0).then(|| (rows().filter(|&p| p < threshold).count(), all))
}

fn title(record: &Record) -> Option<String> {
    let (remainder, all) = uneven(record, "remainder")?;
    let (circle, _) = uneven(record, "circle")?;
    Some(format!(
        "Of {all} pairs of hash and shape of keys, {remainder} are less even than chance by remainder, {circle} by place on the circle"
    ))
}

fn charts(record: &Record) -> Vec<Chart> {
    const MARKERS: [Marker; 6] =
        [Marker::Circle, Marker::Square, Marker::Triangle, Marker::Diamond, Marker::Circle, Marker::Square];
    let series = |at: usize, label: &str, points: Vec<(f64, f64)>| {
        Series {
            label: label.into(),
            style: Style { color: at, marker: MARKERS[at % MARKERS.len()], ..records::style(RING) },
            points: points.into_iter().map(|(x, y)| records::point(x, y, None)).collect(),
        }
        .unjoined()
    };
    let peaks = ["peak_ratio", "ring_peak_ratio"]
        .map(|metric| HASHES.iter().flat_map(move |hash| record.rows(hash.name, metric)));
    // One scale, so that panels can be compared.
    let most = 1.1 * peaks.into_iter().flatten().filter_map(Row::number).fold(2.0, f64::max);
    let axis = || Axis::categories("hash", HASHES.iter().map(|hash| hash.name));
    let peak = |label: &str, range| Axis {
        label: label.into(),
        scale: AxisScale::Log10,
        range: Some(range),
        ticks: Ticks::Number,
    };
    let keys = |by: &'static str, title: &str| {
        let of = |(at, shape): (usize, &Shape)| {
            series(at, shape.name, by_hash(record, "peak_ratio", &[("keys", shape.name), ("by", by)]))
        };
        Panel::Plot(Plot {
            title: title.into(),
            x: axis(),
            y: peak("largest count / mean", (0.95, most)),
            series: KEY_SHAPES.iter().enumerate().map(of).collect(),
            marks: vec![],
            guides: vec![],
        })
    };
    let range = record.row(RANDOM, "ring_peak_ratio", &[]).and_then(Row::range);
    let last = HASHES.len() as f64 - 0.5;
    let guides = range
        .iter()
        .flat_map(|(_, range)| [range.low, range.high])
        .map(|y| Guide { label: "99% of random rings".into(), points: vec![(-0.5, y), (last, y)] });
    let of = |(at, shape): (usize, &Shape)| {
        series(at, shape.name, by_hash(record, "ring_peak_ratio", &[("nodes", shape.name)]))
    };
    vec![Chart {
        stem: "hash_quality".into(),
        title: title(record).unwrap_or_else(|| "How much of a skew is the hash's fault".into()),
        subtitle: format!(
            "{KEYS} keys of each shape on {NODES} nodes; on the right, rings of {POINTS} points a node, exactly from their arcs."
        ),
        panels: vec![
            keys("remainder", "keys by the remainder of their hash"),
            keys("circle", "keys by the place of their hash on the circle"),
            Panel::Plot(Plot {
                title: "rings whose points are hashes of names".into(),
                x: axis(),
                y: peak("largest share / mean", (0.95, most)),
                series: NODE_SHAPES.iter().enumerate().map(of).collect(),
                marks: vec![],
                guides: guides.collect(),
            }),
        ],
        footnotes: vec![
            "fnv1a_64 is what libmemcached and twemproxy call so: its lower half, of which the prime is 435. Other systems' rings have \
             other labels and numbers of points."
                .into(),
        ],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "hash",
        "worst keys by remainder",
        "peak",
        "worst keys on the circle",
        "peak",
        "worst names of nodes",
        "peak of the ring",
        "skipper 1796: largest share",
    ]);
    let worst = |hash: &Hash, metric: &str, name: &str, by: Option<&str>| {
        let rows = record
            .rows(hash.name, metric)
            .filter(|row| by.is_none_or(|by| row.parameters.get("by").is_some_and(|way| way.as_str() == Some(by))));
        let worst = rows.filter_map(|row| Some((row.number()?, row.parameters.get(name)?.as_str()?)));
        worst
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map_or(("-".to_owned(), "-".to_owned()), |(peak, shape)| (shape.to_owned(), digits(peak)))
    };
    for hash in &HASHES {
        let (remainder, circle) =
            (worst(hash, "peak_ratio", "keys", Some("remainder")), worst(hash, "peak_ratio", "keys", Some("circle")));
        let ring = worst(hash, "ring_peak_ratio", "nodes", None);
        let share = record.number(hash.name, "largest_share", &[]).map_or("-".into(), digits);
        table.row([hash.name.to_owned(), remainder.0, remainder.1, circle.0, circle.1, ring.0, ring.1, share]);
    }
    table
}
