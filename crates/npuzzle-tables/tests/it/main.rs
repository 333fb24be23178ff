//! Tables, automata and the store, compared with plain definitions.

// Test helpers may panic, as tests may.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod checkpoints;
mod embedded;
mod full;
mod mtm;
mod pdb;
mod run_automaton;
mod slide_automaton;
mod store;
