//! Counts the instructions of the hot loops: `cargo xtask bench --instructions`.
//!
//! Unlike times, instruction counts do not depend on the load of the machine, so a difference of one
//! percent is a change of the code. Each workload runs under callgrind twice, the second time only with
//! its preparation; the difference is divided by the number of nodes.

use std::hint::black_box;
use std::io::ErrorKind;
use std::process::{Command, ExitCode};

use npuzzle::tables::FullTable;
use npuzzle::{Cell, Goal, Metric};
use npuzzle_tables::{Pattern, PatternDatabase};
use npuzzle_testkit::{data, dims};

use crate::solving::{Solving, instance};
use crate::{best_first, eight};

/// A name, a description of what is counted, and the work. The work returns the count.
type Workload = (&'static str, &'static str, fn(Idle) -> u64);

/// Whether to run only the preparation.
type Idle = bool;

const WORKLOADS: [Workload; 4] = [
    ("korf", "15-puzzle, embedded tables, Korf 1 to 10: generated", korf),
    ("astar", "A*, Manhattan, Princeton's puzzle4x4-49: generated", astar),
    ("eight", "8-puzzle, path of a board: boards", eight_puzzles),
    ("build", "4x4, pattern database of 5 tiles: entries", build),
];

/// Runs all workloads and prints their instruction counts.
pub(crate) fn run() -> ExitCode {
    println!("{:54} {:>14} {:>12} {:>10}", "workload", "instructions", "count", "each");
    for (name, description, _) in WORKLOADS {
        let counted =
            [&["--workload", name][..], &["--workload", name, "--idle"]].map(count_instructions);
        let [(total, n_done), (idle, _)] = match counted {
            [Ok(total), Ok(idle)] => [total, idle],
            [Err(error), _] | [_, Err(error)] => {
                eprintln!("error: {error}");
                return ExitCode::FAILURE;
            }
        };
        let work = total.saturating_sub(idle);
        println!("{description:54} {work:>14} {n_done:>12} {:>10.1}", work as f64 / n_done as f64);
    }
    ExitCode::SUCCESS
}

/// Runs this program under callgrind. Returns the number of instructions and the number it printed.
fn count_instructions(args: &[&str]) -> Result<(u64, u64), String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program).args(args);
    let output = valgrind.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            "valgrind is missing: install it with the system's package manager, for example \
                                `apt install valgrind` (it is not available for Windows)"
                .to_owned()
        }
        _ => format!("valgrind: {error}"),
    })?;
    let [printed, messages] =
        [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
    let collected = messages.lines().find_map(|line| line.split_once("Collected :"));
    match (collected.and_then(|(_, n)| n.trim().parse().ok()), printed.trim().parse().ok()) {
        (Some(instructions), Some(n_done)) if output.status.success() => Ok((instructions, n_done)),
        _ => Err(format!("valgrind failed:\n{messages}")),
    }
}

/// Runs one workload and prints its count.
pub(crate) fn workload(name: &str, idle: Idle) {
    let found = WORKLOADS.iter().find(|(known, _, _)| *known == name);
    let (_, _, work) = found.expect("the name of a workload");
    println!("{}", work(idle));
}

fn korf(idle: Idle) -> u64 {
    let boards = &data::korf100()[..10];
    let mut solving = Solving::embedded(1);
    // The first board unpacks the embedded tables.
    solving.solve(&instance(&data::princeton_known()[0], &Goal::Last));
    if idle { 0 } else { solving.all(boards, &Goal::First).generated() }
}

fn astar(idle: Idle) -> u64 {
    let board = best_first::largest();
    if idle { 0 } else { best_first::astar(&board).1.generated }
}

fn eight_puzzles(idle: Idle) -> u64 {
    let boards = eight::solvable(dims("3x3"), 20_000);
    let goal = Goal::Last.board(dims("3x3")).expect("a goal");
    let moves = FullTable::build(&goal, Metric::Stm).expect("nine cells fit");
    if !idle {
        boards.iter().for_each(|board| drop(black_box(moves.path(board))));
    }
    boards.len() as u64
}

fn build(idle: Idle) -> u64 {
    let pattern = Pattern::new(16, &[11, 12, 13, 14, 15]).expect("tiles of the board");
    if !idle {
        black_box(PatternDatabase::build(dims("4x4"), Cell::new(0), &pattern));
    }
    pattern.n_ranks() as u64
}
