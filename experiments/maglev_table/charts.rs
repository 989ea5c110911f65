//! The charts of `maglev_table`.

use consistent_hash_lab::chart::{
    Axis, Chart, Guide, Line, Mark, Marker, Panel, Plot, Scale as AxisScale, Series, Style, Ticks, records,
};
use consistent_hash_lab::experiment::{Record, Row};
use consistent_hash_lab::published;

use super::{BACKENDS, ENVOY_RING, ENVOY_TABLE, FAILED, HOSTS, KARGER, MAGLEV, PLAIN_RING, RENDEZVOUS, SIZES};

fn series(label: &str, color: usize, points: Vec<consistent_hash_lab::chart::Point>) -> Series {
    let style = Style { color, marker: Marker::Circle, line: Line::Solid, band: false };
    Series { label: label.into(), style, points }
}

/// One chart: Figure 11, Figure 12, and what a lost host moves.
pub(super) fn charts(record: &Record) -> Vec<Chart> {
    let size = |size: u64| format!("{size} slots");
    let kinds = [(MAGLEV, None), (RENDEZVOUS, Some("rendezvous")), (KARGER, Some("karger")), (PLAIN_RING, None)];
    let overload = (0..).zip(SIZES).map(|(color, slots): (usize, u64)| {
        let points = (0..).zip(kinds).filter_map(|(at, (who, _))| {
            let row = record.row(who, "overload_percent", &[("table", slots as f64)])?;
            Some(records::point(f64::from(at), row.number()? / 100.0, row.interval.map(percent)))
        });
        series(&size(slots), color, points.collect()).unjoined()
    });
    let marks = SIZES.iter().flat_map(|slots| {
        (0..).zip(kinds).filter_map(move |(at, (_, id))| {
            let y = published::number(&format!("maglev.overprov.{}.{slots}", id?))? / 100.0;
            Some(Mark { label: format!("Figure 11, {slots} slots"), x: f64::from(at), y, interval: None })
        })
    });
    let changed = (0..).zip(SIZES).map(|(color, slots): (usize, u64)| {
        let points = FAILED.into_iter().filter_map(|failed| {
            let row = record.row(MAGLEV, "changed_percent", &[("table", slots as f64), ("failed", failed.into())])?;
            let x = f64::from(failed) / f64::from(BACKENDS);
            Some(records::point(x, row.number()? / 100.0, row.interval.map(percent)))
        });
        series(&size(slots), color, points.collect())
    });
    let moved = (0..).zip([ENVOY_TABLE, ENVOY_RING]).filter_map(|(at, who)| {
        let row = record.row(who, "moved_fraction", &[])?;
        Some(records::point(f64::from(at), row.number()?, row.interval))
    });
    let axis = |label: &str, scale, range, ticks| Axis { label: label.into(), scale, range, ticks };
    vec![Chart {
        stem: "maglev_table".into(),
        title: title(record).unwrap_or_else(|| "What a Maglev table promises".into()),
        subtitle: format!(
            "{BACKENDS} backends, medians and 99% ranges of repetitions; on the right {HOSTS} hosts (assumed), lost one at a time."
        ),
        panels: vec![
            Panel::Plot(Plot {
                title: "the fullest backend".into(),
                x: Axis::categories(
                    "",
                    ["Maglev", "rendezvous in a table", "\"Karger\" (assumed)", "ring, 1000 points"],
                ),
                y: axis("above the mean", AxisScale::Linear, Some((0.0, 0.6)), Ticks::Percent),
                series: overload.collect(),
                marks: marks.collect(),
                guides: vec![],
            }),
            Panel::Plot(Plot {
                title: "slots that change although their backend stays".into(),
                x: axis("backends that fail", AxisScale::Linear, Some((0.0, 0.11)), Ticks::Percent),
                y: axis("slots", AxisScale::Linear, None, Ticks::Percent),
                series: changed.collect(),
                marks: vec![],
                guides: vec![],
            }),
            Panel::Plot(Plot {
                title: "keys that a lost host moves".into(),
                x: Axis::categories("", ["Envoy's table", "Envoy's ring, 256K entries"]),
                y: axis("keys", AxisScale::Linear, Some((0.0, 0.015)), Ticks::Percent),
                series: vec![series("over the losses", 2, moved.collect()).unjoined()],
                marks: vec![],
                guides: [0.0, 1.0].map(|at| Guide::level("least", at, 1.0 / HOSTS as f64)).into(),
            }),
        ],
        footnotes: vec![
            "What the paper calls Karger, with 1000 views, is inferred. A ring's fullest does not depend on a table."
                .into(),
        ],
    }]
}

fn percent(interval: consistent_hash_lab::statistics::Interval) -> consistent_hash_lab::statistics::Interval {
    consistent_hash_lab::statistics::Interval { low: interval.low / 100.0, high: interval.high / 100.0, ..interval }
}

fn title(record: &Record) -> Option<String> {
    let of = |who| record.row(who, "mean_moved_fraction", &[]).and_then(Row::number);
    let (table, ring) = (of(ENVOY_TABLE)?, of(ENVOY_RING)?);
    Some(format!(
        "When one host of {HOSTS} is lost, a Maglev table moves {:.2}% of the keys and a ring {:.2}%; 0.20% is the least",
        100.0 * table,
        100.0 * ring
    ))
}
