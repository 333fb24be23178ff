//! The arguments of `npuzzle render`.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use npuzzle::format::Format;
use npuzzle::{Goal, Notation};
use npuzzle_draw::Theme;

use super::CacheArgs;
use crate::io::units::{self, Bound};

/// Draw a board or a solution: SVG, PNG, animated GIF, or a page that plays it.
#[derive(Parser, Debug)]
#[command(after_help = "\
A solution is a sheet of numbered boards in SVG and PNG, an animation in GIF, and a page with a \
player in HTML. Straight runs move as one.

Examples:
  npuzzle render \"8 1 3/4 0 2/7 6 5\" -o board.svg
  npuzzle render \"8 1 3/4 0 2/7 6 5\" --solve -o solution.gif
  npuzzle render board.txt --solution moves.txt --picture cat.jpg --numbers -o cat.html
  npuzzle render board.txt --goal snail --as png > board.png

Exit codes: 0 drawn · 1 unsolvable (--solve) · 2 bad usage or bad input · 3 a limit was reached \
(--solve) · 4 file or I/O error · 130 interrupted")]
pub(crate) struct RenderArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file with one, or - for standard input
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) input: String,

    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = super::format())]
    pub(crate) format: Option<Format>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board; tiles that are in their places
    /// are marked, and pictures are cut by it [default: last for solutions, else none]
    #[arg(long, value_parser = super::goal)]
    pub(crate) goal: Option<Goal>,

    /// The moves to show, as in "RRUL" or "R2 U L"
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, group = "solution_from")]
    pub(crate) moves: Option<String>,

    /// A file with the moves to show (what `npuzzle solve -q` prints), or - for standard input
    #[arg(long, value_name = "FILE", group = "solution_from")]
    pub(crate) solution: Option<String>,

    /// Show a shortest solution
    #[arg(long, group = "solution_from")]
    pub(crate) solve: bool,

    /// How --moves and --solution are written [default: tile]
    #[arg(long, value_enum, value_name = "NOTATION", conflicts_with = "solve")]
    #[arg(requires = "solution_from")]
    pub(crate) from: Option<WrittenArg>,

    /// Write to a file, whole or not at all; its ending says what is drawn
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Draw this, whatever the file is called; without a file, to standard output
    #[arg(long = "as", value_enum, value_name = "KIND")]
    pub(crate) kind: Option<KindArg>,

    /// Put this picture together (PNG, JPEG, GIF, WebP) instead of numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,

    /// Small numbers on the tiles of the picture
    #[arg(long, requires = "picture")]
    pub(crate) numbers: bool,

    /// The side of a tile in pixels (SVG, PNG, GIF) [default: what suits the kind, smaller on large
    /// boards]
    #[arg(long, value_name = "PX")]
    pub(crate) tile: Option<NonZeroU16>,

    /// Dark on light, light on dark, or as the reader's screen has it (SVG and HTML; else light)
    #[arg(long, value_enum, default_value = "auto")]
    theme: ThemeArg,

    /// From one move to the next in GIF and HTML (20ms to 60s)
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = delay)]
    pub(crate) delay: Duration,

    /// Give up solving after this time (5s, 500ms, 2m, none)
    #[arg(long, default_value = "60s", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

impl RenderArgs {
    pub(crate) fn theme(&self) -> Theme {
        match self.theme {
            ThemeArg::Light => Theme::Light,
            ThemeArg::Dark => Theme::Dark,
            ThemeArg::Auto => Theme::Auto,
        }
    }

    pub(crate) fn notation(&self) -> Notation {
        match self.from {
            Some(WrittenArg::Tile) | None => Notation::Tile,
            Some(WrittenArg::Blank) => Notation::Blank,
            Some(WrittenArg::Numbers) => Notation::Numbers,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum WrittenArg {
    /// Letters U D L R name the way the tile slides
    Tile,
    /// Letters name the way the blank goes, as textbooks have it
    Blank,
    /// The numbers of the tiles in the order they slide
    Numbers,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum KindArg {
    Svg,
    Png,
    Gif,
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
enum ThemeArg {
    Light,
    Dark,
    Auto,
}

fn delay(text: &str) -> Result<Duration, String> {
    let legal = Duration::from_millis(20)..=Duration::from_secs(60);
    let delay = units::time(text).ok().and_then(Bound::at).filter(|delay| legal.contains(delay));
    delay.ok_or_else(|| "expected a time from 20ms to 60s".to_owned())
}
