//! The flags of `npuzzle grade`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;
use npuzzle::format::Format;

use super::course_choice::CourseChoice;
use super::groups::SandboxArgs;
use super::values;
use crate::io::units::{self, Bound};

/// Run a student's program on a set of boards, judge its answers, name the likely bug.
#[derive(Parser, Debug)]
#[command(after_help = "\
In the command {input} stands for the file with the board, {goal} for the file with the goal (uta), {board} \
for the tiles with commas between them (uwmadison: the board as a list), {method} for the method, and {output} \
for a file that the program must write. Without {input} and {board} the program reads the board from standard \
input. Without {output} its answer is what it prints, or the file that the course prescribes (columbia: \
output.txt; the program then runs in its writable folder). The program and all processes it started are killed \
at the end.

On Linux with bubblewrap, the program runs isolated: without network, without your environment, with a \
read-only view of the system, the folders of the files that the command names (otherwise the current \
folder) and --allow PATH, and with one writable folder per board, which is also $HOME. Without \
bubblewrap there is a warning. Only Linux enforces the memory limit and kills processes that left the \
program's process group.

Examples:
  npuzzle grade --course princeton -- java Solver {input}
  npuzzle grade --course cuhk --time 5s --memory 512M -- java Puzzle8 {input} {output}
  npuzzle grade --course 42 --boards mine.txt --points 20 -- ./npuzzle -f {input}
  npuzzle grade --course columbia --method bfs -- python3 driver.py {method} {board}
  npuzzle grade --course auc --gradescope results.json -- python3 solver.py {input}
  npuzzle grade --course uta -- python3 expense_8_puzzle.py {input} {goal} a*
  npuzzle grade --course uwmadison -- python3 -c \"import funny_puzzle; funny_puzzle.solve({board})\"

Exit codes: 0 all passed · 1 some failed · 2 bad usage, or the program cannot be started · 4 file or \
I/O error · 130 interrupted")]
pub(crate) struct GradeArgs {
    /// Course of the assignment: umbc, auc, princeton, bu, cuhk, 42, columbia, cs188, uta, uwmadison
    #[arg(long, value_name = "NAME", value_parser = values::course())]
    pub(crate) course: CourseChoice,

    /// Method to grade, for courses that require one (columbia: bfs, dfs, ast)
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,

    /// Files of boards to use instead of the standard set of the course; may be repeated
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "seed")]
    pub(crate) boards: Vec<PathBuf>,

    /// Read --boards in this format instead of detecting it
    #[arg(long, value_name = "FORMAT", value_parser = values::one_of(&Format::ALL), requires = "boards")]
    pub(crate) format: Option<Format>,

    /// Generate another set of boards, from solved to hard, from this seed
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(..))]
    pub(crate) seed: Option<u64>,

    /// Wall-clock time limit per board (500ms, 5s, none) [default: the course's, or 10s]
    #[arg(long, value_parser = positive_time)]
    pub(crate) time: Option<Bound<Duration>>,

    /// Memory limit of the program and the processes it starts (512M, 2G, none) [default: the
    /// course's, or 2G]
    #[arg(long, value_parser = positive_memory)]
    pub(crate) memory: Option<Bound<u64>>,

    /// Total points, divided equally among the boards
    #[arg(long, value_name = "N", default_value_t = 100.0, value_parser = points)]
    pub(crate) points: f64,

    /// Write the results as one JSON object
    #[arg(long, value_name = "FILE")]
    pub(crate) json: Option<PathBuf>,

    /// Write the results as JUnit XML
    #[arg(long, value_name = "FILE")]
    pub(crate) junit: Option<PathBuf>,

    /// Write the results as Gradescope's results.json
    #[arg(long, value_name = "FILE")]
    pub(crate) gradescope: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) sandbox: SandboxArgs,

    /// Print nothing; the exit code and the files are the answer
    #[arg(short, long)]
    pub(crate) quiet: bool,

    /// The program and its arguments, after --
    #[arg(last = true, required = true, value_name = "COMMAND")]
    pub(crate) command: Vec<OsString>,
}

fn positive_time(text: &str) -> Result<Bound<Duration>, String> {
    match units::time(text)? {
        Some(Duration::ZERO) => Err("expected a time above 0, or none".to_owned()),
        bound => Ok(bound),
    }
}

fn positive_memory(text: &str) -> Result<Bound<u64>, String> {
    match units::bytes(text)? {
        Some(0) => Err("expected a size above 0, or none".to_owned()),
        bound => Ok(bound),
    }
}

fn points(text: &str) -> Result<f64, String> {
    let points = text.parse().ok().filter(|points: &f64| points.is_finite() && *points > 0.0);
    points.ok_or_else(|| "expected a number above 0".to_owned())
}
