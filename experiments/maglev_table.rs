//! What a Maglev table promises (Eisenbud et al., NSDI 2016, sections 3.4 and 5.3), and what Envoy's documentation says of its own.
//!
//! 1. *Table 1*: the worked example, slot by slot.
//! 2. *Shares*: every backend owns floor(M/n) or ceil(M/n) slots.
//! 3. *Figure 11*: the fullest of 1000 backends, for both table sizes.
//! 4. *Figure 12*: slots that change although their backend did not fail.
//! 5. *Work*: probes until a table is full, against the sum of M/n; how much longer ten times the slots take to fill.
//! 6. *Envoy*: slots of weights 1 and 2; keys moved by every loss of one host of 500; its table against its ring of 256K entries, built
//!    and asked. How many hosts its documentation speaks of is not stated: 500 are assumed.

use std::any::Any;
use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::algorithms::Partitioner;
use consistent_hash_lab::algorithms::hash::{HashFamily, Mix, mix64};
use consistent_hash_lab::algorithms::maglev::{Backend, populate};
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::experiment::timed::{NamedBuild, builds_in_turns, side_by_side};
use consistent_hash_lab::experiment::{Cell, Context, Experiment, Findings, Record, Row, Settings};
use consistent_hash_lab::measure::time::Contender;
use consistent_hash_lab::published;
use consistent_hash_lab::statistics::{harmonic, mean_interval};
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::systems::envoy::{Maglev, RingHash, RingHashOptions};
use consistent_hash_lab::systems::{Node, System};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::random_keys;
use rayon::prelude::*;

#[path = "maglev_table/charts.rs"]
mod charts;
#[path = "maglev_table/verdicts.rs"]
mod verdicts;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "maglev_table",
            title: "What a Maglev table promises",
            paper: "Eisenbud et al. 2016, sections 3.4 and 5.3; documentation of Envoy",
            method: "Table 1 slot by slot; shares of many tables; the fullest of 1000 backends and the slots that change when \
                     backends fail, with tables of 65,537 and 655,373 slots; probes; Envoy's tables and rings without one host.",
            grid,
        },
        verdicts: verdicts::verdicts,
        charts: charts::charts,
        summary,
        section: None,
    }
}

const SIZES: [u64; 2] = [65_537, 655_373];
const BACKENDS: u32 = 1_000;
/// Views of what the paper calls Karger; how they are used is assumed.
const VIEWS: u32 = 1_000;
const FAILED: [u32; 5] = [5, 10, 20, 50, 100];
const HOSTS: usize = 500;
const RING: u64 = 262_144;
const MAGLEV: &str = "maglev";
const KARGER: &str = "Karger with views (assumed)";
const RENDEZVOUS: &str = "rendezvous in a table";
const PLAIN_RING: &str = "ring of 1000 points a backend";
const ENVOY_TABLE: &str = "envoy-maglev";
const ENVOY_RING: &str = "envoy-ring-hash";

fn grid(settings: &Settings) -> Vec<Cell> {
    let scale = settings.scale;
    let mut cells = vec![
        Cell::statistical("table 1", [], |_| table_1()),
        Cell::statistical("shares", [], shares),
        Cell::statistical("envoy weights", [], |_| envoy_weights()),
    ];
    // Every how many-th loss is tried.
    let (keys, step) = (scale.pick(1_000, 5_000, 50_000), scale.pick(100, 20, 1));
    cells.push(Cell::statistical("envoy losses", [], move |cell| envoy_losses(cell, keys, step)));
    let repetitions = scale.pick(2, 10, 200);
    for size in SIZES {
        let few = if size == SIZES[0] { scale.pick(2, 20, 100) } else { scale.pick(1, 4, 100) };
        // Of the large table a tenth, at scales that have to be quick.
        let repetitions = if size == SIZES[0] { repetitions } else { repetitions.min(scale.pick(1, 2, 200)) };
        cells.push(Cell::statistical(format!("fullest M={size}"), [], move |cell| fullest(cell, size, few)));
        cells.push(Cell::statistical(format!("failures M={size}"), [], move |cell| failures(cell, size, repetitions)));
    }
    let timed =
        |key: &str, measure: fn(&Context) -> anyhow::Result<Findings>| Cell::timed(key, [], measure).runs(scale.runs());
    cells.extend([
        timed("builds", builds),
        timed("envoy builds", envoy_builds),
        timed("envoy selection", envoy_selection),
    ]);
    cells
}

fn backends(n: u32, seed: u64) -> Vec<Backend> {
    let mix = Mix::new(seed);
    (0..n).map(|bucket| Backend::new(mix.point(bucket, 0), mix.point(bucket, 1))).collect()
}

fn counts(table: &[u32], n: u32) -> Vec<u64> {
    let mut counts = vec![0; n as usize];
    table.iter().for_each(|&owner| counts[owner as usize] += 1);
    counts
}

/// How much more than the mean the fullest owns, in percent.
fn overload(counts: &[u64]) -> f64 {
    let (sum, most) = (counts.iter().sum::<u64>(), counts.iter().max().copied().unwrap_or(0));
    100.0 * (most as f64 * counts.len() as f64 / sum as f64 - 1.0)
}

/// A skip is one more than its hash value.
fn example() -> [Backend; 3] {
    [Backend::new(3, 3), Backend::new(0, 1), Backend::new(3, 0)]
}

fn table_1() -> anyhow::Result<Findings> {
    let three = example();
    let permutations = three.iter().map(|backend| Ok(backend.permutation(7)?.collect()));
    let permutations = permutations.collect::<anyhow::Result<Vec<Vec<u32>>>>()?;
    let dead = [three[0], Backend { weight: 0.0, ..three[1] }, three[2]];
    let found = serde_json::json!({
        "perm": permutations, "before": populate(7, &three)?, "after_removing_B1": populate(7, &dead)?,
    });
    Ok(vec![Row::new(MAGLEV, "table_1", found)].into())
}

fn shares(cell: &Context) -> anyhow::Result<Findings> {
    let mut rows = Vec::new();
    for (n, size) in [(3, 7), (10, 1_021), (655, 65_537), (1_000, 65_537), (1_000, 655_373)] {
        let counts = counts(&populate(size, &backends(n, cell.repetition(u64::from(n))))?, n);
        let [least, most] = [counts.iter().min(), counts.iter().max()].map(|count| count.copied().unwrap_or(0));
        let row = |metric, slots: u64| Row::new(MAGLEV, metric, slots).with("backends", n).with("table", size);
        rows.extend([row("least_slots", least), row("most_slots", most)]);
    }
    Ok(rows.into())
}

fn envoy_weights() -> anyhow::Result<Findings> {
    let nodes = [Node::new("10.0.0.1:80", 1), Node::new("10.0.0.2:80", 2)];
    let counts = counts(Maglev::new(&nodes, SIZES[0])?.table(), 2);
    let rows =
        (1_u32..).zip(counts).map(|(weight, slots)| Row::new("envoy-maglev", "slots", slots).with("weight", weight));
    Ok(rows.collect::<Vec<Row>>().into())
}

fn hosts() -> Vec<Node> {
    (0..HOSTS).map(|host| Node::new(format!("10.0.{}.{}:80", host / 250, host % 250), 1)).collect()
}

fn table(nodes: &[Node]) -> anyhow::Result<Box<dyn System>> {
    Ok(Box::new(Maglev::new(nodes, SIZES[0])?))
}

fn ring(nodes: &[Node]) -> anyhow::Result<Box<dyn System>> {
    Ok(Box::new(RingHash::new(nodes, RingHashOptions { minimum: RING, ..RingHashOptions::default() })?))
}

type Make = fn(&[Node]) -> anyhow::Result<Box<dyn System>>;
const ENVOY: [(&str, Make); 2] = [(ENVOY_TABLE, table), (ENVOY_RING, ring)];

/// Every host is lost once, not only the last: one host alone says how large its own arc was.
fn envoy_losses(cell: &Context, keys: usize, step: usize) -> anyhow::Result<Findings> {
    let nodes = hosts();
    let keys: Vec<[u8; 8]> = random_keys(keys, &mut cell.stream()).into_iter().map(u64::to_le_bytes).collect();
    let mut rows = Vec::new();
    for (id, make) in ENVOY {
        let all = make(&nodes)?;
        let before: Vec<usize> = keys.iter().map(|key| all.node(key)).collect();
        let moved = |lost: usize| {
            let mut left = nodes.clone();
            left.remove(lost);
            let after = make(&left)?;
            let changed = keys.iter().zip(&before).filter(|&(key, &old)| {
                let new = after.node(key);
                old != new + usize::from(new >= lost)
            });
            anyhow::Ok(changed.count() as f64 / keys.len() as f64)
        };
        let lost: Vec<usize> = (0..HOSTS).step_by(step).collect();
        let moved = lost.into_par_iter().map(moved).collect::<anyhow::Result<Vec<f64>>>()?;
        let spread = Row::of_repetitions(id, "moved_fraction", &moved).context("no losses")?;
        let mut mean = Row::new(id, "mean_moved_fraction", moved.iter().sum::<f64>() / moved.len() as f64);
        mean.interval = mean_interval(&moved, 0.99);
        rows.extend([spread, mean].map(|row| row.with("assumed_hosts", HOSTS).with("assumed_ring_size", RING)));
    }
    let options = RingHashOptions::default();
    rows.push(Row::new(ENVOY_RING, "least_ring_size", options.minimum));
    rows.push(Row::new(ENVOY_RING, "largest_ring_size", options.maximum));
    Ok(rows.into())
}

/// In each view each node claims the slot that it hashes to, if it is free; empty slots belong to the owner of the next.
fn karger(size: u64, seed: u64) -> Vec<u64> {
    let mut table = vec![u32::MAX; size as usize];
    let mix = Mix::new(seed);
    for view in 0..VIEWS {
        for node in 0..BACKENDS {
            let slot = &mut table[(mix.point(node, view) % size) as usize];
            if *slot == u32::MAX {
                *slot = node;
            }
        }
    }
    let mut next = table.iter().copied().find(|&owner| owner != u32::MAX).unwrap_or(0);
    for slot in table.iter_mut().rev() {
        if *slot == u32::MAX {
            *slot = next;
        }
        next = *slot;
    }
    counts(&table, BACKENDS)
}

fn rendezvous(size: u64, seed: u64) -> Vec<u64> {
    let mix = Mix::new(seed);
    let hashes: Vec<u64> = (0..BACKENDS).map(|node| mix.point(node, 0)).collect();
    let owner = |slot: u64| {
        let slot = mix64(slot ^ seed);
        (0_u32..).zip(&hashes).max_by_key(|&(_, hash)| mix64(hash ^ slot)).map_or(0, |(node, _)| node)
    };
    counts(&(0..size).map(owner).collect::<Vec<u32>>(), BACKENDS)
}

fn fullest(cell: &Context, size: u64, repetitions: u64) -> anyhow::Result<Findings> {
    let mut rows = Vec::new();
    for (name, made) in [(KARGER, karger as fn(u64, u64) -> Vec<u64>), (RENDEZVOUS, rendezvous)] {
        let found = (0..repetitions).into_par_iter().map(|which| overload(&made(size, cell.repetition(which))));
        let found: Vec<f64> = found.collect();
        let row = Row::of_repetitions(name, "overload_percent", &found).context("no tables")?.with("table", size);
        rows.push(if name == KARGER { row.with("assumed_views", VIEWS) } else { row });
    }
    // What Maglev's is, and what a ring without a table has.
    let own = counts(&populate(size, &backends(BACKENDS, cell.seed))?, BACKENDS);
    rows.push(Row::new(MAGLEV, "overload_percent", overload(&own)).with("table", size));
    let builds: Vec<Build> =
        (0..repetitions).map(|which| Build::new(BACKENDS, 1_000, cell.repetition(which))).collect();
    let rings = catalog::find("ring-sorted64").context("not in the catalogue")?.balances(&builds)?;
    let peaks: Vec<f64> = rings.iter().map(|balance| 100.0 * (balance.peak_to_average - 1.0)).collect();
    rows.push(Row::of_repetitions(PLAIN_RING, "overload_percent", &peaks).context("no rings")?.with("table", size));
    Ok(rows.into())
}

/// The slots that change between backends that stay, and the probes that filled the tables.
fn failures(cell: &Context, size: u64, repetitions: u64) -> anyhow::Result<Findings> {
    let one = |which| {
        let all = backends(BACKENDS, cell.repetition(which));
        let before = populate(size, &all)?;
        let mut changed = Vec::new();
        for failed in FAILED {
            // The names carry no order, so that the first backends are as random as any.
            let dead = |number: u32| number < failed;
            let left: Vec<Backend> = (0..)
                .zip(&all)
                .map(|(number, &b)| if dead(number) { Backend { weight: 0.0, ..b } } else { b })
                .collect();
            let after = populate(size, &left)?;
            let slots = before.iter().zip(&after).filter(|&(&old, new)| !dead(old) && old != *new).count();
            changed.push(100.0 * slots as f64 / size as f64);
        }
        anyhow::Ok((changed, probes(size, &all)? as f64))
    };
    let found = (0..repetitions).into_par_iter().map(one).collect::<anyhow::Result<Vec<(Vec<f64>, f64)>>>()?;
    let mut rows = Vec::new();
    for (at, failed) in FAILED.into_iter().enumerate() {
        let changed: Vec<f64> = found.iter().map(|(changed, _)| changed[at]).collect();
        let row = Row::of_repetitions(MAGLEV, "changed_percent", &changed).context("no tables")?;
        rows.push(row.with("table", size).with("failed", failed));
    }
    let probes: Vec<f64> = found.iter().map(|found| found.1).collect();
    let mut mean = Row::new(MAGLEV, "mean_probes", probes.iter().sum::<f64>() / probes.len() as f64);
    mean.interval = mean_interval(&probes, 0.99);
    rows.push(mean.with("table", size).with("backends", BACKENDS));
    rows.push(Row::new("sum of M/n", "mean_probes", size as f64 * harmonic(size)).with("table", size));
    // The first of k free slots among M that are looked at once each is number (M + 1)/(k + 1) on average.
    let once = (size + 1) as f64 * (harmonic(size + 1) - 1.0);
    rows.push(Row::new("sum of (M + 1)/(n + 1)", "mean_probes", once).with("table", size));
    Ok(rows.into())
}

/// How many slots the backends look at until the table is full.
fn probes(size: u64, backends: &[Backend]) -> anyhow::Result<u64> {
    let mut wanted = Vec::new();
    for backend in backends {
        wanted.push(backend.permutation(size)?);
    }
    let mut taken = vec![false; size as usize];
    let (mut probes, mut free) = (0, size);
    while free > 0 {
        for slots in &mut wanted {
            let claimed = slots.by_ref().find(|&slot| {
                probes += 1;
                !std::mem::replace(&mut taken[slot as usize], true)
            });
            free -= u64::from(claimed.is_some());
            if free == 0 {
                break;
            }
        }
    }
    Ok(probes)
}

const SMALL: &str = "65537 slots";
const LARGE: &str = "655373 slots";

/// Part 5: both sizes in turns.
fn builds(cell: &Context) -> anyhow::Result<Findings> {
    let backends = backends(BACKENDS, cell.seed);
    let build =
        |size: u64| populate(size, &backends).map_or_else(|_| Box::new(()) as Box<dyn Any>, |table| Box::new(table));
    // What cannot be built is an error before anything is timed.
    populate(SIZES[1], &backends)?;
    let (small, large) = (|| build(SIZES[0]), || build(SIZES[1]));
    let builds: [NamedBuild<'_>; 2] = [(SMALL, &small), (LARGE, &large)];
    let timing = builds_in_turns(cell, &builds, cell.scale.pick(3, 9, 15), &[(LARGE, SMALL)])?;
    Ok(Findings { data: vec![], timing })
}

/// Part 6: the table of 65,537 slots against the ring of 256K entries.
fn envoy_builds(cell: &Context) -> anyhow::Result<Findings> {
    let nodes = hosts();
    ring(&nodes)?;
    let build = |make: Make| make(&nodes).map_or_else(|_| Box::new(()) as Box<dyn Any>, |system| Box::new(system));
    let (of_table, of_ring) = (|| build(table), || build(ring));
    let builds: [NamedBuild<'_>; 2] = [(ENVOY_TABLE, &of_table), (ENVOY_RING, &of_ring)];
    let timing = builds_in_turns(cell, &builds, cell.scale.pick(3, 9, 15), &[(ENVOY_RING, ENVOY_TABLE)])?;
    Ok(Findings { data: vec![], timing })
}

/// A system asked with keys of eight bytes, which both hash alike.
struct Asked(Box<dyn System>);

impl Partitioner for Asked {
    fn bucket(&self, key: u64) -> u32 {
        self.0.node(&key.to_le_bytes()) as u32
    }

    fn bucket_count(&self) -> u32 {
        HOSTS as u32
    }
}

fn envoy_selection(cell: &Context) -> anyhow::Result<Findings> {
    let nodes = hosts();
    let (of_table, of_ring) = (Asked(table(&nodes)?), Asked(ring(&nodes)?));
    let contenders =
        [Contender { id: ENVOY_TABLE, subject: &of_table }, Contender { id: ENVOY_RING, subject: &of_ring }];
    Ok(Findings { data: vec![], timing: side_by_side(cell, &contenders, &[(ENVOY_RING, ENVOY_TABLE)])? })
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new(["who", "metric", "value"]);
    for row in &record.data {
        table.row([row.implementation.clone(), row.metric.clone(), published::written(&row.value)]);
    }
    table
}
