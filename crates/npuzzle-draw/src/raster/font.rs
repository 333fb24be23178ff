//! A stroke font of the digits and the letters of moves.
//!
//! A glyph is a list of polylines, drawn with a round pen. Its box has height 1 and the width it needs; x
//! points right and y down. The center of the pen reaches the box, not its edge.

use std::f32::consts::TAU;

/// The pen's width, in heights of a digit.
const PEN: f32 = 0.15;
/// The distance between two glyphs, from pen center to pen center.
const GAP: f32 = 0.27;

type Point = (f32, f32);
type Polyline = Vec<Point>;

/// Text as segments in pixels, drawn with a round pen.
#[derive(Clone, Debug)]
pub(crate) struct Strokes {
    pub(crate) segments: Vec<(Point, Point)>,
    pub(crate) thickness: f32,
}

impl Strokes {
    /// A text of a height, which includes the edges of the pen, around a center.
    pub(crate) fn centered(
        text: impl Iterator<Item = char>,
        height: f32,
        middle: Point,
    ) -> Strokes {
        let (strokes, width) = Strokes::laid_out(text, height);
        let pen = strokes.thickness;
        strokes.moved(middle.0 - (width - pen) / 2.0, middle.1 - (height - pen) / 2.0)
    }

    /// A text of a height from a top left corner.
    pub(crate) fn at(text: impl Iterator<Item = char>, height: f32, corner: Point) -> Strokes {
        let (strokes, _) = Strokes::laid_out(text, height);
        let half = strokes.thickness / 2.0;
        strokes.moved(corner.0 + half, corner.1 + half)
    }

    /// The width of a text of a height.
    pub(crate) fn width(text: impl Iterator<Item = char>, height: f32) -> f32 {
        Strokes::laid_out(text, height).1
    }

    /// The text with the pen center of its left and top at 0, and its width including the edges of the pen.
    fn laid_out(text: impl Iterator<Item = char>, height: f32) -> (Strokes, f32) {
        let scale = height / (1.0 + PEN);
        let (mut segments, mut x) = (Vec::new(), 0.0);
        for (lines, width) in text.map(glyph) {
            for line in lines {
                let place = |&(px, py): &Point| ((x + px) * scale, py * scale);
                segments.extend(line.windows(2).map(|pair| (place(&pair[0]), place(&pair[1]))));
            }
            x += width + GAP;
        }
        // A pen thinner than a pixel would be hard to see.
        let thickness = (PEN * scale).max(1.0);
        (Strokes { segments, thickness }, (x - GAP).max(0.0) * scale + thickness)
    }

    fn moved(mut self, dx: f32, dy: f32) -> Strokes {
        for (a, b) in &mut self.segments {
            *a = (a.0 + dx, a.1 + dy);
            *b = (b.0 + dx, b.1 + dy);
        }
        self
    }
}

/// The polylines of a character and its width. A character without a glyph is a space.
fn glyph(character: char) -> (Vec<Polyline>, f32) {
    const W: f32 = 0.58;
    const HALF: f32 = W / 2.0;
    let lines = match character {
        '0' => vec![join([
            arc((HALF, 0.3), (HALF, 0.3), 0.5, 1.0),
            arc((HALF, 0.7), (HALF, 0.3), 0.0, 0.5),
            vec![(0.0, 0.3)],
        ])],
        '1' => return (vec![vec![(0.0, 0.2), (0.25, 0.0), (0.25, 1.0)]], 0.25),
        '2' => {
            vec![join([arc((HALF, 0.28), (HALF, 0.28), 0.53, 1.09), vec![(0.0, 1.0), (W, 1.0)]])]
        }
        '3' => vec![join([
            arc((HALF, 0.24), (0.26, 0.24), 0.55, 1.25),
            arc((HALF, 0.74), (HALF, 0.26), 0.75, 1.45),
        ])],
        '4' => vec![vec![(0.44, 1.0), (0.44, 0.0), (0.0, 0.7), (0.64, 0.7)]],
        '5' => vec![join([
            vec![(0.51, 0.0), (0.07, 0.0), (0.03, 0.46)],
            arc((0.275, 0.675), (0.305, 0.325), 0.62, 1.43),
        ])],
        '6' => six(),
        '7' => vec![vec![(0.0, 0.0), (W, 0.0), (0.2, 1.0)]],
        '8' => vec![
            arc((HALF, 0.24), (0.255, 0.24), 0.0, 1.0),
            arc((HALF, 0.74), (HALF, 0.26), 0.0, 1.0),
        ],
        '9' => six().into_iter().map(|line| turned(line, (W, 1.0))).collect(),
        'U' => {
            vec![join([vec![(0.0, 0.0)], arc((HALF, 0.7), (HALF, 0.3), 0.5, 0.0), vec![(W, 0.0)]])]
        }
        'D' => vec![join([
            vec![(0.0, 0.0)],
            arc((0.2, 0.5), (0.4, 0.5), 0.75, 1.25),
            vec![(0.0, 1.0), (0.0, 0.0)],
        ])],
        'L' => return (vec![vec![(0.0, 0.0), (0.0, 1.0), (0.48, 1.0)]], 0.48),
        'R' => vec![
            join([
                vec![(0.0, 1.0), (0.0, 0.0)],
                arc((0.28, 0.27), (0.27, 0.27), 0.75, 1.25),
                vec![(0.0, 0.54)],
            ]),
            vec![(0.26, 0.54), (W, 1.0)],
        ],
        _ => return (vec![], 0.2),
    };
    let width = lines.iter().flatten().fold(0.0_f32, |width, point| width.max(point.0));
    (lines, width)
}

fn six() -> Vec<Polyline> {
    vec![curve((0.43, 0.0), (0.0, 0.42), (0.0, 0.7)), arc((0.29, 0.7), (0.29, 0.3), 0.0, 1.0)]
}

/// An elliptical arc between two angles, in turns, clockwise from the right.
fn arc(middle: Point, radii: Point, from: f32, to: f32) -> Polyline {
    const STEPS_PER_TURN: f32 = 32.0;
    let n_steps = ((to - from).abs() * STEPS_PER_TURN).ceil().max(1.0) as u32;
    let at = |step: u32| {
        let angle = TAU * (from + (to - from) * step as f32 / n_steps as f32);
        (middle.0 + radii.0 * angle.cos(), middle.1 + radii.1 * angle.sin())
    };
    (0..=n_steps).map(at).collect()
}

/// A quadratic Bézier curve.
fn curve(from: Point, toward: Point, to: Point) -> Polyline {
    const STEPS: u32 = 12;
    let at = |step: u32| {
        let (t, u) = (step as f32 / STEPS as f32, 1.0 - step as f32 / STEPS as f32);
        let mix = |a: f32, b: f32, c: f32| u * u * a + 2.0 * u * t * b + t * t * c;
        (mix(from.0, toward.0, to.0), mix(from.1, toward.1, to.1))
    };
    (0..=STEPS).map(at).collect()
}

fn join<const N: usize>(lines: [Polyline; N]) -> Polyline {
    lines.into_iter().flatten().collect()
}

/// A polyline rotated by 180° within a box.
fn turned(line: Polyline, (width, height): Point) -> Polyline {
    line.into_iter().map(|(x, y)| (width - x, height - y)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_fill_the_height_of_their_box() {
        for character in "0123456789UDLR".chars() {
            let (lines, width) = glyph(character);
            let points: Vec<Point> = lines.into_iter().flatten().collect();
            let top = points.iter().fold(1.0_f32, |top, point| top.min(point.1));
            let bottom = points.iter().fold(0.0_f32, |bottom, point| bottom.max(point.1));
            assert!(top.abs() < 0.01 && (bottom - 1.0).abs() < 0.01, "{character}: {top} {bottom}");
            assert!(points.iter().all(|p| p.0 > -0.05 && p.0 <= width), "{character}");
        }
    }

    #[test]
    fn glyphs_are_distinct() {
        let all: Vec<_> = "0123456789UDLR ".chars().map(glyph).collect();
        for (i, one) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|other| other != one));
        }
    }

    #[test]
    fn text_is_centered_including_the_pen() {
        let strokes = Strokes::centered("8".chars(), 23.0, (50.0, 40.0));
        let half = strokes.thickness / 2.0;
        let ys = || strokes.segments.iter().flat_map(|(a, b)| [a.1, b.1]);
        let (top, bottom) = (ys().fold(99.0_f32, f32::min), ys().fold(0.0_f32, f32::max));
        assert!((top - half - 28.5).abs() < 0.1, "{top}");
        assert!((bottom + half - 51.5).abs() < 0.1, "{bottom}");
    }
}
