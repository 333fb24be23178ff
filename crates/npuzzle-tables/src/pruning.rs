//! Finite-state machines that prune duplicate move sequences (Taylor and Korf 1993).
//!
//! Many sequences of moves lead from one board to the same other board. A depth-first search that does
//! not know this searches everything below that board again and again. A machine reads the moves of a
//! path and *forbids* a sequence X if another sequence Y leads to the same board from every board, and
//! Y is shorter, or as long and earlier in alphabetical order.
//!
//! *Why no shortest path is lost.* Among all shortest paths to a board, take the one that is first in
//! alphabetical order. If it contained a forbidden X, replacing X by Y would give a path that is shorter
//! or earlier, a contradiction. Y must be legal wherever X is. So Y is required to stay within the
//! rectangle of cells that the blank visits in X, and no border of the board stops it. Hence at least
//! one shortest path to every board remains, on every size of board and with every admissible
//! heuristic.
//!
//! *Construction.* All sequences up to a length are tried in alphabetical order on a board without
//! borders, shortest first ([`endless_board`]). The end of a sequence is a hash of all tiles that have
//! moved. A sequence that ends where an earlier one does, within its rectangle, is forbidden and not
//! extended. The forbidden words become an automaton by the construction of Aho & Corasick, and
//! equivalent states are merged ([`word_automaton`]).

mod endless_board;
pub(crate) mod run_automaton;
pub(crate) mod slide_automaton;
mod word_automaton;
