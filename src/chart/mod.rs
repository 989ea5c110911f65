//! Charts: pure data in, a PNG and an SVG out.
//!
//! A [`Chart`] says what is to be seen and nothing about pixels; [`render`] composes it into a list of shapes that both
//! formats are painted from, so that they show the same. Equal charts give equal bytes. Values that cannot be shown (not
//! finite, not positive on a logarithmic axis, outside a given range) are left out, and a footnote counts them.
//!
//! Only `paint` knows the drawing library.

mod circle;
mod font;
mod layout;
mod legend;
mod model;
mod paint;
mod plot;
pub mod records;
mod scene;
mod span;
mod symbol;
mod text;
mod ticks;

pub use model::{
    Axis, Chart, Circle, Guide, KeyDot, Line, Mark, Marker, Panel, Plot, Point, Scale, Series, Style, Ticks, Token,
};

use std::path::{Path, PathBuf};

/// Why a chart was not drawn.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ChartError {
    /// Too many or too few panels for a page.
    #[error("chart {stem:?}: {panels} panels; a chart has 1 to 4")]
    Panels { stem: String, panels: usize },
    /// The drawing library refused.
    #[error("{}: cannot be drawn: {message}", path.display())]
    Draw { path: PathBuf, message: String },
    /// The file could not be written.
    #[error("{}: cannot be written", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// Writes `<stem>.png` and `<stem>.svg` into `folder`, which must exist, and returns their paths in this order.
///
/// # Errors
/// [`ChartError::Panels`] unless there are 1 to 4 panels; [`ChartError::Write`] and [`ChartError::Draw`] name the file.
pub fn render(chart: &Chart, folder: &Path) -> Result<[PathBuf; 2], ChartError> {
    if !(1..=4).contains(&chart.panels.len()) {
        return Err(ChartError::Panels { stem: chart.stem.clone(), panels: chart.panels.len() });
    }
    let scene = layout::compose(chart);
    // Not with_extension(): a stem may contain a dot.
    let paths = ["png", "svg"].map(|extension| folder.join(format!("{}.{extension}", chart.stem)));
    paint::png(&scene, &paths[0])?;
    paint::svg(&scene, &paths[1])?;
    Ok(paths)
}

/// Okabe & Ito's colours without yellow and black, then darker ones of Tol's "muted": all are legible on white. Black is
/// kept for published values and grey for theory.
const PALETTE: [(u8, u8, u8); 11] = [
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (86, 180, 233),
    (136, 34, 85),
    (51, 34, 136),
    (153, 153, 51),
    (140, 86, 75),
    (17, 119, 51),
];

/// The colour of this index in a palette that the colour-blind can tell apart. It repeats after 11 colours.
#[must_use]
pub fn color(index: usize) -> (u8, u8, u8) {
    PALETTE[index % PALETTE.len()]
}

#[cfg(test)]
mod tests;
