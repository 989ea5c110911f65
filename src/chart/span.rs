//! What an axis spans, and which values it can show.

use super::model::{Axis, Plot, Point, Scale, Ticks};

/// The values between the two ends of an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub scale: Scale,
    pub low: f64,
    pub high: f64,
}

impl Span {
    /// The axis' own range, or one that fits the values.
    fn fit(axis: &Axis, values: impl Iterator<Item = f64>) -> Self {
        let scale = axis.scale;
        if let Some((low, high)) = axis.range
            && showable(low, scale)
            && showable(high, scale)
            && widen(scale, low, high) == (low, high)
        {
            return Self { scale, low, high };
        }
        if let Ticks::Categories(names) = &axis.ticks {
            // A category has room on both sides of its value.
            return Self { scale: Scale::Linear, low: -0.5, high: names.len().max(1) as f64 - 0.5 };
        }
        let (low, high) = values
            .filter(|&value| showable(value, scale))
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        if low > high {
            return Self { scale, low: 1.0, high: 10.0 };
        }
        let (wide_low, wide_high) = widen(scale, low, high);
        match scale {
            Scale::Log10 => {
                let pad = (wide_high / wide_low).powf(0.05);
                Self { scale, low: wide_low / pad, high: wide_high * pad }
            }
            Scale::Linear => {
                let pad = (wide_high - wide_low) * 0.05;
                // Values near zero are best judged from zero, and none is seen below it that is not there.
                let padded = if low >= 0.0 && low < 0.3 * high { 0.0 } else { wide_low - pad };
                Self { scale, low: padded, high: wide_high + pad }
            }
        }
    }

    /// How far along the axis a value lies: 0 at its low end, 1 at its high end.
    pub(super) fn share(&self, value: f64) -> f64 {
        match self.scale {
            Scale::Linear => (value - self.low) / (self.high - self.low),
            Scale::Log10 => (value / self.low).log10() / (self.high / self.low).log10(),
        }
    }

    pub(super) fn contains(&self, value: f64) -> bool {
        // The tolerance of a rounding error: a value that sets the end of the axis is on it.
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }
}

/// Whether an axis of this scale has a place for the value, wherever it ends. The limit keeps differences finite.
fn showable(value: f64, scale: Scale) -> bool {
    value.abs() < 1e300 && (scale == Scale::Linear || value > 1e-300)
}

/// Ends that are far enough apart to have numbers between them.
fn widen(scale: Scale, low: f64, high: f64) -> (f64, f64) {
    match scale {
        Scale::Log10 if high / low < 1.0 + 1e-6 => (low / 2.0, high * 2.0),
        Scale::Linear if high - low < 1e-9 * low.abs().max(high.abs()) || high <= low => {
            let room = if high == 0.0 { 1.0 } else { high.abs() * 0.5 };
            (low - room, high + room)
        }
        _ => (low, high),
    }
}

/// Both axes of a plot, fitted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spans {
    pub x: Span,
    pub y: Span,
}

/// Why a value is not drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hidden {
    NotFinite,
    NotPositive,
    Outside,
}

impl Spans {
    pub(super) fn of(plot: &Plot) -> Self {
        let marks = plot.marks.iter().map(|mark| Point { x: mark.x, y: mark.y, interval: mark.interval });
        let mut points: Vec<Point> =
            plot.series.iter().flat_map(|series| &series.points).copied().chain(marks).collect();
        points.retain(|point| showable(point.x, plot.x.scale) && showable(point.y, plot.y.scale));
        if points.is_empty() {
            let guides = plot.guides.iter().flat_map(|guide| &guide.points);
            points.extend(guides.map(|&(x, y)| Point { x, y, interval: None }));
        }
        let x = Span::fit(&plot.x, points.iter().map(|point| point.x));
        points.retain(|point| x.contains(point.x));
        let ends = |point: &Point| point.interval.map_or([point.y; 3], |(low, high)| [low, point.y, high]);
        Self { x, y: Span::fit(&plot.y, points.iter().flat_map(ends)) }
    }

    /// `None` if the point can be drawn.
    pub(super) fn hides(&self, x: f64, y: f64) -> Option<Hidden> {
        if !showable(x, Scale::Linear) || !showable(y, Scale::Linear) {
            return Some(Hidden::NotFinite);
        }
        if !showable(x, self.x.scale) || !showable(y, self.y.scale) {
            return Some(Hidden::NotPositive);
        }
        (!self.x.contains(x) || !self.y.contains(y)).then_some(Hidden::Outside)
    }
}
