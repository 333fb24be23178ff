//! Pixels: shapes, digits, palettes and PNG files.

pub(crate) mod canvas;
pub(crate) mod font;
pub(crate) mod palette;
pub(crate) mod png_file;
