//! The flags of `npuzzle course`.

use std::path::PathBuf;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use npuzzle_courses::{Priority, courses};

use super::groups::LimitArgs;

/// Run the program of a university course.
#[derive(Parser, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
Exit codes: 0 solved · 1 unsolvable · 2 bad usage, bad input or an unreadable file · 3 a limit was \
reached · 4 the answer could not be written · 130 interrupted"
)]
pub(crate) struct CourseArgs {
    /// List the courses, one per line
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) list: bool,

    #[command(subcommand)]
    pub(crate) course: Option<CourseArg>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum CourseArg {
    #[command(about = courses::umbc::COURSE.about)]
    Umbc {
        /// File with the initial and the goal state, three lines of three integers each
        file: PathBuf,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = courses::auc::COURSE.about)]
    Auc {
        /// File with the dimension, then the board
        file: PathBuf,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = courses::princeton::COURSE.about)]
    Princeton {
        /// File with the dimension, then the board
        file: PathBuf,
        /// Run the A* of the assignment and count what it enqueues and dequeues
        #[arg(long)]
        faithful: bool,
        /// Priority function of the assignment's A*; implies --faithful
        #[arg(long, value_enum)]
        heuristic: Option<PriorityArg>,
        /// How unsolvable boards are detected; implies --faithful
        #[arg(long, value_enum)]
        detect: Option<DetectArg>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = courses::bu::COURSE.about)]
    Bu {
        /// File with three lines of three integers
        #[arg(default_value = courses::bu::DEFAULT_FILE)]
        file: PathBuf,
        /// Stop after examining this many nodes
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        limit: u64,
    },
    #[command(about = courses::cuhk::COURSE.about)]
    Cuhk {
        /// File with the board
        initial: PathBuf,
        /// File to write the solution to
        moves: PathBuf,
        /// Run the A* of the assignment instead of the fastest search
        #[arg(long)]
        faithful: bool,
    },
    #[command(name = "42", about = courses::fortytwo::COURSE.about)]
    FortyTwo(FortyTwoArgs),
}

/// The choices of the 42 subject.
#[derive(Parser, Debug)]
pub(crate) struct FortyTwoArgs {
    /// File with the size, then the rows; # starts a comment
    #[arg(required_unless_present = "random")]
    pub(crate) file: Option<PathBuf>,
    /// Solve a random board with this side length instead of a file
    #[arg(long, value_name = "SIDE", conflicts_with = "file")]
    #[arg(value_parser = clap::value_parser!(u16).range(2..=127))]
    pub(crate) random: Option<u16>,
    /// Seed of the random board [default: a new one, printed on stderr]
    #[arg(long, value_name = "N", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// Make the random board unsolvable
    #[arg(long, requires = "random")]
    pub(crate) unsolvable: bool,
    /// Heuristic
    #[arg(long, value_enum, default_value = "manhattan")]
    pub(crate) heuristic: PriorityArg,
    /// Search algorithm
    #[arg(long, value_enum, default_value = "astar")]
    pub(crate) search: SearchArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum SearchArg {
    /// A*: a shortest solution
    Astar,
    /// Uniform-cost search, which ignores the heuristic: a shortest solution
    Uniform,
    /// Greedy search, which ignores the path cost: any solution, quickly
    Greedy,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum PriorityArg {
    /// Number of misplaced tiles
    #[value(alias = "misplaced")]
    Hamming,
    /// Sum of the tiles' distances
    Manhattan,
    /// Manhattan distance plus linear conflicts
    LinearConflict,
}

impl From<PriorityArg> for Priority {
    fn from(arg: PriorityArg) -> Priority {
        match arg {
            PriorityArg::Hamming => Priority::Misplaced,
            PriorityArg::Manhattan => Priority::Manhattan,
            PriorityArg::LinearConflict => Priority::LinearConflict,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum DetectArg {
    /// By parity, before the search
    Parity,
    /// By searching the board and its twin alternately
    Lockstep,
}
