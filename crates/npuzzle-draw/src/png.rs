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

/// The pixels of a drawing, row by row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pixels {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// Red, green and blue for each pixel.
    pub rgb: Vec<u8>,
}

/// Draws a board on the background of the theme, as pixels for programs that encode them themselves.
///
/// ```
/// use npuzzle_core::Board;
/// use npuzzle_draw::{Style, png};
/// let board: Board = "1 2/3 0".parse()?;
/// let drawn = png::pixels(&board, &Style::default())?;
/// assert_eq!(drawn.rgb.len(), 3 * (drawn.width * drawn.height) as usize);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pixels<'a>(scene: impl Into<Scene<'a>>, style: &Style) -> Result<Pixels, DrawError> {
    let scene = scene.into();
    let layout = BoardLayout::of_style(scene.board().dims(), style, DEFAULT_TILE).checked()?;
    let painter = Painter::new(layout, scene.goal_cells(), style);
    let canvas = painter.board(scene.board(), Some(Colors::of(style.theme).page));
    let rgb = canvas.pixels.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    Ok(Pixels { width: canvas.width, height: canvas.height, rgb })
}

/// Draws all boards of a solution, numbered, each with its slide and the moved tile marked.
pub fn sheet(replay: &Replay, style: &Style) -> Result<Vec<u8>, DrawError> {
    let sheet = Sheet::new(replay, style)?.checked()?;
    let colors = Colors::of(style.theme);
    let mut canvas = Canvas::new(sheet.width(), sheet.height(), colors.page);
    sheet::paint(&sheet, replay, style, &mut canvas);
    Ok(encode(&canvas)?)
}
