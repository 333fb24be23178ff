//! What every parser of npuzzle is held to, whatever bytes it is given.
//!
//! A [`Target`] is a plain function over bytes that panics if a promise is broken: what is accepted
//! prints and reads back the same, errors point into the input, files are left as they were or are
//! whole, memory stays within a line over the length. The same functions are run by libFuzzer, which
//! looks for inputs that take new ways through the code (`cargo xtask fuzz`), and by an ordinary test
//! over the kept corpora and some thousand mutations of them (`tests/replay.rs`).

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a panic is how a target tells what it has found")]

pub mod corpus;
pub mod mutate;
mod place;
mod target;

use std::sync::{Mutex, PoisonError};

use peak_alloc::PeakAlloc;

pub use target::{TARGETS, find};

/// Counts what is allocated, so that targets can be held to a bound.
#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// One at a time: memory is counted for the whole process.
static ALONE: Mutex<()> = Mutex::new(());

/// A parser and what it is held to.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// What `cargo xtask fuzz` calls it.
    pub name: &'static str,
    /// What is fed with bytes, in a line.
    pub about: &'static str,
    /// Feeds it, and panics if a promise is broken; whether the input was taken for what it should be.
    pub feed: fn(&[u8]) -> bool,
    /// Bytes of memory that it may take whatever the input.
    pub memory: usize,
    /// And for every byte of the input.
    pub memory_per_byte: usize,
    /// How many mutations of each kept input the test tries at most.
    pub n_mutations: usize,
    /// Words that mutations put in.
    pub words: &'static [&'static str],
}

impl Target {
    /// Feeds the target, and panics if a promise is broken, that about memory included; whether the
    /// input was taken for what it should be.
    pub fn check(&self, input: &[u8]) -> bool {
        let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        MEMORY.reset_peak_usage();
        let before = MEMORY.current_usage();
        let is_taken = (self.feed)(input);
        let taken = MEMORY.peak_usage().saturating_sub(before);
        let most = self.memory + self.memory_per_byte * input.len();
        assert!(taken <= most, "{taken} bytes of memory for {} of input: {most}", input.len());
        is_taken
    }
}
