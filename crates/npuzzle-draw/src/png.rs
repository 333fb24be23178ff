//! PNG files of boards and sheets.

use crate::colors::Colors;
use crate::error::DrawError;
use crate::layout::{BoardLayout, DefaultTile};
use crate::painter::Painter;
use crate::raster::canvas::{Canvas, MAX_PIXELS};
use crate::raster::png_file::encode;
use crate::scene::{Replay, Scene};
use crate::sheet::{self, Sheet};
use crate::style::Style;

const DEFAULT_TILE: DefaultTile = DefaultTile { tile: 96, max_pixels: MAX_PIXELS };

/// Draws a board as a PNG file.
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
    let layout = BoardLayout::of_style(scene.board().dims(), style, DEFAULT_TILE).checked()?;
    let painter = Painter::new(layout, scene.goal_cells(), style);
    Ok(encode(&painter.board(scene.board(), None))?)
}

/// Draws all boards of a solution, numbered, each with its slide and the moved tile marked.
pub fn sheet(replay: &Replay, style: &Style) -> Result<Vec<u8>, DrawError> {
    let sheet = Sheet::new(replay, style)?.checked()?;
    let colors = Colors::of(style.theme);
    let mut canvas = Canvas::new(sheet.width(), sheet.height(), colors.page);
    sheet::paint(&sheet, replay, style, &mut canvas);
    Ok(encode(&canvas)?)
}
