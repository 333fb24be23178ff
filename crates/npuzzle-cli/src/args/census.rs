//! The flags of `npuzzle census`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use npuzzle::{Dims, Goal, Metric};

use super::{OutputArg, dims, goal, metric};
use crate::io::units::{self, Bound};
use crate::report::chart;

/// Count the boards of a size at each distance from the goal.
#[derive(Parser, Debug)]
#[command(after_help = "\
What fits in --memory (up to 12 cells: 3x4 and 2x6 take about 130 MB, 180 MB for mtm; half of \
that, two or three bits a board, with --antipodes 0) is counted in memory, in a \
second or two. Anything else up to 16 cells is counted in the files of a folder, with 1 to 3 bytes \
for every board of the three last depths and of the runs being sorted. Every depth that is complete \
is there to go on from, after a kill at any moment.

Examples:
  npuzzle census 3x3
  npuzzle census 3x4 --metric mtm --output csv --chart 3x4.svg
  npuzzle census 4x4 --depth 25 --on-disk levels
  npuzzle census --resume levels

Exit codes: 0 counted · 2 bad usage, or a folder that cannot be gone on with · 3 a limit was reached \
· 4 file or I/O error · 130 interrupted")]
pub(crate) struct CensusArgs {
    /// Rows x columns
    #[arg(value_name = "SIZE", value_parser = dims, required_unless_present = "resume")]
    pub(crate) size: Option<Dims>,

    /// The goal: last (1 2 … 0), first (0 1 2 …), snail, or a board of this size
    #[arg(long, default_value = "last", value_parser = goal)]
    pub(crate) goal: Goal,

    /// What counts as a move: a single slide, or a straight run of slides
    #[arg(long, default_value = "stm", value_parser = metric())]
    pub(crate) metric: Metric,

    /// Count up to this distance only
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<usize>,

    /// List up to N of the farthest boards
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) antipodes: usize,

    /// Count in the files of this folder, which is made, and can be resumed; it is removed when all
    /// is counted (not at --depth) unless --keep says otherwise
    #[arg(long, value_name = "DIR", visible_alias = "checkpoint", conflicts_with = "resume")]
    pub(crate) on_disk: Option<PathBuf>,

    /// Go on with the census of this folder
    #[arg(long, value_name = "DIR", conflicts_with_all = ["size", "goal", "metric"])]
    pub(crate) resume: Option<PathBuf>,

    /// Leave the folder as it is when all is counted
    #[arg(long)]
    pub(crate) keep: bool,

    /// Use so much memory at most (512M, 8G, none)
    #[arg(long, default_value = "2G", value_parser = units::bytes)]
    pub(crate) memory: Bound<u64>,

    /// Give up after this time (5m, 12h, none)
    #[arg(long, default_value = "none", value_parser = units::time)]
    pub(crate) time: Bound<Duration>,

    /// Use so many threads [default: as many as the machine has cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZeroUsize>,

    /// The form of the answer; csv has the columns depth and states
    #[arg(long, value_enum, default_value = "text")]
    output: OutputArg,

    /// Short for --output json
    #[arg(long, conflicts_with = "output")]
    json: bool,

    /// Write the answer to a file, whole or not at all
    #[arg(short, long = "out", value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Draw a histogram into a file (SVG)
    #[arg(long, value_name = "FILE", value_parser = chart::file)]
    pub(crate) chart: Option<PathBuf>,

    /// No line of progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl CensusArgs {
    pub(crate) fn output(&self) -> OutputArg {
        if self.json { OutputArg::Json } else { self.output }
    }
}
