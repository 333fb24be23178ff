//! The flags of `npuzzle generate`.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Parser;
use npuzzle::format::Format;
use npuzzle::{Algorithm, Dims, HeuristicChoice};

use super::course_choice::CourseChoice;
use super::groups::{CacheArgs, MetricArg, OutArg, QuietArg, SizedGoalArg, TimeArg};
use super::values;

/// Generate boards: random, of an exact length, with a unique solution, one per student.
#[derive(Parser, Debug)]
#[command(mut_arg("time", |arg| arg.default_value("10m")))]
#[command(after_help = "\
The time limit applies to each board.

Examples:
  npuzzle generate --size 4x4 --count 10 --seed 7
  npuzzle generate --size 3x3 --moves 31
  npuzzle generate --size 4x4 --moves 40..45 --unique --key answers.csv
  npuzzle generate --size 3x3 --expanded 1000..2000 --algorithm astar --heuristic manhattan
  npuzzle generate --size 4x4 --moves 30 --seed 2026 --for ada --for grace
  npuzzle generate --size 3x3 --moves 22 --course princeton --for-each students.txt --out-dir boards --key-dir keys
  npuzzle generate --course uwmadison --moves 15 --count 5

Exit codes: 0 done · 1 no such board exists · 2 bad usage · 3 a limit was reached · 4 file or \
I/O error · 130 interrupted")]
pub(crate) struct GenerateArgs {
    /// Rows x columns
    #[arg(long, value_name = "SIZE", default_value = "4x4", value_parser = values::parsed::<Dims>)]
    pub(crate) size: Dims,

    /// Number of boards; with students, for each of them
    #[arg(short = 'n', long, value_name = "N", default_value_t = 1, value_parser = values::number::<u64>(..))]
    pub(crate) count: u64,

    #[command(flatten)]
    pub(crate) goal: SizedGoalArg,

    /// Generate unsolvable boards
    #[arg(long, conflicts_with_all = ["moves", "unique", "expanded"])]
    pub(crate) unsolvable: bool,

    /// Length of the shortest solution: 22, or 20..25
    #[arg(long, value_name = "N|A..B", value_parser = range::<u32>)]
    pub(crate) moves: Option<RangeInclusive<u32>>,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Require that the shortest solution is unique
    #[arg(long)]
    pub(crate) unique: bool,

    /// Number of states that --algorithm expands: 1000, or 1000..2000
    #[arg(long, value_name = "N|A..B", value_parser = range::<u64>, requires = "algorithm")]
    pub(crate) expanded: Option<RangeInclusive<u64>>,

    /// Algorithm of --expanded
    #[arg(long, value_parser = values::one_of(&Algorithm::ALL), requires = "expanded")]
    pub(crate) algorithm: Option<Algorithm>,

    /// Heuristic of --expanded
    #[arg(long, value_name = "HEURISTIC", value_parser = values::parsed::<HeuristicChoice>, requires = "expanded")]
    pub(crate) heuristic: Option<HeuristicChoice>,

    /// Seed: the same seed gives the same boards [default: a new one, printed on stderr]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(..))]
    pub(crate) seed: Option<u64>,

    /// Generate boards for a student; the name and the seed [default: 0] determine them. May be
    /// repeated
    #[arg(long = "for", value_name = "ID")]
    pub(crate) ids: Vec<String>,

    /// Generate boards for every student in a file, one name per line; lines that start with # are
    /// skipped
    #[arg(long, value_name = "FILE", conflicts_with = "ids")]
    pub(crate) for_each: Option<PathBuf>,

    /// Write boards in this format
    #[arg(long, value_name = "FORMAT", default_value = "slash", value_parser = values::one_of(&Format::ALL))]
    pub(crate) format: Format,

    /// Write an answer key to a file (CSV): boards, lengths and shortest solutions
    #[arg(long, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,

    /// Use the input format and the goal of a course. In uta, --moves is the cost of the cheapest solution
    #[arg(long, value_name = "NAME", value_parser = values::course(), conflicts_with_all = ["format", "goal"])]
    pub(crate) course: Option<CourseChoice>,

    /// Write one file per student to a folder, named after the student: DIR/ada.txt
    #[arg(long, value_name = "DIR", conflicts_with = "out")]
    pub(crate) out_dir: Option<PathBuf>,

    /// Write one answer key per student to a folder: DIR/ada.csv
    #[arg(long, value_name = "DIR", requires = "out_dir")]
    pub(crate) key_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) out: OutArg,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}

/// `22` or `20..25`, both ends included; `20..=25` means the same.
pub(super) fn range<T: FromStr + Copy>(text: &str) -> Result<RangeInclusive<T>, String> {
    let expected = |_| "expected a number such as 22, or a range such as 20..25".to_owned();
    let number = |text: &str| text.trim().parse::<T>().map_err(expected);
    match text.split_once("..") {
        None => number(text).map(|n| n..=n),
        Some((from, to)) => Ok(number(from)?..=number(to.trim_start_matches('='))?),
    }
}
