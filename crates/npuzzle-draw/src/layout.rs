//! Where things are on a board that is drawn, in whole pixels.

use std::num::NonZeroU16;

use npuzzle_core::{Cell, Dims, Tile};

use crate::error::DrawError;
use crate::style::Style;

/// The most pixels a picture may have either way.
pub(crate) const MAX_PIXELS: u32 = 4096;

/// Tiles with gaps between them, in a tray with a border.
///
/// ```text
///   ╭───────────────╮
///   │ ╭───╮   ╭───╮ │     border, side, gap, side, border
///   │ │ 1 │   │ 2 │ │
///   │ ╰───╯   ╰───╯ │
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) dims: Dims,
    pub(crate) side: u32,
    pub(crate) gap: u32,
    pub(crate) border: u32,
    /// Of a tile's corners.
    pub(crate) radius: u32,
}

/// The tile that is taken unless one is asked for, and the size at which it begins to shrink.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Usual {
    pub(crate) tile: u16,
    pub(crate) max_pixels: u32,
}

impl Layout {
    pub(crate) fn new(dims: Dims, side: u16) -> Layout {
        let side = u32::from(side);
        let gap = (side / 16).max(1);
        Layout { dims, side, gap, border: 2 * gap, radius: side / 8 }
    }

    /// With the tile that is asked for, or else the usual one.
    pub(crate) fn of_style(dims: Dims, style: &Style, usual: Usual) -> Layout {
        let usual = || {
            let fits = |side: &u16| Layout::new(dims, *side).fits(usual.max_pixels);
            (1..=usual.tile).rev().find(fits).unwrap_or(1)
        };
        Layout::new(dims, style.tile.map(NonZeroU16::get).unwrap_or_else(usual))
    }

    /// If it is of a size that pictures may have.
    pub(crate) fn checked(self) -> Result<Layout, DrawError> {
        if self.fits(MAX_PIXELS) {
            return Ok(self);
        }
        let fits = |side: &u16| Layout::new(self.dims, *side).fits(MAX_PIXELS);
        Err(DrawError::TooLarge {
            width: u64::from(self.width()),
            height: u64::from(self.height()),
            max: MAX_PIXELS,
            largest_tile: (1..=MAX_PIXELS as u16).rev().find(fits),
        })
    }

    fn fits(self, max: u32) -> bool {
        self.width().max(self.height()) <= max
    }

    /// From a tile to the next one.
    pub(crate) fn pitch(self) -> u32 {
        self.side + self.gap
    }

    pub(crate) fn width(self) -> u32 {
        2 * self.border + self.inner_width()
    }

    pub(crate) fn height(self) -> u32 {
        2 * self.border + self.inner_height()
    }

    /// What a picture covers: from the first tile to the last.
    pub(crate) fn inner_width(self) -> u32 {
        self.dims.cols() as u32 * self.pitch() - self.gap
    }

    pub(crate) fn inner_height(self) -> u32 {
        self.dims.rows() as u32 * self.pitch() - self.gap
    }

    /// The top left corner of a cell's tile, x and y.
    pub(crate) fn corner(self, cell: Cell) -> (u32, u32) {
        let (x, y) = self.inner_corner(cell);
        (self.border + x, self.border + y)
    }

    /// The same, from the top left corner of the first tile.
    pub(crate) fn inner_corner(self, cell: Cell) -> (u32, u32) {
        let at = |index: usize| index as u32 * self.pitch();
        (at(self.dims.col(cell)), at(self.dims.row(cell)))
    }

    /// Of the tray, so that it runs beside the corners of the tiles.
    pub(crate) fn tray_radius(self) -> u32 {
        self.radius + self.border
    }

    /// How many digits the largest number has: all numbers of a board are of one size.
    pub(crate) fn n_digits(self) -> usize {
        digits(Tile::new((self.dims.cells() - 1) as u16)).count()
    }
}

/// The digits of a tile's number.
pub(crate) fn digits(tile: Tile) -> impl Iterator<Item = char> {
    tile.number().to_string().chars().collect::<Vec<_>>().into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use npuzzle_testkit::dims;

    #[test]
    fn usual_tiles_shrink_until_the_board_fits() {
        let usual = Usual { tile: 96, max_pixels: MAX_PIXELS };
        let side = |size: &str| Layout::of_style(dims(size), &Style::default(), usual).side;
        assert_eq!(side("4x4"), 96);
        assert_eq!(side("39x40"), 95);
        let huge = Layout::of_style(dims("127x127"), &Style::default(), usual);
        assert!(huge.width() <= MAX_PIXELS && huge.side >= 30, "{huge:?}");
    }

    #[test]
    fn tiles_that_are_asked_for_do_not_shrink() {
        let style = Style { tile: NonZeroU16::new(200), ..Style::default() };
        let layout =
            Layout::of_style(dims("127x2"), &style, Usual { tile: 96, max_pixels: MAX_PIXELS });
        assert_eq!(layout.side, 200);
        let Err(DrawError::TooLarge { height, largest_tile: Some(largest), .. }) = layout.checked()
        else {
            panic!("{layout:?} fits")
        };
        assert_eq!(height, u64::from(layout.height()));
        assert!(Layout::new(dims("127x2"), largest).checked().is_ok());
        assert!(Layout::new(dims("127x2"), largest + 1).checked().is_err());
    }
}
