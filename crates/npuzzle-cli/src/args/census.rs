//! The flags of `npuzzle census`.

use std::path::PathBuf;

use clap::{ArgGroup, Parser};
use npuzzle::Dims;

use super::groups::{
    ChartArg, MemoryArg, MetricArg, OutputArgs, QuietArg, SizedGoalArg, ThreadsArg, TimeArg,
};
use super::values;

/// Count the boards of a size at each distance from the goal.
#[derive(Parser, Debug)]
#[command(mut_arg("time", |arg| arg.default_value("none")))]
#[command(group = ArgGroup::new("space").required(true))]
#[command(after_help = "\
State spaces that fit in --memory are counted in memory, in a second or two. That is up to 12 cells: \
3x4 and 2x6 take about 130 MB, 180 MB with mtm, and half of it (two or three bits per board) with \
--antipodes 0. Larger spaces of up to 16 cells are counted in the files of a folder, with 1 to 3 bytes \
for every board of the last three depths and of the runs being sorted. A census on disk that is \
stopped or killed continues after its last complete depth.

Examples:
  npuzzle census 3x3
  npuzzle census 3x4 --metric mtm --output csv --chart 3x4.svg
  npuzzle census 4x4 --depth 25 --on-disk levels
  npuzzle census --resume levels

Exit codes: 0 counted · 2 bad usage, or a folder that cannot be resumed · 3 a limit was reached · \
4 file or I/O error · 130 interrupted")]
pub(crate) struct CensusArgs {
    /// Rows x columns
    #[arg(value_name = "SIZE", value_parser = values::parsed::<Dims>, group = "space")]
    pub(crate) size: Option<Dims>,

    #[command(flatten)]
    pub(crate) goal: SizedGoalArg,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    #[command(flatten)]
    pub(crate) scope: CensusScopeArgs,

    /// Count in the files of a new folder, which can be resumed; a complete census removes it, unless
    /// --keep is given
    #[arg(long, value_name = "DIR", visible_alias = "checkpoint", group = "folder")]
    pub(crate) on_disk: Option<PathBuf>,

    /// Continue the census in this folder
    #[arg(long, value_name = "DIR", groups = ["space", "folder"])]
    #[arg(conflicts_with_all = ["goal", "metric"])]
    pub(crate) resume: Option<PathBuf>,

    /// Keep the folder after a complete census
    #[arg(long, requires = "folder")]
    pub(crate) keep: bool,

    #[command(flatten)]
    pub(crate) memory: MemoryArg,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) threads: ThreadsArg,

    #[command(flatten)]
    pub(crate) output: OutputArgs,

    #[command(flatten)]
    pub(crate) chart: ChartArg,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}

/// The extent of a census.
#[derive(clap::Args, Debug)]
pub(crate) struct CensusScopeArgs {
    /// Count only up to this distance [default: all; with --resume, as before]
    #[arg(long, value_name = "N", value_parser = values::number::<usize>(..))]
    pub(crate) depth: Option<usize>,

    /// List up to N of the farthest boards
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = values::number::<usize>(..))]
    pub(crate) antipodes: usize,
}
