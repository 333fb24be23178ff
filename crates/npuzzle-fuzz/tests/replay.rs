//! Every kept input and some mutations of each, the same in every run, through every target.
//!
//! `cargo xtask fuzz` looks for new inputs; those that found something are kept in `corpus/`.

#![allow(clippy::unwrap_used, reason = "the helpers of tests are tests")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use npuzzle::Random;
use npuzzle_fuzz::mutate::mutated;
use npuzzle_fuzz::{TARGETS, Target, corpus, find};

/// The most mutations of all inputs of a target together: what is kept grows, the test does not.
const MOST_MUTATIONS: usize = 8_000;

/// Fed with an input; what broke is told with the input. Whether it was taken.
fn check(target: &Target, input: &[u8]) -> bool {
    let fed = catch_unwind(AssertUnwindSafe(|| target.check(input)));
    fed.unwrap_or_else(|_| panic!("{} with the input {}", target.name, input.escape_ascii()))
}

fn replay(name: &str) {
    let target = find(name).unwrap();
    let inputs = corpus::read(target).unwrap();
    assert!(inputs.len() >= 3, "{name} has hardly any inputs");
    let mut random = Random::named(1, name);
    let n_mutations = target.n_mutations.min(MOST_MUTATIONS / inputs.len());
    let mut n_taken = 0;
    for input in &inputs {
        assert!(input.len() <= corpus::MOST_BYTES);
        n_taken += usize::from(check(target, input));
        for _ in 0..n_mutations {
            let other = &inputs[random.below(inputs.len() as u64) as usize];
            check(target, &mutated(input, other, target.words, &mut random));
        }
    }
    // Whoever takes nothing any more tests nothing.
    assert!(n_taken > 0, "{name} takes none of the kept inputs");
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
    boards moves names tables payloads drafts journals census hosts hello answers courses solutions
    grades logs pictures questions http
}
