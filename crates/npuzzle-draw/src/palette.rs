//! The 256 colours of a GIF.
//!
//! Boards of numbers have fewer, and keep theirs. Pictures have more: the colours are then sorted
//! into boxes, the box that spans most is cut in two at its median until there are enough (Heckbert
//! 1982), and what a pixel is off by is passed on to its neighbours (Floyd and Steinberg 1976).

use std::collections::{HashMap, HashSet};

use crate::canvas::Canvas;
use crate::style::Rgb;

const MAX_COLORS: usize = 256;

pub(crate) struct Palette {
    colors: Vec<Rgb>,
    /// Colours that are in the palette as they are.
    exact: HashMap<Rgb, u8>,
}

impl Palette {
    /// The colours of some canvases, which are made twice if there are too many.
    pub(crate) fn of<I: Iterator<Item = Canvas>>(canvases: impl Fn() -> I) -> Palette {
        let mut all = HashSet::new();
        for canvas in canvases() {
            all.extend(canvas.pixels.chunk_by(|a, b| a == b).map(|run| rgb(&run[0])));
            if all.len() > MAX_COLORS {
                return Palette::new(median_cut(canvases()));
            }
        }
        let mut colors: Vec<Rgb> = all.into_iter().collect();
        // In an order that does not hang on chance.
        colors.sort_unstable();
        Palette::new(colors)
    }

    fn new(colors: Vec<Rgb>) -> Palette {
        let exact = colors.iter().enumerate().map(|(i, &color)| (color, i as u8)).collect();
        Palette { colors, exact }
    }

    /// Red, green, blue of one colour after the other.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.colors.concat()
    }

    /// The pixels as places in the palette.
    pub(crate) fn indices(&self, canvas: &Canvas) -> Vec<u8> {
        let width = canvas.width as usize;
        let mut indices = Vec::with_capacity(canvas.pixels.len());
        // What the pixels of this row and the next are to make up for, one more at either end.
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

/// Colours that are alike in their upper five bits, how many pixels have them, and their sum.
#[derive(Clone, Copy, Default)]
struct Bin {
    n_pixels: u64,
    sum: [u64; 3],
}

impl Bin {
    fn mean(bins: &[Bin]) -> Rgb {
        let n_pixels: u64 = bins.iter().map(|bin| bin.n_pixels).sum();
        std::array::from_fn(|i| {
            let sum: u64 = bins.iter().map(|bin| bin.sum[i]).sum();
            (sum / n_pixels.max(1)) as u8
        })
    }
}

fn median_cut(canvases: impl Iterator<Item = Canvas>) -> Vec<Rgb> {
    let mut bins = vec![Bin::default(); 1 << 15];
    for pixel in canvases.flat_map(|canvas| canvas.pixels) {
        let [r, g, b] = rgb(&pixel).map(|part| usize::from(part >> 3));
        let bin = &mut bins[r << 10 | g << 5 | b];
        bin.n_pixels += 1;
        for (sum, part) in bin.sum.iter_mut().zip(rgb(&pixel)) {
            *sum += u64::from(part);
        }
    }
    bins.retain(|bin| bin.n_pixels > 0);
    let mut boxes = vec![bins];
    while boxes.len() < MAX_COLORS {
        let weight = |bins: &Vec<Bin>| {
            let n_pixels: u64 = bins.iter().map(|bin| bin.n_pixels).sum();
            // A few pixels of a colour of their own are seen, and many of nearly one are not.
            u64::from(widest(bins).1) * (n_pixels as f64).sqrt() as u64
        };
        let largest = (0..boxes.len()).max_by_key(|&i| weight(&boxes[i]));
        let Some(largest) = largest.filter(|&i| boxes[i].len() > 1) else { break };
        let half = cut(&mut boxes[largest]);
        boxes.push(half);
    }
    let mut colors: Vec<Rgb> = boxes.iter().map(|bins| Bin::mean(bins)).collect();
    colors.sort_unstable();
    colors.dedup();
    colors
}

/// The part of the colours that differs most, and by how much.
fn widest(bins: &[Bin]) -> (usize, u8) {
    let spans = (0..3).map(|i| {
        let parts = || bins.iter().map(|bin| Bin::mean(std::slice::from_ref(bin))[i]);
        (i, parts().max().unwrap_or(0) - parts().min().unwrap_or(0))
    });
    spans.max_by_key(|&(_, span)| span).unwrap_or_default()
}

/// Takes the upper half of the pixels out of a box of at least two bins.
fn cut(bins: &mut Vec<Bin>) -> Vec<Bin> {
    let (part, _) = widest(bins);
    bins.sort_by_key(|bin| Bin::mean(std::slice::from_ref(bin))[part]);
    let half = bins.iter().map(|bin| bin.n_pixels).sum::<u64>() / 2;
    let below = bins.iter().scan(0, |n_pixels, bin| {
        *n_pixels += bin.n_pixels;
        Some(*n_pixels)
    });
    let at = below.take_while(|&n_pixels| n_pixels <= half).count();
    bins.split_off(at.clamp(1, bins.len() - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All colours from black to red in rows, to green in columns.
    fn gradient(n: u32) -> Canvas {
        let pixel =
            |i: u32| [(i / n * 255 / (n - 1)) as u8, (i % n * 255 / (n - 1)) as u8, 99, 255];
        Canvas { width: n, height: n, pixels: (0..n * n).map(pixel).collect() }
    }

    #[test]
    fn up_to_256_colours_are_kept() {
        let canvas = gradient(16);
        let palette = Palette::of(|| std::iter::once(canvas.clone()));
        assert_eq!(palette.colors.len(), 256);
        let back: Vec<Rgb> =
            palette.indices(&canvas).iter().map(|&i| palette.colors[usize::from(i)]).collect();
        assert_eq!(back, canvas.pixels.iter().map(rgb).collect::<Vec<_>>());
    }

    #[test]
    fn more_colours_are_near_on_average_and_each() {
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
