//! The page of `npuzzle serve` and the pages of `npuzzle render` in a real browser.
//! `cargo xtask test` installs one on Debian; [`driver`] describes the requirements elsewhere.

// Helpers may panic, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod accessible;
mod comparing;
mod driver;
mod editing;
mod finishing;
mod large;
mod models;
mod narrow;
mod page;
mod picture_tiles;
mod pictures;
mod player;
mod playing;
mod server;
mod sharing;
mod solving;
mod speed_solving;
mod static_page;
mod watching;
