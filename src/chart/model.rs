//! What a chart is: data only.

/// One picture: 1 to 4 panels, side by side or two by two, with one legend.
#[derive(Debug, Clone)]
pub struct Chart {
    /// File name without extension.
    pub stem: String,
    pub title: String,
    /// What was measured, and how; may be empty.
    pub subtitle: String,
    pub panels: Vec<Panel>,
    /// What a reader must know to read the chart rightly; each becomes a paragraph below it.
    pub footnotes: Vec<String>,
}

/// One part of a chart.
#[derive(Debug, Clone)]
pub enum Panel {
    Plot(Plot),
    Circle(Circle),
}

/// Two axes and what lies between them. Without any value to show it says "no data".
#[derive(Debug, Clone)]
pub struct Plot {
    /// May be empty.
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub series: Vec<Series>,
    pub marks: Vec<Mark>,
    pub guides: Vec<Guide>,
}

/// One axis of a plot.
#[derive(Debug, Clone)]
pub struct Axis {
    /// With the unit: "time per look-up (ns)".
    pub label: String,
    pub scale: Scale,
    /// Lowest and highest value that is shown. Without it, or if it makes no sense on this scale, the axis is fitted to
    /// values, intervals and marks.
    pub range: Option<(f64, f64)>,
    pub ticks: Ticks,
}

impl Axis {
    /// An axis of names.
    pub fn categories<S: Into<String>>(label: &str, names: impl IntoIterator<Item = S>) -> Self {
        let ticks = Ticks::Categories(names.into_iter().map(Into::into).collect());
        Self { label: label.to_owned(), scale: Scale::Linear, range: None, ticks }
    }

    /// An axis of shares, written in percent.
    #[must_use]
    pub fn percent(label: &str, low: f64, high: f64) -> Self {
        Self { label: label.to_owned(), scale: Scale::Linear, range: Some((low, high)), ticks: Ticks::Percent }
    }
}

/// How an axis maps values to lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Log10,
}

/// What the values of an axis are, and thus how its ticks are chosen and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ticks {
    /// 1, 500, 1,000, 10k, 1M.
    Number,
    /// Values are bytes: 64 B, 1 KiB, 1 MiB.
    Bytes,
    /// Values are seconds: 1 ns, 1 µs, 1 ms, 1 s.
    Seconds,
    /// Values are shares: 0.25 is written 25%.
    Percent,
    /// Value 0 is the first name, 1 the second. Series that share a category are drawn next to each other.
    Categories(Vec<String>),
}

/// Values of one kind, drawn alike.
#[derive(Debug, Clone)]
pub struct Series {
    /// For the legend; series of different panels with the same label and style share an entry. Empty: no entry.
    pub label: String,
    pub style: Style,
    /// Joined in this order; the line has a gap where a point cannot be shown.
    pub points: Vec<Point>,
}

impl Series {
    /// The same without a line: for categories, which have no order.
    #[must_use]
    pub fn unjoined(self) -> Self {
        Self { style: Style { line: Line::None, ..self.style }, ..self }
    }
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// Lower and upper end of the interval of y: an error bar, or a part of the band.
    pub interval: Option<(f64, f64)>,
}

/// How a series looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Index into the [palette](super::color).
    pub color: usize,
    pub marker: Marker,
    pub line: Line,
    /// Intervals as a band, not as error bars.
    pub band: bool,
}

/// The symbol of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marker {
    None,
    Circle,
    Triangle,
    Cross,
    Square,
    Diamond,
    Plus,
}

/// The line that joins values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Line {
    None,
    Solid,
    Dashed,
    Dotted,
}

/// A published value: black, with the entry "published: label" in the legend, one for each distinct label.
#[derive(Debug, Clone)]
pub struct Mark {
    pub label: String,
    pub x: f64,
    pub y: f64,
    pub interval: Option<(f64, f64)>,
}

/// Theory: a thin grey line behind the data. It does not stretch the axes.
#[derive(Debug, Clone)]
pub struct Guide {
    pub label: String,
    pub points: Vec<(f64, f64)>,
}

impl Guide {
    /// A level that theory gives for one category.
    #[must_use]
    pub fn level(label: &str, category: f64, y: f64) -> Self {
        Self { label: label.to_owned(), points: vec![(category - 0.5, y), (category + 0.5, y)] }
    }
}

/// A hash ring. Position 0 is at 12 o'clock, and positions grow clockwise.
#[derive(Debug, Clone)]
pub struct Circle {
    /// May be empty.
    pub title: String,
    /// Number of positions on the circle. Tokens and keys beyond it wrap.
    pub positions: u64,
    pub tokens: Vec<Token>,
    pub keys: Vec<KeyDot>,
    /// Below the ring; may be empty.
    pub caption: String,
}

/// The end of an arc of the ring. It owns the positions after the previous token, up to and including its own.
#[derive(Debug, Clone)]
pub struct Token {
    pub position: u64,
    pub label: String,
    /// Index into the [palette](super::color).
    pub color: usize,
    /// Small, below the label; may be empty.
    pub note: String,
}

/// A key on the ring.
#[derive(Debug, Clone)]
pub struct KeyDot {
    pub position: u64,
    pub label: String,
    /// Index into the [palette](super::color).
    pub color: usize,
    /// A key that moved: outlined, and its label in black.
    pub emphasised: bool,
}
