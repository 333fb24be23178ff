//! Tests of the core crate: laws over whole state spaces and over random boards, queues against
//! simple reference queues, and searches against breadth-first enumeration.

// Helpers of tests may panic.
#![allow(clippy::unwrap_used, clippy::expect_used)]

/// Calls a generic function once for every heuristic of a goal: `check(name, &heuristic, args…)`.
macro_rules! with_every_heuristic {
    ($goal:expr, $check:ident($($arg:expr),*)) => {{
        use npuzzle_core::heuristic::{
            Inversions, LinearConflict, Manhattan, Max, Misplaced, WalkingDistance, Zero,
        };
        let goal = $goal;
        let (misplaced, manhattan) = (Misplaced::new(goal), Manhattan::new(goal));
        let conflict = LinearConflict::new(goal);
        $check("zero", &Zero, $($arg),*);
        $check("misplaced", &misplaced, $($arg),*);
        $check("manhattan", &manhattan, $($arg),*);
        $check("linear-conflict", &conflict, $($arg),*);
        $check("inversion", &Inversions::new(goal), $($arg),*);
        if let Some(walking) = WalkingDistance::new(goal) {
            $check("walking", &walking, $($arg),*);
        }
        $check("max(misplaced,manhattan)", &Max(misplaced, manhattan.clone()), $($arg),*);
        $check("max(linear-conflict,zero)", &Max(conflict.clone(), Zero), $($arg),*);
        $check("max(manhattan,linear-conflict)", &Max(manhattan, conflict), $($arg),*);
    }};
}

mod bidirectional;
mod chained_hash;
mod costs_and_blanks;
mod counters;
mod index_table;
mod laws;
mod limits;
mod moves;
mod queues;
mod reopening;
mod searches;
mod spaces;
mod twin_lockstep;
mod written_boards;

use proptest::test_runner::Config;

/// The configuration for `n` random cases. Failing cases are printed and not stored in a file.
fn cases(n: u32) -> Config {
    Config { cases: n, failure_persistence: None, ..Config::default() }
}
