//! The flags of `npuzzle compare`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use npuzzle::format::Format;
use npuzzle::search::Weight;
use npuzzle::{Algorithm, Dims, Goal, HeuristicChoice, Metric, TableSize};

use super::{
    CacheArgs, OutputArg, algorithm, dims, format, goal, heuristic, metric, table_size, weight,
};
use crate::io::units::{self, Bound};
use crate::report::chart;

/// Compare algorithms and heuristics on a set of boards.
#[derive(Parser, Debug)]
#[command(after_help = "\
The table has means over all boards that have a solution, and the largest open list and memory; counts of searches that \
were stopped are those until then, and marked ≥. csv and json have a line for every board.

Examples:
  npuzzle compare boards.txt --algorithms astar,ida,greedy --heuristics misplaced,manhattan
  npuzzle compare --korf 10 --algorithms ida --heuristics manhattan,linear-conflict,pattern
  npuzzle compare --random 50 --size 3x3 --seed 1 --chart chart.svg
  npuzzle compare boards.txt --counters princeton --each

Exit codes: 0 all ran to their ends · 1 a board has no solution · 2 bad usage, bad input, or \
something that cannot be done · 3 a limit was reached · 4 file or I/O error · 130 interrupted")]
pub(crate) struct CompareArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file of boards, or - for standard input
    #[arg(value_name = "BOARD|FILE", required_unless_present_any = ["korf", "random"])]
    pub(crate) inputs: Vec<String>,

    /// The first N of Korf's hundred 15-puzzles, with their goal
    #[arg(long, value_name = "N", conflicts_with_all = ["inputs", "random", "goal"])]
    #[arg(value_parser = clap::value_parser!(u8).range(1..=100))]
    pub(crate) korf: Option<u8>,

    /// N random boards
    #[arg(long, value_name = "N", conflicts_with = "inputs")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) random: Option<u64>,

    /// Rows x columns of random boards
    #[arg(long, value_name = "SIZE", default_value = "3x3", value_parser = dims)]
    pub(crate) size: Dims,

    /// Which random boards: the same seed, the same boards
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,

    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// Which algorithms, with commas between them
    #[arg(long, value_delimiter = ',', value_parser = algorithm(), value_name = "NAMES")]
    #[arg(default_value = "astar,ida,greedy", hide_possible_values = true)]
    pub(crate) algorithms: Vec<Algorithm>,

    /// Which heuristics, with commas between them
    #[arg(long, value_name = "NAMES", value_parser = heuristics)]
    #[arg(default_value = "misplaced,manhattan,linear-conflict")]
    pub(crate) heuristics: Heuristics,

    /// What is minimised and counted: single slides, or straight runs of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// Weight of the estimate for wastar [default: 1.5]
    #[arg(long, value_parser = weight)]
    pub(crate) weight: Option<Weight>,

    /// Name the counters as a course does
    #[arg(long, value_enum, default_value = "ours")]
    pub(crate) counters: CountersArg,

    /// A row for every board, instead of one for all of them
    #[arg(long)]
    pub(crate) each: bool,

    /// The form of the answer; json and csv have one line per board and algorithm
    #[arg(long, value_enum, default_value = "text")]
    output: OutputArg,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write the answer to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Draw a chart into a file (SVG)
    #[arg(long, value_name = "FILE", value_parser = chart::file)]
    pub(crate) chart: Option<PathBuf>,

    /// What the chart shows
    #[arg(long, value_enum, default_value = "expanded", requires = "chart")]
    pub(crate) chart_of: Figure,

    /// Give up on a board after this time (5s, 500ms, 2m, none)
    #[arg(long, default_value = "60s", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    /// Give up after expanding this many states (10000, 1e6, none)
    #[arg(long, default_value = "none", value_parser = units::count)]
    pub(crate) nodes: Bound<u64>,

    /// Give up when states take this much memory (512M, 2G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,

    /// Use so many threads for a long search [default: as many as the machine has cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Which pattern databases ida uses; with auto counts hang on the time that searches take
    #[arg(long, default_value = "small", value_parser = table_size())]
    pub(crate) tables: TableSize,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// No line of progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CompareArgs {
    pub(crate) fn output(&self) -> OutputArg {
        if self.json { OutputArg::Json } else { self.output }
    }
}

/// Several heuristics.
#[derive(Clone, Debug)]
pub(crate) struct Heuristics(pub(crate) Vec<HeuristicChoice>);

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum CountersArg {
    /// Expanded, generated, largest open list
    Ours,
    /// Enqueued, dequeued, largest priority queue
    Princeton,
    /// Complexity in time and in size
    #[value(name = "42")]
    FortyTwo,
}

/// What a chart shows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Figure {
    Expanded,
    Generated,
    MaxOpen,
    Time,
    Memory,
}

/// Names with commas between them, of which `max(a,b)` has one of its own.
fn heuristics(text: &str) -> Result<Heuristics, String> {
    let mut names = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match names.last_mut() {
            Some(name) if c != ',' || depth > 0 => name.push(c),
            _ => names.push(String::new()),
        }
    }
    let all: Result<Vec<_>, String> = names.iter().map(|name| heuristic(name.trim())).collect();
    all.map(Heuristics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_parentheses_do_not_part_names() {
        let names = |text| heuristics(text).map(|h| h.0.iter().map(ToString::to_string).collect());
        let expect = vec!["manhattan".to_owned(), "max(walking,inversion)".to_owned()];
        assert_eq!(names("manhattan, max(walking,inversion)"), Ok(expect));
        assert_eq!(names("zero"), Ok(vec!["zero".to_owned()]));
        assert!(names("zero,").is_err());
        assert!(names("max(zero,").is_err());
    }
}
