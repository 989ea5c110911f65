//! From a chart to a page: title above, panels in a grid, the legend beside or below them, footnotes at the end.

use super::font::{NOTE, SUBTITLE, TITLE};
use super::legend::Legend;
use super::model::{Chart, Panel, Plot, Point};
use super::scene::{Align, INK, MUTED, Rect, Scene};
use super::span::{Hidden, Spans};
use super::{circle, plot};

const MARGIN: f64 = 26.0;
const BETWEEN_PANELS: f64 = 34.0;
const PLOT_HEIGHT: f64 = 580.0;
const CIRCLE_HEIGHT: f64 = 620.0;
const LEGEND_BESIDE: f64 = 330.0;

pub(super) fn compose(chart: &Chart) -> Scene {
    let columns = match chart.panels.len() {
        4 => 2,
        panels => panels.max(1),
    };
    let circles_only = chart.panels.iter().all(|panel| matches!(panel, Panel::Circle(_)));
    let widths = if circles_only { [1000.0, 1240.0, 1800.0] } else { [1200.0, 1640.0, 2200.0] };
    let mut scene = Scene { width: widths[columns.min(3) - 1], ..Scene::default() };
    let (left, right) = (MARGIN, scene.width - MARGIN);
    let mut top = MARGIN - 6.0;
    for (text, font, color) in [(&chart.title, TITLE, INK), (&chart.subtitle, SUBTITLE, MUTED)] {
        top = scene.paragraph((left, top), &font.wrap(text, right - left), font, color, Align::Start) + 3.0;
    }
    top += 14.0;

    let legend = Legend::of(chart);
    let beside = columns == 1 && !legend.is_empty();
    let legend_width = if beside { legend.width(LEGEND_BESIDE) } else { right - left };
    let panels_right = if beside { right - legend_width - BETWEEN_PANELS } else { right };
    let column = (panels_right - left - BETWEEN_PANELS * (columns - 1) as f64) / columns as f64;
    for row in chart.panels.chunks(columns) {
        let mut height = row.iter().map(height).fold(0.0, f64::max);
        if beside {
            height = height.max(legend.height(legend_width));
        }
        // One for all of the row: rings that are compared have the same size and height.
        let caption_height = row.iter().map(|panel| caption_height(panel, column)).fold(0.0, f64::max);
        for (i, panel) in row.iter().enumerate() {
            let start = left + i as f64 * (column + BETWEEN_PANELS);
            let cell = Rect { left: start, top, right: start + column, bottom: top + height };
            match panel {
                Panel::Plot(plot) => plot::draw(&mut scene, cell, plot, &legend),
                Panel::Circle(circle) => circle::draw(&mut scene, cell, circle, caption_height),
            }
        }
        if beside {
            legend.draw(&mut scene, Rect { left: right - legend_width, top: top + 10.0, right, bottom: top + height });
        }
        top += height + 24.0;
    }
    if !beside && !legend.is_empty() {
        top = legend.draw(&mut scene, Rect { left, top, right, bottom: top }) + 10.0;
    }
    for note in chart.footnotes.iter().chain(&left_out(chart)) {
        let lines = NOTE.wrap(note, right - left);
        top = scene.paragraph((left, top), &lines, NOTE, MUTED, Align::Start) + 3.0;
    }
    scene.height = (top + MARGIN - 12.0).ceil();
    scene
}

fn height(panel: &Panel) -> f64 {
    match panel {
        Panel::Plot(_) => PLOT_HEIGHT,
        Panel::Circle(_) => CIRCLE_HEIGHT,
    }
}

fn caption_height(panel: &Panel, width: f64) -> f64 {
    match panel {
        Panel::Plot(_) => 0.0,
        Panel::Circle(circle) => circle::caption_height(circle, width),
    }
}

/// Footnotes that count the values which are not drawn.
fn left_out(chart: &Chart) -> Vec<String> {
    let hidden: Vec<Hidden> = chart
        .panels
        .iter()
        .filter_map(|panel| match panel {
            Panel::Plot(plot) => Some(plot),
            Panel::Circle(_) => None,
        })
        .flat_map(hidden)
        .collect();
    let kinds = [
        (Hidden::NotFinite, "not finite"),
        (Hidden::NotPositive, "not positive"),
        (Hidden::Outside, "outside the axes"),
    ];
    kinds
        .into_iter()
        .filter_map(|(kind, what)| match hidden.iter().filter(|&&reason| reason == kind).count() {
            0 => None,
            1 => Some(format!("1 value that is {what} is not drawn.")),
            count => Some(format!("{count} values that are {what} are not drawn.")),
        })
        .collect()
}

fn hidden(plot: &Plot) -> Vec<Hidden> {
    let spans = Spans::of(plot);
    let points = plot.series.iter().flat_map(|series| &series.points).map(|&Point { x, y, .. }| (x, y));
    let marks = plot.marks.iter().map(|mark| (mark.x, mark.y));
    points.chain(marks).filter_map(|(x, y)| spans.hides(x, y)).collect()
}
