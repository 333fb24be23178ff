//! Tests of the public interface: every algorithm and heuristic against enumeration, plans and their
//! refusals, limits, and boards with published answers.

// Tests may panic, and so may their helpers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agreement;
mod all_optimal;
mod analysis;
mod answers;
mod audit;
mod batch;
mod beam;
mod census;
mod examples;
mod generate;
mod journal;
mod known;
mod limits;
mod option_combinations;
mod pddl;
mod plans;
mod sizes;
mod tables;
mod trace;

use npuzzle::{Instance, Options, Report};

/// Solves a board, and replays the solution if there is one.
fn solve(instance: &Instance, options: &Options) -> Report {
    let report = options.solve(instance).unwrap();
    if let Some(moves) = report.moves() {
        assert_eq!(moves.replay(instance.start()).as_ref(), Ok(instance.goal()), "{instance:?}");
    }
    report
}
