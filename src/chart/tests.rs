//! What a reader must be able to rely on: files, footnotes, and text that is neither cut off nor overlaid.

use super::scene::{Align, Scene, Shape, Text};
use super::*;

fn axis(label: &str, scale: Scale, ticks: Ticks) -> Axis {
    Axis { label: label.to_owned(), scale, range: None, ticks }
}

fn series(label: &str, color: usize, points: &[(f64, f64)]) -> Series {
    let points = points.iter().map(|&(x, y)| Point { x, y, interval: Some((0.9 * y, 1.2 * y)) }).collect();
    let style = Style { color, marker: Marker::Circle, line: Line::Dashed, band: color == 1 };
    Series { label: label.to_owned(), style, points }
}

fn plot(series: Vec<Series>) -> Plot {
    Plot {
        title: "a panel".to_owned(),
        x: axis("number of buckets", Scale::Log10, Ticks::Number),
        y: axis("time per look-up", Scale::Log10, Ticks::Seconds),
        series,
        marks: Vec::new(),
        guides: Vec::new(),
    }
}

fn chart(panels: Vec<Panel>) -> Chart {
    Chart {
        stem: "a.chart".to_owned(),
        title: "A title".to_owned(),
        subtitle: "A long subtitle ".repeat(20),
        panels,
        footnotes: vec!["A long footnote ".repeat(30)],
    }
}

fn dense_plot() -> Plot {
    let values = |i: usize| -> Vec<(f64, f64)> {
        (0..10).map(|k| (4_f64.powi(k), 1e-8 * (i + 1) as f64 * f64::from(k + 1))).collect()
    };
    let mark = |label: &str, x| Mark { label: label.to_owned(), x, y: 110.0, interval: Some((90.0, 130.0)) };
    Plot {
        marks: vec![mark("a table of 2014", 65536.0), mark("a figure of 2021", 1024.0)],
        guides: vec![Guide { label: "theory".to_owned(), points: vec![(0.0, 1.0), (1e9, 1e-9)] }],
        ..plot((0..12).map(|i| series(&format!("algorithm number {i}"), i, &values(i))).collect())
    }
}

fn categories() -> Plot {
    let names = ["jump", "ring of a sorted vector", "rendezvous", "ring of a B-tree", "modulo", "one-more-long-word"];
    let names = names.map(str::to_owned).to_vec();
    let points: Vec<(f64, f64)> = (0..6).map(|i| (f64::from(i), 0.3)).collect();
    Plot {
        x: axis("", Scale::Linear, Ticks::Categories(names)),
        y: axis("share of keys", Scale::Linear, Ticks::Percent),
        ..plot(vec![series("ours", 0, &points), series("theirs", 2, &points)])
    }
}

fn ring() -> Circle {
    let token = |(color, position): (usize, u64)| Token {
        position,
        label: format!("node {}", color % 3),
        color: color % 3,
        note: format!("at {position}"),
    };
    let key =
        |(i, position): (usize, u64)| KeyDot { position, label: format!("K{i}"), color: i, emphasised: i % 2 == 0 };
    Circle {
        title: "a ring".to_owned(),
        positions: 360,
        tokens: [20, 80, 82, 100, 140, 179, 181, 260, 359].into_iter().enumerate().map(token).collect(),
        keys: [10, 35, 36, 95, 125, 155, 185, 187, 235, 260, 310, 345].into_iter().enumerate().map(key).collect(),
        caption: "a caption ".repeat(12),
    }
}

fn texts(scene: &Scene) -> Vec<&Text> {
    let shapes = scene.shapes.iter();
    shapes
        .filter_map(|shape| match shape {
            Shape::Text(text) => Some(text),
            _ => None,
        })
        .collect()
}

/// Left, top, right, bottom of what a reader sees.
fn extent(text: &Text) -> [f64; 4] {
    let (x, y) = text.at;
    let (width, up, down) = (text.font.width(&text.text), text.font.em * 0.76, text.font.em * 0.24);
    let left = match text.align {
        Align::Start => 0.0,
        Align::Middle => -width / 2.0,
        Align::End => -width,
    };
    match text.turned {
        false => [x + left, y - up, x + left + width, y + down],
        true => [x - up, y + left, x + down, y + left + width],
    }
}

fn assert_legible(chart: &Chart) {
    let scene = layout::compose(chart);
    let texts = texts(&scene);
    for (i, text) in texts.iter().enumerate() {
        let [left, top, right, bottom] = extent(text);
        let inside = left >= 0.0 && top >= 0.0 && right <= scene.width && bottom <= scene.height;
        assert!(inside, "{:?} is cut off", text.text);
        for other in &texts[i + 1..] {
            let [other_left, other_top, other_right, other_bottom] = extent(other);
            let apart = right <= other_left || other_right <= left || bottom <= other_top || other_bottom <= top;
            assert!(apart, "{:?} overlaps {:?}", text.text, other.text);
        }
    }
}

#[test]
fn no_text_is_cut_off_or_overlaid() {
    let plots = [dense_plot(), categories(), plot(Vec::new()), plot(vec![series("one", 0, &[(3.0, 7.0)])])];
    let plots = plots.map(Panel::Plot);
    for count in 1..=4 {
        assert_legible(&chart(plots[..count].to_vec()));
    }
    assert_legible(&chart(vec![Panel::Plot(categories())]));
    assert_legible(&chart(vec![Panel::Circle(ring())]));
    assert_legible(&chart(vec![Panel::Circle(ring()); 4]));
}

#[test]
fn equal_charts_give_equal_bytes() {
    let chart = chart(vec![Panel::Plot(dense_plot())]);
    let bytes = || {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = render(&chart, folder.path()).expect("a chart");
        assert_eq!(paths, ["a.chart.png", "a.chart.svg"].map(|name| folder.path().join(name)));
        paths.map(|path| std::fs::read(path).expect("a file"))
    };
    let first = bytes();
    assert!(first[0].starts_with(b"\x89PNG") && first[1].starts_with(b"<svg width=\"1200\""));
    assert!(first == bytes());
}

#[test]
fn values_that_have_no_place_are_counted() {
    let points = [(0.0, 1.0), (-1.0, 1.0), (1.0, 1.0), (10.0, f64::NAN), (100.0, f64::INFINITY), (1000.0, 2.0)];
    let mut plot = plot(vec![series("some", 0, &points)]);
    plot.x.range = Some((0.5, 100.0));
    plot.guides = vec![Guide { label: "theory".to_owned(), points: vec![(0.0, f64::NAN), (-1.0, -1.0), (1.0, 1.0)] }];
    let folder = tempfile::tempdir().expect("a folder");
    let [_, svg] = render(&chart(vec![Panel::Plot(plot)]), folder.path()).expect("a chart");
    let svg = std::fs::read_to_string(svg).expect("text");
    for note in [
        "2 values that are not positive are not drawn",
        "2 values that are not finite are not drawn",
        "1 value that is outside the axes is not drawn",
    ] {
        assert!(svg.contains(note), "{note}");
    }
    assert!(!svg.contains("no data"));
}

#[test]
fn an_axis_without_values_says_so() {
    let scene = layout::compose(&chart(vec![Panel::Plot(plot(Vec::new()))]));
    assert_eq!(texts(&scene).iter().filter(|text| text.text == "no data").count(), 1);
}

#[test]
fn a_range_that_makes_no_sense_is_not_used() {
    for range in [(0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (f64::NAN, 1.0), (1.0, f64::INFINITY)] {
        let mut plot = plot(vec![series("some", 0, &[(1.0, 1.0), (8.0, 1.0)])]);
        plot.x.range = Some(range);
        let span = span::Spans::of(&plot).x;
        assert!(span.low > 0.5 && span.high < 16.0 && span.low < span.high, "{range:?} gives {span:?}");
    }
}

#[test]
fn extreme_values_and_rings_do_not_fail() {
    let values = [(1e-290, 1e290), (1.0, -1e290), (1e290, f64::MAX), (f64::MIN_POSITIVE, f64::MIN)];
    for scale in [Scale::Linear, Scale::Log10] {
        for ticks in [Ticks::Number, Ticks::Bytes, Ticks::Seconds, Ticks::Percent, Ticks::Categories(Vec::new())] {
            let mut plot = plot(vec![series("some", 0, &values)]);
            plot.x = axis("x", scale, ticks.clone());
            plot.y = axis("y", scale, ticks);
            layout::compose(&chart(vec![Panel::Plot(plot)]));
        }
    }
    for positions in [0, 1, u64::MAX] {
        layout::compose(&chart(vec![Panel::Circle(Circle { positions, ..ring() })]));
    }
    let empty = Circle { tokens: Vec::new(), keys: Vec::new(), ..ring() };
    layout::compose(&chart(vec![Panel::Circle(empty)]));
}

#[test]
fn errors_name_the_chart_or_the_file() {
    let folder = tempfile::tempdir().expect("a folder");
    for panels in [0, 5] {
        let error = render(&chart(vec![Panel::Plot(plot(Vec::new())); panels]), folder.path()).expect_err("no page");
        assert!(error.to_string().contains("a.chart"));
    }
    let nowhere = folder.path().join("nowhere");
    let error = render(&chart(vec![Panel::Plot(plot(Vec::new()))]), &nowhere).expect_err("no folder");
    assert!(error.to_string().contains("a.chart.png"));
}

#[test]
fn colours_are_distinct_and_repeat() {
    let colors: std::collections::BTreeSet<_> = (0..PALETTE.len()).map(color).collect();
    assert_eq!(colors.len(), PALETTE.len());
    assert_eq!(color(PALETTE.len()), color(0));
}
