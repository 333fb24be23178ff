//! Runs every target on its corpus and on mutations of it, the same in every run.
//!
//! `cargo xtask fuzz` searches for new inputs; those that found a bug are stored in `corpus/`.

#![allow(clippy::unwrap_used, reason = "test helpers may panic")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use npuzzle::Random;
use npuzzle_fuzz::mutate::mutated;
use npuzzle_fuzz::{TARGETS, Target, corpus, find};

/// The maximum number of mutations of a target, so that a growing corpus does not slow the test.
const MAX_MUTATIONS: usize = 8_000;

/// Runs a target and returns whether it accepted the input. A panic reports the input.
fn check(target: &Target, input: &[u8]) -> bool {
    let result = catch_unwind(AssertUnwindSafe(|| target.check(input)));
    result.unwrap_or_else(|_| panic!("{} with the input {}", target.name, input.escape_ascii()))
}

fn replay(name: &str) {
    let target = find(name).unwrap();
    let inputs = corpus::read(target).unwrap();
    assert!(inputs.len() >= 3, "the corpus of {name} is too small");
    let mut random = Random::named(1, name);
    let n_mutations = target.n_mutations.min(MAX_MUTATIONS / inputs.len());
    let mut n_accepted = 0;
    for input in &inputs {
        assert!(input.len() <= corpus::MAX_BYTES);
        n_accepted += usize::from(check(target, input));
        for _ in 0..n_mutations {
            let other = &inputs[random.below(inputs.len() as u64) as usize];
            check(target, &mutated(input, other, target.tokens, &mut random));
        }
    }
    // A target that rejects everything tests nothing.
    assert!(n_accepted > 0, "{name} accepts no input of its corpus");
}

/// Defines a test for each target.
macro_rules! replays {
    ($($name:ident)+) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })+

        #[test]
        fn every_target_is_replayed() {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(names, [$(stringify!($name)),+]);
        }
    };
}

replays! {
    boards moves names tables payloads checkpoints journals census hosts hello answers courses variants solutions
    grades judgments logs pictures requests http
}
