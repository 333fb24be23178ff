//! Tiles and boards as pixels.
//!
//! A tile is painted once, with the colour of the tray around its corners, and then copied to
//! whole pixels, at rest or on its way: so whatever is made of tiles has the colours of tiles.

use npuzzle_core::{Board, Cell, Tile};

use crate::canvas::{Canvas, Rounded};
use crate::font::Strokes;
use crate::layout::{Layout, digits};
use crate::scene::Homes;
use crate::style::{Colors, Rgb, Style};

/// The lowest digits that can be read.
const MIN_DIGITS: f32 = 5.0;

/// All that is known of how a board is painted.
pub(crate) struct Painter {
    pub(crate) layout: Layout,
    pub(crate) colors: Colors,
    pub(crate) homes: Homes,
    /// What the tiles show instead of numbers, as large as all of them together.
    picture: Option<Canvas>,
    numbers: bool,
}

/// How a tile looks apart from its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    Plain,
    Home,
}

impl Painter {
    pub(crate) fn new(layout: Layout, homes: Homes, style: &Style) -> Painter {
        let (width, height) = (layout.inner_width(), layout.inner_height());
        let picture = style.picture.as_ref().map(|picture| picture.fitted(width, height));
        let (colors, numbers) = (Colors::of(style.theme), style.numbers);
        Painter { layout, colors, homes, picture, numbers }
    }

    /// How a tile looks at a cell. A picture tells by itself what is in its place.
    pub(crate) fn look(&self, tile: Tile, cell: Cell) -> Look {
        let is_home = self.picture.is_none() && self.homes.marks(tile, cell);
        if is_home { Look::Home } else { Look::Plain }
    }

    pub(crate) fn has_picture(&self) -> bool {
        self.picture.is_some()
    }

    /// The board; around its corners the ground, or nothing.
    pub(crate) fn board(&self, board: &Board, ground: Option<Rgb>) -> Canvas {
        let mut canvas = self.tray(ground);
        for (cell, &tile) in (0..).map(Cell::new).zip(board.tiles()) {
            if !tile.is_blank() {
                let (x, y) = self.layout.corner(cell);
                canvas.put(&self.tile(tile, self.look(tile, cell)), x, y);
            }
        }
        canvas
    }

    /// The board without its tiles.
    pub(crate) fn tray(&self, ground: Option<Rgb>) -> Canvas {
        let (width, height) = (self.layout.width(), self.layout.height());
        let mut canvas = match ground {
            Some(color) => Canvas::new(width, height, color),
            None => Canvas::clear(width, height),
        };
        let radius = self.layout.tray_radius() as f32;
        let (x, y, width, height) = (0.0, 0.0, width as f32, height as f32);
        canvas.rounded(Rounded { x, y, width, height, radius }, self.colors.tray, 1.0);
        canvas
    }

    /// A tile, as large as tiles are.
    pub(crate) fn tile(&self, tile: Tile, look: Look) -> Canvas {
        match &self.picture {
            Some(picture) => self.picture_tile(tile, picture),
            None => self.number_tile(tile, look),
        }
    }

    /// The line around a tile that has moved.
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
        let (left, top) = self.layout.inner_corner(self.homes.of(tile));
        let mut canvas = Canvas::new(side, side, self.colors.tray);
        let mut mask = Canvas::clear(side, side);
        mask.rounded(self.shape(), self.colors.tray, 1.0);
        for y in 0..side {
            for x in 0..side {
                let index = (y * side + x) as usize;
                let from = ((top + y) * picture.width + left + x) as usize;
                // What is clear in the picture shows the tile, what is outside of it the tray.
                let shown = over(self.colors.tile, picture.pixels[from]);
                let [r, g, b] = mixed(self.colors.tray, shown, mask.pixels[index][3]);
                canvas.pixels[index] = [r, g, b, 255];
            }
        }
        if self.numbers {
            self.put_label(&mut canvas, tile);
        }
        canvas
    }

    /// A small number in the corner of a picture.
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

/// Of the black behind a number on a picture.
pub(crate) const LABEL_OPACITY: f32 = 0.62;

/// As high as looks well, or as low as it takes for the largest number to fit.
fn number_height(side: f32, n_digits: usize) -> f32 {
    let widest = Strokes::width(std::iter::repeat_n('8', n_digits), 1.0);
    (0.4 * side).min(0.78 * side / widest)
}

/// The dot on a tile that is where it belongs: low in the middle.
fn dot(side: f32) -> Rounded {
    let (middle, y, radius) = dot_place(side);
    let (x, y, across) = (middle - radius, y - radius, 2.0 * radius);
    Rounded { x, y, width: across, height: across, radius }
}

/// The dot's middle and radius.
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
