//! The flags of `npuzzle compare`.

use clap::{ArgGroup, Parser, ValueEnum};
use npuzzle::{Algorithm, Dims, HeuristicChoice, MoveOrder};

use super::groups::{
    BoardArgs, ChartArg, MetricArg, OrderArg, OutputArgs, QuietArg, ResourceArgs, TimeArg,
    WeightArg,
};
use super::{BoardSetArgs, values};

/// Compare algorithms and heuristics on a set of boards.
#[derive(Parser, Debug)]
#[command(mut_arg("tables", |arg| arg.default_value("small")))]
#[command(group = ArgGroup::new("boards").required(true))]
#[command(after_help = "\
The text table shows means over all solvable boards, and the largest open list and memory. Counts that \
include stopped searches are lower bounds, marked ≥. json and csv write one line per board and \
algorithm. Limits apply to each search. With --tables auto, node counts depend on search times.

Examples:
  npuzzle compare boards.txt --algorithms astar,ida,greedy --heuristics misplaced,manhattan
  npuzzle compare --korf 79,12,42 --counters korf
  npuzzle compare --korf 1..10 --algorithms ida --heuristics manhattan,linear-conflict,pattern
  npuzzle compare --random 50 --size 3x3 --seed 1 --chart chart.svg
  npuzzle compare boards.txt --counters princeton --each

Exit codes: 0 all searches completed · 1 a board is unsolvable · 2 bad usage, bad input, or an \
impossible combination · 3 a limit was reached · 4 file or I/O error · 130 interrupted")]
pub(crate) struct CompareArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file of boards, or - for standard input
    #[arg(value_name = "BOARD|FILE", group = "boards")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) sets: BoardSetArgs,

    /// Use N random boards
    #[arg(long, value_name = "N", value_parser = values::number(1_u64..), group = "boards")]
    pub(crate) random: Option<u64>,

    /// Rows x columns of random boards
    #[arg(long, value_name = "SIZE", default_value = "3x3", value_parser = values::parsed::<Dims>)]
    #[arg(conflicts_with_all = ["inputs", "korf", "korf24", "set"])]
    pub(crate) size: Dims,

    /// Seed of random boards
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::number::<u64>(..))]
    #[arg(conflicts_with_all = ["inputs", "korf", "korf24", "set"])]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Algorithms, separated by commas
    #[arg(long, value_delimiter = ',', value_parser = values::one_of_aliased(&Algorithm::ALL, Algorithm::ALIASES), value_name = "NAMES")]
    #[arg(default_value = "astar,ida,greedy", hide_possible_values = true)]
    #[arg(default_value_if("counters", "korf", "ida"))]
    pub(crate) algorithms: Vec<Algorithm>,

    /// Heuristics, separated by commas
    #[arg(long, value_name = "NAMES", value_parser = heuristics)]
    #[arg(default_value = "misplaced,manhattan,linear-conflict")]
    #[arg(default_value_if("counters", "korf", "manhattan"))]
    pub(crate) heuristics: Heuristics,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    #[command(flatten)]
    pub(crate) weight: WeightArg,

    #[command(flatten)]
    pub(crate) order: OrderArg,

    /// Name the counters as this course or paper does
    #[arg(long, value_enum, default_value = "ours")]
    pub(crate) counters: CountersArg,

    /// Print one row per board instead of means
    #[arg(long)]
    pub(crate) each: bool,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) chart: ChartArg,

    /// Figure that the chart shows
    #[arg(long, value_enum, default_value = "expanded", requires = "chart")]
    pub(crate) chart_of: Figure,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}

impl CompareArgs {
    /// The requested order of moves; with the counters of Korf, the one that reproduces them.
    pub(crate) fn order(&self) -> Option<MoveOrder> {
        let of_korf = || "ulrd".parse().ok().filter(|_| self.counters == CountersArg::Korf);
        self.order.order.or_else(of_korf)
    }

    /// Whether there is a row for every board.
    pub(crate) fn is_each(&self, n_boards: usize) -> bool {
        self.each || n_boards == 1 || self.counters == CountersArg::Korf
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
    /// Complexity in time, complexity in size
    #[value(name = "42")]
    FortyTwo,
    /// Generated nodes with the start, and the number published for the board: the node counts of Korf
    /// (1985), one row per board; by default with ida, manhattan and the order ulrd
    Korf,
}

/// The figure of a chart.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum Figure {
    Expanded,
    Generated,
    MaxOpen,
    Time,
    Memory,
}

/// Names separated by commas. A comma inside parentheses, as in `max(a,b)`, separates nothing.
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
    let all: Result<Vec<_>, String> =
        names.iter().map(|name| values::parsed::<HeuristicChoice>(name.trim())).collect();
    all.map(Heuristics)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heuristics_split_at_commas_outside_parentheses() {
        let names = |text| heuristics(text).map(|h| h.0.iter().map(ToString::to_string).collect());
        let expect = vec!["manhattan".to_owned(), "max(walking,inversion)".to_owned()];
        assert_eq!(names("manhattan, max(walking,inversion)"), Ok(expect));
        assert_eq!(names("zero"), Ok(vec!["zero".to_owned()]));
        assert!(names("zero,").is_err());
        assert!(names("max(zero,").is_err());
    }
}
