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
                // In decades, whose difference is finite where the ratio of the ends is not.
                let pad = (wide_high.log10() - wide_low.log10()) * 0.05;
                let end = |value: f64, pad: f64| 10_f64.powf(value.log10() + pad).clamp(SMALLEST, LARGEST);
                Self { scale, low: end(wide_low, -pad), high: end(wide_high, pad) }
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
            Scale::Log10 => (value.log10() - self.low.log10()) / (self.high.log10() - self.low.log10()),
        }
    }

    pub(super) fn contains(&self, value: f64) -> bool {
        // The tolerance of a rounding error: a value that sets the end of the axis is on it.
        (-1e-9..=1.0 + 1e-9).contains(&self.share(value))
    }
}

/// The ends of what an axis can show: within them differences and powers of ten are finite.
const SMALLEST: f64 = 1e-300;
const LARGEST: f64 = 1e300;

/// Whether an axis of this scale has a place for the value, wherever it ends.
fn showable(value: f64, scale: Scale) -> bool {
    value.abs() < LARGEST && (scale == Scale::Linear || value > SMALLEST)
}

/// Ends that are far enough apart to have numbers between them.
fn widen(scale: Scale, low: f64, high: f64) -> (f64, f64) {
    match scale {
        Scale::Log10 if high / low < 1.0 + 1e-6 => (low / 2.0, high * 2.0),
        Scale::Linear if high - low < (1e-9 * low.abs().max(high.abs())).max(SMALLEST) || high <= low => {
            let room = if high.abs() < SMALLEST { 1.0 } else { high.abs() * 0.5 };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(scale: Scale) -> Axis {
        Axis { label: String::new(), scale, range: None, ticks: Ticks::Number }
    }

    /// The ratio of the ends is beyond an f64; the axis is not.
    #[test]
    fn the_widest_axis_has_ends() {
        let span = Span::fit(&axis(Scale::Log10), [1e-299, 1.0, 1e299].into_iter());
        assert!(span.low >= SMALLEST && span.high <= LARGEST, "{span:?}");
        assert!((span.share(1.0) - 0.5).abs() < 1e-9 && span.contains(1e-299) && span.contains(1e299));
        let ticks = super::super::ticks::ticks(span, &Ticks::Number, 8);
        assert!((4..=9).contains(&ticks.len()), "{}", ticks.len());
    }

    /// Differences that are no normal numbers would be scaled by a power of ten that is infinite.
    #[test]
    fn the_smallest_values_have_an_axis() {
        let span = Span::fit(&axis(Scale::Linear), [0.0, 3e-320, 1e-310].into_iter());
        let ticks = super::super::ticks::ticks(span, &Ticks::Number, 8);
        assert!((2..=17).contains(&ticks.len()) && ticks.iter().all(|tick| tick.value.is_finite()), "{span:?}");
    }
}
