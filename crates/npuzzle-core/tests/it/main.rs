//! The tests of the core: laws over whole state spaces and over random boards, queues against
//! their plain twins, searches against breadth-first enumeration.

// A test that cannot go on should stop where it is, in its helpers too.
#![allow(clippy::unwrap_used, clippy::expect_used)]

/// Calls a generic check once for every heuristic of a goal: `check(name, &heuristic, args…)`.
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
mod chained;
mod counters;
mod laws;
mod limits;
mod lockstep;
mod moves;
mod numbered;
mod queues;
mod reopening;
mod searches;
mod spaces;

use proptest::test_runner::Config;

/// A fixed number of random cases; what fails is printed, not stored beside the sources.
fn cases(n: u32) -> Config {
    Config { cases: n, failure_persistence: None, ..Config::default() }
}
