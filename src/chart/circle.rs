//! A panel with a hash ring.

use std::f64::consts::PI;

use super::color;
use super::model::Circle;
use super::scene::{AXIS, Align, BLACK, GRID, INK, MUTED, Rect, Rgb, Scene, Spot, WHITE};
use super::symbol::toward;
use super::text::{LABEL, NOTE, PANEL, TICK, TOKEN};
use super::ticks::separated;

/// Width of the ring's band.
pub(super) const BAND: f64 = 14.0;

/// From the middle of the band to tokens' labels, to keys, and to keys' labels.
const TOKEN_LABEL: f64 = 24.0;
const KEY: f64 = 22.0;
const KEY_LABEL: f64 = 51.0;

pub(super) fn draw(scene: &mut Scene, cell: Rect, circle: &Circle) {
    let title = PANEL.wrap(&circle.title, cell.width());
    let top = scene.paragraph((cell.center().0, cell.top), &title, PANEL, INK, Align::Middle);
    let caption = LABEL.wrap(&circle.caption, cell.width());
    let bottom = cell.bottom - caption.len() as f64 * LABEL.leading();
    scene.paragraph((cell.center().0, bottom), &caption, LABEL, INK, Align::Middle);

    let space = Rect { top, bottom, ..cell };
    let widest = circle.tokens.iter().map(|token| TOKEN.width(&token.label).max(NOTE.width(&token.note)));
    let beside = TOKEN_LABEL + widest.fold(0.0, f64::max);
    let above = TOKEN_LABEL + TOKEN.leading() + NOTE.leading() + 6.0;
    let radius = (space.width() / 2.0 - beside).min(space.height() / 2.0 - above).max(80.0);
    Ring { circle, center: space.center(), radius }.draw(scene);
}

/// A token: a knob on the outer edge of the band.
pub(super) fn token(scene: &mut Scene, at: Spot, color: Rgb) {
    scene.dot(at, 11.0, WHITE);
    scene.dot(at, 9.0, color);
}

/// A key.
pub(super) fn key(scene: &mut Scene, at: Spot, color: Rgb, emphasised: bool) {
    if emphasised {
        scene.dot(at, 9.5, BLACK);
        scene.dot(at, 7.0, WHITE);
    }
    scene.dot(at, 6.0, color);
}

struct Ring<'a> {
    circle: &'a Circle,
    center: Spot,
    radius: f64,
}

impl Ring<'_> {
    fn draw(&self, scene: &mut Scene) {
        self.arcs(scene);
        // 12 o'clock, where the positions begin.
        scene.line(&[self.at(0.0, self.radius - BAND), self.at(0.0, self.radius + BAND)], INK, 2.0);
        let last = separated(&self.circle.positions.max(1).saturating_sub(1).to_string());
        let middle = [format!("positions 0–{last}"), "clockwise from the top".to_owned()];
        let (x, y) = self.center;
        scene.paragraph((x, y - NOTE.leading()), &middle, NOTE, MUTED, Align::Middle);
        self.tokens(scene);
        self.keys(scene);
    }

    fn at(&self, turn: f64, radius: f64) -> Spot {
        let (dx, dy) = toward(turn, radius);
        (self.center.0 + dx, self.center.1 + dy)
    }

    fn turn(&self, position: u64) -> f64 {
        let positions = self.circle.positions.max(1);
        (position % positions) as f64 / positions as f64
    }

    fn arcs(&self, scene: &mut Scene) {
        self.arc(scene, 0.0, 1.0, GRID);
        let mut ends: Vec<(f64, usize)> =
            self.circle.tokens.iter().map(|token| (self.turn(token.position), token.color)).collect();
        ends.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Of tokens at one position, the one that is listed first owns the arc.
        ends.dedup_by_key(|end| end.0);
        let Some(last) = ends.last() else { return };
        let mut from = last.0 - 1.0;
        for &(to, index) in &ends {
            self.arc(scene, from, to, color(index));
            from = to;
        }
    }

    fn arc(&self, scene: &mut Scene, from: f64, to: f64, color: Rgb) {
        let steps = ((to - from) * 360.0).ceil().max(1.0) as u32;
        let turns = || (0..=steps).map(|i| from + (to - from) * f64::from(i) / f64::from(steps));
        let outer = turns().map(|turn| self.at(turn, self.radius + BAND / 2.0));
        let inner = turns().rev().map(|turn| self.at(turn, self.radius - BAND / 2.0));
        scene.area(outer.chain(inner).collect(), color, 1.0);
    }

    fn tokens(&self, scene: &mut Scene) {
        let tokens = &self.circle.tokens;
        let turns: Vec<f64> = tokens.iter().map(|token| self.turn(token.position)).collect();
        let label_radius = self.radius + TOKEN_LABEL;
        let places = spread(&turns, 46.0 / label_radius);
        for ((token_, &turn), &place) in tokens.iter().zip(&turns).zip(&places) {
            let at = self.at(turn, self.radius + BAND / 2.0);
            leader(scene, at, self.at(place, label_radius - 6.0), turn, place);
            token(scene, at, color(token_.color));
            let (x, y) = self.at(place, label_radius);
            let (right, down) = toward(place, 1.0);
            let (x, align) = match right {
                0.3.. => (x, Align::Start),
                ..=-0.3 => (x, Align::End),
                _ => (x, Align::Middle),
            };
            let height = TOKEN.em * 0.73 + if token_.note.is_empty() { 0.0 } else { NOTE.leading() };
            // The block of both lines touches the label's circle: from above at the top, from below at the bottom.
            let top = y - height * (1.0 - down) / 2.0;
            let baseline = top + TOKEN.em * 0.73;
            scene.text((x, baseline), &token_.label, TOKEN, INK, align);
            if !token_.note.is_empty() {
                scene.text((x, baseline + NOTE.leading()), &token_.note, NOTE, MUTED, align);
            }
        }
    }

    fn keys(&self, scene: &mut Scene) {
        let keys = &self.circle.keys;
        let turns: Vec<f64> = keys.iter().map(|key| self.turn(key.position)).collect();
        let label_radius = self.radius - KEY_LABEL;
        let widest = keys.iter().map(|key| TICK.width(&key.label)).fold(TICK.em, f64::max);
        let places = spread(&turns, (widest + 4.0) / label_radius.max(1.0));
        for ((dot, &turn), &place) in keys.iter().zip(&turns).zip(&places) {
            let at = self.at(turn, self.radius - KEY);
            leader(scene, at, self.at(place, label_radius + 10.0), turn, place);
            key(scene, at, color(dot.color), dot.emphasised);
            let (x, y) = self.at(place, label_radius);
            let ink = if dot.emphasised { BLACK } else { MUTED };
            let font = if dot.emphasised { TOKEN } else { TICK };
            scene.text((x, y + font.drop()), &dot.label, font, ink, Align::Middle);
        }
    }
}

/// A thin line to a label that had to give way.
fn leader(scene: &mut Scene, from: Spot, to: Spot, turn: f64, place: f64) {
    if (turn - place).abs() > 0.004 {
        scene.line(&[from, to], AXIS, 1.0);
    }
}

/// Moves turns that are nearer to each other than `apart` (in radians) away from each other, as little as possible.
fn spread(turns: &[f64], apart: f64) -> Vec<f64> {
    let count = turns.len();
    let apart = (apart / (2.0 * PI)).min(1.0 / count.max(1) as f64);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|&a, &b| turns[a].total_cmp(&turns[b]));
    let mut places = turns.to_vec();
    if count < 2 {
        return places;
    }
    for _ in 0..500 {
        for i in 0..count {
            let (a, b) = (order[i], order[(i + 1) % count]);
            let wrap = if i + 1 == count { 1.0 } else { 0.0 };
            let missing = apart - (places[b] + wrap - places[a]);
            if missing > 1e-6 {
                places[a] -= missing / 2.0;
                places[b] += missing / 2.0;
            }
        }
    }
    places
}
