//! The flags of `npuzzle convert`.

use std::fmt;
use std::path::PathBuf;

use clap::{ArgGroup, Parser};
use npuzzle::format::Format;

use super::groups::{BoardArgs, OutArg};
use super::solve::NotationArg;
use super::values;

/// Convert boards between formats and moves between notations.
#[derive(Parser, Debug)]
#[command(mut_arg("goal", |arg| arg.help(
    "Goal to write with the board in the formats pair, json and pddl: last, first, snail, or a board"
)))]
#[command(group = ArgGroup::new("input").required(true).multiple(true))]
#[command(after_help = "\
Examples:
  npuzzle convert puzzle.txt --to slash
  npuzzle convert \"1 2 3/4 5 6/7 8 0\" --goal first --to pair
  npuzzle convert \"8 1 3/4 0 2/7 6 5\" --to pddl --domain domain.pddl -o problem.pddl
  npuzzle convert --moves \"ULDR\" --from blank --notation tile
  npuzzle convert \"8 1 3/4 0 2/7 6 5\" --moves \"R D\" --notation numbers
  npuzzle convert steps.txt --from boards --notation tile
  npuzzle convert \"1 2 3/4 5 6/7 8 0\" --moves R2DLU --apply
  npuzzle convert --moves \"R2 D L U\" --inverse --compact
  npuzzle solve -q \"8 1 3/4 0 2/7 6 5\" | npuzzle convert --moves - --compact

Exit codes: 0 converted · 2 bad usage or bad input · 4 file or I/O error")]
pub(crate) struct ConvertArgs {
    /// A board, a file of boards, or - for standard input; with --moves, the board they start from
    #[arg(value_name = "BOARD|FILE", group = "input")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Write boards in this format; pddl is a planning problem with its domain, for planners
    #[arg(long, value_name = "FORMAT", default_value = "slash", value_parser = values::one_of(&ConvertTarget::all()))]
    pub(crate) to: ConvertTarget,

    /// With --to pddl: write the domain to this file, and only the problem to the output
    #[arg(long, value_name = "FILE")]
    pub(crate) domain: Option<PathBuf>,

    /// Moves to convert instead of boards: moves, a file, or - for standard input
    #[arg(long, value_name = "MOVES|FILE", allow_hyphen_values = true, group = "input")]
    pub(crate) moves: Option<String>,

    /// Notation of --moves [default: tile]; `boards` reads the input as the boards of one solution
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub(crate) from: Option<NotationArg>,

    /// Write moves in this notation [default: tile]
    #[arg(long, value_enum)]
    pub(crate) notation: Option<NotationArg>,

    /// Write the board that --moves lead to instead of the moves
    #[arg(long, requires = "moves", conflicts_with_all = ["notation", "compact"])]
    pub(crate) apply: bool,

    /// Invert --moves: reverse their order and each direction
    #[arg(long, requires = "moves")]
    pub(crate) inverse: bool,

    /// Write letters without spaces (R2DLU)
    #[arg(long)]
    pub(crate) compact: bool,

    #[command(flatten)]
    pub(crate) out: OutArg,
}

/// What boards are converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ConvertTarget {
    Format(Format),
    Pddl,
}

impl ConvertTarget {
    fn all() -> Vec<ConvertTarget> {
        Format::ALL.into_iter().map(ConvertTarget::Format).chain([ConvertTarget::Pddl]).collect()
    }
}

/// The value of the flag.
impl fmt::Display for ConvertTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConvertTarget::Format(format) => format.fmt(f),
            ConvertTarget::Pddl => f.write_str("pddl"),
        }
    }
}
