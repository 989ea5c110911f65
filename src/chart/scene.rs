//! The list of shapes between layout and painting. Coordinates are in pixels, y grows downwards.

use super::font::Font;

pub(super) type Rgb = (u8, u8, u8);
pub(super) type Spot = (f64, f64);

pub(super) const WHITE: Rgb = (255, 255, 255);
pub(super) const BLACK: Rgb = (0, 0, 0);
pub(super) const INK: Rgb = (34, 34, 34);
pub(super) const MUTED: Rgb = (90, 90, 90);
pub(super) const AXIS: Rgb = (120, 120, 120);
pub(super) const GRID: Rgb = (229, 229, 229);

/// Where a text's position lies in it; vertically it is always the baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Start,
    Middle,
    End,
}

/// A line of text.
#[derive(Debug, Clone)]
pub(super) struct Text {
    pub at: Spot,
    pub text: String,
    pub font: Font,
    pub color: Rgb,
    pub align: Align,
    /// Reads from bottom to top.
    pub turned: bool,
}

#[derive(Debug, Clone)]
pub(super) enum Shape {
    Line { points: Vec<Spot>, color: Rgb, width: f64 },
    Area { points: Vec<Spot>, color: Rgb, alpha: f64 },
    Dot { center: Spot, radius: f64, color: Rgb },
    Text(Text),
}

/// A part of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rect {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }

    pub(super) fn center(&self) -> Spot {
        (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom))
    }
}

/// A page.
#[derive(Debug, Clone, Default)]
pub(super) struct Scene {
    pub shapes: Vec<Shape>,
    pub width: f64,
    pub height: f64,
}

impl Scene {
    pub(super) fn line(&mut self, points: &[Spot], color: Rgb, width: f64) {
        if points.len() > 1 {
            self.shapes.push(Shape::Line { points: points.to_vec(), color, width });
        }
    }

    /// A line of dashes and gaps of these lengths, alternating; an empty pattern is a solid line.
    pub(super) fn dashes(&mut self, points: &[Spot], pattern: &[f64], color: Rgb, width: f64) {
        if pattern.is_empty() {
            return self.line(points, color, width);
        }
        for dash in dashes(points, pattern) {
            self.line(&dash, color, width);
        }
    }

    pub(super) fn area(&mut self, points: Vec<Spot>, color: Rgb, alpha: f64) {
        self.shapes.push(Shape::Area { points, color, alpha });
    }

    pub(super) fn dot(&mut self, center: Spot, radius: f64, color: Rgb) {
        self.shapes.push(Shape::Dot { center, radius, color });
    }

    pub(super) fn text(&mut self, at: Spot, text: &str, font: Font, color: Rgb, align: Align) {
        self.shapes.push(Shape::Text(Text { at, text: text.to_owned(), font, color, align, turned: false }));
    }

    pub(super) fn turned_text(&mut self, at: Spot, text: &str, font: Font, color: Rgb) {
        let align = Align::Middle;
        self.shapes.push(Shape::Text(Text { at, text: text.to_owned(), font, color, align, turned: true }));
    }

    /// Lines of text below each other from `top`; returns where they end.
    pub(super) fn paragraph(&mut self, (x, top): Spot, lines: &[String], font: Font, color: Rgb, align: Align) -> f64 {
        let mut bottom = top;
        for line in lines {
            self.text((x, bottom + font.ascent()), line, font, color, align);
            bottom += font.leading();
        }
        bottom
    }
}

fn dashes(points: &[Spot], pattern: &[f64]) -> Vec<Vec<Spot>> {
    let mut all = Vec::new();
    let mut dash: Vec<Spot> = points.first().copied().into_iter().collect();
    let mut turns = pattern.iter().copied().cycle();
    let mut left = turns.next().unwrap_or(f64::INFINITY);
    let mut drawn = true;
    for pair in points.windows(2) {
        let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let spot = (x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length);
            if drawn {
                dash.push(spot);
                all.push(std::mem::take(&mut dash));
            } else {
                dash = vec![spot];
            }
            drawn = !drawn;
            left = turns.next().unwrap_or(f64::INFINITY);
        }
        left -= length - done;
        if drawn {
            dash.push((x1, y1));
        }
    }
    if drawn {
        all.push(dash);
    }
    all
}

/// The parts of a line that lie in a rectangle.
pub(super) fn clip(points: &[Spot], frame: Rect) -> Vec<Vec<Spot>> {
    let mut parts: Vec<Vec<Spot>> = Vec::new();
    for pair in points.windows(2) {
        let Some((from, to)) = clip_segment(pair[0], pair[1], frame) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

/// Liang & Barsky's algorithm.
fn clip_segment((x0, y0): Spot, (x1, y1): Spot, frame: Rect) -> Option<(Spot, Spot)> {
    let (dx, dy) = (x1 - x0, y1 - y0);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    let edges = [(-dx, x0 - frame.left), (dx, frame.right - x0), (-dy, y0 - frame.top), (dy, frame.bottom - y0)];
    for (slope, room) in edges {
        if slope == 0.0 {
            if room < 0.0 {
                return None;
            }
        } else if slope < 0.0 {
            enter = enter.max(room / slope);
        } else {
            leave = leave.min(room / slope);
        }
    }
    let spot = |share: f64| match share {
        0.0 => (x0, y0),
        1.0 => (x1, y1),
        share => (x0 + dx * share, y0 + dy * share),
    };
    (enter <= leave).then(|| (spot(enter), spot(leave)))
}
