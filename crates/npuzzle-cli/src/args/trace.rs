//! The flags of `npuzzle trace`.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use npuzzle::format::Format;
use npuzzle::search::{Duplicates, Weight};
use npuzzle::teaching::{NamedHeuristic, TieBreak};
use npuzzle::{Algorithm, Goal};

use super::{algorithm, format, goal, suspect, weight};

/// Show a search step by step: the queue, the states, the tree.
#[derive(Parser, Debug)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(
    disable_help_subcommand = true,
    after_help = "\
A log for diff may be any text with the expanded boards in it, one after the other, as grids or one \
per line (1 2 3/4 5 6/7 8 0).

Examples:
  npuzzle trace \"8 1 3/4 0 2/7 6 5\" --steps 10
  npuzzle trace puzzle.txt --algorithm greedy --heuristic misplaced --output svg -o tree.svg
  npuzzle trace puzzle.txt --tie-break heap --duplicates parent --output json
  npuzzle trace diff log.txt puzzle.txt --algorithm astar --heuristic manhattan

Exit codes: 0 shown, or the log is explained · 1 no tie-break explains the log · 2 bad usage or bad \
input · 3 a limit was reached · 4 file or I/O error · 130 interrupted"
)]
pub(crate) struct TraceArgs {
    #[command(subcommand)]
    pub(crate) verb: Option<TraceVerb>,

    /// The puzzle: a board or a file with one
    #[arg(value_name = "BOARD|FILE", required = true)]
    pub(crate) puzzle: Option<String>,

    #[command(flatten)]
    pub(crate) search: TraceSearch,

    /// Which of two nodes with the same key leaves first [default: lifo, for bfs fifo]
    #[arg(long, value_parser = tie_break())]
    pub(crate) tie_break: Option<TieBreak>,

    /// Show so many steps, or what 2 GiB of memory hold
    #[arg(long, value_name = "N", default_value_t = npuzzle::teaching::Tracer::MAX_STEPS)]
    pub(crate) steps: usize,

    /// Show so many nodes of a queue in the text
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) queue: usize,

    /// The form: text, json (a line for each step), dot or svg (the tree)
    #[arg(long, value_enum, default_value = "text")]
    output: TraceForm,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl TraceArgs {
    pub(crate) fn output(&self) -> TraceForm {
        if self.json { TraceForm::Json } else { self.output }
    }
}

#[derive(Subcommand, Debug)]
pub(crate) enum TraceVerb {
    /// Find the first step of a log of expanded states that no tie-break explains
    Diff(DiffArgs),
}

#[derive(Parser, Debug)]
pub(crate) struct DiffArgs {
    /// The log: a file, or - for standard input
    #[arg(value_name = "LOG")]
    pub(crate) log: String,

    /// The puzzle: a board or a file with one
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) puzzle: String,

    #[command(flatten)]
    pub(crate) search: TraceSearch,

    /// One object on one line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing; the exit code says it all
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// The search that is looked at.
#[derive(Parser, Debug)]
pub(crate) struct TraceSearch {
    /// How to search: astar, wastar, greedy, uniform, bfs, ida
    #[arg(long, default_value = "astar", value_parser = algorithm(), hide_possible_values = true)]
    pub(crate) algorithm: Algorithm,

    /// What guides the search: a heuristic, or a wrong one as `npuzzle audit` has them
    #[arg(long, default_value = "manhattan", value_name = "HEURISTIC", value_parser = suspect)]
    pub(crate) heuristic: NamedHeuristic,

    /// Weight of the estimate for wastar [default: 1.5]
    #[arg(long, value_parser = weight)]
    pub(crate) weight: Option<Weight>,

    /// What is done about states that are met again [default: closed; for diff, whatever explains
    /// the log best]
    #[arg(long, value_enum)]
    pub(crate) duplicates: Option<DuplicatesArg>,

    /// Read the puzzle in this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum TraceForm {
    Text,
    Json,
    Dot,
    Svg,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum DuplicatesArg {
    /// States that were expanded are not expanded again
    Closed,
    /// A state does not generate its own parent
    Parent,
    /// Nothing
    None,
}

impl From<DuplicatesArg> for Duplicates {
    fn from(arg: DuplicatesArg) -> Duplicates {
        match arg {
            DuplicatesArg::Closed => Duplicates::Closed,
            DuplicatesArg::Parent => Duplicates::Parent,
            DuplicatesArg::None => Duplicates::None,
        }
    }
}

fn tie_break() -> impl clap::builder::TypedValueParser<Value = TieBreak> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = TieBreak::ALL.iter().map(|tie_break| tie_break.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<TieBreak>())
}
