//! Colors and themes.

npuzzle_core::named_enum! {
    "a theme"
    /// A color theme.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub enum Theme {
        /// Dark on light.
        Light = "light",
        /// Light on dark.
        Dark = "dark",
        /// The reader's preference in SVG and HTML; light in PNG and GIF.
        #[default]
        Auto = "auto",
    }
}

/// Red, green, blue.
pub(crate) type Rgb = [u8; 3];

/// Declares the colors of a theme: a row for each, with its values in the light and the dark theme.
macro_rules! colors {
    ($($(#[$meta:meta])* $name:ident: $light:literal $dark:literal,)+) => {
        /// The colors of a theme. Nothing is marked by color only, and blue and orange are distinguishable
        /// with all forms of color blindness (Okabe and Ito).
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) struct Colors {
            $($(#[$meta])* pub(crate) $name: Rgb,)+
        }

        impl Colors {
            pub(crate) const LIGHT: Colors = Colors { $($name: rgb($light)),+ };
            pub(crate) const DARK: Colors = Colors { $($name: rgb($dark)),+ };
        }
    };
}

colors! {
    /// The background.
    page: 0xffffff 0x0f141a,
    /// Captions on the background.
    caption: 0x4a5565 0xa9b4c2,
    /// The tray that holds the tiles.
    tray: 0xc3ccd8 0x1c242e,
    tile: 0xfdfcf9 0x394554,
    /// The number on a tile.
    ink: 0x222b38 0xeef2f6,
    /// A tile in its goal cell.
    home: 0xdcecf9 0x1b4b6e,
    home_ink: 0x0a4a80 0xd3eafb,
    /// The dot on a tile in its goal cell.
    dot: 0x0072b2 0x56b4e9,
    /// The outline of the tile that moved.
    moved: 0xd55e00 0xe69f00,
}

const fn rgb(hex: u32) -> Rgb {
    let [_, r, g, b] = hex.to_be_bytes();
    [r, g, b]
}

impl Colors {
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
