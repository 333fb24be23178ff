//! Draws sliding-tile boards and solutions as [`svg`], [`png`], animated [`gif`], or a self-contained [`html`]
//! page with a player.
//!
//! ```
//! use npuzzle_core::{Instance, Moves};
//! use npuzzle_draw::{Replay, Style, Timing, gif, html, svg};
//!
//! let puzzle: Instance = "1 2 3/4 0 6/7 5 8".parse()?;
//! let style = Style::default();
//! let picture = svg::board(&puzzle, &style)?;
//! assert!(picture.starts_with("<svg "));
//!
//! let replay = Replay::new(&puzzle, "U L".parse::<Moves>()?)?;
//! let mut file = Vec::new();
//! gif::solution(&replay, &style, Timing::default(), &mut file)?;
//! assert!(file.starts_with(b"GIF89a"));
//! let page = html::player(&replay, &style, Timing::default(), "Two moves")?;
//! assert!(page.starts_with("<!DOCTYPE html>"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The input is a [`Scene`] (a board, optionally with its goal) or a [`Replay`] (moves from a board, checked), and
//! a [`Style`]. `layout` computes positions, `raster` draws anti-aliased shapes and digits, `painter` composes
//! tiles and boards, and each format has a module; [`FileFormat`] selects one. Nothing here opens files.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod colors;
mod error;
mod file_format;
pub mod gif;
pub mod html;
mod layout;
mod painter;
mod picture;
pub mod png;
mod raster;
mod scene;
mod sheet;
mod style;
pub mod svg;

pub use colors::Theme;
pub use error::DrawError;
pub use file_format::FileFormat;
pub use picture::{Picture, PictureError};
pub use scene::{Replay, Scene};
pub use style::{Style, Timing};
