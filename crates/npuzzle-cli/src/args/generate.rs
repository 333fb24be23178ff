//! The flags of `npuzzle generate`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use clap::Parser;
use npuzzle::format::Format;
use npuzzle::{Algorithm, Dims, Goal, HeuristicChoice, Metric};

use super::{CacheArgs, algorithm, dims, format, goal, heuristic, metric};
use crate::io::units::{self, Bound};

/// Make boards: random, of an exact length, with one solution, for each student.
#[derive(Parser, Debug)]
#[command(after_help = "\
Examples:
  npuzzle generate --size 4x4 --count 10 --seed 7
  npuzzle generate --size 3x3 --moves 31
  npuzzle generate --size 4x4 --moves 40..45 --unique --key answers.csv
  npuzzle generate --size 3x3 --expanded 1000..2000 --algorithm astar --heuristic manhattan
  npuzzle generate --size 4x4 --moves 30 --seed 2026 --for ada --for grace

Exit codes: 0 made · 1 there is no such board · 2 bad usage · 3 a limit was reached · 4 file or \
I/O error · 130 interrupted")]
pub(crate) struct GenerateArgs {
    /// Rows x columns
    #[arg(long, value_name = "SIZE", default_value = "4x4", value_parser = dims)]
    pub(crate) size: Dims,

    /// How many boards
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1)]
    pub(crate) count: u64,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board of this size
    #[arg(long, default_value = "last", value_parser = goal)]
    pub(crate) goal: Goal,

    /// Boards without a solution
    #[arg(long, conflicts_with_all = ["moves", "unique", "expanded"])]
    pub(crate) unsolvable: bool,

    /// Boards whose shortest solutions have so many moves: 22, or 20..25 (as far as there are such)
    #[arg(long, value_name = "N|A..B", value_parser = range::<u32>)]
    pub(crate) moves: Option<RangeInclusive<u32>>,

    /// What --moves counts: single slides, or straight runs of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// Boards with one shortest solution alone
    #[arg(long)]
    pub(crate) unique: bool,

    /// Boards for which --algorithm expands so many states: 1000..2000
    #[arg(long, value_name = "N|A..B", value_parser = range::<u64>, requires = "algorithm")]
    pub(crate) expanded: Option<RangeInclusive<u64>>,

    /// The algorithm of --expanded
    #[arg(long, value_parser = algorithm(), requires = "expanded")]
    pub(crate) algorithm: Option<Algorithm>,

    /// The heuristic of --expanded
    #[arg(long, value_name = "HEURISTIC", value_parser = heuristic, requires = "expanded")]
    pub(crate) heuristic: Option<HeuristicChoice>,

    /// The same seed gives the same boards; without one a new seed is chosen and told on stderr
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Boards for a student: always the same for the same name and seed [default seed: 0], others
    /// for others; may be given many times
    #[arg(long = "for", value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Boards for every student of a file, one name per line; lines that
    /// begin with # are skipped
    #[arg(long, value_name = "FILE", conflicts_with = "ids")]
    pub(crate) for_each: Option<PathBuf>,

    /// Write boards in this format
    #[arg(long, value_name = "FORMAT", default_value = "slash", value_parser = format())]
    pub(crate) format: Format,

    /// Write boards, lengths and shortest solutions to a file (CSV), whole or not at all
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// Write the boards to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Give up on a board after this time (5s, 2m, none)
    #[arg(long, default_value = "10m", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// Tell nothing but the boards
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// `22` or `20..25`, both ends included; `20..=25` means the same.
fn range<T: FromStr<Err: Display> + Copy>(text: &str) -> Result<RangeInclusive<T>, String> {
    let number = |text: &str| text.trim().parse::<T>().map_err(|error| error.to_string());
    match text.split_once("..") {
        None => number(text).map(|n| n..=n),
        Some((from, to)) => Ok(number(from)?..=number(to.trim_start_matches('='))?),
    }
}
