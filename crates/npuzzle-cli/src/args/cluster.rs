//! The flags of `npuzzle cluster`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use npuzzle::format::Format;
use npuzzle::{Dims, Goal, Metric, TableSize};

use super::{FolderArg, OutputArg, dims, format, goal, metric, table_size};
use crate::io::units::{self, Bound};

/// Do a long job on several machines: processes that know each other's addresses.
#[derive(Parser, Debug)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "\
Every process is started with the same words and a number of its own; the first one, 0, gives the \
answer. If one of them ends, all end, with the exit code 4; started again with the same words they \
go on from what is complete. docs/cluster.md has more, and scripts for SLURM.

Examples:
  npuzzle cluster census 3x4 --folder levels --local 2
  npuzzle cluster census 4x4 --depth 30 --folder /scratch/levels --hosts hosts.txt --process 1
  npuzzle cluster tables 3x4 --folder levels --local 2
  npuzzle cluster batch boards.txt --folder work -o answers.jsonl --local 4 --threads 1
  npuzzle cluster solve korf24.txt --goal first --folder work --hosts hosts.txt --process 0

Exit codes: 0 done · 1 no solution · 2 bad usage, or a process that cannot take part · 3 a limit was reached \
· 4 file or I/O error, or a process that has ended · 130 interrupted")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) run: RunArgs,

    #[command(subcommand)]
    pub(crate) job: ClusterJob,
}

/// Who takes part.
#[derive(Parser, Debug)]
pub(crate) struct RunArgs {
    /// Start N processes on this machine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    #[arg(global = true)]
    pub(crate) local: Option<u16>,

    /// The addresses of all processes, one host:port on each line
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) hosts: Option<PathBuf>,

    /// Which of them this is, from 0
    #[arg(long, value_name = "I", global = true)]
    pub(crate) process: Option<usize>,

    /// How long to wait for the others at the beginning
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    #[arg(global = true)]
    pub(crate) wait: Bound<Duration>,

    /// Threads of every process for batch, solve and pattern databases [default: as many as the machine has cores]
    #[arg(long, value_name = "N", global = true)]
    pub(crate) threads: Option<NonZeroUsize>,

    /// No line of progress
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,

    /// Started by --local: ends when standard input does
    #[arg(long, global = true, hide = true)]
    pub(crate) launched: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ClusterJob {
    /// Count the boards of a size at each distance from the goal
    Census(ClusterCensusArgs),
    /// Build the table of all distances of boards of up to 12 cells, or the large pattern databases
    /// of boards of up to 25
    Tables(ClusterTablesArgs),
    /// Solve many boards: one line of JSON each, in their order, each once
    Batch(ClusterBatchArgs),
    /// Solve one hard board of up to 25 cells
    Solve(ClusterSolveArgs),
}

impl ClusterJob {
    /// The file that the answer goes to, if it goes to one.
    pub(crate) fn out(&self) -> &Option<PathBuf> {
        match self {
            ClusterJob::Census(job) => &job.out,
            ClusterJob::Tables(_) => &None,
            ClusterJob::Batch(job) => &job.out,
            ClusterJob::Solve(job) => &job.out,
        }
    }

    /// What boards are read from.
    pub(crate) fn inputs(&self) -> &[String] {
        match self {
            ClusterJob::Census(_) | ClusterJob::Tables(_) => &[],
            ClusterJob::Batch(job) => &job.inputs,
            ClusterJob::Solve(job) => std::slice::from_ref(&job.input),
        }
    }
}

/// What is counted.
#[derive(Parser, Debug)]
pub(crate) struct SpaceArgs {
    /// Rows x columns
    #[arg(value_name = "SIZE", value_parser = dims)]
    pub(crate) size: Dims,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board of this size
    #[arg(long, default_value = "last", value_parser = goal)]
    pub(crate) goal: Goal,

    /// What counts as a move: a single slide, or a straight run of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// Memory of every process (512M, 8G)
    #[arg(long, default_value = "1G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,
}

/// Where work is written down.
#[derive(Parser, Debug)]
pub(crate) struct WorkArgs {
    /// The folder for what has been done, on a shared disk or a local one; every process has its own
    /// part of it
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Leave the folder as it is when all is done
    #[arg(long)]
    pub(crate) keep: bool,
}

/// Count the boards of a size at each distance from the goal.
#[derive(Parser, Debug)]
pub(crate) struct ClusterCensusArgs {
    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    /// Count up to this distance only
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,

    /// List up to N of the farthest boards
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) antipodes: usize,

    /// The form of the answer; csv has the columns depth and states
    #[arg(long, value_enum, default_value = "text")]
    output: OutputArg,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write the answer to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl ClusterCensusArgs {
    pub(crate) fn output(&self) -> OutputArg {
        if self.json { OutputArg::Json } else { self.output }
    }
}

/// Build the table of all distances of boards of up to 12 cells, or the large pattern databases of
/// boards of up to 25. Pattern by pattern these are dealt out to the processes, which keep them in
/// --folder, on a disk that all of them share; --threads is for each of them, and --memory is not for
/// these.
#[derive(Parser, Debug)]
pub(crate) struct ClusterTablesArgs {
    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: FolderArg,
}

/// Solve many boards.
#[derive(Parser, Debug)]
pub(crate) struct ClusterBatchArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), or a file of boards, the same for every process
    #[arg(value_name = "BOARD|FILE", required = true)]
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

    /// Which pattern databases are used
    #[arg(long, default_value = "auto", value_parser = table_size())]
    pub(crate) tables: TableSize,

    /// Give up on a board after this time (5s, 2m, none)
    #[arg(long, default_value = "60s", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    /// Give up on a board when states take this much memory (512M, 2G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: FolderArg,

    /// Write the answers to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Solve one hard board.
#[derive(Parser, Debug)]
pub(crate) struct ClusterSolveArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), or a file with one, the same for every process
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) input: String,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = goal)]
    pub(crate) goal: Option<Goal>,

    /// Which pattern databases are used: large ones are built on every machine that lacks them, unless
    /// small ones solve the board at once; auto means small
    #[arg(long, default_value = "large", value_parser = table_size())]
    pub(crate) tables: TableSize,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: FolderArg,

    /// The form of the answer
    #[arg(long, value_enum, default_value = "text")]
    output: OutputArg,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write the answer to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

impl ClusterSolveArgs {
    pub(crate) fn output(&self) -> OutputArg {
        if self.json { OutputArg::Json } else { self.output }
    }
}
