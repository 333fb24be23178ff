//! Every kept input and some mutations of each, the same in every run, through every target.
//!
//! `cargo xtask fuzz` looks for new inputs; those that found something are kept in `corpus/`.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use npuzzle::Random;
use npuzzle_fuzz::mutate::mutated;
use npuzzle_fuzz::{TARGETS, Target, corpus, find};

/// Fed with an input; what broke is told with the input.
fn check(target: &Target, input: &[u8]) {
    let fed = catch_unwind(AssertUnwindSafe(|| target.check(input)));
    assert!(fed.is_ok(), "{} with the input {}", target.name, input.escape_ascii());
}

fn replay(name: &str) {
    let target = find(name).unwrap();
    let inputs = corpus::read(target).unwrap();
    assert!(inputs.len() >= 3, "{name} has hardly any inputs");
    let mut random = Random::named(1, name);
    for input in &inputs {
        assert!(input.len() <= corpus::MOST_BYTES);
        check(target, input);
        for _ in 0..target.n_mutations {
            let other = &inputs[random.below(inputs.len() as u64) as usize];
            check(target, &mutated(input, other, target.words, &mut random));
        }
    }
}

/// A test for each target, by its name.
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
    boards moves names tables drafts journals census hosts courses solutions grades logs pictures
    questions http
}
