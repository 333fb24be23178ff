//! The flags of `npuzzle solve`.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, ValueEnum};
use npuzzle::{Algorithm, Dims, Effort, HeuristicChoice, Limits, Notation, Options};

use super::groups::{BoardArgs, MetricArg, OutputArgs, ResourceArgs, WeightArg};
use super::{EXIT_CODES, values};
use crate::exit::Failure;
use crate::io::units::{self, Bound};

/// Solve one or many boards.
#[derive(Parser, Debug)]
#[command(after_help = EXIT_CODES, group = ArgGroup::new("boards").required(true))]
#[command(mut_arg("threads", |arg| arg.help(
    "Number of threads [default: the number of cores, 1 for astar]; with several threads the node counts \
     of astar depend on the run"
)))]
pub(crate) struct SolveArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file of boards, or - for standard input
    #[arg(value_name = "BOARD|FILE", group = "boards")]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Search algorithm
    #[arg(long, default_value = "auto", value_parser = values::one_of(&Algorithm::ALL))]
    pub(crate) algorithm: Algorithm,

    /// Heuristic: zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern, auto, or
    /// max(a,b)
    #[arg(long, default_value = "auto", value_name = "HEURISTIC", value_parser = values::parsed::<HeuristicChoice>)]
    pub(crate) heuristic: HeuristicChoice,

    /// Count all shortest solutions and list up to N of them; N is 100 if omitted
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(value_parser = values::number::<usize>(..))]
    all: Option<Option<usize>>,

    #[command(flatten)]
    pub(crate) weight: WeightArg,

    /// Notation of solutions
    #[arg(long, value_enum, default_value = "tile")]
    pub(crate) notation: NotationArg,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    /// Time limit per board (500ms, 5s, 2m, none) [default: 60s; above 16 cells as --effort says]
    #[arg(long, value_parser = units::time)]
    time: Option<Bound<Duration>>,

    /// How long to look for a shorter solution of a board above 16 cells: fast takes less than a
    /// second, normal about two, best all of --time [default: normal; best with --time]
    #[arg(long, value_parser = values::one_of(&Effort::ALL))]
    effort: Option<Effort>,

    /// Above 16 cells, search until the solution is proved shortest or a limit is reached
    #[arg(long)]
    pub(crate) optimal: bool,

    #[command(flatten)]
    pub(crate) resources: ResourceArgs,

    /// Log the progress of a long search to a new file, from which --resume continues
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Continue the search that wrote this file, with its board, goal, --tables and --threads; limits
    /// belong to each call
    #[arg(long, value_name = "FILE", group = "boards")]
    #[arg(conflicts_with_all = ["goal", "format"])]
    pub(crate) resume: Option<PathBuf>,

    /// Print only the solution, or unsolvable, limit or error; with --all the solutions, with --all=0
    /// their number
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Print the chosen engine and the reason on stderr
    #[arg(long)]
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
