//! How things look, and how fast they move.

use std::num::NonZeroU16;
use std::time::Duration;

use crate::picture::Picture;

/// How boards look.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// The side of a tile in pixels. Without it tiles are of a size that suits the format, and
    /// smaller on large boards.
    pub tile: Option<NonZeroU16>,
    /// On paper or in the dark.
    pub theme: Theme,
    /// A picture to be put together, instead of numbers.
    pub picture: Option<Picture>,
    /// Small numbers on the tiles of a picture.
    pub numbers: bool,
}

/// On paper or in the dark.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// As the reader's screen has it, in SVG and HTML; light in PNG and GIF.
    #[default]
    Auto,
}

/// How fast solutions are played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Timing {
    /// From one move (a straight run of slides) to the next.
    pub per_move: Duration,
    /// How long the start is shown before the first move.
    pub at_start: Duration,
    /// How long the last board is shown before all begins again.
    pub at_end: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        let ms = Duration::from_millis;
        Timing { per_move: ms(300), at_start: ms(1000), at_end: ms(2000) }
    }
}

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// The colours of a theme. What is told by colour is told by a dot as well, and blue and orange are
/// told apart by everybody (Okabe and Ito).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Colors {
    /// What the board lies on.
    pub(crate) page: Rgb,
    /// Captions on the page.
    pub(crate) caption: Rgb,
    /// What the tiles lie in.
    pub(crate) tray: Rgb,
    pub(crate) tile: Rgb,
    /// The number on a tile.
    pub(crate) ink: Rgb,
    /// A tile that is where it belongs.
    pub(crate) home: Rgb,
    pub(crate) home_ink: Rgb,
    /// The dot on it.
    pub(crate) dot: Rgb,
    /// Around the tile that has moved.
    pub(crate) moved: Rgb,
}

impl Colors {
    pub(crate) const LIGHT: Colors = Colors {
        page: [0xff, 0xff, 0xff],
        caption: [0x4a, 0x55, 0x65],
        tray: [0xc3, 0xcc, 0xd8],
        tile: [0xfd, 0xfc, 0xf9],
        ink: [0x22, 0x2b, 0x38],
        home: [0xdc, 0xec, 0xf9],
        home_ink: [0x0a, 0x4a, 0x80],
        dot: [0x00, 0x72, 0xb2],
        moved: [0xd5, 0x5e, 0x00],
    };

    pub(crate) const DARK: Colors = Colors {
        page: [0x0f, 0x14, 0x1a],
        caption: [0xa9, 0xb4, 0xc2],
        tray: [0x1c, 0x24, 0x2e],
        tile: [0x39, 0x45, 0x54],
        ink: [0xee, 0xf2, 0xf6],
        home: [0x1b, 0x4b, 0x6e],
        home_ink: [0xd3, 0xea, 0xfb],
        dot: [0x56, 0xb4, 0xe9],
        moved: [0xe6, 0x9f, 0x00],
    };

    /// For what cannot ask the reader's screen.
    pub(crate) fn of(theme: Theme) -> Colors {
        match theme {
            Theme::Light | Theme::Auto => Colors::LIGHT,
            Theme::Dark => Colors::DARK,
        }
    }
}

/// `#rrggbb`.
pub(crate) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as the Web Content Accessibility Guidelines define it.
    fn luminance(color: Rgb) -> f64 {
        let [r, g, b] = color.map(|part| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn numbers_are_readable_on_their_tiles() {
        for colors in [Colors::LIGHT, Colors::DARK] {
            assert!(contrast(colors.ink, colors.tile) >= 7.0, "{colors:?}");
            assert!(contrast(colors.home_ink, colors.home) >= 7.0, "{colors:?}");
            assert!(contrast(colors.caption, colors.page) >= 7.0, "{colors:?}");
        }
    }

    #[test]
    fn marks_are_seen_on_what_they_mark() {
        for colors in [Colors::LIGHT, Colors::DARK] {
            assert!(contrast(colors.dot, colors.home) >= 3.0, "{colors:?}");
            assert!(contrast(colors.moved, colors.tile) >= 3.0, "{colors:?}");
            assert!(contrast(colors.tray, colors.tile) >= 1.5, "{colors:?}");
        }
    }
}
