//! The 256 colors of a GIF.
//!
//! Boards of numbers have fewer colors and keep all of them. The colors of pictures are quantized (NeuQuant,
//! Dekker 1994), and the error of a pixel is diffused to its neighbors (Floyd and Steinberg 1976).

use std::collections::{HashMap, HashSet};

use color_quant::NeuQuant;

use super::canvas::Canvas;
use crate::colors::Rgb;

const MAX_COLORS: usize = 256;

pub(crate) struct Palette {
    colors: Vec<Rgb>,
    /// The index of a color that is in the palette.
    exact: HashMap<Rgb, u8>,
}

impl Palette {
    /// The palette of some canvases, which are drawn again if they have too many colors.
    pub(crate) fn of<I: Iterator<Item = Canvas>>(canvases: impl Fn() -> I) -> Palette {
        let mut all = HashSet::new();
        for canvas in canvases() {
            all.extend(canvas.pixels.chunk_by(|a, b| a == b).map(|run| rgb(&run[0])));
            if all.len() > MAX_COLORS {
                return Palette::new(quantized(canvases()));
            }
        }
        let mut colors: Vec<Rgb> = all.into_iter().collect();
        // A deterministic order.
        colors.sort_unstable();
        Palette::new(colors)
    }

    fn new(colors: Vec<Rgb>) -> Palette {
        let exact = colors.iter().enumerate().map(|(i, &color)| (color, i as u8)).collect();
        Palette { colors, exact }
    }

    /// Red, green and blue of all colors.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The pixels as indices into the palette.
    pub(crate) fn indices(&self, canvas: &Canvas) -> Vec<u8> {
        let width = canvas.width as usize;
        let mut indices = Vec::with_capacity(canvas.pixels.len());
        // The errors diffused to this row and the next, with one more pixel at either end.
        let mut here = vec![[0_i32; 3]; width + 2];
        let mut below = here.clone();
        for row in canvas.pixels.chunks(width) {
            for (x, pixel) in row.iter().enumerate() {
                let color = rgb(pixel);
                if let Some(&index) = self.exact.get(&color) {
                    indices.push(index);
                    continue;
                }
                let wanted: [i32; 3] = std::array::from_fn(|i| {
                    (i32::from(color[i]) + here[x + 1][i] / 16).clamp(0, 255)
                });
                let index = self.nearest(wanted);
                indices.push(index);
                for i in 0..3 {
                    let off = wanted[i] - i32::from(self.colors[usize::from(index)][i]);
                    here[x + 2][i] += 7 * off;
                    below[x][i] += 3 * off;
                    below[x + 1][i] += 5 * off;
                    below[x + 2][i] += off;
                }
            }
            std::mem::swap(&mut here, &mut below);
            below.fill([0; 3]);
        }
        indices
    }

    pub(crate) fn nearest(&self, wanted: [i32; 3]) -> u8 {
        let off = |color: &Rgb| -> i32 {
            let parts = wanted.iter().zip(color);
            parts.map(|(&wanted, &part)| (wanted - i32::from(part)).pow(2)).sum()
        };
        let nearest = self.colors.iter().enumerate().min_by_key(|(_, color)| off(color));
        nearest.map_or(0, |(index, _)| index as u8)
    }
}

fn rgb(&[r, g, b, _]: &[u8; 4]) -> Rgb {
    [r, g, b]
}

/// 256 colors that represent those of some canvases.
fn quantized(canvases: impl Iterator<Item = Canvas>) -> Vec<Rgb> {
    /// One pixel in three is sampled: the best quality that takes no more than a second.
    const SAMPLE: i32 = 3;
    let pixels: Vec<u8> = canvases.flat_map(|canvas| canvas.pixels).flatten().collect();
    let map = NeuQuant::new(SAMPLE, MAX_COLORS, &pixels).color_map_rgb();
    let mut colors: Vec<Rgb> = map.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A gradient from black to red in rows and to green in columns.
    fn gradient(n: u32) -> Canvas {
        let pixel =
            |i: u32| [(i / n * 255 / (n - 1)) as u8, (i % n * 255 / (n - 1)) as u8, 99, 255];
        Canvas { width: n, height: n, pixels: (0..n * n).map(pixel).collect() }
    }

    #[test]
    fn at_most_256_colors_are_exact() {
        let canvas = gradient(16);
        let palette = Palette::of(|| std::iter::once(canvas.clone()));
        assert_eq!(palette.colors.len(), 256);
        let back: Vec<Rgb> =
            palette.indices(&canvas).iter().map(|&i| palette.colors[usize::from(i)]).collect();
        assert_eq!(back, canvas.pixels.iter().map(rgb).collect::<Vec<_>>());
    }

    #[test]
    fn quantized_colors_are_close() {
        let canvas = gradient(128);
        let palette = Palette::of(|| std::iter::once(canvas.clone()));
        assert!(palette.colors.len() <= 256 && palette.colors.len() > 200);
        let indices = palette.indices(&canvas);
        for i in 0..3 {
            let off = |(pixel, &index): (&[u8; 4], &u8)| {
                i32::from(pixel[i]) - i32::from(palette.colors[usize::from(index)][i])
            };
            let offs: Vec<i32> = canvas.pixels.iter().zip(&indices).map(off).collect();
            let mean = offs.iter().sum::<i32>() as f64 / offs.len() as f64;
            assert!(mean.abs() < 1.0, "{mean}");
            assert!(offs.iter().all(|off| off.abs() < 48), "{:?}", offs.iter().max());
        }
    }
}
