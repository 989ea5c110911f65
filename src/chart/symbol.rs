//! The symbols of values and the patterns of lines, the same in the data and in the legend.

use std::f64::consts::TAU;

use super::model::{Line, Marker};
use super::scene::{AXIS, BLACK, Rgb, Scene, Spot, WHITE};

/// How opaque a band is: what lies behind it stays visible.
pub(super) const BAND_ALPHA: f64 = 0.2;
/// Width of the line of a series.
pub(super) const LINE: f64 = 2.0;

pub(super) fn pattern(line: Line) -> Option<&'static [f64]> {
    match line {
        Line::None => None,
        Line::Solid => Some(&[]),
        Line::Dashed => Some(&[9.0, 5.0]),
        Line::Dotted => Some(&[2.5, 4.0]),
    }
}

/// The line of the n-th guide: the eye tells them apart by rhythm.
pub(super) fn guide(scene: &mut Scene, points: &[Spot], index: usize) {
    const PATTERNS: [&[f64]; 4] = [&[7.0, 4.0], &[2.0, 3.0], &[12.0, 3.0, 2.0, 3.0], &[16.0, 6.0]];
    scene.dashes(points, PATTERNS[index % PATTERNS.len()], AXIS, 1.4);
}

/// Closed symbols have a white rim, by which those that overlap stay separate.
pub(super) fn marker(scene: &mut Scene, (x, y): Spot, marker: Marker, color: Rgb) {
    let mut cross = |turn: f64| {
        for color_and_width in [(WHITE, 5.0), (color, 2.6)] {
            for arm in [0.0, 0.25] {
                let (dx, dy) = toward(turn + arm, 6.0);
                scene.line(&[(x - dx, y - dy), (x + dx, y + dy)], color_and_width.0, color_and_width.1);
            }
        }
    };
    match marker {
        Marker::None => {}
        Marker::Plus => cross(0.0),
        Marker::Cross => cross(0.125),
        Marker::Circle => {
            scene.dot((x, y), 6.5, WHITE);
            scene.dot((x, y), 5.3, color);
        }
        Marker::Triangle => polygon(scene, (x, y + 1.0), 3, 0.0, 6.8, color),
        Marker::Square => polygon(scene, (x, y), 4, 0.125, 6.6, color),
        Marker::Diamond => polygon(scene, (x, y), 4, 0.0, 6.8, color),
    }
}

/// The symbol of the n-th published value: large, black and hollow, so that ours is seen within it.
pub(super) fn mark(scene: &mut Scene, at: Spot, index: usize) {
    match index % 4 {
        0 => outline(scene, at, 5, 0.45, 0.0),
        1 => outline(scene, at, 4, 1.0, 0.0),
        2 => outline(scene, at, 4, 0.35, 0.0),
        _ => outline(scene, at, 3, 1.0, 0.5),
    }
}

/// A star whose inner corners lie at a part of its radius; with a waist of 1 a polygon.
fn outline(scene: &mut Scene, (x, y): Spot, points: usize, waist: f64, turn: f64) {
    const RADIUS: f64 = 10.0;
    let corners = if waist < 1.0 { 2 * points } else { points };
    let corner = |i: usize| {
        let radius = if i % 2 == 1 && waist < 1.0 { RADIUS * waist } else { RADIUS };
        let (dx, dy) = toward(turn + i as f64 / corners as f64, radius);
        (x + dx, y + dy)
    };
    let around: Vec<Spot> = (0..=corners).map(|i| corner(i % corners)).collect();
    scene.line(&around, WHITE, 4.2);
    scene.line(&around, BLACK, 1.8);
}

fn polygon(scene: &mut Scene, (x, y): Spot, corners: usize, turn: f64, radius: f64, color: Rgb) {
    // The rim's width is measured across the edges, which are nearer than the corners.
    let rim = 1.2 / (TAU / (2 * corners) as f64).cos();
    for (radius, color) in [(radius + rim, WHITE), (radius, color)] {
        let outline = (0..corners).map(|i| {
            let (dx, dy) = toward(turn + i as f64 / corners as f64, radius);
            (x + dx, y + dy)
        });
        scene.area(outline.collect(), color, 1.0);
    }
}

/// The vector of this length that points at a share of a full turn, clockwise from 12 o'clock.
pub(super) fn toward(turn: f64, length: f64) -> Spot {
    let (sin, cos) = (turn * TAU).sin_cos();
    (length * sin, -length * cos)
}

/// A vertical interval with caps on the ends that are `capped`.
pub(super) fn error_bar(scene: &mut Scene, x: f64, ends: [(f64, bool); 2], color: Rgb, width: f64) {
    scene.line(&[(x, ends[0].0), (x, ends[1].0)], color, width);
    for (y, capped) in ends {
        if capped {
            scene.line(&[(x - 4.5, y), (x + 4.5, y)], color, width);
        }
    }
}
