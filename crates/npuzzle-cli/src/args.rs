//! The command line as clap reads it. Nothing below `verb/` sees clap.

mod audit;
mod census;
mod check;
mod cluster;
mod compare;
mod convert;
mod deferred;
mod generate;
mod grade;
mod play;
mod render;
mod serve;
mod trace;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Parser, Subcommand, ValueEnum};
use npuzzle::format::Format;
use npuzzle::search::Weight;
use npuzzle::tables::Store;
use npuzzle::teaching::NamedHeuristic;
use npuzzle::{
    Algorithm, Dims, Effort, Goal, HeuristicChoice, Limits, Metric, Notation, TableSize,
};

use crate::exit::Failure;
use crate::io::units::{self, Bound};

pub(crate) use audit::AuditArgs;
pub(crate) use census::CensusArgs;
pub(crate) use check::CheckArgs;
pub(crate) use cluster::{
    ClusterArgs, ClusterBatchArgs, ClusterCensusArgs, ClusterJob, ClusterSolveArgs,
    ClusterTablesArgs, RunArgs, SpaceArgs, WorkArgs,
};
pub(crate) use compare::{CompareArgs, CountersArg, Figure};
pub(crate) use convert::ConvertArgs;
pub(crate) use deferred::Later;
pub(crate) use generate::GenerateArgs;
pub(crate) use grade::GradeArgs;
pub(crate) use play::{ArrowsArg, LettersArg, PlayArgs};
pub(crate) use render::{KindArg, RenderArgs};
pub(crate) use serve::ServeArgs;
pub(crate) use trace::{DiffArgs, TraceArgs, TraceForm, TraceSearch, TraceVerb};

const EXIT_CODES: &str = "\
Exit codes: 0 solved · 1 a definite no (unsolvable) · 2 bad usage or bad input · 3 a limit was \
reached · 4 file or I/O error · 130 interrupted. Of a batch, the worst: 130, 4, 2, 3, 1, 0.";

const COURSE_EXIT_CODES: &str = "\
Exit codes: 0 solved · 1 unsolvable · 2 bad usage, bad input or a file that cannot be read · 3 a \
limit was reached · 4 the answer could not be written · 130 interrupted";

const TABLES_EXIT_CODES: &str = "\
Exit codes: 0 done · 1 a table is damaged, or named and absent (verify) · 2 bad usage or an unknown \
name · 4 the folder cannot be read or written · 130 interrupted";

/// Solves sliding-tile puzzles: any rectangle, any goal, shortest solutions.
#[derive(Parser, Debug)]
#[command(name = "npuzzle", version, disable_help_subcommand = true, after_help = EXIT_CODES, max_term_width = 100)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// Solve one or many boards
    Solve(Later<SolveArgs>),
    /// Run the program of a university course
    Course(Later<CourseArgs>),
    /// Check a solution: is it valid, is it shortest, where are moves lost
    Check(Later<CheckArgs>),
    /// Make boards: random, of an exact length, with one solution, for each student
    Generate(Later<GenerateArgs>),
    /// Show a search step by step: the queue, the states, the tree
    Trace(Later<TraceArgs>),
    /// Compare algorithms and heuristics on a set of boards
    Compare(Later<CompareArgs>),
    /// Is a heuristic admissible and consistent? Looks at all boards of up to 12 cells
    Audit(Later<AuditArgs>),
    /// Count the boards of a size at each distance from the goal
    Census(Later<CensusArgs>),
    /// Do a long job on several machines
    Cluster(Later<ClusterArgs>),
    /// Run somebody's program on a set of boards, judge its answers, name the likely bug
    Grade(Later<GradeArgs>),
    /// Convert boards between formats and moves between notations
    Convert(Later<ConvertArgs>),
    /// Draw a board or a solution: SVG, PNG, animated GIF, or a page that plays it
    Render(Later<RenderArgs>),
    /// Play in the terminal: hints, solutions, what every move costs
    Play(Later<PlayArgs>),
    /// Serve the page, and the HTTP interface behind it
    Serve(Later<ServeArgs>),
    /// List, build, verify and remove stored tables
    Tables(Later<TablesArgs>),
    /// Print a completion script for a shell
    Completions(Later<CompletionsArgs>),
    /// Print the manual page, or write those of all verbs into a folder
    Man(Later<ManArgs>),
}

/// Solve one or many boards.
#[derive(Parser, Debug)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct SolveArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), a file of boards, or - for standard input
    #[arg(value_name = "BOARD|FILE", required_unless_present = "resume")]
    pub(crate) inputs: Vec<String>,

    /// Read this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    pub(crate) format: Option<Format>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// What "shortest" counts: single slides, or straight runs of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// How to search
    #[arg(long, default_value = "auto", value_parser = algorithm())]
    pub(crate) algorithm: Algorithm,

    /// What guides the search: zero, misplaced, manhattan, linear-conflict, inversion, walking,
    /// pattern, auto, or max(a,b)
    #[arg(long, default_value = "auto", value_name = "HEURISTIC", value_parser = heuristic)]
    pub(crate) heuristic: HeuristicChoice,

    /// Count all shortest solutions, and list up to N of them: 100 unless given, none for 0
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "100")]
    pub(crate) all: Option<usize>,

    /// Weight of the estimate for wastar: solutions at most this factor too long [default: 1.5]
    #[arg(long, value_parser = weight)]
    pub(crate) weight: Option<Weight>,

    /// How solutions are written
    #[arg(long, value_enum, default_value = "tile")]
    pub(crate) notation: NotationArg,

    /// The form of the answer; json and csv have one line per board
    #[arg(long, value_enum, default_value = "text")]
    output: OutputArg,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write the answers to a file, whole or not at all; until then they are in FILE.partial
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Take so long for a board and no longer (5s, 500ms, 2m, none) [default: 60s, and what --effort
    /// says for boards of more than 16 cells]
    #[arg(long, value_parser = units::time)]
    time: Option<Bound<Duration>>,

    /// How long to go on for a shorter solution of a board of more than 16 cells: less than a
    /// second, about two, or all of --time [default: normal; best with --time]
    #[arg(long, value_parser = effort())]
    effort: Option<Effort>,

    /// Prove solutions of boards of more than 16 cells shortest too, or reach a limit
    #[arg(long)]
    pub(crate) optimal: bool,

    /// Give up after expanding this many states (10000, 1e6, none)
    #[arg(long, default_value = "none", value_parser = units::count)]
    pub(crate) nodes: Bound<u64>,

    /// Give up when states take this much memory (512M, 2G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,

    /// Use so many threads for a long search and for building tables [default: as many as the machine has cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// Which pattern databases ida uses: the small ones, the large ones that are kept on disk, or
    /// the small ones first and the large ones when they pay
    #[arg(long, default_value = "auto", value_parser = table_size())]
    pub(crate) tables: TableSize,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// Write down in a new file what a long search has done, so that --resume can go on from there
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) checkpoint: Option<PathBuf>,

    /// Go on with the search that wrote this file: its board, its goal, from where it ended
    #[arg(long, value_name = "FILE", conflicts_with_all = ["inputs", "goal", "format"])]
    pub(crate) resume: Option<PathBuf>,

    /// Print nothing but the solution, or the word unsolvable, limit or error; with --all the
    /// solutions, with --all=0 their number
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// Say on stderr which engine was chosen, and why
    #[arg(long)]
    pub(crate) explain: bool,
}

impl SolveArgs {
    pub(crate) fn time(&self) -> Option<Duration> {
        self.time.map_or(Limits::default().time, Bound::at)
    }

    /// Who gives a time means it.
    pub(crate) fn effort(&self) -> Option<Effort> {
        self.effort.or(self.time.as_ref().map(|_| Effort::Best))
    }

    pub(crate) fn output(&self) -> OutputArg {
        if self.json { OutputArg::Json } else { self.output }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum OutputArg {
    Text,
    Json,
    Csv,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum NotationArg {
    /// Letters U D L R name the way the tile slides
    Tile,
    /// Letters name the way the blank goes, as textbooks have it
    Blank,
    /// The numbers of the tiles in the order they slide
    Numbers,
    /// Every board from the start to the goal, of up to 400 cells
    Boards,
}

impl NotationArg {
    /// The boards of a larger one's solution would fill any disk: 127x127 has hundreds of gigabytes.
    const MAX_CELLS: usize = 400;

    /// Whether solutions of boards of this size can be written like that.
    pub(crate) fn check(self, dims: Dims) -> Result<(), Failure> {
        let most = NotationArg::MAX_CELLS;
        if self == NotationArg::Boards && dims.cells() > most {
            let why =
                format!("every board is written of boards of up to {most} cells, this one has");
            return Err(Failure::usage(format!("{why} {}: use another notation", dims.cells())));
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

/// Run the program of a university course.
#[derive(Parser, Debug)]
#[command(args_conflicts_with_subcommands = true, arg_required_else_help = true)]
#[command(disable_help_subcommand = true, after_help = COURSE_EXIT_CODES)]
pub(crate) struct CourseArgs {
    /// List the courses, one line each
    #[arg(long, action = ArgAction::SetTrue)]
    pub(crate) list: bool,

    #[command(subcommand)]
    pub(crate) course: Option<CourseArg>,
}

#[derive(Subcommand, Debug)]
pub(crate) enum CourseArg {
    #[command(about = npuzzle_courses::courses::umbc::COURSE.about)]
    Umbc {
        /// The file: initial state and goal state, three lines of three integers each
        file: PathBuf,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = npuzzle_courses::courses::auc::COURSE.about)]
    Auc {
        /// The file: the dimension, then the board
        file: PathBuf,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = npuzzle_courses::courses::princeton::COURSE.about)]
    Princeton {
        /// The file: the dimension, then the board
        file: PathBuf,
        /// Run the assignment's own A* and count what it enqueues and dequeues
        #[arg(long)]
        faithful: bool,
        /// The priority function of the assignment's A*; implies --faithful
        #[arg(long, value_enum)]
        heuristic: Option<PriorityArg>,
        /// How boards without a solution are told; implies --faithful
        #[arg(long, value_enum)]
        detect: Option<DetectArg>,
        #[command(flatten)]
        limits: LimitArgs,
    },
    #[command(about = npuzzle_courses::courses::bu::COURSE.about)]
    Bu {
        /// The file: three lines of three integers
        #[arg(default_value = npuzzle_courses::courses::bu::DEFAULT_FILE)]
        file: PathBuf,
        /// Give up after examining this many nodes
        #[arg(long, value_name = "N", default_value_t = 10_000)]
        limit: u64,
    },
    #[command(about = npuzzle_courses::courses::cuhk::COURSE.about)]
    Cuhk {
        /// The file with the board
        initial: PathBuf,
        /// The file to write
        moves: PathBuf,
        /// Run A* as the assignment names it, instead of the fastest search
        #[arg(long)]
        faithful: bool,
    },
    #[command(name = "42", about = npuzzle_courses::courses::fortytwo::COURSE.about)]
    FortyTwo(FortyTwoArgs),
}

/// What the subject of 42 lets people choose.
#[derive(Parser, Debug)]
pub(crate) struct FortyTwoArgs {
    /// The file: the size, then the rows; # starts a comment
    #[arg(required_unless_present = "random")]
    pub(crate) file: Option<PathBuf>,
    /// Solve a random board of this side instead of a file
    #[arg(long, value_name = "SIDE", conflicts_with = "file")]
    #[arg(value_parser = clap::value_parser!(u16).range(2..=127))]
    pub(crate) random: Option<u16>,
    /// The seed of the random board; without one a new seed is chosen and told on stderr
    #[arg(long, value_name = "N", requires = "random")]
    pub(crate) seed: Option<u64>,
    /// A random board that cannot be solved
    #[arg(long, requires = "random")]
    pub(crate) unsolvable: bool,
    /// What guides the search
    #[arg(long, value_enum, default_value = "manhattan")]
    pub(crate) heuristic: PriorityArg,
    /// How to search
    #[arg(long, value_enum, default_value = "astar")]
    pub(crate) search: SearchArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum SearchArg {
    /// A*: shortest
    Astar,
    /// Uniform cost, which ignores the heuristic: shortest
    Uniform,
    /// Greedy, which ignores the moves made: some solution, soon
    Greedy,
}

/// When a course program gives up.
#[derive(Parser, Debug)]
pub(crate) struct LimitArgs {
    /// Give up when states take this much memory (512M, 8G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    memory: Bound<u64>,
    /// Give up after this time (5s, 2m, none)
    #[arg(long, default_value = "60s", value_parser = units::time)]
    time: Bound<Duration>,
}

impl LimitArgs {
    pub(crate) fn get(&self) -> Limits {
        Limits { memory: self.memory.at(), time: self.time.at(), nodes: None }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum PriorityArg {
    /// Tiles out of place
    #[value(alias = "misplaced")]
    Hamming,
    /// Sum of the tiles' distances
    Manhattan,
    /// Manhattan distance and what tiles in the wrong order along a line add to it
    LinearConflict,
}

impl From<PriorityArg> for npuzzle_courses::Priority {
    fn from(arg: PriorityArg) -> npuzzle_courses::Priority {
        match arg {
            PriorityArg::Hamming => npuzzle_courses::Priority::Misplaced,
            PriorityArg::Manhattan => npuzzle_courses::Priority::Manhattan,
            PriorityArg::LinearConflict => npuzzle_courses::Priority::LinearConflict,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum DetectArg {
    /// At once, by parity
    Parity,
    /// By searching the board and its twin in turn
    Lockstep,
}

/// Where stored tables are.
#[derive(Parser, Debug)]
pub(crate) struct FolderArg {
    /// The folder for tables [default: NPUZZLE_CACHE, or npuzzle in the user's cache folder]
    #[arg(long, value_name = "FOLDER", global = true)]
    cache: Option<PathBuf>,
}

impl FolderArg {
    pub(crate) fn store(&self) -> Store {
        self.cache.as_ref().map_or_else(Store::default_folder, Store::at)
    }
}

/// Whether and where tables are stored.
#[derive(Parser, Debug)]
pub(crate) struct CacheArgs {
    #[command(flatten)]
    folder: FolderArg,

    /// Neither read nor store tables
    #[arg(long, conflicts_with = "cache")]
    no_cache: bool,
}

impl CacheArgs {
    pub(crate) fn store(&self) -> Store {
        if self.no_cache { Store::none() } else { self.folder.store() }
    }
}

/// List, build, verify and remove stored tables.
#[derive(Parser, Debug)]
#[command(disable_help_subcommand = true, after_help = TABLES_EXIT_CODES)]
pub(crate) struct TablesArgs {
    #[command(flatten)]
    pub(crate) folder: FolderArg,

    #[command(subcommand)]
    pub(crate) verb: TablesVerb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum TablesVerb {
    /// List all tables: whether they are there, their sizes, what they are for
    List {
        /// One object per table, one per line
        #[arg(long)]
        json: bool,
    },
    /// Build tables that are not there, or damaged
    Build {
        /// Tables by name, or all
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,

        /// Build on so many threads [default: as many as the machine has cores]
        #[arg(long, value_name = "N")]
        threads: Option<NonZeroUsize>,
    },
    /// Compare stored tables with their checksums, and with the rules they obey
    Verify {
        /// Tables by name, or all [default: all]
        #[arg(value_name = "NAME")]
        names: Vec<String>,

        /// Check the rules too: costs are proved anew and compared, which takes longer than to
        /// build the table, and up to 3 GB
        #[arg(long)]
        deep: bool,

        /// Check the rules on so many threads [default: as many as the machine has cores]
        #[arg(long, value_name = "N", requires = "deep")]
        threads: Option<NonZeroUsize>,
    },
    /// Remove stored tables
    Remove {
        /// Tables by name, or all
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}

/// Print a completion script for a shell.
#[derive(Parser, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual page, or write those of all verbs into a folder.
#[derive(Parser, Debug)]
pub(crate) struct ManArgs {
    /// Write npuzzle.1, npuzzle-solve.1, … into this folder
    #[arg(short, long = "out", value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}

fn goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|error: npuzzle::FormatError| {
        format!("not last, first, snail or a board: {}", error.message())
    })
}

fn heuristic(text: &str) -> Result<HeuristicChoice, String> {
    text.parse().map_err(|error: npuzzle::NameError| error.to_string())
}

fn suspect(text: &str) -> Result<NamedHeuristic, String> {
    text.parse().map_err(|error: npuzzle::NameError| error.to_string())
}

fn dims(text: &str) -> Result<Dims, String> {
    text.parse().map_err(|error: npuzzle::DimsError| error.to_string())
}

fn weight(text: &str) -> Result<Weight, String> {
    let weight = text.parse().ok().and_then(Weight::new);
    weight.ok_or_else(|| format!("expected a number from 1 to {}", Weight::MAX))
}

fn algorithm() -> impl clap::builder::TypedValueParser<Value = Algorithm> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = Algorithm::ALL.iter().map(|algorithm| algorithm.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Algorithm>())
}

fn metric() -> impl clap::builder::TypedValueParser<Value = Metric> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = Metric::ALL.map(|metric| metric.to_string());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Metric>())
}

fn effort() -> impl clap::builder::TypedValueParser<Value = Effort> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = Effort::ALL.iter().map(|effort| effort.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Effort>())
}

fn table_size() -> impl clap::builder::TypedValueParser<Value = TableSize> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names = TableSize::ALL.iter().map(|size| size.name());
    PossibleValuesParser::new(names).try_map(|name| name.parse::<TableSize>())
}

fn format() -> impl clap::builder::TypedValueParser<Value = Format> {
    use clap::builder::{PossibleValuesParser, TypedValueParser};
    let names: Vec<String> = Format::ALL.iter().map(ToString::to_string).collect();
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}
