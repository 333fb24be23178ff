//! The tests of the door: every algorithm and heuristic against enumeration, plans and their
//! refusals, limits, boards with known answers.

// A test that cannot go on should stop where it is, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod agreement;
mod all_optimal;
mod analysis;
mod answers;
mod audit;
mod batch;
mod beam;
mod census;
mod crossing;
mod examples;
mod generate;
mod journal;
mod known;
mod limits;
mod plans;
mod sizes;
mod tables;
mod trace;

use npuzzle::{Instance, Options, Report};

/// Solves, and replays the solution if there is one.
fn solve(instance: &Instance, options: &Options) -> Report {
    let report = options.solve(instance).unwrap();
    if let Some(moves) = report.moves() {
        assert_eq!(moves.replay(instance.start()).as_ref(), Ok(instance.goal()), "{instance:?}");
    }
    report
}
