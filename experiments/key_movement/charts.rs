//! The charts of `key_movement`.

use consistent_hash_lab::chart::{Axis, Chart, Guide, Mark, Panel, Plot, records};
use consistent_hash_lab::experiment::{Parametrised, Record};

use super::{CHANGES, POINTS, VIEWS, Views, least_for_loads, value};

/// All charts of a record.
pub(super) fn charts(record: &Record) -> Vec<Chart> {
    vec![moved_chart(record), flows_chart(record), views_chart(record)]
}

fn moved_chart(record: &Record) -> Chart {
    let ids = record.implementations("moved_fraction");
    let ends = ids.iter().map(|id| {
        let points = CHANGES.iter().zip(0..).filter_map(|(&(from, to), at)| {
            let row = record.row(id, "moved_fraction", &[("from", from.into()), ("to", to.into())])?;
            Some(records::point(at.into(), row.number()?, row.interval))
        });
        records::series(id, points).unjoined()
    });
    let metrics = ["changed_index_fraction", "changed_server_fraction"];
    let deleted = record.implementations(metrics[1]).into_iter().map(|id| {
        let points = metrics.iter().zip(0..).filter_map(|(metric, at)| {
            let row = record.row(id, metric, &[])?;
            Some(records::point(at.into(), row.number()?, row.interval))
        });
        records::series(id, points).unjoined()
    });
    let least = CHANGES.iter().zip(0..).map(|(&(from, to), at): (&(u32, u32), u32)| {
        Guide::level("least for even shares", at.into(), f64::from(from.abs_diff(to)) / f64::from(from.max(to)))
    });
    let mark = |label: &str, x: f64, id: &str| Mark { label: label.into(), x, y: value(id), interval: None };
    Chart {
        stem: "key_movement".into(),
        title: moved_title(record),
        subtitle: format!(
            "Random keys; rings of {POINTS} points per bucket. 99% intervals are smaller than the symbols where they cannot be seen."
        ),
        panels: vec![
            Panel::Plot(Plot {
                title: "buckets come and go at the end".into(),
                x: Axis::categories("buckets before → after", CHANGES.map(|(from, to)| format!("{from} → {to}"))),
                y: Axis::percent("keys that move", 0.0, 1.0),
                series: ends.collect(),
                marks: vec![
                    mark("worked article, hash % n", 0.0, "article.movement.mod"),
                    mark("worked article, ring of 200 points", 0.0, "article.movement.ring"),
                    mark("article on jump, h mod n", 1.0, "jumparticle.mod_10_to_12"),
                    mark("Lamping & Veach", 1.0, "jump.move.10to12"),
                ],
                guides: least.collect(),
            }),
            Panel::Plot(Plot {
                title: "server 3 of 0–9 is deleted".into(),
                x: Axis::categories("", ["jump(key, servers.len()) changes", "the key's server changes"]),
                y: Axis::percent("keys", 0.0, 1.0),
                series: deleted.collect(),
                marks: vec![],
                guides: [0.0, 1.0].map(|at| Guide::level("least for even shares", at, 0.1)).into(),
            }),
        ],
        footnotes: vec![
            "A ring's new bucket gets the share of its arcs, not 1/n: the least for its own shares lies as far from the line.".into(),
        ],
    }
}

/// How many move no key too many, for the shares that they have, in any change; and what the others move.
fn moved_title(record: &Record) -> String {
    let ids = record.implementations("moved_fraction");
    // The worst change of each: what it moved, and what it moved beyond the least.
    let worst = |id: &&str| {
        let changes = CHANGES.iter().filter_map(|&(from, to)| {
            let moved = record.number(id, "moved_fraction", &[("from", from.into()), ("to", to.into())])?;
            Some((moved, moved - least_for_loads(record, id, from, to)?))
        });
        changes.fold((0.0_f64, 0.0_f64), |(moved, excess), change| (moved.max(change.0), excess.max(change.1)))
    };
    // Fractions of the same keys differ by rounding only.
    let (least, others): (Vec<&str>, Vec<&str>) = ids.iter().partition(|id| worst(id).1 < 1e-9);
    let all = ids.len();
    let mut title = format!("{} of {all} implementations move only the keys that their shares require", least.len());
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(|id| format!("{id} up to {:.1}%", 100.0 * worst(id).0)).collect();
        title.push_str(&format!("; {}", others.join(", ")));
    }
    title
}

/// How many buckets give and take from 10 to 11.
fn flows_title(record: &Record, shown: &[&str]) -> String {
    let at = [("from", 10.0), ("to", 11.0)];
    let buckets = |id: &&str| {
        let number = |metric| record.number(id, metric, &at);
        Some(format!("{id} {} to {}", number("donor_buckets")?, number("receiver_buckets")?))
    };
    let flows: Vec<String> = shown.iter().filter_map(buckets).collect();
    format!("From 10 to 11 buckets, buckets that lose keys to buckets that gain them: {}", flows.join(", "))
}

fn flows_chart(record: &Record) -> Chart {
    let shown = ["modulo", "jump", "ring-sorted64"];
    let panel = |title: &str, metric: &str| {
        let series = shown.map(|id| {
            let rows = record.rows(id, metric).filter(|row| row.is_at(&[("from", 10.0), ("to", 11.0)]));
            let points =
                rows.filter_map(|row| Some(records::point(row.parameter("bucket")?, row.number()?, row.interval)));
            records::series(id, points).unjoined()
        });
        Panel::Plot(Plot {
            title: title.into(),
            x: Axis::categories("bucket (10 is new)", (0..=10).map(|bucket| bucket.to_string())),
            y: Axis::percent("part of all keys", 0.0, 0.1),
            series: series.into_iter().filter(|series| !series.points.is_empty()).collect(),
            marks: vec![],
            guides: vec![],
        })
    };
    Chart {
        stem: "key_movement_flows".into(),
        title: flows_title(record, &shown),
        subtitle: "Random keys, 99% intervals; bucket 10 is the new one.".into(),
        panels: vec![panel("keys that leave a bucket", "lost_fraction"), panel("keys that arrive", "gained_fraction")],
        footnotes: vec![],
    }
}

/// How far the means are from the theorem at most.
fn views_title(record: &Record) -> String {
    let ids = record.implementations("unchanged_fraction");
    let rows = ids.iter().flat_map(|id| record.rows(id, "unchanged_fraction"));
    let off = rows.filter_map(|row| Some((row.number()? - row.parameter("overlap")?).abs())).fold(0.0, f64::max);
    format!(
        "The keys on which two views agree, and the overlap of their buckets: at most {:.1}% of the keys apart",
        100.0 * off
    )
}

fn views_chart(record: &Record) -> Chart {
    let series = record.implementations("unchanged_fraction").into_iter().map(|id| {
        let points = VIEWS.iter().zip(0..).filter_map(|(views, at): (&Views, u32)| {
            let row = record.row(id, "unchanged_fraction", &[("overlap", views.overlap())])?;
            Some(records::point(at.into(), row.number()?, row.interval))
        });
        records::series(id, points).unjoined()
    });
    let theory = VIEWS
        .iter()
        .zip(0..)
        .map(|(views, at): (&Views, u32)| Guide::level("|V1 ∩ V2| / |V1 ∪ V2|", at.into(), views.overlap()));
    Chart {
        stem: "key_movement_views".into(),
        title: views_title(record),
        subtitle:
            "Keys with the same bucket in both views, mean over independent hash functions with its 99% interval."
                .into(),
        panels: vec![Panel::Plot(Plot {
            title: String::new(),
            x: Axis::categories("buckets of the two views", VIEWS.map(|views| views.name)),
            y: Axis::percent("keys with the same bucket", 0.0, 1.0),
            series: series.collect(),
            marks: vec![],
            guides: theory.collect(),
        })],
        footnotes: vec![],
    }
}
