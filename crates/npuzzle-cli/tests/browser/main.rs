//! The page of `npuzzle serve`, and the pages that `npuzzle render` makes, in a real browser.
//! `cargo xtask test` installs one on Debian; [`driver`] says what is needed elsewhere.

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
