//! The flags of `npuzzle render`.

use std::num::NonZeroU16;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use npuzzle::Notation;
use npuzzle_draw::{FileFormat, Theme};

use super::groups::{BoardArgs, CacheArgs, MetricArg, OutArg, TimeArg};
use super::solve::NotationArg;
use super::values;
use crate::io::units;

/// Draw a board or a solution: SVG, PNG, animated GIF or an HTML page.
#[derive(Parser, Debug)]
#[command(mut_arg("goal", |arg| arg.help(
    "Goal: last (1 2 … 0), first (0 1 2 …), snail, or a board; marks the tiles at their goal cells \
     and cuts the picture [default: last for solutions, otherwise none]"
)))]
#[command(mut_arg("time", |arg| arg.requires("solve")))]
#[command(mut_arg("metric", |arg| arg.requires("solve")))]
#[command(after_help = "\
A solution becomes a sheet of numbered boards in SVG and PNG, an animation in GIF, and a page with a \
player in HTML. A straight run of slides is one step.

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

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Moves to show, such as "RRUL" or "R2 U L"
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, group = "solution_from")]
    pub(crate) moves: Option<String>,

    /// File with the moves to show (as `npuzzle solve -q` prints them), or - for standard input
    #[arg(long, value_name = "FILE", group = "solution_from")]
    pub(crate) solution: Option<String>,

    /// Show a shortest solution, or above 16 cells a short one
    #[arg(long, group = "solution_from")]
    pub(crate) solve: bool,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Notation of --moves and --solution [default: tile]
    #[arg(long, value_name = "NOTATION", value_parser = NotationArg::of_moves())]
    #[arg(conflicts_with = "solve", requires = "solution_from")]
    pub(crate) from: Option<NotationArg>,

    #[command(flatten)]
    pub(crate) out: OutArg,

    /// Kind of picture [default: the extension of --out]; without --out, required
    #[arg(long = "as", value_name = "KIND", value_parser = values::one_of(&FileFormat::ALL))]
    pub(crate) kind: Option<FileFormat>,

    /// Show this picture (PNG, JPEG, GIF, WebP) on the tiles instead of numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) picture: Option<PathBuf>,

    /// Add small numbers to the tiles of the picture
    #[arg(long, requires = "picture")]
    pub(crate) numbers: bool,

    /// Side of a tile in pixels (SVG, PNG, GIF) [default: depends on the kind and the board]
    #[arg(long, value_name = "PX", value_parser = values::number(NonZeroU16::MIN..=NonZeroU16::MAX))]
    pub(crate) tile: Option<NonZeroU16>,

    /// Color theme; auto follows the viewer's setting in SVG and HTML, and is light otherwise
    #[arg(long, default_value = "auto", value_parser = values::one_of(&Theme::ALL))]
    pub(crate) theme: Theme,

    /// Time between moves in GIF and HTML (20ms to 60s)
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = delay)]
    #[arg(requires = "solution_from")]
    pub(crate) delay: Duration,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

impl RenderArgs {
    pub(crate) fn notation(&self) -> Notation {
        self.from.map(Notation::from).unwrap_or_default()
    }
}

fn delay(text: &str) -> Result<Duration, String> {
    let legal = Duration::from_millis(20)..=Duration::from_secs(60);
    let delay = units::time(text).ok().flatten().filter(|delay| legal.contains(delay));
    delay.ok_or_else(|| "expected a time from 20ms to 60s".to_owned())
}
