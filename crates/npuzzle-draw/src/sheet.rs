//! A solution on a sheet: its boards in rows, each with its number and slide.

use npuzzle_core::{Slide, Tile};

use crate::error::DrawError;
use crate::layout::BoardLayout;
use crate::painter::Painter;
use crate::raster::canvas::{Canvas, MAX_PIXELS};
use crate::raster::font::Strokes;
use crate::scene::Replay;
use crate::style::Style;

/// The default side of a tile.
const USUAL_TILE: u16 = 32;
/// The smallest side to which the default may shrink.
const MIN_TILE: u16 = 8;
/// The maximum number of tiles on a sheet. An SVG of this many is about 10 MB.
const MAX_TILES: usize = 100_000;

/// The geometry of a sheet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet {
    pub(crate) layout: BoardLayout,
    n_boards: usize,
    n_cols: usize,
    margin: u32,
    /// The height of the letters of a caption.
    pub(crate) letters: u32,
}

impl Sheet {
    pub(crate) fn new(replay: &Replay, style: &Style) -> Result<Sheet, DrawError> {
        let (dims, n_boards) = (replay.dims(), replay.moves().stm() + 1);
        let max = MAX_TILES / dims.cells();
        if n_boards > max {
            return Err(DrawError::TooManyBoards { n_boards, max });
        }
        let of_side = |side| Sheet::of_layout(BoardLayout::new(dims, side), n_boards);
        Ok(match style.tile {
            Some(side) => of_side(side.get()),
            None => {
                let sheets = (MIN_TILE..=USUAL_TILE).rev().map(of_side);
                sheets.clone().find(|s| s.fits()).unwrap_or_else(|| of_side(MIN_TILE))
            }
        })
    }

    fn of_layout(layout: BoardLayout, n_boards: usize) -> Sheet {
        let letters = (layout.side * 2 / 5).max(9);
        let sheet = |n_cols| Sheet { layout, n_boards, n_cols, margin: 2 * letters, letters };
        // One row if possible, otherwise as close as possible to an upright page.
        let off = |n_cols: &usize| {
            let sheet = sheet(*n_cols);
            let ratio = f64::from(sheet.height()) / f64::from(sheet.width());
            ((ratio / f64::sqrt(2.0)).ln().abs() * 1e6) as u64
        };
        let n_cols =
            if n_boards <= 5 { n_boards } else { (1..=n_boards).min_by_key(off).unwrap_or(1) };
        sheet(n_cols)
    }

    /// The sheet, unless the picture would be too large.
    pub(crate) fn checked(self) -> Result<Sheet, DrawError> {
        if self.fits() {
            return Ok(self);
        }
        let of_side =
            |side| Sheet::of_layout(BoardLayout::new(self.layout.dims, side), self.n_boards);
        let fits = |side| u32::from(side) <= self.layout.side && of_side(side).fits();
        Err(DrawError::too_large(self.width(), self.height(), fits))
    }

    fn fits(&self) -> bool {
        self.width().max(self.height()) <= MAX_PIXELS
    }

    pub(crate) fn width(&self) -> u32 {
        self.margin + self.n_cols as u32 * (self.layout.width() + self.margin)
    }

    pub(crate) fn height(&self) -> u32 {
        let n_rows = self.n_boards.div_ceil(self.n_cols) as u32;
        self.margin + n_rows * (self.caption_height() + self.layout.height() + self.margin)
    }

    fn caption_height(&self) -> u32 {
        self.letters * 3 / 2
    }

    /// The top left corner of a board's caption.
    pub(crate) fn caption(&self, index: usize) -> (u32, u32) {
        let (x, y) = self.board(index);
        (x + self.layout.border, y - self.caption_height())
    }

    /// The top left corner of a board.
    pub(crate) fn board(&self, index: usize) -> (u32, u32) {
        let (row, col) = ((index / self.n_cols) as u32, (index % self.n_cols) as u32);
        let x = self.margin + col * (self.layout.width() + self.margin);
        let step = self.caption_height() + self.layout.height() + self.margin;
        (x, self.margin + row * step + self.caption_height())
    }
}

/// The caption of a board: its number and slide.
pub(crate) fn caption(index: usize, slid: Option<(Slide, Tile)>) -> String {
    match slid {
        Some((slide, _)) => format!("{index} {}", slide.letter()),
        None => index.to_string(),
    }
}

/// Paints all boards with their captions.
pub(crate) fn paint(sheet: &Sheet, replay: &Replay, style: &Style, canvas: &mut Canvas) {
    let painter = Painter::new(sheet.layout, replay.goal_cells(), style);
    for (index, (board, slid)) in replay.steps().enumerate() {
        let mut painted = painter.board(&board, Some(painter.colors.page));
        if let Some((_, tile)) = slid {
            painter.mark_moved(&mut painted, board.cells_by_tile()[tile.index()]);
        }
        let (x, y) = sheet.board(index);
        canvas.put(&painted, x, y);
        let (x, y) = sheet.caption(index);
        let corner = (x as f32, y as f32);
        let text = caption(index, slid);
        let strokes = Strokes::at(text.chars(), sheet.letters as f32, corner);
        canvas.strokes(&strokes, painter.colors.caption);
    }
}
