//! The flags of `npuzzle audit`.

use clap::Parser;
use npuzzle::Dims;
use npuzzle::teaching::NamedHeuristic;

use super::groups::{CacheArgs, SandboxArgs, SizedGoalArg, ThreadsArg, TimeArg, VerdictArgs};
use super::values;

/// Test whether a heuristic is admissible and consistent. Boards of up to 12 cells are all tested,
/// larger ones by samples.
#[derive(Parser, Debug)]
#[command(mut_arg("time", |arg| arg.default_value("10m")))]
#[command(after_help = "\
Wrong heuristics, as examples: misplaced-with-blank, manhattan-with-blank, linear-conflict-pairs.

A program reads boards from standard input, one per line (1 2 3/4 5 6/7 8 0), and prints one number \
per board and line. It is started once for every 262144 boards. On Linux with bubblewrap it runs \
isolated, as in npuzzle grade.

Examples:
  npuzzle audit linear-conflict --size 3x4
  npuzzle audit linear-conflict-pairs
  npuzzle audit manhattan --size 4x4 --samples 1000 --goal snail
  npuzzle audit -- python3 my_heuristic.py

Exit codes: 0 no counter-example · 1 a counter-example · 2 bad usage, or a program that failed · \
3 a limit was reached · 4 file or I/O error · 130 interrupted")]
pub(crate) struct AuditArgs {
    /// Heuristic: zero, misplaced, manhattan, linear-conflict, inversion, walking, pattern, max(a,b),
    /// or a wrong one
    #[arg(value_name = "HEURISTIC", value_parser = values::parsed::<NamedHeuristic>)]
    #[arg(required_unless_present_any = ["program", "command"])]
    #[arg(conflicts_with_all = ["program", "command"])]
    pub(crate) heuristic: Option<NamedHeuristic>,

    /// A program that computes the heuristic, with its arguments; may also follow --
    #[arg(long, value_name = "CMD", num_args = 1.., allow_hyphen_values = true)]
    #[arg(conflicts_with = "command")]
    program: Vec<String>,

    /// Rows x columns
    #[arg(long, value_name = "SIZE", default_value = "3x3", value_parser = values::parsed::<Dims>)]
    pub(crate) size: Dims,

    #[command(flatten)]
    pub(crate) goal: SizedGoalArg,

    /// Test N random boards instead of all [default: 500 above 12 cells]
    #[arg(long, value_name = "N", value_parser = values::number(1_u64..))]
    pub(crate) samples: Option<u64>,

    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::number::<u64>(..))]
    pub(crate) seed: u64,

    #[command(flatten)]
    pub(crate) time: TimeArg,

    #[command(flatten)]
    pub(crate) threads: ThreadsArg,

    #[command(flatten)]
    pub(crate) cache: CacheArgs,

    #[command(flatten)]
    pub(crate) verdict: VerdictArgs,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,

    /// A program that computes the heuristic, with its arguments
    #[arg(last = true, value_name = "CMD")]
    command: Vec<String>,
}

impl AuditArgs {
    /// The program with its arguments; empty if a heuristic is named.
    pub(crate) fn program(&self) -> &[String] {
        if self.command.is_empty() { &self.program } else { &self.command }
    }
}
