//! A panel with a hash ring.

use super::color;
use super::font::{LABEL, NOTE, PANEL, TICK, TOKEN};
use super::model::{Circle, Token};
use super::scene::{AXIS, Align, BLACK, GRID, INK, MUTED, Rect, Rgb, Scene, Spot, WHITE};
use super::symbol::toward;
use super::ticks::separated;

/// Width of the ring's band.
pub(super) const BAND: f64 = 14.0;

/// From the middle of the band to tokens' labels, to keys, and to keys' labels.
const TOKEN_LABEL: f64 = 24.0;
const KEY: f64 = 22.0;
const KEY_LABEL: f64 = 51.0;

/// The height that the caption of a ring needs.
pub(super) fn caption_height(circle: &Circle, width: f64) -> f64 {
    LABEL.wrap(&circle.caption, width).len() as f64 * LABEL.leading()
}

/// Draws a ring, and its caption in the lowest `caption_height` pixels of the cell.
pub(super) fn draw(scene: &mut Scene, cell: Rect, circle: &Circle, caption_height: f64) {
    let title = PANEL.wrap(&circle.title, cell.width());
    let top = scene.paragraph((cell.center().0, cell.top), &title, PANEL, INK, Align::Middle);
    let bottom = cell.bottom - caption_height;
    let caption = LABEL.wrap(&circle.caption, cell.width());
    scene.paragraph((cell.center().0, bottom), &caption, LABEL, INK, Align::Middle);

    let space = Rect { top, bottom, ..cell };
    let beside = TOKEN_LABEL + circle.tokens.iter().map(|token| Block::of(token).width).fold(60.0, f64::max);
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
        let blocks: Vec<Block> = tokens.iter().map(Block::of).collect();
        let label_radius = self.radius + TOKEN_LABEL;
        let places = spread(&turns, |i, place| blocks[i].outside(self.at(place, label_radius), place));
        for (i, owner) in tokens.iter().enumerate() {
            let at = self.at(turns[i], self.radius + BAND / 2.0);
            leader(scene, at, self.at(places[i], label_radius - 3.0), turns[i], places[i]);
            token(scene, at, color(owner.color));
            let area = blocks[i].outside(self.at(places[i], label_radius), places[i]);
            let (x, align) = match toward(places[i], 1.0).0 {
                SIDE.. => (area.left, Align::Start),
                ..=NOT_SIDE => (area.right, Align::End),
                _ => (area.center().0, Align::Middle),
            };
            let baseline = area.top + 2.0 * TOKEN.drop();
            scene.text((x, baseline), &owner.label, TOKEN, INK, align);
            if !owner.note.is_empty() {
                scene.text((x, baseline + NOTE.leading()), &owner.note, NOTE, MUTED, align);
            }
        }
    }

    fn keys(&self, scene: &mut Scene) {
        let keys = &self.circle.keys;
        let turns: Vec<f64> = keys.iter().map(|key| self.turn(key.position)).collect();
        let label_radius = self.radius - KEY_LABEL;
        let blocks: Vec<Block> =
            keys.iter().map(|key| Block { width: TOKEN.width(&key.label), height: TOKEN.em }).collect();
        let places = spread(&turns, |i, place| blocks[i].around(self.at(place, label_radius)));
        for (i, dot) in keys.iter().enumerate() {
            let at = self.at(turns[i], self.radius - KEY);
            leader(scene, at, self.at(places[i], label_radius + 10.0), turns[i], places[i]);
            key(scene, at, color(dot.color), dot.emphasised);
            let (x, y) = self.at(places[i], label_radius);
            let (font, ink) = if dot.emphasised { (TOKEN, BLACK) } else { (TICK, MUTED) };
            scene.text((x, y + font.drop()), &dot.label, font, ink, Align::Middle);
        }
    }
}

/// How far right of the centre, as a share of the radius, a label begins at the ring instead of being centred on it.
const SIDE: f64 = 0.3;
const NOT_SIDE: f64 = -SIDE;

/// The size of a label.
struct Block {
    width: f64,
    height: f64,
}

impl Block {
    /// Label and note of a token.
    fn of(token: &Token) -> Self {
        let note = if token.note.is_empty() { 0.0 } else { NOTE.leading() };
        let width = TOKEN.width(&token.label).max(NOTE.width(&token.note));
        Self { width, height: 2.0 * TOKEN.drop() + note }
    }

    /// The area of a label that touches the ring's outside at `turn`.
    fn outside(&self, (x, y): Spot, turn: f64) -> Rect {
        let (right, down) = toward(turn, 1.0);
        let left = match right {
            SIDE.. => x,
            ..=NOT_SIDE => x - self.width,
            _ => x - self.width / 2.0,
        };
        // Above the ring it stands on the circle of labels, below it hangs from it.
        let top = y - self.height * (1.0 - down) / 2.0;
        Rect { left, top, right: left + self.width, bottom: top + self.height }
    }

    fn around(&self, (x, y): Spot) -> Rect {
        let (right, down) = (self.width / 2.0, self.height / 2.0);
        Rect { left: x - right, top: y - down, right: x + right, bottom: y + down }
    }
}

/// A thin line to a label that had to give way.
fn leader(scene: &mut Scene, from: Spot, to: Spot, turn: f64, place: f64) {
    if (turn - place).abs() > 0.004 {
        scene.line(&[from, to], AXIS, 1.0);
    }
}

/// Moves labels along the ring, step by step, until neighbours do not overlap. `area` is where label i lies at a turn.
fn spread(turns: &[f64], area: impl Fn(usize, f64) -> Rect) -> Vec<f64> {
    const STEP: f64 = 0.002;
    const GAP: f64 = 4.0;
    let overlap = |a: Rect, b: Rect| {
        a.left < b.right + GAP && b.left < a.right + GAP && a.top < b.bottom + GAP && b.top < a.bottom + GAP
    };
    let mut order: Vec<usize> = (0..turns.len()).collect();
    order.sort_by(|&a, &b| turns[a].total_cmp(&turns[b]));
    let mut places = turns.to_vec();
    // Enough to move a label once around; more labels than fit stay where that leaves them.
    for _ in 0..500 {
        let mut moved = false;
        for first in 0..order.len() {
            for distance in 1..=3.min(order.len() - 1) {
                let (rounds, second) = ((first + distance) / order.len(), (first + distance) % order.len());
                let (a, b) = (order[first], order[second]);
                let behind = turns[b] + rounds as f64 - turns[a] <= 0.5;
                if behind && overlap(area(a, places[a]), area(b, places[b])) {
                    places[a] -= STEP / 2.0;
                    places[b] += STEP / 2.0;
                    moved = true;
                }
            }
        }
        if !moved {
            break;
        }
    }
    places
}
