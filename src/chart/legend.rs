//! The legend that all panels share, outside of the data.

use super::font::LEGEND;
use super::model::{Chart, Panel, Style};
use super::scene::{AXIS, Align, INK, Rect, Scene, Spot};
use super::{color, symbol};

/// What is drawn before a label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sample {
    Series(Style),
    Mark(usize),
    Guide(usize),
    Token,
    Key { emphasised: bool },
}

/// Entries in the order of the panels: series, published values, theory, then the parts of rings.
#[derive(Debug, Clone, Default)]
pub(super) struct Legend {
    entries: Vec<(Sample, String)>,
    marks: Vec<String>,
    guides: Vec<String>,
}

const SAMPLE: f64 = 40.0;
const GAP: f64 = 10.0;
const BETWEEN_COLUMNS: f64 = 28.0;
const LONGEST_LABEL: f64 = 420.0;

impl Legend {
    pub(super) fn of(chart: &Chart) -> Self {
        let mut legend = Self::default();
        let plots = || {
            chart.panels.iter().filter_map(|panel| match panel {
                Panel::Plot(plot) => Some(plot),
                Panel::Circle(_) => None,
            })
        };
        for series in plots().flat_map(|plot| &plot.series) {
            legend.add(Sample::Series(series.style), series.label.clone());
        }
        for mark in plots().flat_map(|plot| &plot.marks) {
            let index = index_of(&mut legend.marks, &mark.label);
            legend.add(Sample::Mark(index), format!("published: {}", mark.label));
        }
        for guide in plots().flat_map(|plot| &plot.guides) {
            let index = index_of(&mut legend.guides, &guide.label);
            legend.add(Sample::Guide(index), guide.label.clone());
        }
        for panel in &chart.panels {
            let Panel::Circle(circle) = panel else { continue };
            if !circle.tokens.is_empty() {
                legend.add(Sample::Token, "token: owns the arc that ends at it".to_owned());
            }
            for (emphasised, label) in [(false, "key"), (true, "key that moved")] {
                if circle.keys.iter().any(|key| key.emphasised == emphasised) {
                    legend.add(Sample::Key { emphasised }, label.to_owned());
                }
            }
        }
        legend
    }

    fn add(&mut self, sample: Sample, label: String) {
        let entry = (sample, label);
        if !entry.1.is_empty() && !self.entries.contains(&entry) {
            self.entries.push(entry);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Which symbol the published values of this label have.
    pub(super) fn mark(&self, label: &str) -> usize {
        self.marks.iter().position(|known| known == label).unwrap_or(0)
    }

    /// Which line the guides of this label have.
    pub(super) fn guide(&self, label: &str) -> usize {
        self.guides.iter().position(|known| known == label).unwrap_or(0)
    }

    /// The width of an entry, and so of a column, if labels are wrapped at `most`.
    pub(super) fn width(&self, most: f64) -> f64 {
        let widest = self.entries.iter().map(|(_, label)| LEGEND.width(label)).fold(0.0, f64::max);
        SAMPLE + GAP + widest.min(most - SAMPLE - GAP).ceil() + 1.0
    }

    /// The height in an area of this width.
    pub(super) fn height(&self, width: f64) -> f64 {
        // Drawn on a page that nobody sees: heights cannot differ from what is drawn.
        let area = Rect { left: 0.0, top: 0.0, right: width, bottom: 0.0 };
        self.draw(&mut Scene::default(), area)
    }

    /// Draws the entries in as many columns as fit, row by row, and returns where they end.
    pub(super) fn draw(&self, scene: &mut Scene, area: Rect) -> f64 {
        let column = self.width(area.width().min(SAMPLE + GAP + LONGEST_LABEL));
        let columns = ((area.width() + BETWEEN_COLUMNS) / (column + BETWEEN_COLUMNS)).floor().max(1.0) as usize;
        let mut top = area.top;
        for row in self.entries.chunks(columns) {
            let mut bottom = top;
            for (i, (sample, label)) in row.iter().enumerate() {
                let left = area.left + i as f64 * (column + BETWEEN_COLUMNS);
                let lines = LEGEND.wrap(label, column - SAMPLE - GAP);
                let x = left + SAMPLE + GAP;
                let end = scene.paragraph((x, top), &lines, LEGEND, INK, Align::Start);
                draw_sample(scene, *sample, (left, top + LEGEND.ascent() - LEGEND.drop()));
                bottom = f64::max(bottom, end);
            }
            top = bottom + 6.0;
        }
        top
    }
}

fn index_of(known: &mut Vec<String>, label: &str) -> usize {
    known.iter().position(|other| other == label).unwrap_or_else(|| {
        known.push(label.to_owned());
        known.len() - 1
    })
}

fn draw_sample(scene: &mut Scene, sample: Sample, (left, y): Spot) {
    let line = [(left, y), (left + SAMPLE, y)];
    let middle = (left + SAMPLE / 2.0, y);
    match sample {
        Sample::Series(style) => {
            let color = color(style.color);
            if style.band {
                let (top, bottom) = (y - 7.0, y + 7.0);
                let corners = [(left, top), (left + SAMPLE, top), (left + SAMPLE, bottom), (left, bottom)];
                scene.area(corners.to_vec(), color, symbol::BAND_ALPHA);
            }
            if let Some(pattern) = symbol::pattern(style.line) {
                scene.dashes(&line, pattern, color, symbol::LINE);
            }
            symbol::marker(scene, middle, style.marker, color);
        }
        Sample::Mark(index) => symbol::mark(scene, middle, index),
        Sample::Guide(index) => symbol::guide(scene, &line, index),
        Sample::Token => {
            let end = (left + SAMPLE - GAP, y);
            scene.line(&[(left, y), end], AXIS, super::circle::BAND);
            super::circle::token(scene, end, AXIS);
        }
        Sample::Key { emphasised } => super::circle::key(scene, middle, AXIS, emphasised),
    }
}
