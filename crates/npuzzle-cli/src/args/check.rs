//! The flags of `npuzzle check`.

use std::time::Duration;

use clap::Parser;
use npuzzle::format::Format;
use npuzzle::{Goal, Metric};
use npuzzle_courses::Course;

use super::grade::course;
use super::{CacheArgs, format, goal, metric};
use crate::io::units::{self, Bound};

/// Check a solution: is it valid, is it shortest, where are moves lost.
#[derive(Parser, Debug)]
#[command(after_help = "\
The solution may be boards, as any course program prints them, letters (U L2 D, up left left down) \
that name the ways of the tiles or of the blank, or the numbers of the tiles that slide.

Examples:
  npuzzle check \"1 2 3/4 0 5/7 8 6\" \"L U\"
  npuzzle check puzzle.txt answer.txt
  java Solver puzzle.txt | npuzzle check puzzle.txt -
  npuzzle course umbc puzzle.txt | npuzzle check --course umbc puzzle.txt -

Exit codes: 0 valid and shortest · 1 not valid, or not shortest · 2 bad usage or bad input · 3 valid, \
and a limit was reached before it was known whether it is shortest · 4 file or I/O error · \
130 interrupted")]
pub(crate) struct CheckArgs {
    /// The puzzle: a board, a file with one, or with two: start and goal
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) puzzle: String,

    /// The solution: moves, a file, or - for standard input
    #[arg(value_name = "MOVES|FILE", allow_hyphen_values = true)]
    pub(crate) solution: String,

    /// Read the puzzle in this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// The course whose file and program these are: it has the format, the goal, and says which
    /// solutions are right
    #[arg(long, value_name = "NAME", value_parser = course(), conflicts_with_all = ["format", "goal"])]
    pub(crate) course: Option<Course>,

    /// What "shortest" counts: single slides, or straight runs of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// Any valid solution will do
    #[arg(long)]
    pub(crate) any_length: bool,

    /// Give up on whether it is shortest after this time (5s, 2m, none); boards of more than 16 cells
    /// are given two seconds at most
    #[arg(long, default_value = "60s", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// One object on one line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing; the exit code says it all
    #[arg(short, long)]
    pub(crate) quiet: bool,
}
