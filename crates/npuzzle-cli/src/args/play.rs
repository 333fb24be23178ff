//! The flags of `npuzzle play`.

use clap::{Parser, ValueEnum};
use npuzzle::Dims;

use super::groups::{BoardArgs, CacheArgs, MetricArg};
use super::values;

/// Play in the terminal, with hints, solutions and the cost of every move.
#[derive(Parser, Debug)]
#[command(mut_arg("format", |arg| arg.requires("board")))]
#[command(after_help = "\
Arrow keys and letters slide tiles; a click slides all tiles between it and the blank; ? shows all keys.
Up to 16 cells, the exact distance to the goal and the moves that each move wasted are shown.
NO_COLOR is respected.

Examples:
  npuzzle play
  npuzzle play --size 3x3 --moves 20
  npuzzle play \"8 1 3/4 0 2/7 6 5\" --goal snail --letters hjkl

Exit codes: 0 quit · 1 no such board exists · 2 bad usage, bad input or no terminal · 3 no board \
found within a minute · 4 file or I/O error · 130 interrupted")]
pub(crate) struct PlayArgs {
    /// A board, or a file with one [default: a generated board]
    #[arg(value_name = "BOARD|FILE", conflicts_with_all = ["size", "moves"])]
    pub(crate) board: Option<String>,

    #[command(flatten)]
    pub(crate) read: BoardArgs,

    /// Rows x columns of generated boards [default: 4x4]
    #[arg(long, value_name = "SIZE", value_parser = values::parsed::<Dims>)]
    pub(crate) size: Option<Dims>,

    /// Generate boards with shortest solutions of N moves instead of random boards
    #[arg(long, value_name = "N", value_parser = values::number::<u32>(..))]
    pub(crate) moves: Option<u32>,

    /// Seed of generated boards [default: a new one]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(..))]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Whether arrow keys move tiles or the blank (the key x switches)
    #[arg(long, value_enum, default_value = "tile")]
    pub(crate) arrows: Arrows,

    /// Letters that act as arrow keys (the key c switches)
    #[arg(long, value_enum, default_value = "wasd")]
    pub(crate) letters: Letters,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

/// What moves in the direction of an arrow.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Arrows {
    /// A tile slides in the direction of the arrow
    Tile,
    /// The blank moves in the direction of the arrow
    Blank,
}

/// Letters that act as arrows. An action on one of these letters requires the capital letter.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Letters {
    /// The key S solves
    Wasd,
    /// The key H gives a hint
    Hjkl,
    None,
}
