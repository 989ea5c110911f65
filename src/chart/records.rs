//! Series from records: one implementation looks the same in every chart.

use super::{Line, Marker, Point, Series, Style};
use crate::catalog::{self, Source};
use crate::experiment::{Parametrised, Record, TimingRow};
use crate::statistics::Interval;

/// How an implementation is drawn: its colour is in the catalogue, the C++ of a paper is dashed.
#[must_use]
pub fn style(id: &str) -> Style {
    let entry = catalog::find(id);
    let (marker, line) = match entry.map(|entry| entry.source) {
        Some(Source::CppReference) => (Marker::Triangle, Line::Dashed),
        _ => (Marker::Circle, Line::Solid),
    };
    Style { color: entry.map_or(0, |entry| entry.shown.color), marker, line, band: false }
}

/// A series of an implementation, named as in the catalogue.
pub fn series(id: &str, points: impl IntoIterator<Item = Point>) -> Series {
    let label = catalog::find(id).map_or(id, |entry| entry.name).to_owned();
    Series { label, style: style(id), points: points.into_iter().collect() }
}

/// A point with its interval.
#[must_use]
pub fn point(x: f64, y: f64, interval: Option<Interval>) -> Point {
    Point { x, y, interval: interval.map(|interval| (interval.low, interval.high)) }
}

/// A series for each implementation of the catalogue that has this metric, in the catalogue's order: the metric against
/// one parameter, others fixed; data rows and timing rows alike.
#[must_use]
pub fn lines(record: &Record, metric: &str, x: &str, at: &[(&str, f64)]) -> Vec<Series> {
    let ids = || catalog::catalog().iter().map(|entry| entry.id);
    let of_implementation = |id| {
        let data = record.rows(id, metric).filter(|row| row.is_at(at));
        let data = data.filter_map(|row| Some(point(row.parameter(x)?, row.number()?, row.interval)));
        let timing = record.timings(id, metric).filter(|row| row.is_at(at));
        let timing = timing.filter_map(|row| Some(point(row.parameter(x)?, row.value, row.interval)));
        let mut points: Vec<Point> = data.chain(timing).collect();
        points.sort_by(|a, b| a.x.total_cmp(&b.x));
        series(id, points)
    };
    let mut lines: Vec<Series> = ids().map(of_implementation).filter(|series| !series.points.is_empty()).collect();
    let timed = || ids().flat_map(|id| record.timings(id, metric)).filter(|row| row.is_at(at));
    lines.extend(marked(timed().filter_map(|row| Some((row.parameter(x)?, row)))));
    lines
}

/// Crosses and squares over the points of timing rows that a reader must not take for measured several times with the core
/// alone: one series for those of a single run, one for those that were disturbed.
pub fn marked<'a>(rows: impl Iterator<Item = (f64, &'a TimingRow)>) -> Vec<Series> {
    let rows: Vec<(f64, &TimingRow)> = rows.collect();
    let mark = |label: &str, marker, wanted: fn(&TimingRow) -> bool| {
        let points = rows.iter().filter(|(_, row)| wanted(row)).map(|&(x, row)| point(x, row.value, None)).collect();
        Series { label: label.into(), style: Style { color: MARK, marker, line: Line::None, band: false }, points }
    };
    let once = mark("n = 1: one run, no interval", Marker::Plus, |row| !row.unstable && row.runs.len() < 2);
    let disturbed = mark("†: core not alone, not judged", Marker::Cross, |row| row.unstable);
    [once, disturbed].into_iter().filter(|series| !series.points.is_empty()).collect()
}

/// The palette's grey.
const MARK: usize = 8;

/// The same series in another unit: values and intervals times a factor.
#[must_use]
pub fn scaled(mut series: Vec<Series>, factor: f64) -> Vec<Series> {
    for point in series.iter_mut().flat_map(|series| &mut series.points) {
        point.y *= factor;
        point.interval = point.interval.map(|(low, high)| (low * factor, high * factor));
    }
    series
}
