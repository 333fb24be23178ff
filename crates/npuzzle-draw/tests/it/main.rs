//! Drawings, decoded by other libraries where there are any.

// Test helpers may panic, like tests.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod animation;
mod page;
mod pixels;
mod vectors;

use npuzzle_core::{Goal, Instance, Moves, Slide};
use npuzzle_draw::{Picture, Replay};
use npuzzle_testkit::board;

fn instance(slash: &str) -> Instance {
    Instance::new(board(slash), &Goal::Last).unwrap()
}

fn replay(slash: &str, moves: &str) -> Replay {
    Replay::new(&instance(slash), moves.parse().unwrap()).unwrap()
}

/// Moves back and forth, `n_slides` slides.
fn pacing(slash: &str, n_slides: usize) -> Replay {
    let slides = [Slide::Right, Slide::Left].into_iter().cycle().take(n_slides);
    Replay::new(&instance(slash), slides.collect::<Moves>()).unwrap()
}

/// 300 by 300 pixels in nine squares, each of one color.
fn nine_squares() -> Picture {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 300, 300);
    encoder.set_color(png::ColorType::Rgb);
    let pixels: Vec<u8> =
        (0..90_000_usize).flat_map(|i| square_color(i / 300 / 100, i % 300 / 100)).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    Picture::read(&bytes).unwrap()
}

fn square_color(row: usize, col: usize) -> [u8; 3] {
    [90 * row as u8 + 10, 90 * col as u8 + 20, 128]
}
