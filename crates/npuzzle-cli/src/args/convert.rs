//! The flags of `npuzzle convert`.

use std::path::PathBuf;

use clap::Parser;
use npuzzle::Goal;
use npuzzle::format::Format;

use super::{NotationArg, format, goal};

/// Convert boards between formats and moves between notations.
#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  npuzzle convert puzzle.txt --to slash
  npuzzle convert \"1 2 3/4 5 6/7 8 0\" --goal first --to pair
  npuzzle convert --moves \"ULDR\" --from blank --notation tile
  npuzzle convert \"8 1 3/4 0 2/7 6 5\" --moves \"R D\" --notation numbers
  npuzzle convert steps.txt --from boards --notation tile
  npuzzle convert \"1 2 3/4 5 6/7 8 0\" --moves R2DLU --apply
  npuzzle convert --moves \"R2 D L U\" --inverse --compact
  npuzzle solve -q \"8 1 3/4 0 2/7 6 5\" | npuzzle convert --moves - --compact")]
pub(crate) struct ConvertArgs {
    /// A board, a file of boards, or - for standard input; with --moves, the board they start from
    #[arg(value_name = "BOARD|FILE", required_unless_present = "moves")]
    pub(crate) inputs: Vec<String>,

    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,

    /// Write boards in this format
    #[arg(long, value_name = "FORMAT", default_value = "slash", value_parser = format())]
    pub(crate) to: Format,

    /// The goal to write beside the board in the formats pair and json: last, first, snail, a board
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// A move sequence to convert instead of boards, a file of one, or - for standard input
    #[arg(long, value_name = "MOVES|FILE", allow_hyphen_values = true)]
    pub(crate) moves: Option<String>,

    /// The notation of --moves; `boards` reads the input as the boards of one solution
    #[arg(long, value_enum, value_name = "NOTATION")]
    pub(crate) from: Option<NotationArg>,

    /// The notation to write moves in
    #[arg(long, value_enum)]
    pub(crate) notation: Option<NotationArg>,

    /// Write the board that --moves lead to, as a scramble does, instead of the moves
    #[arg(long, requires = "moves", conflicts_with_all = ["notation", "compact"])]
    pub(crate) apply: bool,

    /// Take --moves back: the last one first, each the other way
    #[arg(long, requires = "moves")]
    pub(crate) inverse: bool,

    /// Write letters without spaces (R2DLU)
    #[arg(long)]
    pub(crate) compact: bool,

    /// Write to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}
