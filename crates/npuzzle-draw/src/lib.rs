//! Draws sliding-tile boards and solutions: [`svg`], [`png`], animated [`gif`], and an [`html`]
//! page of one file that plays them.
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
//! What is drawn is a [`Scene`] (a board, with its goal if it has one) or a [`Replay`] (moves from
//! a board, checked). How it looks is a [`Style`]. The way to pixels: `layout` says where, `font`
//! and `canvas` draw with soft edges, `painter` makes tiles and boards, `palette` counts colours,
//! and the modules with the names of formats write them down. Nothing here reads or writes files.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod canvas;
mod data_uri;
mod error;
mod font;
pub mod gif;
pub mod html;
mod layout;
mod painter;
mod palette;
mod picture;
pub mod png;
mod scene;
mod sheet;
mod style;
pub mod svg;

pub use error::DrawError;
pub use picture::{Picture, PictureError};
pub use scene::{Replay, Scene};
pub use style::{Style, Theme, Timing};
