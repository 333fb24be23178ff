//! The flags of `npuzzle audit`.

use std::num::NonZeroUsize;
use std::time::Duration;

use clap::Parser;
use npuzzle::teaching::NamedHeuristic;
use npuzzle::{Dims, Goal};

use super::{CacheArgs, dims, goal, suspect};
use crate::io::units::{self, Bound};

/// Is a heuristic admissible and consistent? Looks at all boards of up to 12 cells.
#[derive(Parser, Debug)]
#[command(after_help = "\
Heuristics that are wrong, to see it: misplaced-with-blank, manhattan-with-blank, \
linear-conflict-pairs.

A program reads boards on its standard input, one per line (1 2 3/4 5 6/7 8 0), to the end, and \
prints a number for each, one per line. It is run once for 262144 boards.

Examples:
  npuzzle audit linear-conflict --size 3x4
  npuzzle audit linear-conflict-pairs
  npuzzle audit manhattan --size 4x4 --samples 1000 --goal snail
  npuzzle audit -- python3 my_heuristic.py

Exit codes: 0 no counter-example · 1 a counter-example · 2 bad usage, or a program that failed · \
3 a limit was reached · 4 file or I/O error · 130 interrupted")]
pub(crate) struct AuditArgs {
    /// The heuristic: zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern,
    /// max(a,b), or a wrong one
    #[arg(value_name = "HEURISTIC", value_parser = suspect)]
    #[arg(required_unless_present_any = ["program", "command"])]
    #[arg(conflicts_with_all = ["program", "command"])]
    pub(crate) heuristic: Option<NamedHeuristic>,

    /// A program that estimates, with its arguments; so does what follows --
    #[arg(long, value_name = "CMD", num_args = 1.., allow_hyphen_values = true)]
    #[arg(conflicts_with = "command")]
    program: Vec<String>,

    /// Rows x columns
    #[arg(long, value_name = "SIZE", default_value = "3x3", value_parser = dims)]
    pub(crate) size: Dims,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board of this size
    #[arg(long, default_value = "last", value_parser = goal)]
    pub(crate) goal: Goal,

    /// Look at so many boards instead of all [default: 500 of boards with more than 12 cells]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) samples: Option<u64>,

    /// Which samples: the same seed, the same boards
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Give up after this time (5s, 2m, none)
    #[arg(long, default_value = "10m", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    /// Use so many threads [default: as many as the machine has cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// One object on one line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing; the exit code says it all
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// A program that estimates, with its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

impl AuditArgs {
    /// The program with its arguments, if there is one.
    pub(crate) fn program(&self) -> &[String] {
        if self.command.is_empty() { &self.program } else { &self.command }
    }
}
