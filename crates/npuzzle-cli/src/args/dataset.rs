//! The flags of `npuzzle dataset`.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::Parser;
use npuzzle::Dims;
use npuzzle::teaching::SplitSpec;

use super::generate::range;
use super::groups::{CacheArgs, MetricArg, OutArg, QuietArg, SizedGoalArg, TimeArg};
use super::solve::NotationArg;
use super::values;

/// Make tasks for models that reason: prompts, exact distances, optimal moves, disjoint splits.
#[derive(Parser, Debug)]
#[command(mut_arg("time", |arg| arg.default_value("10m").help(
    "Time limit for each board (500ms, 5s, 2m, none)"
)))]
#[command(after_help = "\
Every task is one JSON object on one line. The boards of a split are divided evenly among the distances.
No board is in two splits. A split after another one takes from the boards that are left, so a larger
last split leaves the others unchanged.

A template file contains the prompt with placeholders: {board} {goal} {grid} {goal_grid} {json}
{goal_json} {rows} {cols} {notation} {metric}; {{ and }} are braces.

Examples:
  npuzzle dataset --size 3x3 --split test=310,train=3100 --seed 7 -o tasks.jsonl
  npuzzle dataset --size 2x3,3x3 --split test=100 --split train=900 --out-dir tasks
  npuzzle dataset --size 3x3 --split train=1000@1..20 --split hard=200@21..31 --no-mirrors -o tasks.jsonl
  npuzzle dataset --size 4x4 --distances 1..40 --split test=200 --notation numbers -o fifteen.jsonl

Exit codes: 0 done · 1 not enough boards exist · 2 bad usage · 3 a limit was reached · 4 file or \
I/O error · 130 interrupted")]
pub(crate) struct DatasetArgs {
    /// Rows x columns; several sizes separated by commas
    #[arg(long, value_name = "SIZE", default_value = "3x3", value_delimiter = ',', value_parser = values::parsed::<Dims>)]
    pub(crate) size: Vec<Dims>,

    #[command(flatten)]
    pub(crate) goal: SizedGoalArg,

    #[command(flatten)]
    pub(crate) metric: MetricArg,

    /// Splits with their numbers of boards of each size, such as test=100,train=900, and perhaps
    /// with distances of their own (test=100@20..31). May be repeated
    #[arg(long, value_name = "NAME=N[@A..B]", default_value = "test=100,train=900", value_delimiter = ',', value_parser = values::parsed::<SplitSpec>)]
    pub(crate) split: Vec<SplitSpec>,

    /// Distances to the goal [default: all up to 12 cells, 1..30 on larger boards]
    #[arg(long, value_name = "A..B", value_parser = range::<u32>)]
    pub(crate) distances: Option<RangeInclusive<u32>>,

    /// Leave out mirror images of boards, within a split and between splits
    #[arg(long)]
    pub(crate) no_mirrors: bool,

    /// Notation that the prompt asks for, and of the solutions
    #[arg(long, value_enum, default_value = "tile")]
    pub(crate) notation: NotationArg,

    /// Prompt: grid, line, json, or a file with placeholders
    #[arg(long, value_name = "NAME|FILE", default_value = "grid")]
    pub(crate) template: String,

    /// Seed: the same seed gives the same tasks [default: a new one, printed on stderr]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(..))]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) out: OutArg,

    /// Write one file per split to a folder: test.jsonl, train.jsonl
    #[arg(long, value_name = "FOLDER", conflicts_with = "out")]
    pub(crate) out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) quiet: QuietArg,
}
