//! The flags of `npuzzle trace`.

use clap::{Parser, Subcommand, ValueEnum};
use npuzzle::MoveOrder;
use npuzzle::search::{DuplicateCheck, Duplicates};
use npuzzle::teaching::{GoalTest, NamedHeuristic, TieBreak, TraceAlgorithm};
use npuzzle_courses::VariantCourse;

use super::groups::{BoardArgs, OutArg, VerdictArgs, WeightArg};
use super::values;

/// Show a search step by step: the queue, the states, the tree.
#[derive(Parser, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
diff reads any text that contains the expanded boards in order, as grids or one per line \
(1 2 3/4 5 6/7 8 0).

Examples:
  npuzzle trace \"8 1 3/4 0 2/7 6 5\" --steps 10
  npuzzle trace puzzle.txt --algorithm greedy --heuristic misplaced --output svg -o tree.svg
  npuzzle trace puzzle.txt --tie-break heap --duplicates parent --output json
  npuzzle trace puzzle.txt --algorithm dfs --depth-limit 12 --goal-test generation
  npuzzle trace diff log.txt puzzle.txt --algorithm astar --heuristic manhattan

Exit codes: 0 shown, or the log is explained · 1 no tie-break explains the log · 2 bad usage or bad \
input · 3 a limit was reached · 4 file or I/O error · 130 interrupted"
)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) command: Option<TraceCommand>,

    /// The puzzle: a board or a file with one
    #[arg(value_name = "BOARD|FILE", required = true)]
    pub(crate) puzzle: Option<String>,

    #[command(flatten)]
    pub(crate) search: TraceSearchArgs,

    /// Show the trace of a course's own program, on a variant of the puzzle
    #[arg(long, value_name = "NAME", value_parser = values::variant_course(), conflicts_with_all = [
        "format", "goal", "heuristic", "weight", "duplicates", "tie_break", "goal_test", "depth_limit",
        "steps", "queue", "output", "json",
    ])]
    pub(crate) course: Option<VariantCourse>,

    /// Which of two nodes with equal keys is dequeued first [default: lifo; fifo for bfs]
    #[arg(long, value_parser = values::one_of(&TieBreak::ALL))]
    pub(crate) tie_break: Option<TieBreak>,

    /// When the goal is recognized: at the generation or the expansion of a node [default: expansion]
    #[arg(long, hide_possible_values = true, value_parser = values::one_of(&GoalTest::ALL))]
    pub(crate) goal_test: Option<GoalTest>,

    /// Largest depth of bfs, dfs and iddfs [default: 20 for dfs, none for the others]
    #[arg(long, value_name = "N", value_parser = values::number::<u32>(..))]
    pub(crate) depth_limit: Option<u32>,

    /// Maximum number of steps; a trace also stops at 2 GiB of memory
    #[arg(long, value_name = "N", default_value_t = npuzzle::teaching::Tracer::MAX_STEPS)]
    #[arg(value_parser = values::number::<usize>(..))]
    pub(crate) steps: usize,

    /// Maximum number of queued nodes that the text shows
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = values::number::<usize>(..))]
    pub(crate) queue: usize,

    /// Output format: text, json (one line per step), dot or svg (the tree)
    #[arg(long, value_enum, default_value = "text")]
    output: TraceFormat,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    #[command(flatten)]
    pub(crate) out: OutArg,
}

impl TraceArgs {
    pub(crate) fn format(&self) -> TraceFormat {
        if self.json { TraceFormat::Json } else { self.output }
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum TraceCommand {
    /// Find the first step in a log of expanded states that no tie-break explains
    Diff(DiffArgs),
}

#[derive(Parser, Debug)]
#[command(after_help = "\
Exit codes: 0 the log is explained · 1 no tie-break explains the log · 2 bad usage or bad input · 3 a \
limit was reached · 4 file or I/O error · 130 interrupted")]
pub(crate) struct DiffArgs {
    /// The log: a file, or - for standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: String,

    /// The puzzle: a board or a file with one
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) puzzle: String,

    #[command(flatten)]
    pub(crate) search: TraceSearchArgs,

    #[command(flatten)]
    pub(crate) verdict: VerdictArgs,
}

/// The search that is traced.
#[derive(clap::Args, Debug)]
pub(crate) struct TraceSearchArgs {
    /// Search algorithm: astar, wastar, greedy, uniform, bfs, dfs, iddfs, ida
    #[arg(long, default_value = "astar", hide_possible_values = true)]
    #[arg(value_parser = values::one_of_aliased(&TraceAlgorithm::ALL, TraceAlgorithm::ALIASES))]
    pub(crate) algorithm: TraceAlgorithm,

    /// Heuristic, or one of the wrong heuristics of `npuzzle audit`
    #[arg(long, default_value = "manhattan", value_name = "HEURISTIC")]
    #[arg(value_parser = values::parsed::<NamedHeuristic>)]
    pub(crate) heuristic: NamedHeuristic,

    #[command(flatten)]
    pub(crate) weight: WeightArg,

    /// Order in which the blank moves when the children of a state are generated [default: uldr]
    #[arg(long, value_name = "ORDER", value_parser = values::parsed::<MoveOrder>)]
    pub(crate) order: Option<MoveOrder>,

    /// Treatment of duplicate states [default: closed; parent for iddfs and ida; in diff, the one that explains most steps]
    #[arg(long, value_enum)]
    pub(crate) duplicates: Option<DuplicatesArg>,

    #[command(flatten)]
    pub(crate) board: BoardArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum TraceFormat {
    Text,
    Json,
    Dot,
    Svg,
}

/// The treatment of duplicates, and where a closed list looks for them.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum DuplicatesArg {
    /// No state is expanded twice
    Closed,
    /// No state enters the queue twice, except by a shorter path
    Open,
    /// No state generates its own parent
    Parent,
    /// Duplicates are allowed
    None,
}

impl From<DuplicatesArg> for DuplicateCheck {
    fn from(arg: DuplicatesArg) -> DuplicateCheck {
        match arg {
            DuplicatesArg::Open => DuplicateCheck::Open,
            DuplicatesArg::Closed | DuplicatesArg::Parent | DuplicatesArg::None => {
                DuplicateCheck::Closed
            }
        }
    }
}

impl From<DuplicatesArg> for Duplicates {
    fn from(arg: DuplicatesArg) -> Duplicates {
        match arg {
            DuplicatesArg::Closed | DuplicatesArg::Open => Duplicates::Closed,
            DuplicatesArg::Parent => Duplicates::Parent,
            DuplicatesArg::None => Duplicates::None,
        }
    }
}
