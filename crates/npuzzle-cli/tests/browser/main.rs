//! The page of `npuzzle serve`, and the pages that `npuzzle render` makes, in a real browser.
//! `cargo xtask test` installs one on Debian; [`driver`] says what is needed elsewhere.

// Helpers of tests may stop a test where it is, as tests may.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod accessible;
mod comparing;
mod driver;
mod editing;
mod large;
mod models;
mod narrow;
mod page;
mod pictures;
mod player;
mod playing;
mod server;
mod sharing;
mod solving;
mod watching;
