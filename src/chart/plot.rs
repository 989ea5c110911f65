//! A panel with two axes.

use super::font::{LABEL, PANEL, TICK};
use super::legend::Legend;
use super::model::{Axis, Plot, Series, Ticks};
use super::scene::{AXIS, Align, BLACK, GRID, INK, MUTED, Rect, Rgb, Scene, Spot, clip};
use super::span::{Span, Spans};
use super::symbol;
use super::ticks::{Tick, ticks};

/// The length of a tick and the gap to its label.
const TICK_LENGTH: f64 = 6.0;
const TICK_GAP: f64 = 5.0;

pub(super) fn draw(scene: &mut Scene, cell: Rect, plot: &Plot, legend: &Legend) {
    let spans = Spans::of(plot);
    let title = PANEL.wrap(&plot.title, cell.width());
    let after_title = scene.paragraph((cell.center().0, cell.top), &title, PANEL, INK, Align::Middle);
    let frame = axes(scene, Rect { top: after_title + if title.is_empty() { 10.0 } else { 8.0 }, ..cell }, plot, spans);
    Data { frame, spans, plot, legend }.draw(scene);
}

/// Draws both axes with their labels, ticks and grid, and returns the frame that is left for the data.
fn axes(scene: &mut Scene, cell: Rect, plot: &Plot, spans: Spans) -> Rect {
    let mut frame = cell;
    let x_label = LABEL.wrap(&plot.x.label, cell.width() * 0.85);
    let y_label = LABEL.wrap(&plot.y.label, cell.height() * 0.85);
    let below_labels = TICK_LENGTH + TICK_GAP + if x_label.is_empty() { 0.0 } else { 8.0 };
    frame.bottom -= below_labels + TICK.leading() + x_label.len() as f64 * LABEL.leading();

    let most = (frame.height() / 48.0) as usize;
    let y_ticks = ticks(spans.y, &plot.y.ticks, most.clamp(2, 9));
    let y_width = y_ticks.iter().map(|tick| TICK.width(&tick.label)).fold(0.0, f64::max);
    frame.left += y_label.len() as f64 * LABEL.leading() + 8.0 + y_width + TICK_GAP + TICK_LENGTH;
    frame.right -= 14.0;

    let mut x_ticks = spaced_ticks(&plot.x, spans.x, frame);
    if let Some(last) = x_ticks.iter().rfind(|tick| !tick.label.is_empty())
        && !matches!(plot.x.ticks, Ticks::Categories(_))
    {
        let at = frame.left + spans.x.share(last.value) * frame.width();
        frame.right -= (at + TICK.width(&last.label) / 2.0 - cell.right).max(0.0);
        x_ticks = spaced_ticks(&plot.x, spans.x, frame);
    }
    let names = Names::of(&plot.x, &x_ticks, spans.x, frame);
    frame.bottom -= names.height - TICK.leading();
    frame = Rect { left: crisp(frame.left), bottom: crisp(frame.bottom), ..frame };

    for tick in &y_ticks {
        let y = crisp(frame.bottom - spans.y.share(tick.value) * frame.height());
        let length = tick_length(tick);
        if !tick.label.is_empty() {
            scene.line(&[(frame.left, y), (frame.right, y)], GRID, 1.0);
            let at = (frame.left - TICK_LENGTH - TICK_GAP, y + TICK.drop());
            scene.text(at, &tick.label, TICK, INK, Align::End);
        }
        scene.line(&[(frame.left - length, y), (frame.left, y)], AXIS, 1.0);
    }
    for tick in &x_ticks {
        let x = crisp(frame.left + spans.x.share(tick.value) * frame.width());
        if !tick.label.is_empty() {
            scene.line(&[(x, frame.top), (x, frame.bottom)], GRID, 1.0);
        }
        scene.line(&[(x, frame.bottom), (x, frame.bottom + tick_length(tick))], AXIS, 1.0);
    }
    names.draw(scene, frame.bottom + TICK_LENGTH + TICK_GAP);
    scene.line(&[(frame.left, frame.top), (frame.left, frame.bottom), (frame.right, frame.bottom)], AXIS, 1.0);

    let (middle, center) = frame.center();
    let top = cell.bottom - x_label.len() as f64 * LABEL.leading();
    scene.paragraph((middle, top), &x_label, LABEL, INK, Align::Middle);
    for (i, line) in (0..).zip(&y_label) {
        let baseline = cell.left + LABEL.ascent() + f64::from(i) * LABEL.leading();
        scene.turned_text((baseline, center), line, LABEL, INK);
    }
    frame
}

/// The nearest place where a line of one pixel fills one pixel.
fn crisp(place: f64) -> f64 {
    place.round() + 1.0 / 3.0
}

fn tick_length(tick: &Tick) -> f64 {
    if tick.label.is_empty() { TICK_LENGTH / 2.0 } else { TICK_LENGTH }
}

/// As many ticks as the axis has room for.
fn spaced_ticks(axis: &Axis, span: Span, frame: Rect) -> Vec<Tick> {
    let fits = |ticks: &[Tick]| {
        let labels: Vec<(f64, f64)> = ticks
            .iter()
            .filter(|tick| !tick.label.is_empty())
            .map(|tick| (span.share(tick.value) * frame.width(), TICK.width(&tick.label) / 2.0))
            .collect();
        labels.windows(2).all(|pair| pair[1].0 - pair[0].0 >= pair[0].1 + pair[1].1 + 18.0)
    };
    let choices = (2..=10).rev().map(|most| ticks(span, &axis.ticks, most));
    let fallback = ticks(span, &axis.ticks, 2);
    choices.into_iter().find(|ticks| fits(ticks)).unwrap_or(fallback)
}

/// The labels below the x axis. Names of categories are wrapped, and set in two alternating rows if a word needs it.
struct Names {
    /// Middle, row, lines.
    names: Vec<(f64, usize, Vec<String>)>,
    row: f64,
    height: f64,
}

impl Names {
    fn of(axis: &Axis, ticks: &[Tick], span: Span, frame: Rect) -> Self {
        let slot = frame.width() / (span.high - span.low) - 8.0;
        let named = matches!(axis.ticks, Ticks::Categories(_));
        let longest_word = ticks
            .iter()
            .flat_map(|tick| tick.label.split_whitespace())
            .map(|word| TICK.width(word))
            .fold(0.0, f64::max);
        let rows = if named && longest_word > slot { 2 } else { 1 };
        let room = if named { slot * rows as f64 + 8.0 * (rows - 1) as f64 } else { f64::INFINITY };
        let names: Vec<_> = ticks
            .iter()
            .filter(|tick| !tick.label.is_empty())
            .enumerate()
            .map(|(i, tick)| {
                let x = frame.left + span.share(tick.value) * frame.width();
                (x, i % rows, TICK.wrap(&tick.label, room))
            })
            .collect();
        let lines = names.iter().map(|(_, _, lines)| lines.len()).max().unwrap_or(1);
        let row = lines as f64 * TICK.leading();
        Self { names, row, height: rows as f64 * row }
    }

    fn draw(&self, scene: &mut Scene, top: f64) {
        for (x, row, lines) in &self.names {
            scene.paragraph((*x, top + *row as f64 * self.row), lines, TICK, INK, Align::Middle);
        }
    }
}

/// The inside of a plot.
struct Data<'a> {
    frame: Rect,
    spans: Spans,
    plot: &'a Plot,
    legend: &'a Legend,
}

impl Data<'_> {
    fn draw(&self, scene: &mut Scene) {
        let plot = self.plot;
        for guide in &plot.guides {
            for run in self.runs(&guide.points, 0.0) {
                for part in clip(&run, self.frame) {
                    symbol::guide(scene, &part, self.legend.guide(&guide.label));
                }
            }
        }
        // Series after series, but no band above another series' values.
        for (slot, series) in plot.series.iter().enumerate().filter(|(_, series)| series.style.band) {
            self.band(scene, series, self.dodge(slot));
        }
        for (slot, series) in plot.series.iter().enumerate() {
            self.series(scene, series, self.dodge(slot));
        }
        for mark in &plot.marks {
            let index = self.legend.mark(&mark.label);
            let Some((x, y)) = self.visible(mark.x, mark.y) else { continue };
            let x = x + self.dodge(plot.series.len() + self.mark_slot(&mark.label));
            if let Some(interval) = mark.interval {
                self.interval(scene, x, interval, BLACK, 1.8);
            }
            symbol::mark(scene, (x, y), index);
        }
        let mut points = plot.series.iter().flat_map(|series| &series.points).map(|point| (point.x, point.y));
        let mut marks = plot.marks.iter().map(|mark| (mark.x, mark.y));
        if !points.any(|(x, y)| self.visible(x, y).is_some()) && !marks.any(|(x, y)| self.visible(x, y).is_some()) {
            let (x, y) = self.frame.center();
            scene.text((x, y + LABEL.drop()), "no data", LABEL, MUTED, Align::Middle);
        }
    }

    fn series(&self, scene: &mut Scene, series: &Series, dodge: f64) {
        let color = super::color(series.style.color);
        if let Some(pattern) = symbol::pattern(series.style.line) {
            let points: Vec<(f64, f64)> = series.points.iter().map(|point| (point.x, point.y)).collect();
            for run in self.runs(&points, dodge) {
                for part in clip(&run, self.frame) {
                    scene.dashes(&part, pattern, color, symbol::LINE);
                }
            }
        }
        let visible =
            || series.points.iter().filter_map(|point| Some((self.visible(point.x, point.y)?, point.interval)));
        if !series.style.band {
            for ((x, _), interval) in visible() {
                if let Some(interval) = interval {
                    self.interval(scene, x + dodge, interval, color, 1.5);
                }
            }
        }
        for ((x, y), _) in visible() {
            symbol::marker(scene, (x + dodge, y), series.style.marker, color);
        }
    }

    fn band(&self, scene: &mut Scene, series: &Series, dodge: f64) {
        let points = series.points.iter();
        let ends: Vec<_> = points
            .map(|point| {
                let (x, _) = self.visible(point.x, point.y)?;
                let (low, high) = point.interval.unwrap_or((point.y, point.y));
                Some((x + dodge, self.height(low)?.0, self.height(high)?.0))
            })
            .collect();
        for run in ends.split(Option::is_none) {
            let upper = run.iter().flatten().map(|&(x, _, high)| (x, high));
            let lower = run.iter().flatten().rev().map(|&(x, low, _)| (x, low));
            let outline: Vec<Spot> = upper.chain(lower).collect();
            if outline.len() > 2 {
                scene.area(outline, super::color(series.style.color), symbol::BAND_ALPHA);
            }
        }
    }

    fn interval(&self, scene: &mut Scene, x: f64, (low, high): (f64, f64), color: Rgb, width: f64) {
        if let (Some(low), Some(high)) = (self.height(low), self.height(high)) {
            symbol::error_bar(scene, x, [low, high], color, width);
        }
    }

    /// Where an end of an interval lies, and whether it does so within the frame: beyond, it is cut off at the edge.
    fn height(&self, y: f64) -> Option<(f64, bool)> {
        if y.is_nan() {
            return None;
        }
        let share = self.spans.y.share(y);
        // The logarithm of a value that is not positive is below every axis.
        let share = if share.is_nan() { 0.0 } else { share };
        Some((self.frame.bottom - share.clamp(0.0, 1.0) * self.frame.height(), self.spans.y.contains(y)))
    }

    fn place(&self, x: f64, y: f64) -> Spot {
        let right = self.frame.left + self.spans.x.share(x) * self.frame.width();
        (right, self.frame.bottom - self.spans.y.share(y) * self.frame.height())
    }

    fn visible(&self, x: f64, y: f64) -> Option<Spot> {
        self.spans.hides(x, y).is_none().then(|| self.place(x, y))
    }

    /// The places of points, separated where one has no place on the axes.
    fn runs(&self, points: &[(f64, f64)], dodge: f64) -> Vec<Vec<Spot>> {
        let places: Vec<Option<Spot>> = points
            .iter()
            .map(|&(x, y)| self.place(x, y))
            .map(|(x, y)| (x.abs() < 1e9 && y.abs() < 1e9).then_some((x + dodge, y)))
            .collect();
        places.split(Option::is_none).map(|run| run.iter().copied().flatten().collect()).collect()
    }

    /// The shift by which series, and after them published values, stand next to each other in a category.
    fn dodge(&self, slot: usize) -> f64 {
        if !matches!(self.plot.x.ticks, Ticks::Categories(_)) {
            return 0.0;
        }
        let slots = self.plot.series.len() + self.mark_labels().len();
        let category = self.frame.width() / (self.spans.x.high - self.spans.x.low);
        let step = (0.8 * category / slots as f64).min(22.0);
        (slot as f64 - (slots - 1) as f64 / 2.0) * step
    }

    fn mark_labels(&self) -> Vec<&str> {
        let mut labels = Vec::new();
        for mark in &self.plot.marks {
            if !labels.contains(&mark.label.as_str()) {
                labels.push(&mark.label);
            }
        }
        labels
    }

    fn mark_slot(&self, label: &str) -> usize {
        self.mark_labels().iter().position(|&known| known == label).unwrap_or(0)
    }
}
