//! The fonts of a chart.

/// A size of DejaVu Sans.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Font {
    /// Pixels per em.
    pub em: f64,
    pub bold: bool,
}

pub(super) const TITLE: Font = Font { em: 22.0, bold: true };
pub(super) const SUBTITLE: Font = Font { em: 16.0, bold: false };
pub(super) const PANEL: Font = Font { em: 17.0, bold: true };
pub(super) const LABEL: Font = Font { em: 17.0, bold: false };
pub(super) const TICK: Font = Font { em: 16.0, bold: false };
pub(super) const LEGEND: Font = Font { em: 16.0, bold: false };
pub(super) const NOTE: Font = Font { em: 14.0, bold: false };
pub(super) const TOKEN: Font = Font { em: 16.0, bold: true };

impl Font {
    /// From the top of a line to its baseline.
    pub(super) fn ascent(self) -> f64 {
        self.em
    }

    /// From one baseline to the next.
    pub(super) fn leading(self) -> f64 {
        (self.em * 1.32).round()
    }

    /// How far the baseline lies below the middle of a capital or a digit.
    pub(super) fn drop(self) -> f64 {
        self.em * 0.365
    }
}
