//! The fonts of a chart, and where its lines break.

use super::paint;

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

    pub(super) fn width(self, text: &str) -> f64 {
        paint::width_per_em(text, self.bold) * self.em
    }

    /// Breaks a text at spaces, and words that are too long anywhere, into lines of at most `width`.
    pub(super) fn wrap(self, text: &str, width: f64) -> Vec<String> {
        let mut lines = Vec::new();
        for paragraph in text.lines().filter(|paragraph| !paragraph.trim().is_empty()) {
            let mut line = String::new();
            for word in paragraph.split_whitespace() {
                let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
                if self.width(&longer) <= width {
                    line = longer;
                    continue;
                }
                if !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                }
                for letter in word.chars() {
                    line.push(letter);
                    if self.width(&line) > width && line.chars().count() > 1 {
                        line.pop();
                        lines.push(std::mem::replace(&mut line, letter.to_string()));
                    }
                }
            }
            lines.push(line);
        }
        lines
    }
}
