//! A table for a terminal or a Markdown page.

use std::fmt::Write;

use super::terminal::printable;

/// Nanoseconds in the unit that suits them.
#[must_use]
pub fn nanoseconds(ns: f64) -> String {
    match ns {
        1e9.. => format!("{:.2} s", ns / 1e9),
        1e6.. => format!("{:.2} ms", ns / 1e6),
        1e3.. => format!("{:.2} µs", ns / 1e3),
        _ => format!("{ns:.1} ns"),
    }
}

/// Bytes in the unit that suits them, a power of 1024.
#[must_use]
pub fn bytes(bytes: f64) -> String {
    match bytes {
        1_073_741_824.0.. => format!("{:.2} GiB", bytes / 1_073_741_824.0),
        1_048_576.0.. => format!("{:.2} MiB", bytes / 1_048_576.0),
        1_024.0.. => format!("{:.1} KiB", bytes / 1_024.0),
        _ => format!("{bytes} B"),
    }
}

/// Rows of cells under a heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Cells of a terminal's table are folded at this width, so that no cell can make a line endless.
const WIDEST: usize = 48;

impl Table {
    /// An empty table.
    pub fn new<S: Into<String>>(heading: impl IntoIterator<Item = S>) -> Self {
        Self { heading: heading.into_iter().map(Into::into).collect(), rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        let mut cells: Vec<String> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.heading.len(), String::new());
        self.rows.push(cells);
    }

    /// Whether it has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// For a terminal: columns aligned, long cells folded.
    #[must_use]
    pub fn text(&self) -> String {
        let folded: Vec<Vec<Vec<String>>> = std::iter::once(&self.heading)
            .chain(&self.rows)
            .map(|row| row.iter().map(|cell| fold(cell)).collect())
            .collect();
        let widths: Vec<usize> = (0..self.heading.len())
            .map(|column| {
                folded.iter().flat_map(|row| &row[column]).map(|line| line.chars().count()).max().unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for (at, row) in folded.iter().enumerate() {
            for line in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
                let cells = row.iter().zip(&widths).map(|(cell, width)| {
                    let part = cell.get(line).map_or("", String::as_str);
                    part.to_owned() + &" ".repeat(width - part.chars().count())
                });
                let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
            }
            if at == 0 {
                let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
                let _ = writeln!(text, "{}", rules.join("  "));
            }
        }
        text
    }

    /// For a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells: Vec<String> =
                cells.iter().map(|cell| printable(&cell.replace('|', "\\|").replace('\n', " ")).into_owned()).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rules = vec!["---".to_owned(); self.heading.len()];
        std::iter::once(&self.heading).chain([&rules]).chain(&self.rows).map(|row| line(row)).collect()
    }
}

/// Breaks a cell between words into lines of at most [`WIDEST`] characters, and a longer word within.
fn fold(cell: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    let words: Vec<String> = cell.split_whitespace().flat_map(|word| pieces(&printable(word))).collect();
    for word in words {
        let last = lines.last_mut().expect("starts with one line");
        if last.is_empty() {
            last.push_str(&word);
        } else if last.chars().count() + 1 + word.chars().count() <= WIDEST {
            last.push(' ');
            last.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    lines
}

/// A word in pieces that fit into a line.
fn pieces(word: &str) -> Vec<String> {
    let letters: Vec<char> = word.chars().collect();
    letters.chunks(WIDEST).map(|piece| piece.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms() {
        let mut table = Table::new(["a", "long heading"]);
        table.row(["x|y", "1"]);
        assert_eq!(table.text(), "a    long heading\n---  ------------\nx|y  1\n");
        assert_eq!(table.markdown(), "| a | long heading |\n| --- | --- |\n| x\\|y | 1 |\n");
    }

    /// Formatting with a width ends at 65,535.
    #[test]
    fn a_long_word_is_folded_and_whole() {
        let name: String = ('a'..='z').cycle().take(70_000).collect();
        let mut table = Table::new(["node", "keys"]);
        table.row([name.as_str(), "1"]);
        let text = table.text();
        assert!(text.lines().all(|line| line.chars().count() <= WIDEST + 6));
        let shown: String = text.lines().skip(2).map(|line| line.split(' ').next().unwrap_or_default()).collect();
        assert_eq!(shown, name);
    }

    #[test]
    fn a_cell_does_not_steer_the_terminal() {
        let mut table = Table::new(["node"]);
        table.row(["\u{1b}[2Ja\u{7}"]);
        for text in [table.text(), table.markdown()] {
            assert!(text.contains("\\u{1b}[2Ja\\u{7}"), "{text}");
            assert!(!text.contains(['\u{1b}', '\u{7}']));
        }
    }
}
