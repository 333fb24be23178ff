//! Iterative deepening: what the pattern-database engine, the MTM engine and the cluster share.
//!
//! IDA* (Korf 1985) searches depth first for solutions of at most `bound` moves, and raises the bound until
//! there is one. Everything that does not depend on the heuristic is here, once:
//!
//! - [`bounded_dfs`]: the trait an engine implements, and the counters of one depth-first search;
//! - [`iterate`]: the rounds, one after the other;
//! - [`subtree_split`]: one round on several threads, with the result of a single thread;
//! - [`table_escalation`]: cheap tables first, better ones when they pay;
//! - [`journal`]: the progress of a long search in a file.

pub(crate) mod bounded_dfs;
pub(crate) mod iterate;
pub(crate) mod journal;
pub(crate) mod subtree_split;
pub(crate) mod table_escalation;
