//! Pictures to be cut into tiles.

use npuzzle::Board;
use npuzzle_draw::{Picture, Style, svg};

pub(super) fn run(bytes: &[u8]) -> bool {
    let Ok(picture) = Picture::read(bytes) else { return false };
    let board: Board = "1 2/3 0".parse().unwrap();
    let style = Style { picture: Some(picture), ..Style::default() };
    let drawn = svg::board(&board, &style).unwrap();
    assert!(drawn.starts_with("<svg") && drawn.trim_end().ends_with("</svg>"));
    true
}
