//! The flags of `npuzzle judge`.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use npuzzle::teaching::Scoring;
use npuzzle::{Metric, Notation};

use super::groups::{BoardArgs, CacheArgs, OutArg, ThreadsArg};
use super::values;
use crate::io::units::{self, Bound};

/// Judge answers of models: find the moves in free text, score them from 0 to 1, say why.
#[derive(Parser, Debug)]
#[command(after_help = "\
With one argument, a file (or - for standard input) has one JSON object per line with the fields `answer`
and `board`; `goal`, `metric`, `notation` and `id` are optional. With --tasks, the tasks of `npuzzle
dataset` are found by `id`. The output is a table by distance or, with --json, one judgment per line.

The answer is the last <answer>…</answer>, else the last \\boxed{…}, else the last label such as
`Answer:`, else the last code block, else the last lines that consist of moves.

Graded scores: 1 for a shortest solution; 1/2 + 1/2 · shortest/length for a longer one; without a solution
1/2 (legal moves) or 1/4 (up to an illegal move) times the part of the distance that is covered; 0 for an
unreadable answer.

Examples:
  npuzzle judge \"1 2 3/4 0 5/7 8 6\" \"First left, then up. Answer: L U\"
  npuzzle judge answers.jsonl --tasks tasks.jsonl
  npuzzle judge answers.jsonl --field completion --json -o judgments.jsonl

Exit codes: 0 done (one answer: a solution) · 1 one answer: no solution · 2 bad usage or bad input · \
4 file or I/O error · 130 interrupted")]
pub(crate) struct JudgeArgs {
    /// A file of answers, or the board of one answer
    #[arg(value_name = "FILE|BOARD")]
    pub(crate) input: String,

    /// One answer: a text, a file, or - for standard input
    #[arg(value_name = "ANSWER|FILE", allow_hyphen_values = true)]
    pub(crate) answer: Option<String>,

    #[command(flatten)]
    pub(crate) board: BoardArgs,

    /// Tasks to which the answers belong, one JSON object per line
    #[arg(long, value_name = "FILE", conflicts_with = "answer")]
    pub(crate) tasks: Option<PathBuf>,

    /// The field of the answer
    #[arg(long, value_name = "NAME", default_value = "answer", conflicts_with = "answer")]
    pub(crate) field: String,

    /// What counts as a move [default: that of the task, else stm]
    #[arg(long, value_parser = values::one_of(&Metric::ALL))]
    pub(crate) metric: Option<Metric>,

    /// Whose directions letters name; any takes the better reading [default: that of the task, else
    /// tile]
    #[arg(long, value_enum)]
    pub(crate) notation: Option<JudgeNotation>,

    /// Scores: graded, 1 for every solution (solved), or 1 for shortest solutions only (shortest)
    #[arg(long, default_value = "graded", value_parser = values::one_of(&Scoring::ALL))]
    pub(crate) scoring: Scoring,

    /// Give up a distance after expanding this many states (10000, 1e6, none); boards of up to 12
    /// cells need no search
    #[arg(long, default_value = "1e6", value_parser = units::count)]
    pub(crate) nodes: Bound<u64>,

    #[command(flatten)]
    pub(crate) threads: ThreadsArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    /// Print one JSON object per answer
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) out: OutArg,
}

/// A notation, or both senses of directions.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub(crate) enum JudgeNotation {
    Tile,
    Blank,
    Numbers,
    Boards,
    Any,
}

impl JudgeNotation {
    /// The notation; `None` for any.
    pub(crate) fn notation(self) -> Option<Notation> {
        match self {
            JudgeNotation::Tile => Some(Notation::Tile),
            JudgeNotation::Blank => Some(Notation::Blank),
            JudgeNotation::Numbers => Some(Notation::Numbers),
            JudgeNotation::Boards => Some(Notation::Boards),
            JudgeNotation::Any => None,
        }
    }
}
