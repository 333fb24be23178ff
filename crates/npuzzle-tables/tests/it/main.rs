//! Tables and the automaton against plain definitions.

// Helpers of tests may stop a test where it is, as tests may.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

mod automaton;
mod drafts;
mod embedded;
mod full;
mod patterns;
mod run_automaton;
mod runs;
mod store;
