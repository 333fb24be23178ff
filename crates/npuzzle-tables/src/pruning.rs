//! Finite-state machines that prune duplicate move sequences (Taylor and Korf, 1993).

pub(crate) mod run_automaton;
pub(crate) mod slide_automaton;
