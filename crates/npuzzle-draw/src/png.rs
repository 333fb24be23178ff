//! Boards and sheets as PNG files: with a palette if there are few colours, clear around the tray.

use std::collections::HashMap;
use std::io;

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use crate::canvas::Canvas;
use crate::error::DrawError;
use crate::layout::{Layout, MAX_PIXELS, Usual};
use crate::painter::Painter;
use crate::scene::{Replay, Scene};
use crate::sheet::{self, Sheet};
use crate::style::{Colors, Style};

const USUAL: Usual = Usual { tile: 96, max_pixels: MAX_PIXELS };

/// A board.
///
/// ```
/// use npuzzle_core::Board;
/// use npuzzle_draw::{Style, png};
/// let board: Board = "1 2/3 0".parse()?;
/// assert!(png::board(&board, &Style::default())?.starts_with(b"\x89PNG"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn board<'a>(scene: impl Into<Scene<'a>>, style: &Style) -> Result<Vec<u8>, DrawError> {
    let scene = scene.into();
    let layout = Layout::of_style(scene.board().dims(), style, USUAL).checked()?;
    let painter = Painter::new(layout, scene.homes(), style);
    Ok(encode(&painter.board(scene.board(), None))?)
}

/// All boards of a solution, numbered, each with the slide that led to it and its tile marked.
pub fn sheet(replay: &Replay, style: &Style) -> Result<Vec<u8>, DrawError> {
    let sheet = Sheet::new(replay, style)?.checked()?;
    let colors = Colors::of(style.theme);
    let mut canvas = Canvas::new(sheet.width(), sheet.height(), colors.page);
    sheet::paint(&sheet, replay, style, &mut canvas);
    Ok(encode(&canvas)?)
}

/// The file of a canvas.
pub(crate) fn encode(canvas: &Canvas) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, canvas.width, canvas.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    let data = match indexed(canvas) {
        Some((colors, indices)) => {
            encoder.set_color(ColorType::Indexed);
            encoder.set_filter(Filter::NoFilter);
            encoder
                .set_palette(colors.iter().flat_map(|c| [c[0], c[1], c[2]]).collect::<Vec<u8>>());
            // Clear colours come first, and what is not listed is opaque.
            let clear: Vec<u8> = colors.iter().map(|c| c[3]).take_while(|&a| a < 255).collect();
            if !clear.is_empty() {
                encoder.set_trns(clear);
            }
            indices
        }
        None => {
            encoder.set_color(ColorType::Rgba);
            canvas.pixels.concat()
        }
    };
    encoder.write_header()?.write_image_data(&data)?;
    Ok(bytes)
}

/// The colours, the clearest first, and every pixel's place among them, if there are at most 256.
fn indexed(canvas: &Canvas) -> Option<(Vec<[u8; 4]>, Vec<u8>)> {
    let mut index_of = HashMap::new();
    // Neighbours are mostly alike, and looking up a colour takes longer than comparing two.
    for alike in canvas.pixels.chunk_by(|a, b| a == b) {
        index_of.insert(alike[0], 0);
        if index_of.len() > 256 {
            return None;
        }
    }
    let mut colors: Vec<[u8; 4]> = index_of.keys().copied().collect();
    colors.sort_unstable_by_key(|&[r, g, b, a]| [a, r, g, b]);
    index_of.extend(colors.iter().enumerate().map(|(i, &color)| (color, i as u8)));
    let alike = canvas.pixels.chunk_by(|a, b| a == b);
    let indices = alike.flat_map(|run| std::iter::repeat_n(index_of[&run[0]], run.len())).collect();
    Some((colors, indices))
}
