//! The flags of `npuzzle play`.

use clap::{Parser, ValueEnum};
use npuzzle::format::Format;
use npuzzle::{Dims, Goal, Metric};

use super::{CacheArgs, dims, format, goal, metric};

/// Play in the terminal: hints, solutions, what every move costs.
#[derive(Parser, Debug)]
#[command(after_help = "\
Arrow keys and letters slide tiles, a click slides all tiles between it and the gap; ? shows all keys.
Boards of up to 16 cells are known exactly: the distance to the goal and what each move has lost.
NO_COLOR is respected.

Examples:
  npuzzle play
  npuzzle play --size 3x3 --moves 20
  npuzzle play \"8 1 3/4 0 2/7 6 5\" --goal snail --letters hjkl

Exit codes: 0 quit · 1 there is no such board · 2 bad usage, bad input or no terminal · 3 no board \
found within a minute · 4 file or I/O error · 130 interrupted")]
pub(crate) struct PlayArgs {
    /// A board, or a file with one; without it a board is made
    #[arg(value_name = "BOARD|FILE", conflicts_with_all = ["size", "moves"])]
    pub(crate) board: Option<String>,

    /// Read the board in this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format(), requires = "board")]
    pub(crate) format: Option<Format>,

    /// Rows x columns of the board that is made [default: 4x4]
    #[arg(long, value_name = "SIZE", value_parser = dims)]
    pub(crate) size: Option<Dims>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// Make boards whose shortest solutions have so many moves, instead of random ones
    #[arg(long, value_name = "N")]
    pub(crate) moves: Option<u32>,

    /// The same seed gives the same boards
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// What distances, losses and solutions count: single slides, or straight runs of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// What the arrow keys move (x changes it)
    #[arg(long, value_enum, default_value = "tile")]
    pub(crate) arrows: ArrowsArg,

    /// Letters that do what the arrow keys do (c changes them)
    #[arg(long, value_enum, default_value = "wasd")]
    pub(crate) letters: LettersArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum ArrowsArg {
    /// A tile slides the way of the arrow
    Tile,
    /// The gap goes the way of the arrow
    Blank,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum LettersArg {
    /// Then S solves
    Wasd,
    /// Then H hints
    Hjkl,
    None,
}
