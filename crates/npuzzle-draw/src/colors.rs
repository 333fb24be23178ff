//! Colors and themes.

/// A color theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
    /// The reader's preference in SVG and HTML; light in PNG and GIF.
    #[default]
    Auto,
}

impl Theme {
    /// All themes.
    pub const ALL: [Theme; 3] = [Theme::Light, Theme::Dark, Theme::Auto];

    /// Returns the name, in lower case.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
            Theme::Auto => "auto",
        }
    }
}

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// The colors of a theme. Nothing is marked by color only, and blue and orange are distinguishable with
/// all forms of color blindness (Okabe and Ito).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Colors {
    /// The background.
    pub(crate) page: Rgb,
    /// Captions on the background.
    pub(crate) caption: Rgb,
    /// The tray that holds the tiles.
    pub(crate) tray: Rgb,
    pub(crate) tile: Rgb,
    /// The number on a tile.
    pub(crate) ink: Rgb,
    /// A tile in its goal cell.
    pub(crate) home: Rgb,
    pub(crate) home_ink: Rgb,
    /// The dot on a tile in its goal cell.
    pub(crate) dot: Rgb,
    /// The outline of the tile that moved.
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

    /// The colors of a theme in formats that cannot follow the reader's preference.
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
    fn numbers_contrast_with_their_tiles() {
        for colors in [Colors::LIGHT, Colors::DARK] {
            assert!(contrast(colors.ink, colors.tile) >= 7.0, "{colors:?}");
            assert!(contrast(colors.home_ink, colors.home) >= 7.0, "{colors:?}");
            assert!(contrast(colors.caption, colors.page) >= 7.0, "{colors:?}");
        }
    }

    #[test]
    fn marks_contrast_with_their_background() {
        for colors in [Colors::LIGHT, Colors::DARK] {
            assert!(contrast(colors.dot, colors.home) >= 3.0, "{colors:?}");
            assert!(contrast(colors.moved, colors.tile) >= 3.0, "{colors:?}");
            assert!(contrast(colors.tray, colors.tile) >= 1.5, "{colors:?}");
        }
    }
}
