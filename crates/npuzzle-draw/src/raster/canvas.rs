//! A canvas of pixels, and anti-aliased shapes.
//!
//! A shape is a signed distance field: the distance of a point from the shape, negative inside. The coverage
//! of a pixel grows from none at half a pixel outside to full at half a pixel inside. It has [`LEVELS`]
//! steps, so that a board has few colors and a GIF shows all of them.

use super::font::Strokes;
use crate::colors::Rgb;

/// The largest width and height of a picture in pixels.
pub(crate) const MAX_PIXELS: u32 = 4096;

/// The steps of coverage. Seven colors meet in six ways on a board, and six times this is less than the 256
/// colors of a GIF.
const LEVELS: f32 = 32.0;

/// A rectangle of pixels, row by row: red, green, blue, opacity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Canvas {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) pixels: Vec<[u8; 4]>,
}

/// A rectangle with round corners, in pixels from the top left corner of the canvas.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rounded {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) radius: f32,
}

impl Rounded {
    fn distance(self, x: f32, y: f32) -> f32 {
        let half = (self.width / 2.0, self.height / 2.0);
        let radius = self.radius.min(half.0).min(half.1);
        // Relative to the center of the corner's circle, if the point is in that corner.
        let dx = (x - self.x - half.0).abs() - (half.0 - radius);
        let dy = (y - self.y - half.1).abs() - (half.1 - radius);
        length(dx.max(0.0), dy.max(0.0)) + dx.max(dy).min(0.0) - radius
    }
}

impl Canvas {
    /// A canvas of one color.
    pub(crate) fn new(width: u32, height: u32, [r, g, b]: Rgb) -> Canvas {
        let pixels = vec![[r, g, b, 255]; width as usize * height as usize];
        Canvas { width, height, pixels }
    }

    /// A transparent canvas.
    pub(crate) fn clear(width: u32, height: u32) -> Canvas {
        Canvas { width, height, pixels: vec![[0; 4]; width as usize * height as usize] }
    }

    pub(crate) fn rounded(&mut self, shape: Rounded, color: Rgb, opacity: f32) {
        self.blend_shape(shape, color, |distance| opacity * coverage(distance));
    }

    /// Draws the outline of a shape, `line` pixels wide, inside of it.
    pub(crate) fn outline(&mut self, shape: Rounded, line: f32, color: Rgb) {
        self.blend_shape(shape, color, |distance| {
            coverage((distance + line / 2.0).abs() - line / 2.0)
        });
    }

    /// Blends a color over the pixels of a shape, by their distance from its edge.
    fn blend_shape(&mut self, shape: Rounded, color: Rgb, part: impl Fn(f32) -> f32) {
        for y in pixels(shape.y, shape.y + shape.height, self.height) {
            for x in pixels(shape.x, shape.x + shape.width, self.width) {
                let distance = shape.distance(x as f32 + 0.5, y as f32 + 0.5);
                self.blend(x, y, color, part(distance));
            }
        }
    }

    pub(crate) fn strokes(&mut self, strokes: &Strokes, color: Rgb) {
        let half = strokes.thickness / 2.0;
        let points = || strokes.segments.iter().flat_map(|&(a, b)| [a, b]);
        let span = |of: fn((f32, f32)) -> f32, end: u32| {
            let min = points().map(of).fold(f32::INFINITY, f32::min);
            let max = points().map(of).fold(0.0, f32::max);
            pixels(min - half, max + half, end)
        };
        let (across, down) = (span(|p| p.0, self.width), span(|p| p.1, self.height));
        // Where strokes meet, a pixel is covered once, by the stroke that covers it most.
        let mut covered = vec![0.0_f32; across.len() * down.len()];
        for &(a, b) in &strokes.segments {
            for y in pixels(a.1.min(b.1) - half, a.1.max(b.1) + half, self.height) {
                for x in pixels(a.0.min(b.0) - half, a.0.max(b.0) + half, self.width) {
                    let point = (x as f32 + 0.5, y as f32 + 0.5);
                    let part = coverage(distance_to_segment(point, a, b) - half);
                    let row = (y - down.start) as usize;
                    let max = &mut covered[row * across.len() + (x - across.start) as usize];
                    *max = max.max(part);
                }
            }
        }
        let mut parts = covered.into_iter();
        for y in down {
            for (x, part) in across.clone().zip(&mut parts) {
                self.blend(x, y, color, part);
            }
        }
    }

    /// Copies a canvas to a position on this one, clipped at the edges.
    pub(crate) fn put(&mut self, other: &Canvas, x: u32, y: u32) {
        let width = other.width.min(self.width.saturating_sub(x)) as usize;
        for row in 0..other.height.min(self.height.saturating_sub(y)) {
            let (from, to) = (other.index(0, row), self.index(x, y + row));
            self.pixels[to..to + width].copy_from_slice(&other.pixels[from..from + width]);
        }
    }

    fn index(&self, x: u32, y: u32) -> usize {
        y as usize * self.width as usize + x as usize
    }

    /// Blends a color over a pixel, by its coverage.
    fn blend(&mut self, x: u32, y: u32, color: Rgb, part: f32) {
        if part <= 0.0 {
            return;
        }
        let index = self.index(x, y);
        let [r, g, b] = color;
        if part >= 1.0 {
            self.pixels[index] = [r, g, b, 255];
            return;
        }
        let under = self.pixels[index];
        let under_part = f32::from(under[3]) / 255.0 * (1.0 - part);
        let all = part + under_part;
        let mix = |over: u8, under: u8| {
            ((f32::from(over) * part + f32::from(under) * under_part) / all).round() as u8
        };
        let alpha = (255.0 * all).round() as u8;
        self.pixels[index] = [mix(r, under[0]), mix(g, under[1]), mix(b, under[2]), alpha];
    }
}

/// The pixels from one coordinate to another, with one more on either side, clipped.
fn pixels(from: f32, to: f32, end: u32) -> std::ops::Range<u32> {
    // A conversion from out of range gives the nearest value.
    ((from - 1.0).floor() as u32)..((to + 1.0).ceil() as u32).min(end)
}

/// The coverage of a pixel, by the distance of its center from the shape.
fn coverage(distance: f32) -> f32 {
    ((0.5 - distance).clamp(0.0, 1.0) * LEVELS).round() / LEVELS
}

fn distance_to_segment(point: (f32, f32), a: (f32, f32), b: (f32, f32)) -> f32 {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (px, py) = (point.0 - a.0, point.1 - a.1);
    let length_squared = dx * dx + dy * dy;
    let along = if length_squared > 0.0 {
        ((px * dx + py * dy) / length_squared).clamp(0.0, 1.0)
    } else {
        0.0
    };
    length(px - along * dx, py - along * dy)
}

/// The Euclidean norm. `hypot` would be slower, because it guards against overflow.
fn length(x: f32, y: f32) -> f32 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLACK: Rgb = [0; 3];

    /// The darkness of each pixel, from 0 to 9.
    fn drawn(canvas: &Canvas) -> String {
        let digit = |pixel: &[u8; 4]| char::from(b'0' + ((255 - pixel[0]) / 26).min(9));
        let rows = canvas.pixels.chunks(canvas.width as usize);
        rows.map(|row| row.iter().map(digit).collect::<String>() + "\n").collect()
    }

    #[test]
    fn whole_pixel_shapes_have_sharp_edges() {
        let mut canvas = Canvas::new(6, 4, [255; 3]);
        let shape = Rounded { x: 1.0, y: 1.0, width: 3.0, height: 2.0, radius: 0.0 };
        canvas.rounded(shape, BLACK, 1.0);
        assert_eq!(drawn(&canvas), "000000\n099900\n099900\n000000\n");
    }

    #[test]
    fn corners_are_round_and_symmetric() {
        let mut canvas = Canvas::new(6, 6, [255; 3]);
        let shape = Rounded { x: 0.0, y: 0.0, width: 6.0, height: 6.0, radius: 3.0 };
        canvas.rounded(shape, BLACK, 1.0);
        assert_eq!(drawn(&canvas), "059950\n599995\n999999\n999999\n599995\n059950\n");
    }

    #[test]
    fn partial_coverage_of_transparency_is_partial_opacity() {
        let mut canvas = Canvas::clear(1, 1);
        canvas.blend(0, 0, [10, 20, 30], 0.5);
        assert_eq!(canvas.pixels, [[10, 20, 30, 128]]);
        canvas.blend(0, 0, [10, 20, 30], 1.0);
        assert_eq!(canvas.pixels, [[10, 20, 30, 255]]);
    }

    #[test]
    fn put_clips_at_the_edges() {
        let mut canvas = Canvas::new(3, 2, [255; 3]);
        canvas.put(&Canvas::new(2, 2, BLACK), 2, 1);
        assert_eq!(drawn(&canvas), "000\n009\n");
        canvas.put(&Canvas::new(2, 2, BLACK), 7, 7);
        assert_eq!(drawn(&canvas), "000\n009\n");
    }
}
