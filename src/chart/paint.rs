//! From shapes to files: the only file that knows plotters.

use std::path::Path;
use std::sync::OnceLock;

use plotters::element::{Circle, PathElement, Polygon};
use plotters::prelude::{BitMapBackend, DrawingBackend, IntoDrawingArea, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, FontTransform, RGBColor, ShapeStyle, register_font};

use super::ChartError;
use super::scene::{Align, Rgb, Scene, Shape, Text, WHITE};
use crate::files;

/// The name under which the font is registered, and at the same time a CSS list: viewers of an SVG without DejaVu take
/// Verdana, which is as wide.
const FAMILY: &str = "DejaVu Sans, Verdana, sans-serif";

/// plotters rounds to whole pixels and draws wide lines without anti-aliasing, therefore the page is painted this many
/// times larger: the bitmap is averaged down, and the SVG declares its true size.
const ZOOM: usize = 3;

/// Where the backends of plotters differ from CSS and from each other. Text is in ems.
struct Quirks {
    /// The font size to ask for.
    size: f64,
    /// How far below the asked position, with anchor at the top, the baseline comes to lie.
    baseline: f64,
    /// How far text comes to lie to the left of where it belongs.
    left: f64,
    /// How many pixels wider a line is than asked.
    excess: f64,
}

/// The bitmap scales ascent + descent to the size, puts the baseline half a size down, forgets the space before a glyph
/// and fills both edges of a line.
const BITMAP: Quirks = Quirks { size: 1.164, baseline: 0.582, left: 0.09, excess: 1.0 };
const SVG: Quirks = Quirks { size: 1.24, baseline: 0.76, left: 0.0, excess: 0.0 };

fn font(size: f64, bold: bool) -> FontDesc<'static> {
    static REGISTERED: OnceLock<()> = OnceLock::new();
    REGISTERED.get_or_init(|| {
        // If it failed, each text would fail with an error of its own.
        let _ = register_font(FAMILY, FontStyle::Normal, dejavu::sans::regular());
        let _ = register_font(FAMILY, FontStyle::Bold, dejavu::sans::bold());
    });
    FontDesc::new(FontFamily::Name(FAMILY), size, if bold { FontStyle::Bold } else { FontStyle::Normal })
}

/// The width of a text in ems.
pub(super) fn width_per_em(text: &str, bold: bool) -> f64 {
    // Measured large, because plotters truncates to pixels.
    const EM: f64 = 1000.0;
    font(EM * BITMAP.size, bold).layout_box(text).map_or(0.0, |((left, _), (right, _))| f64::from(right - left) / EM)
}

/// Paints the bitmap.
pub(super) fn png(scene: &Scene, path: &Path) -> Result<(), ChartError> {
    let refused = |message: String| ChartError::Draw { path: path.to_owned(), message };
    let (width, height) = size(scene, 1);
    let mut large = vec![0; 3 * ZOOM * ZOOM * width as usize * height as usize];
    paint(scene, BitMapBackend::with_buffer(&mut large, size(scene, ZOOM)), &BITMAP).map_err(refused)?;
    let small = shrink(&large, width as usize);
    let mut file = Vec::new();
    // By itself: what plotters writes is nearly twice as long.
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Best);
    encoder.set_filter(png::FilterType::NoFilter);
    let mut writer = encoder.write_header().map_err(|error| refused(error.to_string()))?;
    writer.write_image_data(&small).and_then(|()| writer.finish()).map_err(|error| refused(error.to_string()))?;
    write(path, &file)
}

/// Paints the SVG.
pub(super) fn svg(scene: &Scene, path: &Path) -> Result<(), ChartError> {
    let mut document = String::new();
    paint(scene, SVGBackend::with_string(&mut document, size(scene, ZOOM)), &SVG)
        .map_err(|message| ChartError::Draw { path: path.to_owned(), message })?;
    let attributes = |(width, height)| format!("width=\"{width}\" height=\"{height}\"");
    let document = document.replacen(&attributes(size(scene, ZOOM)), &attributes(size(scene, 1)), 1);
    write(path, document.as_bytes())
}

fn write(path: &Path, content: &[u8]) -> Result<(), ChartError> {
    files::replace(path, content).map_err(|source| ChartError::Write { path: path.to_owned(), source })
}

fn size(scene: &Scene, zoom: usize) -> (u32, u32) {
    (scene.width.round() as u32 * zoom as u32, scene.height.round() as u32 * zoom as u32)
}

/// Averages squares of `ZOOM` x `ZOOM` pixels.
fn shrink(large: &[u8], width: usize) -> Vec<u8> {
    const PIXELS: usize = ZOOM * ZOOM;
    let mut small = Vec::with_capacity(large.len() / PIXELS);
    let mut sums = vec![0_usize; 3 * width];
    for (i, row) in large.chunks_exact(3 * ZOOM * width).enumerate() {
        for (pixel, sums) in row.chunks_exact(3 * ZOOM).zip(sums.chunks_exact_mut(3)) {
            for (at, &value) in pixel.iter().enumerate() {
                sums[at % 3] += usize::from(value);
            }
        }
        if i % ZOOM == ZOOM - 1 {
            small.extend(sums.iter_mut().map(|sum| ((std::mem::take(sum) + PIXELS / 2) / PIXELS) as u8));
        }
    }
    small
}

fn rgb((red, green, blue): Rgb) -> RGBColor {
    RGBColor(red, green, blue)
}

fn zoomed((x, y): (f64, f64)) -> (i32, i32) {
    ((x * ZOOM as f64).round() as i32, (y * ZOOM as f64).round() as i32)
}

/// The message of the backend's error is what both backends have in common.
fn paint<B: DrawingBackend>(scene: &Scene, backend: B, quirks: &Quirks) -> Result<(), String> {
    let area = backend.into_drawing_area();
    area.fill(&rgb(WHITE)).map_err(|error| error.to_string())?;
    for shape in &scene.shapes {
        match shape {
            Shape::Line { points, color, width } => {
                let stroke_width = (width * ZOOM as f64 - quirks.excess).round().max(1.0) as u32;
                let style = ShapeStyle { color: rgb(*color).to_rgba(), filled: false, stroke_width };
                let points: Vec<_> = points.iter().copied().map(zoomed).collect();
                area.draw(&PathElement::new(points, style))
            }
            Shape::Area { points, color, alpha } => {
                let points: Vec<_> = points.iter().copied().map(zoomed).collect();
                area.draw(&Polygon::new(points, rgb(*color).mix(*alpha)))
            }
            Shape::Dot { center, radius, color } => {
                let radius = (radius * ZOOM as f64).round() as i32;
                area.draw(&Circle::new(zoomed(*center), radius, rgb(*color).filled()))
            }
            Shape::Text(text) => {
                let (at, style) = typeset(text, quirks);
                area.draw_text(&text.text, &style, at)
            }
        }
        .map_err(|error| error.to_string())?;
    }
    area.present().map_err(|error| error.to_string())
}

fn typeset(text: &Text, quirks: &Quirks) -> ((i32, i32), plotters::style::TextStyle<'static>) {
    let em = text.font.em;
    let (right, up) = (quirks.left * em, quirks.baseline * em);
    let (at, transform) = match text.turned {
        false => ((text.at.0 + right, text.at.1 - up), FontTransform::None),
        true => ((text.at.0 - up, text.at.1 - right), FontTransform::Rotate270),
    };
    let horizontal = match text.align {
        Align::Start => HPos::Left,
        Align::Middle => HPos::Center,
        Align::End => HPos::Right,
    };
    let font = font(quirks.size * em * ZOOM as f64, text.font.bold).transform(transform);
    (zoomed(at), font.color(&rgb(text.color)).pos(Pos::new(horizontal, VPos::Top)))
}
