//! The geometry of a drawn board, in whole pixels.

use std::num::NonZeroU16;

use npuzzle_core::{Cell, Dims, Tile};

use crate::error::DrawError;
use crate::raster::canvas::MAX_PIXELS;
use crate::style::Style;

/// Tiles with gaps between them, in a tray with a border.
///
/// ```text
///   ╭───────────────╮
///   │ ╭───╮   ╭───╮ │     border, side, gap, side, border
///   │ │ 1 │   │ 2 │ │
///   │ ╰───╯   ╰───╯ │
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BoardLayout {
    pub(crate) dims: Dims,
    pub(crate) side: u32,
    pub(crate) gap: u32,
    pub(crate) border: u32,
    /// The radius of a tile's corners.
    pub(crate) radius: u32,
}

/// The side of a tile if the style names none, and the size of a picture beyond which it shrinks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DefaultTile {
    pub(crate) tile: u16,
    pub(crate) max_pixels: u32,
}

impl BoardLayout {
    pub(crate) fn new(dims: Dims, side: u16) -> BoardLayout {
        let side = u32::from(side);
        let gap = (side / 16).max(1);
        BoardLayout { dims, side, gap, border: 2 * gap, radius: side / 8 }
    }

    /// The layout with the tile of the style, or else the default one.
    pub(crate) fn of_style(dims: Dims, style: &Style, default: DefaultTile) -> BoardLayout {
        let default = || {
            let fits = |side: &u16| BoardLayout::new(dims, *side).fits(default.max_pixels);
            (1..=default.tile).rev().find(fits).unwrap_or(1)
        };
        BoardLayout::new(dims, style.tile.map(NonZeroU16::get).unwrap_or_else(default))
    }

    /// The layout, unless the picture would be too large.
    pub(crate) fn checked(self) -> Result<BoardLayout, DrawError> {
        if self.fits(MAX_PIXELS) {
            return Ok(self);
        }
        let fits = |side| BoardLayout::new(self.dims, side).fits(MAX_PIXELS);
        Err(DrawError::too_large(self.width(), self.height(), fits))
    }

    fn fits(self, max: u32) -> bool {
        self.width().max(self.height()) <= max
    }

    /// The distance from a tile to the next one.
    pub(crate) fn pitch(self) -> u32 {
        self.side + self.gap
    }

    pub(crate) fn width(self) -> u32 {
        2 * self.border + self.inner_width()
    }

    pub(crate) fn height(self) -> u32 {
        2 * self.border + self.inner_height()
    }

    /// The width from the first tile to the last, which a picture covers.
    pub(crate) fn inner_width(self) -> u32 {
        self.dims.cols() as u32 * self.pitch() - self.gap
    }

    pub(crate) fn inner_height(self) -> u32 {
        self.dims.rows() as u32 * self.pitch() - self.gap
    }

    /// The top left corner of the tile in a cell, x and y.
    pub(crate) fn corner(self, cell: Cell) -> (u32, u32) {
        let (x, y) = self.inner_corner(cell);
        (self.border + x, self.border + y)
    }

    /// The same, relative to the top left corner of the first tile.
    pub(crate) fn inner_corner(self, cell: Cell) -> (u32, u32) {
        let at = |index: usize| index as u32 * self.pitch();
        (at(self.dims.col(cell)), at(self.dims.row(cell)))
    }

    /// The radius of the tray, concentric with the corners of the tiles.
    pub(crate) fn tray_radius(self) -> u32 {
        self.radius + self.border
    }

    /// The number of digits of the largest tile: all numbers of a board have one font size.
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
    fn default_tile_shrinks_until_the_board_fits() {
        let default = DefaultTile { tile: 96, max_pixels: MAX_PIXELS };
        let side = |size: &str| BoardLayout::of_style(dims(size), &Style::default(), default).side;
        assert_eq!(side("4x4"), 96);
        assert_eq!(side("39x40"), 95);
        let huge = BoardLayout::of_style(dims("127x127"), &Style::default(), default);
        assert!(huge.width() <= MAX_PIXELS && huge.side >= 30, "{huge:?}");
    }

    #[test]
    fn requested_tile_does_not_shrink() {
        let style = Style { tile: NonZeroU16::new(200), ..Style::default() };
        let layout = BoardLayout::of_style(
            dims("127x2"),
            &style,
            DefaultTile { tile: 96, max_pixels: MAX_PIXELS },
        );
        assert_eq!(layout.side, 200);
        let Err(DrawError::TooLarge { height, largest_tile: Some(largest), .. }) = layout.checked()
        else {
            panic!("{layout:?} fits")
        };
        assert_eq!(height, u64::from(layout.height()));
        assert!(BoardLayout::new(dims("127x2"), largest).checked().is_ok());
        assert!(BoardLayout::new(dims("127x2"), largest + 1).checked().is_err());
    }
}
