//! The flags of `npuzzle solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, ValueEnum};
use npuzzle::{Algorithm, Dims, Effort, HeuristicChoice, Limits, Notation, Options};

use super::groups::{BoardArgs, MetricArg, OrderArg, OutputArgs, ResourceArgs, WeightArg};
use super::{BoardSetArgs, EXIT_CODES, values};
use crate::exit::Failure;
use crate::io::units::{self, Bound};

/// What the help shows after the flags.
const EXAMPLES: &str = "\
Examples:
  npuzzle solve \"8 1 3/4 0 2/7 6 5\"
  npuzzle solve boards.txt --goal snail --output csv -o results.csv
  npuzzle solve --korf 1..10 --json
  npuzzle solve board.txt --algorithm astar --heuristic manhattan --order ulrd
  npuzzle solve board.txt --optimal --time none --checkpoint search.log";

/// Solve one or many boards.
#[derive(Parser, Debug)]
#[command(after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
#[command(group = ArgGroup::new("boards").required(true))]
#[command(mut_arg("threads", |arg| arg.help(
    "Number of threads [default: the number of cores, 1 for astar]; with several threads the node counts \
     of astar depend on the run"
)))]
pub(crate) struct SolveArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file of boards, or - for standard input
    #[arg(value_name = "BOARD|FILE", group = "boards")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten, next_help_heading = "Boards")]
    pub(crate) sets: BoardSetArgs,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    #[command(flatten, next_help_heading = "Search")]
    pub(crate) metric: MetricArg,

    /// Search algorithm
    #[arg(long, default_value = "auto", help_heading = "Search")]
    #[arg(value_parser = values::one_of_aliased(&Algorithm::ALL, Algorithm::ALIASES))]
    pub(crate) algorithm: Algorithm,

    /// Heuristic: zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern, auto, or
    /// max(a,b)
    #[arg(long, default_value = "auto", value_name = "HEURISTIC", help_heading = "Search")]
    #[arg(value_parser = values::parsed::<HeuristicChoice>)]
    pub(crate) heuristic: HeuristicChoice,

    #[command(flatten)]
    pub(crate) weight: WeightArg,

    #[command(flatten)]
    pub(crate) order: OrderArg,

    /// Count all shortest solutions and list up to N of them; N is 100 if omitted
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, help_heading = "Search")]
    #[arg(value_parser = values::number::<usize>(..))]
    all: Option<Option<usize>>,

    /// Above 16 cells, search until the solution is proved shortest or a limit is reached
    #[arg(long, help_heading = "Search")]
    pub(crate) optimal: bool,

    /// How long to look for a shorter solution of a board above 16 cells: fast takes less than a
    /// second, normal about two, best all of --time [default: normal; best with --time]
    #[arg(long, value_parser = values::one_of(&Effort::ALL), help_heading = "Search")]
    effort: Option<Effort>,

    /// Time limit per board (500ms, 5s, 2m, none) [default: 60s; above 16 cells as --effort says]
    #[arg(long, value_parser = units::time, help_heading = "Limits and tables")]
    time: Option<Bound<Duration>>,

    #[command(flatten, next_help_heading = "Limits and tables")]
    pub(crate) resources: ResourceArgs,

    /// Log the progress of a long search to a new file, from which --resume continues
    #[arg(long, value_name = "FILE", conflicts_with = "resume", help_heading = "Long searches")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Continue the search that wrote this file, with its board, goal, --tables and --threads; limits
    /// belong to each call
    #[arg(long, value_name = "FILE", group = "boards", help_heading = "Long searches")]
    #[arg(conflicts_with_all = ["goal", "format"])]
    pub(crate) resume: Option<PathBuf>,

    /// Notation of solutions
    #[arg(long, value_enum, default_value = "tile", help_heading = "Output")]
    pub(crate) notation: NotationArg,

    #[command(flatten, next_help_heading = "Output")]
    pub(crate) output: OutputArgs,

    /// Print only the solution, or unsolvable, limit or error; with --all the solutions, with --all=0
    /// their number
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,

    /// Print the chosen engine and the reason on stderr
    #[arg(long, help_heading = "Output")]
    pub(crate) explain: bool,
}

impl SolveArgs {
    /// The number of shortest solutions to list, if all are counted.
    pub(crate) fn all(&self) -> Option<usize> {
        self.all.map(|n_listed| n_listed.unwrap_or(Options::DEFAULT_LISTED))
    }

    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.unwrap_or(Limits::default().time)
    }

    /// A time limit that the user sets is used in full.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.effort.or(self.time.as_ref().map(|_| Effort::Best))
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum NotationArg {
    /// Letters U D L R name the direction of the tile
    Tile,
    /// Letters name the direction of the blank, as in textbooks
    Blank,
    /// The numbers of the tiles in the order they slide
    Numbers,
    /// Every board from start to goal; up to 400 cells
    Boards,
}

impl NotationArg {
    /// The limit of [`NotationArg::Boards`]. The boards of a 127x127 solution would take hundreds of
    /// gigabytes.
    const MAX_CELLS: usize = 400;

    /// Accepts every notation except boards.
    pub(super) fn of_moves() -> impl TypedValueParser<Value = NotationArg> {
        let notations = NotationArg::value_variants().iter();
        let of_moves = notations.filter(|notation| **notation != NotationArg::Boards);
        PossibleValuesParser::new(of_moves.filter_map(ValueEnum::to_possible_value))
            .try_map(|name| NotationArg::from_str(&name, false))
    }

    /// Fails if solutions of boards of this size cannot be written in this notation.
    pub(crate) fn check(self, dims: Dims) -> Result<(), Failure> {
        let (max_cells, n_cells) = (NotationArg::MAX_CELLS, dims.cells());
        if self == NotationArg::Boards && n_cells > max_cells {
            return Err(Failure::usage(format!(
                "--notation boards works up to {max_cells} cells, and this board has {n_cells}: use \
                 another notation"
            )));
        }
        Ok(())
    }
}

impl From<NotationArg> for Notation {
    fn from(arg: NotationArg) -> Notation {
        match arg {
            NotationArg::Tile => Notation::Tile,
            NotationArg::Blank => Notation::Blank,
            NotationArg::Numbers => Notation::Numbers,
            NotationArg::Boards => Notation::Boards,
        }
    }
}
