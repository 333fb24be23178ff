//! Iterative deepening: the driver, subtrees for threads, table escalation, the journal.

pub(crate) mod journal;
pub(crate) mod subtree_split;
pub(crate) mod table_escalation;
