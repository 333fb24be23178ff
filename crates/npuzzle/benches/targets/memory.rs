//! What a process takes by the system's count, where the system tells.

use npuzzle::Goal;
use npuzzle::search::Outcome;
use npuzzle_testkit::data;

use crate::best_first;
use crate::solving::{Solving, instance};

/// The bytes that a process of its own takes for one of these: see [`in_this_process`].
pub(crate) fn of(what: &str) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let output = std::process::Command::new(program).args(["--memory", what]).output().ok()?;
    String::from_utf8(output.stdout).ok()?.trim().parse().ok()
}

/// Prints what it takes to solve a 15-puzzle with embedded tables, the whole process counted; or by how much A* lets it grow, ours or that of the crate `pathfinding`.
pub(crate) fn in_this_process(what: &str) {
    let Some(before) = resident() else { return };
    let before = match what {
        "embedded" => {
            let known = &data::korf100()[0];
            Solving::embedded(1).solve(&instance(known, &Goal::First));
            0
        }
        "astar" => {
            let (problem, h) = best_first::largest();
            assert_ne!(best_first::astar(&problem, &h).outcome, Outcome::Unsolvable);
            before
        }
        "pathfinding" => {
            let (problem, h) = best_first::largest();
            assert_ne!(best_first::pathfinding_astar(&problem, &h), None);
            before
        }
        _ => return,
    };
    if let Some(after) = resident() {
        println!("{}", after - before);
    }
}

/// The most bytes that this process has had in memory.
fn resident() -> Option<u64> {
    resident_of("self")
}

/// The same of a process that is running.
pub(crate) fn resident_of(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok().map(|kib| kib * 1024)
}
