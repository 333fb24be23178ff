//! The flags of `npuzzle cluster`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand};
use npuzzle::{Dims, Goal};

use super::census::CensusScopeArgs;
use super::groups::{
    BoardArgs, LimitArgs, MemoryArg, MetricArg, OutArg, OutputArgs, QuietArg, SizedGoalArg,
    TableSizeArg, TablesFolderArg, ThreadsArg,
};
use super::values;
use crate::io::units::{self, Bound};

/// Run a long job on several machines, as processes that know each other's addresses.
#[derive(Parser, Debug)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "\
Every process is started with the same arguments and its own number. Process 0 prints the answer. If \
one process ends, all end with exit code 4; started again with the same arguments, they continue from \
the work that is complete. See docs/cluster.md for details and SLURM scripts.

Examples:
  npuzzle cluster census 3x4 --folder levels --local 2
  npuzzle cluster census 4x4 --depth 30 --folder /scratch/levels --hosts hosts.txt --process 1
  npuzzle cluster tables 3x4 --folder levels --local 2
  npuzzle cluster batch boards.txt --folder work -o answers.jsonl --local 4 --threads 1
  npuzzle cluster solve korf24.txt --goal first --folder work --hosts hosts.txt --process 0

Exit codes: 0 done · 1 no solution · 2 bad usage, or a process that cannot take part · 3 a limit was reached \
· 4 file or I/O error, or a process that ended · 130 interrupted")]
pub(crate) struct ClusterArgs {
    #[command(flatten)]
    pub(crate) processes: ProcessArgs,

    #[command(subcommand)]
    pub(crate) job: ClusterJob,
}

/// The processes of a job, and which one this is.
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Processes")]
#[command(mut_arg("threads", |arg| arg.global(true).help(
    "Number of threads per process [default: the number of cores]; a census and tables of up to 12 \
     cells use one"
)))]
#[command(mut_arg("quiet", |arg| arg.global(true)))]
pub(crate) struct ProcessArgs {
    /// Start N processes on this machine
    #[arg(long, value_name = "N", value_parser = values::number(1_u16..=256))]
    #[arg(global = true)]
    pub(crate) local: Option<u16>,

    /// File with the addresses of all processes, one host:port per line
    #[arg(long, value_name = "FILE", global = true)]
    pub(crate) hosts: Option<PathBuf>,

    /// Number of this process, from 0
    #[arg(long, value_name = "I", global = true, value_parser = values::number::<usize>(..))]
    pub(crate) process: Option<usize>,

    /// How long to wait for the other processes at the start
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = units::time)]
    #[arg(global = true)]
    pub(crate) wait: Bound<Duration>,

    #[command(flatten)]
    pub(crate) threads: ThreadsArg,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,

    /// Set for processes of --local: the process ends when its standard input is closed
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
    /// Solve many boards, and print one line of JSON for each, in order
    Batch(ClusterBatchArgs),
    /// Solve one hard board of up to 25 cells
    Solve(ClusterSolveArgs),
}

impl ClusterJob {
    /// The output file, if one is named.
    pub(crate) fn out(&self) -> &Option<PathBuf> {
        match self {
            ClusterJob::Census(job) => &job.output.file.out,
            ClusterJob::Tables(_) => &None,
            ClusterJob::Batch(job) => &job.out.out,
            ClusterJob::Solve(job) => &job.output.file.out,
        }
    }

    /// The arguments that name boards.
    pub(crate) fn inputs(&self) -> &[String] {
        match self {
            ClusterJob::Census(_) | ClusterJob::Tables(_) => &[],
            ClusterJob::Batch(job) => &job.inputs,
            ClusterJob::Solve(job) => std::slice::from_ref(&job.input),
        }
    }
}

/// The state space of a census or a table, and the memory of each process.
#[derive(clap::Args, Debug)]
#[command(mut_arg("memory", |arg| arg.default_value("1G").help("Memory of each process (512M, 8G)")))]
pub(crate) struct SpaceArgs {
    /// Rows x columns
    #[arg(value_name = "SIZE", value_parser = values::parsed::<Dims>)]
    pub(crate) size: Dims,

    #[command(flatten)]
    pub(crate) goal: SizedGoalArg,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    #[command(flatten)]
    pub(crate) memory: MemoryArg,
}

/// The folder of the work that is done.
#[derive(clap::Args, Debug)]
pub(crate) struct WorkArgs {
    /// Folder for completed work, on a shared or a local disk; every process has its own part of it
    #[arg(long, value_name = "DIR")]
    pub(crate) folder: PathBuf,

    /// Keep the folder at the end
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

    #[command(flatten)]
    pub(crate) scope: CensusScopeArgs,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Build the table of all distances of boards of up to 12 cells, or the large pattern databases of
/// boards of up to 25.
#[derive(Parser, Debug)]
#[command(after_help = "\
The patterns of pattern databases are distributed over the processes, which store them in --folder, on \
a disk that all of them share. --memory does not apply to them.")]
pub(crate) struct ClusterTablesArgs {
    #[command(flatten)]
    pub(crate) space: SpaceArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: TablesFolderArg,
}

/// Solve many boards, and print one line of JSON for each, in order.
#[derive(Parser, Debug)]
#[command(after_help = "Limits apply to each board.")]
pub(crate) struct ClusterBatchArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), or a file of boards, the same for every process
    #[arg(value_name = "BOARD|FILE", required = true)]
    pub(crate) inputs: Vec<String>,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    #[command(flatten)]
    pub(crate) tables: TableSizeArg,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: TablesFolderArg,

    #[command(flatten)]
    pub(crate) out: OutArg,
}

/// Solve one hard board of up to 25 cells.
#[derive(Parser, Debug)]
#[command(mut_arg("tables", |arg| arg.default_value("large").help(
    "Pattern databases: small (also with auto), or large, which every machine builds if it lacks \
     them, unless the small ones solve the board at once"
)))]
pub(crate) struct ClusterSolveArgs {
    /// A board ("1 2 3/4 5 6/7 8 0"), or a file with one, the same for every process
    #[arg(value_name = "BOARD|FILE")]
    pub(crate) input: String,

    /// Goal: last (1 2 … 0), first (0 1 2 …), snail, or a board [default: last]
    #[arg(long, value_parser = values::goal)]
    pub(crate) goal: Option<Goal>,

    #[command(flatten)]
    pub(crate) tables: TableSizeArg,

    #[command(flatten)]
    pub(crate) work: WorkArgs,

    #[command(flatten)]
    pub(crate) cache: TablesFolderArg,

    #[command(flatten)]
    pub(crate) output: OutputArgs,
}
