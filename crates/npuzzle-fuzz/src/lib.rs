//! The invariants of every parser of npuzzle, for arbitrary input.
//!
//! A [`Target`] is a function over bytes that panics if an invariant is violated: accepted input
//! prints and reads back the same, errors point into the input, files are left unchanged or are
//! complete, memory is at most linear in the length of the input. libFuzzer runs these functions to
//! find inputs that reach new code (`cargo xtask fuzz`). An ordinary test runs them on the stored
//! corpora and a few thousand mutations of them (`tests/replay.rs`).

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a target reports a violation by a panic")]

mod assertions;
pub mod corpus;
pub mod mutate;
mod target;

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;

pub use target::{TARGETS, find};

/// Counts allocated bytes, so that the memory of a target can be limited.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Held while a target runs: memory is counted for the whole process.
static RUNNING: Mutex<()> = Mutex::new(());

/// A parser and its invariants.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// The name for `cargo xtask fuzz`.
    pub name: &'static str,
    /// A description of the input, in one line.
    pub about: &'static str,
    /// Runs the parser on an input and returns whether the parser accepted it. Panics if an
    /// invariant is violated.
    pub run: fn(&[u8]) -> bool,
    /// The memory that any input may use, in bytes.
    pub base_memory: usize,
    /// The additional memory for every byte of the input, in bytes.
    pub memory_per_byte: usize,
    /// The maximum number of mutations of each stored input in the replay test.
    pub n_mutations: usize,
    /// Tokens that mutations insert.
    pub tokens: &'static [&'static str],
}

impl Target {
    /// Runs the target and returns whether the parser accepted the input. Panics if an invariant is
    /// violated, including the memory limit.
    pub fn check(&self, input: &[u8]) -> bool {
        let _running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let is_accepted = (self.run)(input);
        let used = MEMORY.peak_usage().saturating_sub(before);
        let max = self.base_memory + self.memory_per_byte * input.len();
        assert!(
            used <= max,
            "{used} bytes of memory for {} bytes of input, max {max}",
            input.len()
        );
        is_accepted
    }
}
