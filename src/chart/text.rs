//! How wide a text is, and where its lines break.

use super::font::Font;
use super::paint;

impl Font {
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
