//! Flags that several commands share, each declared once.
//!
//! A command that needs another default or more constraints changes the flag with `mut_arg`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, ValueEnum};
use npuzzle::format::Format;
use npuzzle::search::{JournalOptions, Weight};
use npuzzle::tables::Store;
use npuzzle::{Board, Dims, Goal, Limits, Metric, MoveOrder, Options, TableSize};

use super::values;
use crate::exit::Failure;
use crate::io::units::{self, Bound};
use crate::sandbox::IsolationRequest;

/// How boards are read, and the goal they are solved for.
#[derive(Args, Clone, Debug)]
pub(crate) struct BoardArgs {
    /// Read boards in this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = values::one_of(&Format::ALL))]
    pub(crate) format: Option<Format>,

    /// Goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = values::goal)]
    pub(crate) goal: Option<Goal>,
}

impl BoardArgs {
    /// The goal of a board whose file names the goal `own`: the flag comes first, then the file.
    pub(crate) fn goal_or(&self, own: Option<Board>) -> Goal {
        self.goal.clone().or(own.map(Goal::Board)).unwrap_or_default()
    }
}

/// The goal of all boards of one size.
#[derive(Args, Debug)]
pub(crate) struct SizedGoalArg {
    /// Goal: last (1 2 … 0), first (0 1 2 …), snail, or a board of this size
    #[arg(long, default_value = "last", value_parser = values::goal)]
    pub(crate) goal: Goal,
}

impl SizedGoalArg {
    /// The goal as a board of this size.
    pub(crate) fn board(&self, size: Dims) -> Result<Board, Failure> {
        goal_board(&self.goal, size)
    }
}

/// A goal as a board of this size; fails if it is a board of another size.
pub(crate) fn goal_board(goal: &Goal, size: Dims) -> Result<Board, Failure> {
    let mismatch = || Failure::usage(format!("the goal is not a board of size {size}"));
    goal.board(size).ok_or_else(mismatch)
}

#[derive(Args, Debug)]
pub(crate) struct MetricArg {
    /// What counts as a move: a single slide (stm), or a straight run of slides (mtm)
    #[arg(long, default_value = "stm", value_parser = values::one_of(&Metric::ALL))]
    pub(crate) metric: Metric,
}

#[derive(Args, Debug)]
pub(crate) struct OrderArg {
    /// Order in which the blank moves when the children of a state are generated, in astar, wastar, greedy,
    /// bfs, uniform, bidirectional and plain ida [default: uldr]
    #[arg(long, value_name = "ORDER", value_parser = values::parsed::<MoveOrder>)]
    pub(crate) order: Option<MoveOrder>,
}

#[derive(Args, Debug)]
pub(crate) struct WeightArg {
    /// Weight of the heuristic in wastar: solutions are at most this many times as long
    /// as the shortest [default: 1.5]
    #[arg(long, value_parser = values::weight)]
    pub(crate) weight: Option<Weight>,
}

#[derive(Args, Debug)]
pub(crate) struct TimeArg {
    /// Stop after this time (500ms, 5s, 2m, none)
    #[arg(long, default_value = "60s", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,
}

#[derive(Args, Debug)]
pub(crate) struct MemoryArg {
    /// Memory limit (512M, 2G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,
}

/// Time and memory limits.
#[derive(Args, Debug)]
pub(crate) struct LimitArgs {
    #[command(flatten)]
    time: TimeArg,

    #[command(flatten)]
    memory: MemoryArg,
}

impl LimitArgs {
    pub(crate) fn get(&self) -> Limits {
        Limits { time: self.time.time, memory: self.memory.memory, nodes: None }
    }
}

#[derive(Args, Debug)]
pub(crate) struct ThreadsArg {
    /// Number of threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = values::number(NonZeroUsize::MIN..))]
    pub(crate) threads: Option<NonZeroUsize>,
}

impl ThreadsArg {
    /// The number of threads; without the flag, the number of cores.
    pub(crate) fn count(&self) -> usize {
        npuzzle::tables::n_threads(self.threads)
    }
}

#[derive(Args, Debug)]
pub(crate) struct TableSizeArg {
    /// Pattern databases of ida: small, large (stored on disk), or auto (small first, larger ones
    /// when they pay off) [default: auto]
    #[arg(long, value_parser = values::one_of(&TableSize::ALL))]
    pub(crate) tables: Option<TableSize>,
}

/// The folder of stored tables.
#[derive(Args, Debug)]
pub(crate) struct TablesFolderArg {
    /// Folder of stored tables [default: $NPUZZLE_CACHE, or npuzzle in the user's cache folder]
    #[arg(long, value_name = "FOLDER", global = true)]
    cache: Option<PathBuf>,
}

impl TablesFolderArg {
    pub(crate) fn store(&self) -> Store {
        self.cache.as_ref().map_or_else(Store::default_folder, Store::at)
    }
}

/// Whether and where tables are stored.
#[derive(Args, Debug)]
pub(crate) struct CacheArgs {
    #[command(flatten)]
    folder: TablesFolderArg,

    /// Neither read nor write stored tables
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl CacheArgs {
    pub(crate) fn store(&self) -> Store {
        if self.no_cache { Store::none() } else { self.folder.store() }
    }
}

/// The resources of searches, except time.
#[derive(Args, Debug)]
pub(crate) struct ResourceArgs {
    /// Stop after expanding this many states (10000, 1e6, none)
    #[arg(long, default_value = "none", value_parser = units::count)]
    nodes: Bound<u64>,

    #[command(flatten)]
    memory: MemoryArg,

    #[command(flatten)]
    threads: ThreadsArg,

    #[command(flatten)]
    tables: TableSizeArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,
}

impl ResourceArgs {
    /// The resources that are not set are those of an earlier search.
    pub(crate) fn or_as_before(&self, before: JournalOptions, options: Options) -> Options {
        let tables = self.tables.tables.unwrap_or(before.tables);
        Options { tables, threads: self.threads.threads.or(before.threads), ..options }
    }

    /// The default options with these resources and a time limit.
    pub(crate) fn options(&self, time: Option<Duration>) -> Options {
        Options {
            threads: self.threads.threads,
            tables: self.tables.tables.unwrap_or_default(),
            limits: Limits { time, nodes: self.nodes, memory: self.memory.memory },
            ..Options::default()
        }
    }
}

#[derive(Args, Debug)]
pub(crate) struct OutArg {
    /// Write to a file, which appears when it is complete (FILE.partial until then)
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl OutArg {
    /// `None` means standard output.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.out.as_deref()
    }
}

/// The format and the destination of answers.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// Output format
    #[arg(long, value_enum, default_value = "text")]
    output: OutputFormat,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    #[command(flatten)]
    pub(crate) file: OutArg,
}

impl OutputArgs {
    pub(crate) fn format(&self) -> OutputFormat {
        if self.json { OutputFormat::Json } else { self.output }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum OutputFormat {
    Text,
    Json,
    Csv,
}

/// How a verdict is printed.
#[derive(Args, Debug)]
pub(crate) struct VerdictArgs {
    /// Print one JSON object on one line
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing; the exit code is the answer
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct QuietArg {
    /// Print no progress, notes or warnings
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct ChartArg {
    /// Draw a chart into a file (SVG)
    #[arg(long, value_name = "FILE", value_parser = values::svg_file)]
    pub(crate) chart: Option<PathBuf>,
}

/// How an untrusted program is isolated.
#[derive(Args, Clone, Debug)]
pub(crate) struct SandboxArgs {
    /// Exit with 2 if the program cannot be isolated completely; needs bubblewrap, on Linux
    #[arg(long)]
    pub(crate) require_sandbox: bool,

    /// Also show this file or folder to the program, read-only; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow: Vec<PathBuf>,
}

impl SandboxArgs {
    /// Fails if an allowed path does not exist.
    pub(crate) fn request(&self, hidden: Vec<PathBuf>) -> Result<IsolationRequest, Failure> {
        for path in &self.allow {
            path.metadata().map_err(|error| Failure::io(path.display(), &error))?;
        }
        let (is_required, allowed) = (self.require_sandbox, self.allow.clone());
        Ok(IsolationRequest { is_required, allowed, hidden })
    }
}
