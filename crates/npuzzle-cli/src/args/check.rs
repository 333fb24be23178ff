//! The flags of `npuzzle check`.

use clap::Parser;

use super::course_choice::CourseChoice;
use super::groups::{BoardArgs, CacheArgs, MetricArg, TimeArg, VerdictArgs};
use super::values;

/// Check a solution: whether it is valid and shortest, and which moves are wasted.
#[derive(Parser, Debug)]
#[command(mut_arg("time", |arg| arg.help(
    "Time to find out whether the solution is shortest (500ms, 5s, 2m, none); at most two seconds \
     above 16 cells"
)))]
#[command(after_help = "\
A solution is a list of boards as any course program prints them, letters (U L2 D, up left left down) \
that name the direction of the tiles or of the blank, or the numbers of the tiles that slide.

Examples:
  npuzzle check \"1 2 3/4 0 5/7 8 6\" \"L U\"
  npuzzle check puzzle.txt answer.txt
  java Solver puzzle.txt | npuzzle check puzzle.txt -
  npuzzle course umbc puzzle.txt | npuzzle check --course umbc puzzle.txt -

Exit codes: 0 valid and shortest · 1 not valid, or not shortest · 2 bad usage or bad input · 3 valid, \
but a limit was reached before it was proved shortest · 4 file or I/O error · 130 interrupted")]
pub(crate) struct CheckArgs {
    /// The puzzle: a board, or a file with a board or with start and goal
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) puzzle: String,

    /// The solution: moves, a file, or - for standard input
    #[arg(value_name = "MOVES|FILE", allow_hyphen_values = true)]
    pub(crate) solution: String,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Course of the puzzle and the solution; it defines the format, the goal and which solutions pass
    #[arg(long, value_name = "NAME", value_parser = values::course(), conflicts_with_all = ["format", "goal"])]
    pub(crate) course: Option<CourseChoice>,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Accept valid solutions of any length
    #[arg(long)]
    pub(crate) any_length: bool,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) verdict: VerdictArgs,
}
