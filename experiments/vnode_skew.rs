//! What virtual nodes do for ten nodes (the worked article, section 4).
//!
//! 1. *The article.* Its 100,000 keys on its ring of 10 nodes, to the key, for 1 to 1000 virtual nodes: the population σ/μ
//!    of the keys per node. Beside it the σ/μ of the nodes' shares, summed from the arcs of the same ring: what remains is
//!    the noise of so many keys, whose mean square adds (n - 1)/K.
//! 2. *Other rings.* The article's ring is one draw. Random rings of 10 nodes show where 99 % of all draws lie, beside
//!    theory.

use std::process::ExitCode;

use anyhow::Context as _;
use consistent_hash_lab::catalog::{self, Build};
use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Mark, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{
    Cell, Context, Experiment, Findings, Parametrised, Record, Row, Rule, Settings, Verdict, fit_rows,
};
use consistent_hash_lab::measure::share::{Balance, ring_cv, token_ring_counts, token_ring_shares};
use consistent_hash_lab::published::{self, Parts, as_printed, chance, digits};
use consistent_hash_lab::statistics::Moments;
use consistent_hash_lab::study::{self, Study};
use consistent_hash_lab::text::table::Table;
use consistent_hash_lab::workload::article;

fn main() -> ExitCode {
    study::main(&study())
}

/// The study.
pub fn study() -> Study {
    Study {
        experiment: Experiment {
            name: "vnode_skew",
            title: "What virtual nodes do for ten nodes",
            paper: "Worked article on consistent hashing, section 4",
            method: "The article's 100,000 keys on its ring of 10 nodes, to the key, for 1 to 1000 virtual nodes: σ/μ of the \
                     keys per node, beside that of the shares of the same ring, exactly from its arcs, and the noise of so \
                     many keys. Random rings of 10 nodes show where the article's one draw lies.",
            grid,
        },
        verdicts,
        charts,
        summary,
        section: None,
    }
}

const NODES: u32 = 10;
const VIRTUAL_NODES: [u32; 10] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
/// Those that the article prints.
const PUBLISHED: [u32; 4] = [1, 10, 100, 1000];
/// Family-wise error of all tests of this study: two for each ring of the article.
const ALPHA: f64 = 0.001;
const TESTS: u64 = 2 * VIRTUAL_NODES.len() as u64;

const ARTICLE: &str = "article";
const RING: &str = "ring-sorted64";

fn grid(settings: &Settings) -> Vec<Cell> {
    let rings = settings.scale.pick(250, 2_000, 20_000);
    let article = VIRTUAL_NODES
        .map(|points| Cell::statistical(format!("article v={points}"), [], move |_| Ok(the_article(points)?.into())));
    let random = VIRTUAL_NODES.map(|points| {
        Cell::statistical(format!("random rings v={points}"), [RING], move |cell| random_rings(cell, points, rings))
    });
    article.into_iter().chain(random).collect()
}

/// Part 1.
fn the_article(points: u32) -> anyhow::Result<Vec<Row>> {
    let ring = article::ring(NODES, points)?;
    let counts = token_ring_counts(&ring, &article::keys());
    let shares = token_ring_shares(&ring)?;
    let moments =
        Moments::of(&counts.iter().map(|&count| count as f64).collect::<Vec<_>>()).context("a ring without nodes")?;
    let exact = Balance::of_shares(&shares)?.cv;
    let keys = article::KEYS as f64;
    let mut rows = vec![
        Row::new(ARTICLE, "cv", moments.coefficient_of_variation()),
        Row::new(ARTICLE, "share_cv", exact),
        Row::new(ARTICLE, "expected_cv", (exact * exact * (1.0 - 1.0 / keys) + f64::from(NODES - 1) / keys).sqrt())
            .note("root of the mean square over sets of as many random keys on this ring"),
        Row::new("noise of the keys", "cv", (f64::from(NODES - 1) / keys).sqrt()),
        Row::new("theory", "cv", ring_cv(NODES, points)),
    ];
    rows.extend(fit_rows(ARTICLE, &counts, &shares)?);
    rows.extend(
        ring.names()
            .iter()
            .zip(&counts)
            .map(|(name, &count)| Row::new(ARTICLE, "keys", count).with("node", name.as_str())),
    );
    Ok(rows
        .into_iter()
        .map(|row| row.with("nodes", NODES).with("points", points).with("keys", article::KEYS))
        .collect())
}

/// Part 2.
fn random_rings(cell: &Context, points: u32, rings: u64) -> anyhow::Result<Findings> {
    let builds: Vec<Build> = (0..rings).map(|ring| Build::new(NODES, points, cell.repetition(ring))).collect();
    let cvs: Vec<f64> = catalog::find(RING)
        .context("not in the catalogue")?
        .balances(&builds)?
        .iter()
        .map(|balance| balance.cv)
        .collect();
    let row = Row::of_repetitions(RING, "share_cv", &cvs).context("no rings")?;
    Ok(vec![row.with("nodes", NODES).with("points", points)].into())
}

fn at(points: u32) -> [(&'static str, f64); 1] {
    [("points", points.into())]
}

fn verdicts(record: &Record) -> Vec<Verdict> {
    PUBLISHED.into_iter().map(|points| verdict(record, points)).collect()
}

/// A printed figure must be what ours rounds to; the figures recomputed from the article's own inputs must be ours, to
/// the key.
fn verdict(record: &Record, points: u32) -> Verdict {
    let id = format!("article.skew.v{points}");
    let counts: Vec<f64> =
        record.rows(ARTICLE, "keys").filter(|row| row.is_at(&at(points))).filter_map(Row::number).collect();
    let keys = Moments::of(&counts);
    let measured = record.number(ARTICLE, "cv", &at(points));
    let document = published::find(&id);
    let printed = |name| document.and_then(|published| published.value.get(name)?.as_f64());
    let recomputed = |name| document.and_then(|published| published.recomputed.as_ref()?.get(name)?.as_f64());
    let cv = measured.zip(printed("cv")).map(|(cv, printed)| as_printed(printed, cv));
    // 1e-15 is the last digit that a double carries.
    let equal = measured.zip(recomputed("cv")).map(|(cv, recomputed)| (cv / recomputed - 1.0).abs() < 1e-15);
    let equal = equal.map(|equal| (if equal { "as recomputed" } else { "not as recomputed" }.to_owned(), equal));
    let key = |name, found: Option<f64>| {
        found.map(|found| {
            (found.to_string(), [printed(name), recomputed(name)].into_iter().flatten().all(|x| x == found))
        })
    };
    let share = record.number(ARTICLE, "share_cv", &at(points)).map_or("-".into(), digits);
    let place = record.row(RING, "share_cv", &at(points)).and_then(Row::range).map_or(String::new(), |(_, range)| {
        format!(" (99% of random rings: {} to {})", digits(range.low), digits(range.high))
    });
    let noise = record.number("noise of the keys", "cv", &at(points)).map_or("-".into(), digits);
    let tests = record.rows(ARTICLE, "fit_p").filter(|row| row.is_at(&at(points))).filter_map(Row::number);
    let cause = measured.zip(printed("cv")).and_then(|(cv, printed)| rounded_twice(cv, printed)).unwrap_or_default();
    Parts::default()
        .compared("σ/μ", cv)
        .part("all its digits", equal)
        .part("min", key("min", keys.map(|keys| keys.min)))
        .part("max", key("max", keys.map(|keys| keys.max)))
        .part("keys fit the arcs", chance(tests, ALPHA, TESTS))
        .verdict(
            &id,
            Rule::Exact,
            &format!(
                "To the key. All digits of σ/μ are held against those on file, recomputed from the article's inputs. The \
                 shares of this ring have σ/μ {share}{place}; 100,000 keys blur that by a noise of √((n - 1)/K) = {noise}."
            ),
            &cause,
        )
}

/// Says so if a printed number is what rounding to three digits, and then again to two, makes of ours.
fn rounded_twice(ours: f64, printed: f64) -> Option<String> {
    let once = format!("{ours:.2e}").parse::<f64>().ok()?;
    let twice = format!("{once:.1e}").parse::<f64>().ok()?;
    (twice == printed).then(|| {
        format!("Ours is the recomputed value; the printed one is what rounding it twice gives, to {once} and then to {twice}.")
    })
}

/// The spread at both ends.
fn title(record: &Record) -> Option<String> {
    let cv = |points| record.number(ARTICLE, "cv", &at(points));
    let (few, many) = (cv(1)?, cv(1000)?);
    Some(format!("The spread of the keys over ten nodes: σ/μ {few:.2} with 1 virtual node each, {many:.3} with 1000"))
}

fn charts(record: &Record) -> Vec<Chart> {
    let points = |implementation: &str, metric: &str| -> Vec<_> {
        let rows = record.rows(implementation, metric);
        rows.filter_map(|row| Some(records::point(row.parameter("points")?, row.number()?, row.interval))).collect()
    };
    let guide = |label: &str, implementation: &str| Guide {
        label: label.into(),
        points: points(implementation, "cv").into_iter().map(|point| (point.x, point.y)).collect(),
    };
    let series = |label: &str, color, marker, line, points| Series {
        label: label.into(),
        style: Style { color, marker, line, band: false },
        points,
    };
    let random = Series {
        label: "shares of random rings: median, 99% range".into(),
        style: Style { band: true, marker: Marker::None, ..records::style(RING) },
        points: points(RING, "share_cv"),
    };
    let mark = |points: u32| {
        let cv = published::find(&format!("article.skew.v{points}"))?.value.get("cv")?.as_f64()?;
        Some(Mark { label: "the article".into(), x: points.into(), y: cv, interval: None })
    };
    let nodes: Vec<String> = record
        .rows(ARTICLE, "keys")
        .filter(|row| row.is_at(&at(1)))
        .filter_map(|row| Some(row.parameters.get("node")?.as_str()?.trim_start_matches("node-").to_owned()))
        .collect();
    let keys = |virtual_nodes: u32| {
        let rows = record.rows(ARTICLE, "keys").filter(move |row| row.is_at(&at(virtual_nodes)));
        (0_u32..).zip(rows).filter_map(|(node, row)| Some(records::point(node.into(), row.number()?, None))).collect()
    };
    let mean = article::KEYS as f64 / f64::from(NODES);
    let axis = |label: &str, scale, range, ticks| Axis { label: label.into(), scale, range, ticks };
    vec![Chart {
        stem: "vnode_skew".into(),
        title: title(record).unwrap_or_else(|| "What virtual nodes do for ten nodes".into()),
        subtitle: "The article's ring and its 100,000 keys, to the key; beside them the exact shares of the same ring and of random ones."
            .into(),
        panels: vec![
            Panel::Plot(Plot {
                title: "spread over the nodes".into(),
                x: axis("virtual nodes per node v", AxisScale::Log10, None, Ticks::Number),
                y: axis("σ/μ", AxisScale::Log10, Some((0.006, 2.0)), Ticks::Number),
                series: vec![
                    random,
                    series("shares of the article's ring", 0, Marker::Square, Line::Dashed, points(ARTICLE, "share_cv")),
                    series("keys per node on the article's ring", 1, Marker::Circle, Line::Solid, points(ARTICLE, "cv")),
                ],
                marks: PUBLISHED.into_iter().filter_map(mark).collect(),
                guides: vec![
                    guide("theory √((n - 1)/(n v + 1))", "theory"),
                    guide("noise of the keys √((n - 1)/K)", "noise of the keys"),
                ],
            }),
            Panel::Plot(Plot {
                title: "keys of each node".into(),
                x: axis("node", AxisScale::Linear, None, Ticks::Categories(nodes)),
                y: axis("keys", AxisScale::Linear, Some((0.0, 35_000.0)), Ticks::Number),
                series: vec![
                    series("1 virtual node each", 10, Marker::Triangle, Line::None, keys(1)),
                    series("100 virtual nodes each", 7, Marker::Diamond, Line::None, keys(100)),
                ],
                marks: vec![],
                guides: vec![Guide { label: "mean".into(), points: vec![(-0.5, mean), (f64::from(NODES) - 0.5, mean)] }],
            }),
        ],
        footnotes: vec![],
    }]
}

fn summary(record: &Record) -> Table {
    let mut table = Table::new([
        "virtual nodes",
        "σ/μ of keys",
        "min",
        "max",
        "σ/μ of shares",
        "expected of keys",
        "random rings, 99% range",
        "theory",
    ]);
    let shown = |value: Option<f64>| value.map_or("-".into(), digits);
    for points in VIRTUAL_NODES {
        let of = |implementation, metric| shown(record.number(implementation, metric, &at(points)));
        let keys: Vec<f64> =
            record.rows(ARTICLE, "keys").filter(|row| row.is_at(&at(points))).filter_map(Row::number).collect();
        let keys = Moments::of(&keys);
        let range = record.row(RING, "share_cv", &at(points)).and_then(Row::range);
        table.row([
            points.to_string(),
            of(ARTICLE, "cv"),
            keys.map_or("-".into(), |keys| keys.min.to_string()),
            keys.map_or("-".into(), |keys| keys.max.to_string()),
            of(ARTICLE, "share_cv"),
            of(ARTICLE, "expected_cv"),
            range.map_or("-".into(), |(_, range)| format!("{} to {}", digits(range.low), digits(range.high))),
            of("theory", "cv"),
        ]);
    }
    table
}
