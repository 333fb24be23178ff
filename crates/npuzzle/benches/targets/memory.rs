//! The resident memory of a process, on systems that report it.

use npuzzle::Goal;
use npuzzle_testkit::data;

use crate::best_first;
use crate::solving::{Solving, instance};

/// Starts a process for one of the tasks of [`in_this_process`], and returns the number it prints.
pub(crate) fn of(task: &str) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = std::process::Command::new(program).args(["--memory", task]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Prints a number of bytes: for `embedded`, the memory of the process after solving a 15-puzzle with
/// embedded tables; for `astar` and `pathfinding`, the growth of the process during A* of this library
/// or of the crate `pathfinding`.
pub(crate) fn in_this_process(task: &str) {
    let Some(before) = resident() else { return };
    let before = match task {
        "embedded" => {
            let known = &data::korf100()[0];
            Solving::embedded(1).solve(&instance(known, &Goal::First));
            0
        }
        "astar" => {
            assert!(best_first::astar(&best_first::largest()).0 > 0);
            before
        }
        "pathfinding" => {
            let (problem, h) = best_first::problem(&best_first::largest());
            assert_ne!(best_first::pathfinding_astar(&problem, &h), None);
            before
        }
        _ => return,
    };
    if let Some(after) = resident() {
        println!("{}", after - before);
    }
}

/// Returns the peak resident memory of this process in bytes.
fn resident() -> Option<u64> {
    resident_of("self")
}

/// Returns the peak resident memory of a running process in bytes.
pub(crate) fn resident_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
