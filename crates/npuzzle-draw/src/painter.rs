//! Tiles and boards as pixels.
//!
//! A tile is painted once, with the color of the tray around its corners, and then copied to whole pixels, also
//! while it moves. An animation therefore has no other colors than its tiles.

use npuzzle_core::{Board, Cell, Tile};

use crate::colors::{Colors, Rgb};
use crate::layout::{BoardLayout, digits};
use crate::raster::canvas::{Canvas, Rounded};
use crate::raster::font::Strokes;
use crate::scene::GoalCells;
use crate::style::Style;

/// The smallest height of readable digits, in pixels.
const MIN_DIGITS: f32 = 5.0;

/// Paints the tiles and boards of one layout and style.
pub(crate) struct Painter {
    pub(crate) layout: BoardLayout,
    pub(crate) colors: Colors,
    pub(crate) goal_cells: GoalCells,
    /// The picture on the tiles, as large as all of them together.
    picture: Option<Canvas>,
    numbers: bool,
}

/// The look of a tile apart from its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    Plain,
    Home,
}

impl Painter {
    pub(crate) fn new(layout: BoardLayout, goal_cells: GoalCells, style: &Style) -> Painter {
        let (width, height) = (layout.inner_width(), layout.inner_height());
        let picture = style.picture.as_ref().map(|picture| picture.fitted(width, height));
        let (colors, numbers) = (Colors::of(style.theme), style.numbers);
        Painter { layout, colors, goal_cells, picture, numbers }
    }

    /// The look of a tile in a cell. A picture needs no mark.
    pub(crate) fn look(&self, tile: Tile, cell: Cell) -> Look {
        let is_home = self.picture.is_none() && self.goal_cells.marks(tile, cell);
        if is_home { Look::Home } else { Look::Plain }
    }

    pub(crate) fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    /// Whether the blank is painted: as the last piece of a complete picture.
    pub(crate) fn shows_blank(&self, board: &Board) -> bool {
        self.has_picture() && self.goal_cells.is_goal(board)
    }

    /// Paints a board. Its corners show the background, or are transparent.
    pub(crate) fn board(&self, board: &Board, background: Option<Rgb>) -> Canvas {
        let mut canvas = self.tray(background);
        let shows_blank = self.shows_blank(board);
        for (cell, &tile) in (0..).map(Cell::new).zip(board.tiles()) {
            if !tile.is_blank() || shows_blank {
                let (x, y) = self.layout.corner(cell);
                canvas.put(&self.tile(tile, self.look(tile, cell)), x, y);
            }
        }
        canvas
    }

    /// Paints the board without its tiles.
    pub(crate) fn tray(&self, background: Option<Rgb>) -> Canvas {
        let (width, height) = (self.layout.width(), self.layout.height());
        let mut canvas = match background {
            Some(color) => Canvas::new(width, height, color),
            None => Canvas::clear(width, height),
        };
        let radius = self.layout.tray_radius() as f32;
        let (x, y, width, height) = (0.0, 0.0, width as f32, height as f32);
        canvas.rounded(Rounded { x, y, width, height, radius }, self.colors.tray, 1.0);
        canvas
    }

    /// Paints a tile, or the blank of a picture.
    pub(crate) fn tile(&self, tile: Tile, look: Look) -> Canvas {
        match &self.picture {
            Some(picture) => self.picture_tile(tile, picture),
            None => self.number_tile(tile, look),
        }
    }

    /// Outlines a tile that moved.
    pub(crate) fn mark_moved(&self, board: &mut Canvas, cell: Cell) {
        let (x, y) = self.layout.corner(cell);
        let shape = Rounded { x: x as f32, y: y as f32, ..self.shape() };
        board.outline(shape, (self.layout.side as f32 / 12.0).max(1.0), self.colors.moved);
    }

    fn shape(&self) -> Rounded {
        let (side, radius) = (self.layout.side as f32, self.layout.radius as f32);
        Rounded { x: 0.0, y: 0.0, width: side, height: side, radius }
    }

    fn number_tile(&self, tile: Tile, look: Look) -> Canvas {
        let side = self.layout.side as f32;
        let mut canvas = Canvas::new(self.layout.side, self.layout.side, self.colors.tray);
        let (fill, ink) = match look {
            Look::Plain => (self.colors.tile, self.colors.ink),
            Look::Home => (self.colors.home, self.colors.home_ink),
        };
        canvas.rounded(self.shape(), fill, 1.0);
        let height = number_height(side, self.layout.n_digits());
        if height >= MIN_DIGITS {
            let middle = (side / 2.0, side / 2.0);
            canvas.strokes(&Strokes::centered(digits(tile), height, middle), ink);
        }
        if look == Look::Home {
            canvas.rounded(dot(side), self.colors.dot, 1.0);
        }
        canvas
    }

    fn picture_tile(&self, tile: Tile, picture: &Canvas) -> Canvas {
        let side = self.layout.side;
        let (left, top) = self.layout.inner_corner(self.goal_cells.of(tile));
        let mut canvas = Canvas::new(side, side, self.colors.tray);
        let mut mask = Canvas::clear(side, side);
        mask.rounded(self.shape(), self.colors.tray, 1.0);
        for y in 0..side {
            for x in 0..side {
                let index = (y * side + x) as usize;
                let from = ((top + y) * picture.width + left + x) as usize;
                // The tile shows through transparency; the tray is around the tile.
                let shown = over(self.colors.tile, picture.pixels[from]);
                let [r, g, b] = mixed(self.colors.tray, shown, mask.pixels[index][3]);
                canvas.pixels[index] = [r, g, b, 255];
            }
        }
        if self.numbers && !tile.is_blank() {
            self.put_label(&mut canvas, tile);
        }
        canvas
    }

    /// Paints a small number in the corner of a picture tile.
    fn put_label(&self, canvas: &mut Canvas, tile: Tile) {
        let side = self.layout.side as f32;
        let height = (0.17 * side).max(MIN_DIGITS + 2.0);
        let width = Strokes::width(digits(tile), height);
        let (margin, padding) = (side / 16.0, height * 0.4);
        let shape = Rounded {
            x: margin,
            y: margin,
            width: width + 2.0 * padding,
            height: height + 2.0 * padding,
            radius: height * 0.6,
        };
        if shape.x + shape.width <= side {
            canvas.rounded(shape, [0; 3], LABEL_OPACITY);
            let corner = (margin + padding, margin + padding);
            canvas.strokes(&Strokes::at(digits(tile), height, corner), [255; 3]);
        }
    }
}

/// The opacity of the black behind a number on a picture.
pub(crate) const LABEL_OPACITY: f32 = 0.62;

/// The height of digits: the usual one, or less so that the largest number fits.
fn number_height(side: f32, n_digits: usize) -> f32 {
    let widest = Strokes::width(std::iter::repeat_n('8', n_digits), 1.0);
    (0.4 * side).min(0.78 * side / widest)
}

/// The dot on a tile in its goal cell: low in the middle.
fn dot(side: f32) -> Rounded {
    let (middle, y, radius) = dot_place(side);
    let (x, y, across) = (middle - radius, y - radius, 2.0 * radius);
    Rounded { x, y, width: across, height: across, radius }
}

/// The center and radius of the dot.
pub(crate) fn dot_place(side: f32) -> (f32, f32, f32) {
    (side / 2.0, 0.865 * side, (0.034 * side).max(0.75))
}

fn over(under: Rgb, [r, g, b, opacity]: [u8; 4]) -> Rgb {
    mixed(under, [r, g, b], opacity)
}

fn mixed(under: Rgb, over: Rgb, opacity: u8) -> Rgb {
    let opacity = u32::from(opacity);
    let mix = |i: usize| {
        let sum = u32::from(over[i]) * opacity + u32::from(under[i]) * (255 - opacity);
        ((sum + 127) / 255) as u8
    };
    [mix(0), mix(1), mix(2)]
}
